import { VALUED } from "../parse/flags.js";
import type { FlagSpec } from "../types.js";

/** Elements of one word of a mask: RES_x at bits 0 … 9, IM_x at 10 … 19, VULN_x at 20 … 29 (assembly/objects/record.ts). */
const ELEMENTS_OF_WORD = 10;
/** Flags of an element, and the types that they have; in the order of their bits. */
const OF_ELEMENT = [
  { prefix: "RES_", types: ["LRES", "HRES"] },
  { prefix: "IM_", types: ["IMM"] },
  { prefix: "VULN_", types: ["VULN"] },
] as const;
/** Types of flags that ammunition keeps. */
const OF_AMMUNITION: readonly string[] = ["SLAY", "KILL", "BRAND", "IGNORE", "HATES", "INT"];
const WORD_BITS = 32;
const VECTOR_BYTES = 16;

/** Where each flag is: a bit of a mask, or, for flags with a value, an index into the pvals. */
export class FlagBits {
  /** Names by bit; undefined for bits that stand for nothing. */
  readonly names: readonly (string | undefined)[];
  /** Names by index into the pvals, in the order of the flag list. */
  readonly pvalNames: readonly string[];
  /** Words of a mask, and how many of them, the first ones, hold elements. */
  readonly words: number;
  readonly elementWords: number;
  /** Bits that ammunition keeps. */
  readonly ammunition: Uint32Array<ArrayBuffer>;
  readonly #bits = new Map<string, number>();
  readonly #pvals: ReadonlyMap<string, number>;
  /** Where each flag stands in the flag list. */
  readonly #places: ReadonlyMap<string, number>;

  constructor(flags: readonly FlagSpec[]) {
    this.#places = new Map(flags.map(({ name }, place) => [name, place]));
    this.pvalNames = flags.filter(isValued).map(({ name }) => name);
    this.#pvals = new Map(this.pvalNames.map((name, index) => [name, index]));
    const plain = flags.filter((flag) => !isValued(flag));
    const elements = elementsOf(plain);
    this.elementWords = Math.ceil(elements.length / ELEMENTS_OF_WORD);
    for (const [i, element] of elements.entries()) {
      const first = WORD_BITS * Math.floor(i / ELEMENTS_OF_WORD) + (i % ELEMENTS_OF_WORD);
      for (const [part, name] of element.entries()) {
        if (name !== undefined) this.#bits.set(name, first + ELEMENTS_OF_WORD * part);
      }
    }
    let next = this.elementWords * WORD_BITS;
    for (const { name } of plain) if (!this.#bits.has(name)) this.#bits.set(name, next++);
    this.words = Math.max(1, Math.ceil(next / WORD_BITS));
    const names = new Array<string | undefined>(this.words * WORD_BITS).fill(undefined);
    for (const [name, bit] of this.#bits) names[bit] = name;
    this.names = names;
    this.ammunition = this.mask(plain.filter(({ type }) => OF_AMMUNITION.includes(type)).map(({ name }) => name));
  }

  /** Bytes of a mask and of an object's pvals in the kernel, whole vectors. */
  get flagBytes(): number {
    return wholeVectors(4 * this.words);
  }

  get pvalBytes(): number {
    return wholeVectors(2 * this.pvalNames.length);
  }

  /** The bit of a flag without a value; whoever names another has not checked it. */
  bit(name: string): number {
    return known(this.#bits.get(name), name);
  }

  /** Bits of flags without a value, in the order of the flag list. Cost: O(names · log names). */
  inOrder(names: readonly string[]): readonly number[] {
    const placed = names.map((name) => ({ bit: this.bit(name), place: known(this.#places.get(name), name) }));
    return placed.sort((a, b) => a.place - b.place).map(({ bit }) => bit);
  }

  /** Whether a flag is one without a value. */
  hasBit(name: string): boolean {
    return this.#bits.has(name);
  }

  /** The index of a flag with a value; whoever names another has not checked it. */
  pval(name: string): number {
    return known(this.#pvals.get(name), name);
  }

  /** The mask of flags without a value. */
  mask(names: readonly string[]): Uint32Array<ArrayBuffer> {
    const mask = new Uint32Array(this.words);
    for (const name of names) {
      const bit = this.bit(name);
      mask[bit >>> 5] |= 1 << (bit & 31);
    }
    return mask;
  }

  /** Those of some flags without a value that contradict no other: see {@link cleanUp}. */
  withoutContradictions(names: readonly string[]): readonly string[] {
    const mask = this.cleanUp(this.mask(names));
    return names.filter((name) => {
      const bit = this.bit(name);
      return ((mask[bit >>> 5] >>> (bit & 31)) & 1) !== 0;
    });
  }

  /** Takes contradictions out of a mask: IM_x beats RES_x and VULN_x, which cancel. Returns the mask. */
  cleanUp(mask: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
    const all = (1 << ELEMENTS_OF_WORD) - 1;
    for (let word = 0; word < this.elementWords; word++) {
      const flags = mask[word];
      const gone = ((flags >>> ELEMENTS_OF_WORD) | (flags & (flags >>> (2 * ELEMENTS_OF_WORD)))) & all;
      mask[word] = flags & ~(gone | (gone << (2 * ELEMENTS_OF_WORD)));
    }
    return mask;
  }
}

/** Bytes rounded up to whole vectors. */
export function wholeVectors(bytes: number): number {
  return Math.ceil(bytes / VECTOR_BYTES) * VECTOR_BYTES;
}

function known(place: number | undefined, name: string): number {
  if (place === undefined) throw new Error(`no place is known for the flag ${name}`);
  return place;
}

/** Whether a flag has a value. */
export function isValued({ type }: FlagSpec): boolean {
  return VALUED.includes(type);
}

/** Elements of which there are two flags at least: their flags in the order of {@link OF_ELEMENT}. */
function elementsOf(flags: readonly FlagSpec[]): readonly (readonly (string | undefined)[])[] {
  const found = new Map<string, (string | undefined)[]>();
  for (const { name, type } of flags) {
    const part = OF_ELEMENT.findIndex(
      ({ prefix, types }) => name.startsWith(prefix) && (types as readonly string[]).includes(type),
    );
    if (part < 0) continue;
    const element = name.slice(OF_ELEMENT[part].prefix.length);
    const parts = found.get(element) ?? [undefined, undefined, undefined];
    parts[part] = name;
    found.set(element, parts);
  }
  return [...found.values()].filter((parts) => parts.filter((name) => name !== undefined).length > 1);
}
