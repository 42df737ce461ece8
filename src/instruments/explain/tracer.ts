import { type ForkId, forkKey, type PlainForkId, plainId, type StreamKey, startsKey } from "../../address.js";
import { Words } from "../../calls/index.js";
import { type Kernel, Status } from "../../kernel/index.js";
import { AliasHead } from "../../kernel/layout.js";

/** An entry of a list from which a decision picks. */
export interface Choice {
  /** Null for nothing. */
  readonly name: string | number | null;
  readonly weight: number;
  /** The sum of the weights up to and including this one. */
  readonly sum: number;
  /** How the weight was computed, such as "2 × 3" or "closed: outside the grid". Only a step of a walk has it. */
  readonly why?: string;
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
  /**
   * The ids of the forks of the stream that lead to the word; `{ starts: 1 }` is the stream of a layer's starts. Absent
   * if it is a word of the stream itself.
   */
  readonly forks?: readonly (PlainForkId | { readonly starts: 1 })[];
  readonly plane: number;
  readonly index: number;
  /** Number of extra words of the address that earlier decisions read. `word` is the next one. Absent if it is 0. */
  readonly skipped?: number;
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

/** A test that reads no random word, such as the number of visits of a layer. */
export interface Fact {
  readonly part?: string;
  readonly what: string;
  /** The number that was tested. Absent if the test is not of a number. */
  readonly value?: number;
  readonly so: string;
  /** Index of the decision before which the test was made; the number of decisions if none followed. */
  readonly before: number;
}

/** Names a decision and its address. */
export type Asked = Pick<Decision, "what" | "plane" | "index" | "skipped">;
/** An entry, before the sums are known. */
export type Weighed = Omit<Choice, "sum">;

type Place = Pick<Decision, "part" | "forks">;

interface Found {
  readonly decisions: Decision[];
  readonly facts: Fact[];
}

interface TracerSetup {
  readonly kernel: Kernel;
  readonly key: StreamKey;
  readonly found: Found;
  readonly place: Place;
  /** The text before the name of every part. */
  readonly prefix: string;
}

/** Makes the decisions of a noun again, one at a time, and records each. */
export class Tracer {
  readonly #setup: TracerSetup;

  constructor(kernel: Kernel, key: StreamKey, rest: Partial<TracerSetup> = {}) {
    this.#setup = { found: { decisions: [], facts: [] }, place: {}, prefix: "", ...rest, kernel, key };
  }

  get decisions(): readonly Decision[] {
    return this.#setup.found.decisions;
  }

  get facts(): readonly Fact[] {
    return this.#setup.found.facts;
  }

  /** Returns a tracer that records the decisions of a part of the result. */
  part(part: string): Tracer {
    const { place, prefix } = this.#setup;
    return this.#but({ place: { ...place, part: `${prefix}${part}` } });
  }

  /** Returns a tracer that reads the words of a fork. By default, it records the same part of the result. */
  fork(id: ForkId, part?: string): Tracer {
    const fork = this.#inner(forkKey(this.#setup.key, id), plainId(id));
    return part === undefined ? fork : fork.part(part);
  }

  /** Returns a tracer that reads the words of a layer's starts. */
  starts(): Tracer {
    return this.#inner(startsKey(this.#setup.key), { starts: 1 });
  }

  /** Returns a tracer for an inner noun, whose parts are parts of `part`. It reads words with the noun's kernel. */
  inside(part: string, kernel: Kernel): Tracer {
    return this.part(part).#but({ kernel, prefix: `${part}, ` });
  }

  /** Returns a tracer that reads the same words, but keeps separate records. */
  silent(): Tracer {
    return this.#but({ found: { decisions: [], facts: [] } });
  }

  #but(changes: Partial<TracerSetup>): Tracer {
    const setup = { ...this.#setup, ...changes };
    return new Tracer(setup.kernel, setup.key, setup);
  }

  #inner(key: StreamKey, id: NonNullable<Place["forks"]>[number]): Tracer {
    const { place } = this.#setup;
    return this.#but({ key, place: { ...place, forks: [...(place.forks ?? []), id] } });
  }

  fact(what: string, so: string, value?: number): void {
    const { found, place } = this.#setup;
    const part = place.part === undefined ? {} : { part: place.part };
    const tested = value === undefined ? {} : { value };
    found.facts.push({ ...part, what, ...tested, so, before: found.decisions.length });
  }

  below(asked: Asked, m: number, so: (value: number) => string): number {
    const words = this.#open(asked);
    const value = words.below(m);
    this.#record(asked, words, { m, value, so: so(value) });
    return value;
  }

  /** A prefix pick. Returns the index of the entry. By default, its name follows from the pick. */
  pick(asked: Asked, entries: readonly Weighed[], so = (choice: number) => textOf(entries[choice].name)): number {
    const weights = withSums(entries);
    const m = weights[weights.length - 1].sum;
    const words = this.#open(asked);
    const value = words.below(m);
    const choice = weights.findIndex(({ sum }) => sum > value);
    this.#record(asked, words, { m, value, weights, choice, so: so(choice) });
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

  #open(asked: Asked): Words {
    return new Words(this.#setup.kernel, this.#setup.key, asked);
  }

  #record(asked: Asked, { word, extra }: Words, found: Pick<Decision, "m" | "so"> & Partial<Decision>): void {
    this.#setup.found.decisions.push({ ...this.#setup.place, ...asked, word, extra, ...found });
  }

  /** Builds the alias table in the kernel's free memory, reads the column of a word, and frees the memory again. */
  #column(weights: readonly Choice[], word: number) {
    const { kernel } = this.#setup;
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

function withSums(entries: readonly Weighed[]): Choice[] {
  let sum = 0;
  return entries.map(({ name, weight, ...why }) => {
    sum += weight;
    return { name, weight, sum, ...why };
  });
}

export function textOf(name: Choice["name"]): string {
  return name === null ? "nothing" : String(name);
}
