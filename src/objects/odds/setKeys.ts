import { choices } from "./tuples.js";

/** Up to this size, a list is faster than a map and takes no more memory. */
const MAX_LISTED = 2 ** 20;
/** For at most nine affixes, `choices` is exact up to this number. */
const MAX_SAFE = 2 ** 49;

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

/** The key of a set: its position in colexicographic order. If positions can be inexact, the key is a text. */
type SetKey = number | string;

export class SetKeys {
  readonly #places: number;
  /** Entry [size][p] is the number of sets of `size` different places that are all below p. */
  readonly #choices: readonly (readonly number[])[];
  readonly #areSafe: boolean;

  constructor(places: number, most: number) {
    this.#places = places;
    const below = Array.from({ length: places }, (_, place) => place);
    this.#choices = Array.from({ length: most + 2 }, (_, size) => below.map((place) => choices(place, size)));
    this.#areSafe = choices(places, most + 1) <= MAX_SAFE;
  }

  index<Value>(size: number): SetIndex<Value> {
    const sets = choices(this.#places, size);
    return new SetIndex(this.#areSafe && sets <= MAX_LISTED ? new Array<Value | undefined>(sets) : new Map());
  }

  /** Entry p is the key of the set with p added; undefined if it has p. Sets of one size differ in their keys. */
  keysAfter(set: readonly number[]): readonly (SetKey | undefined)[] {
    const keys: (SetKey | undefined)[] = [];
    let [before, lower, upper] = [0, 0, 0];
    for (let i = 0; i < set.length; i++) upper += this.#choices[i + 2][set[i]];
    for (let place = 0; place < this.#places; place++) {
      if (before < set.length && set[before] === place) {
        lower += this.#choices[before + 1][place];
        upper -= this.#choices[before + 2][place];
        before++;
        keys.push(undefined);
      } else if (this.#areSafe) keys.push(lower + this.#choices[before + 1][place] + upper);
      else keys.push([...set.slice(0, before), place, ...set.slice(before)].join());
    }
    return keys;
  }
}
