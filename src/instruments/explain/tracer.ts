import { forkKey, philox, type StreamKey } from "../../address.js";
import { halvesOf, placeOf } from "../../calls/index.js";
import { type Kernel, Status } from "../../kernel/index.js";
import { AliasHead } from "../../kernel/layout.js";

/** An entry of a list from which a decision picks. */
export interface Choice {
  /** Null for nothing. */
  readonly name: string | number | null;
  readonly weight: number;
  /** The sum of the weights up to and including this one. */
  readonly sum: number;
}

/** The column of an alias table that a word selects. It wins if f < q, its alias if f > q; extra words decide a tie. */
export interface AliasColumn {
  /** Number of columns, a power of two. */
  readonly columns: number;
  readonly column: number;
  readonly f: number;
  readonly q: number;
  readonly alias: number;
}

/** A random decision, as docs/determinism.md defines it. */
export interface Decision {
  /** The part of the result to which the decision belongs. Absent if the result has no parts. */
  readonly part?: string;
  /** What is decided, such as "row 0 (Orc)" or "die 1 of 2". */
  readonly what: string;
  /** The ids of the forks of the stream that lead to the word. Absent if it is a word of the stream itself. */
  readonly forks?: readonly number[];
  readonly plane: number;
  readonly index: number;
  readonly word: number;
  /** The extra words of the address that the decision read, from x₀ on. */
  readonly extra: readonly number[];
  /** The bound of below(m). Of a pick: the total of its weights. */
  readonly m: number;
  /** The result of below(m). For an alias pick: the integer from extra words, absent if f ≠ q, which reads none. */
  readonly value?: number;
  /** Present for an alias pick. */
  readonly alias?: AliasColumn;
  /** Present for a pick. */
  readonly weights?: readonly Choice[];
  /** The picked entry, as an index into {@link weights}. */
  readonly choice?: number;
  /** What follows: the name of the picked entry, the number that a die shows, "yes" or "no". */
  readonly so: string;
}

/** Names a decision and its address. */
type Asked = Pick<Decision, "what" | "plane" | "index">;
/** An entry, before the sums are known. */
export type Weighed = Pick<Choice, "name" | "weight">;

type Place = Pick<Decision, "part" | "forks">;

/** Makes the decisions of a noun again, one at a time, and records each. */
export class Tracer {
  readonly decisions: Decision[];
  readonly #kernel: Kernel;
  readonly #key: StreamKey;
  readonly #place: Place;

  constructor(kernel: Kernel, key: StreamKey, decisions: Decision[] = [], place: Place = {}) {
    this.decisions = decisions;
    this.#kernel = kernel;
    this.#key = key;
    this.#place = place;
  }

  /** Returns a tracer that records the decisions of a part of the result. */
  part(part: string): Tracer {
    return new Tracer(this.#kernel, this.#key, this.decisions, { ...this.#place, part });
  }

  /** Returns a tracer that reads the words of a fork. */
  fork(id: number, part: string): Tracer {
    const forks = [...(this.#place.forks ?? []), id];
    return new Tracer(this.#kernel, forkKey(this.#key, id), this.decisions, { forks, part });
  }

  below(asked: Asked, m: number, so: (value: number) => string): number {
    const words = this.#open(asked);
    const value = words.below(m);
    this.#record(asked, words, { m, value, so: so(value) });
    return value;
  }

  /** A prefix pick. Returns the index of the entry. */
  pick(asked: Asked, entries: readonly Weighed[]): number {
    const weights = withSums(entries);
    const m = weights[weights.length - 1].sum;
    const words = this.#open(asked);
    const value = words.below(m);
    const choice = weights.findIndex(({ sum }) => sum > value);
    this.#record(asked, words, { m, value, weights, choice, so: textOf(weights[choice].name) });
    return choice;
  }

  alias(asked: Asked, entries: readonly Weighed[]): number {
    const weights = withSums(entries);
    const m = weights[weights.length - 1].sum;
    const words = this.#open(asked);
    const { share, ...alias } = this.#column(weights, words.word);
    const scaled = BigInt(share) * BigInt(2 ** 32 / alias.columns);
    const q = Number(scaled / BigInt(m));
    const value = alias.f === q ? words.uniform(m) : undefined;
    const keeps = value === undefined ? alias.f < q : BigInt(value) < scaled % BigInt(m);
    const choice = keeps ? alias.column : alias.alias;
    const so = textOf(weights[choice].name);
    const known = value === undefined ? {} : { value };
    const { columns, column, f, alias: other } = alias;
    this.#record(asked, words, { m, ...known, alias: { columns, column, f, q, alias: other }, weights, choice, so });
    return choice;
  }

  #open({ plane, index }: Asked): Words {
    return new Words(this.#kernel, this.#key, { plane, index });
  }

  #record(asked: Asked, { word, extra }: Words, found: Pick<Decision, "m" | "so"> & Partial<Decision>): void {
    this.decisions.push({ ...this.#place, ...asked, word, extra, ...found });
  }

  /** Builds the alias table in the kernel's free memory, reads the column of a word, and frees the memory again. */
  #column(weights: readonly Choice[], word: number) {
    const kernel = this.#kernel;
    const before = kernel.call((exports) => exports.mark());
    const list = kernel.taken(
      kernel.call((exports) => exports.createAlias(weights.length)),
      PURPOSE,
    );
    const room = kernel.u32(kernel.read(list, AliasHead).shares, weights.length);
    for (const [i, { weight }] of weights.entries()) room[i] = weight;
    const status = kernel.call((exports) => exports.buildAlias(list, weights.length));
    if (status !== Status.OK) kernel.outOfMemory(PURPOSE);
    const { bits, columns: heads, shares } = kernel.read(list, AliasHead);
    const columns = 2 ** bits;
    const column = Math.floor(word / (2 ** 32 / columns));
    const [share, head] = [shares, heads].map((at) => kernel.u32(at, columns)[column]);
    kernel.call((exports) => exports.release(before));
    return { columns, column, f: word % (2 ** 32 / columns), alias: head % columns, share };
  }
}

const PURPOSE = "an explanation";

/** The word at an address, and as many of its extra words as were read. */
class Words {
  readonly word: number;
  readonly extra: number[] = [];
  readonly #key: StreamKey;
  readonly #address: Pick<Decision, "plane" | "index">;

  constructor(kernel: Kernel, key: StreamKey, address: Pick<Decision, "plane" | "index">) {
    const [low, high] = halvesOf(address.plane);
    const { block, offset } = placeOf(address.index);
    this.word = kernel.run(key, (exports) => exports.wordOf(low, high, block, offset)) >>> 0;
    this.#key = key;
    this.#address = address;
  }

  below(m: number): number {
    const product = BigInt(this.word) * BigInt(m);
    const isSettled = (product % TWO_32) + BigInt(m) - 1n < TWO_32;
    return Number((product + BigInt(isSettled ? 0 : this.uniform(m))) / TWO_32);
  }

  /** Returns a uniform integer 0 … m − 1 from extra words alone. */
  uniform(m: number): number {
    for (;;) {
      const product = BigInt(this.#next()) * BigInt(m);
      if (product % TWO_32 >= TWO_32 % BigInt(m)) return Number(product / TWO_32);
    }
  }

  #next(): number {
    const i = this.extra.length;
    const [low, high] = halvesOf(this.#address.index);
    const four = philox(this.#key, [4 + (i >> 2) + 2 ** 16 * high, low, ...halvesOf(this.#address.plane)]);
    return this.extra[this.extra.push(four[i & 3] >>> 0) - 1];
  }
}

const TWO_32 = 2n ** 32n;

function withSums(entries: readonly Weighed[]): Choice[] {
  let sum = 0;
  return entries.map(({ name, weight }) => {
    sum += weight;
    return { name, weight, sum };
  });
}

export function textOf(name: Choice["name"]): string {
  return name === null ? "nothing" : String(name);
}
