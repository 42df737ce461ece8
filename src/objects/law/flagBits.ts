import { ELEMENTS_OF_WORD, VECTOR_BYTES } from "../../kernel/layout.js";
import type { FlagSpec, ObjectRules, TypeSpec } from "../types.js";

/** The flags that an element such as FIRE can have, in the order of their bits. */
const OF_ELEMENT = [
  { prefix: "RES_", types: ["LRES", "HRES", "ORES"] },
  { prefix: "IM_", types: ["IMM"] },
  { prefix: "VULN_", types: ["VULN"] },
] as const;
const OF_AMMUNITION: readonly string[] = ["SLAY", "VSLAY", "KILL", "BRAND", "VBRAND", "IGNORE", "HATES", "INT"];
const WORD_BITS = 32;
export const VALUED: readonly string[] = ["STAT", "PVAL", "VSLAY", "VBRAND"];

/** Whether objects of a type lose flags and armour when they get an affix. Only ammunition of version 4 does. */
export function losesFlags({ rules, type }: { readonly rules: ObjectRules; readonly type: TypeSpec }): boolean {
  return rules === "v4" && type.group === "ammunition";
}

/** Assigns to each flag without a value a bit in a mask, and to each flag with a value an index into the pvals. */
export class FlagBits {
  /** The flag of each bit. Some bits have no flag. */
  readonly names: readonly (string | undefined)[];
  readonly pvalNames: readonly string[];
  readonly words: number;
  readonly elementWords: number;
  readonly ammunition: Uint32Array<ArrayBuffer>;
  /** For each flag with a value, 0xffff if ammunition keeps the flag, else 0. Padded to whole vectors. */
  readonly ammunitionPvals: Uint16Array<ArrayBuffer>;
  readonly #bits = new Map<string, number>();
  readonly #kept: ReadonlySet<string>;
  readonly #pvals: ReadonlyMap<string, number>;
  readonly #places: ReadonlyMap<string, number>;
  /** The flags without a value in the order of the flag list, each with its place in a mask. */
  readonly #order: readonly { readonly name: string; readonly word: number; readonly bit: number }[];

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
    this.#order = plain.map(({ name }) => ({ name, word: this.bit(name) >>> 5, bit: 1 << (this.bit(name) & 31) }));
    this.#kept = new Set(flags.flatMap(({ name, type }) => (OF_AMMUNITION.includes(type) ? [name] : [])));
    this.ammunition = this.mask([...this.#kept].filter((name) => this.#bits.has(name)));
    this.ammunitionPvals = new Uint16Array(this.pvalBytes / 2);
    for (const [i, name] of this.pvalNames.entries()) this.ammunitionPvals[i] = this.#kept.has(name) ? 0xffff : 0;
  }

  get flagBytes(): number {
    return wholeVectors(4 * this.words);
  }

  get pvalBytes(): number {
    return wholeVectors(2 * this.pvalNames.length);
  }

  bit(name: string): number {
    return known(this.#bits.get(name), name);
  }

  inOrder(names: readonly string[]): readonly number[] {
    const placed = names.map((name) => ({ bit: this.bit(name), place: known(this.#places.get(name), name) }));
    return placed.sort((a, b) => a.place - b.place).map(({ bit }) => bit);
  }

  namesIn(words: Uint32Array, first = 0): string[] {
    const names: string[] = [];
    for (const { name, word, bit } of this.#order) if ((words[first + word] & bit) !== 0) names.push(name);
    return names;
  }

  hasBit(name: string): boolean {
    return this.#bits.has(name);
  }

  isKeptByAmmunition(name: string): boolean {
    return this.#kept.has(name);
  }

  pval(name: string): number {
    return known(this.#pvals.get(name), name);
  }

  mask(names: readonly string[]): Uint32Array<ArrayBuffer> {
    const mask = new Uint32Array(this.words);
    for (const name of names) {
      const bit = this.bit(name);
      mask[bit >>> 5] |= 1 << (bit & 31);
    }
    return mask;
  }

  withoutContradictions(names: readonly string[]): readonly string[] {
    const mask = this.cleanUp(this.mask(names));
    return names.filter((name) => {
      const bit = this.bit(name);
      return ((mask[bit >>> 5] >>> (bit & 31)) & 1) !== 0;
    });
  }

  /** For each element x, such as FIRE: IM_x removes RES_x and VULN_x, and RES_x and VULN_x remove each other. */
  cleanUp(mask: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
    // a word has the RES bits of its elements first, then the IM bits, then the VULN bits
    const all = (1 << ELEMENTS_OF_WORD) - 1;
    for (let word = 0; word < this.elementWords; word++) {
      const flags = mask[word];
      // elements with IM, or with both RES and VULN, lose RES and VULN
      const gone = ((flags >>> ELEMENTS_OF_WORD) | (flags & (flags >>> (2 * ELEMENTS_OF_WORD)))) & all;
      mask[word] = flags & ~(gone | (gone << (2 * ELEMENTS_OF_WORD)));
    }
    return mask;
  }
}

export function wholeVectors(bytes: number): number {
  return Math.ceil(bytes / VECTOR_BYTES) * VECTOR_BYTES;
}

function known(place: number | undefined, name: string): number {
  if (place === undefined) throw new Error(`the flag list has no flag ${name}`);
  return place;
}

export function isValued({ type }: FlagSpec): boolean {
  return VALUED.includes(type);
}

/** Returns the flags of each element, in the order of {@link OF_ELEMENT}. Skips elements with fewer than two flags. */
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
