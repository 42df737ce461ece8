/** Up to this size, a list is faster than a map and takes no more memory. */
const MAX_LISTED = 2 ** 20;

/** A list if the keys are small numbers, otherwise a map. */
export class SetIndex<Value> {
  readonly #values: (Value | undefined)[] | Map<SetKey, Value>;

  constructor(values: (Value | undefined)[] | Map<SetKey, Value>) {
    this.#values = values;
  }

  get(key: SetKey): Value | undefined {
    return this.#values instanceof Map ? this.#values.get(key) : this.#values[key as number];
  }

  set(key: SetKey, value: Value): void {
    if (this.#values instanceof Map) this.#values.set(key, value);
    else this.#values[key as number] = value;
  }

  values(): Value[] {
    return [...this.#values.values()].filter((value) => value !== undefined);
  }
}

/** The key of a set: its position in colexicographic order. If positions can exceed 2^53, the key is a text. */
export type SetKey = number | string;

/** The elements of a set are places: numbers from 0. */
export class SetKeys {
  readonly #places: number;
  /** Entry (size · #places + p) is the number of sets of `size` different places that are all below p. */
  readonly #choices: Float64Array;
  readonly #areSafe: boolean;

  constructor(places: number, most: number) {
    this.#places = places;
    this.#choices = new Float64Array((most + 2) * places);
    for (let size = 0; size <= most + 1; size++) {
      for (let place = 0; place < places; place++) {
        const before = place === 0 ? 0 : this.#choicesOf(size, place - 1);
        const less = place === 0 || size === 0 ? 0 : this.#choicesOf(size - 1, place - 1);
        this.#choices[size * places + place] = size === 0 ? 1 : before + less;
      }
    }
    this.#areSafe = places === 0 || this.#choicesOf(most + 1, places - 1) <= Number.MAX_SAFE_INTEGER;
  }

  index<Value>(size: number): SetIndex<Value> {
    const sets =
      this.#places === 0 ? 0 : this.#choicesOf(size, this.#places - 1) + this.#choicesOf(size - 1, this.#places - 1);
    return new SetIndex(this.#areSafe && sets <= MAX_LISTED ? new Array<Value | undefined>(sets) : new Map());
  }

  #choicesOf(size: number, place: number): number {
    return this.#choices[size * this.#places + place];
  }

  /**
   * Entry p of the result is the key of the set with p added; undefined if p is in the set already. Two different sets
   * of the same size have different keys. The places of `set` are ascending.
   */
  keysAfter(set: readonly number[]): readonly (SetKey | undefined)[] {
    const keys: (SetKey | undefined)[] = [];
    let [before, lower, upper] = [0, 0, 0];
    for (let i = 0; i < set.length; i++) upper += this.#choicesOf(i + 2, set[i]);
    for (let place = 0; place < this.#places; place++) {
      if (before < set.length && set[before] === place) {
        lower += this.#choicesOf(before + 1, place);
        upper -= this.#choicesOf(before + 2, place);
        before++;
        keys.push(undefined);
      } else if (this.#areSafe) keys.push(lower + this.#choicesOf(before + 1, place) + upper);
      else keys.push([...set.slice(0, before), place, ...set.slice(before)].join());
    }
    return keys;
  }
}
