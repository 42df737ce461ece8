import { checkInteger } from "../address.js";
import type { ObjectPlan } from "./compile.js";
import type { MadeObject, Quality } from "./types.js";

/** The most affixes of an object. */
export const MOST_AFFIXES = 8;

/** What all objects of a call have in common. */
export interface Making {
  readonly level: number;
  readonly quality: Quality;
}

/** Columns of u16 and i16, in the order of the kernel's. */
export const COLUMNS = [
  { name: "kind", signed: false },
  { name: "artifact", signed: false },
  { name: "theme", signed: false },
  { name: "affixLevel", signed: false },
  { name: "slots", signed: false },
  { name: "affixCount", signed: false },
  { name: "toHit", signed: true },
  { name: "toDam", signed: true },
  { name: "toAc", signed: true },
  { name: "ac", signed: false },
  { name: "dice", signed: false },
  { name: "sides", signed: false },
  { name: "weight", signed: false },
] as const;

/**
 * Made objects as columns; entry k of each is object {@link from} + k. Records are said by their index in the files, with 1
 * added where there may be none.
 *
 * Memory: some 100 bytes an object with the flags of a game.
 */
export class Objects {
  /** Index of the first object. */
  from = 0;
  /** How many. */
  readonly length: number;
  /** What was asked of all of them. */
  making: Making = { level: 0, quality: "normal" };
  /** Index into the files' kinds. */
  readonly kind: Uint16Array<ArrayBuffer>;
  /** Index into the artifacts + 1, or 0. */
  readonly artifact: Uint16Array<ArrayBuffer>;
  /** Index into the themes + 1, or 0. */
  readonly theme: Uint16Array<ArrayBuffer>;
  /** Affixes up to this level could come, from 1; 0 for an artifact. */
  readonly affixLevel: Uint16Array<ArrayBuffer>;
  /** How many affixes were tried for at most. */
  readonly slots: Uint16Array<ArrayBuffer>;
  readonly affixCount: Uint16Array<ArrayBuffer>;
  readonly toHit: Int16Array<ArrayBuffer>;
  readonly toDam: Int16Array<ArrayBuffer>;
  readonly toAc: Int16Array<ArrayBuffer>;
  readonly ac: Uint16Array<ArrayBuffer>;
  readonly dice: Uint16Array<ArrayBuffer>;
  readonly sides: Uint16Array<ArrayBuffer>;
  /** Tenths of a pound. */
  readonly weight: Uint16Array<ArrayBuffer>;
  /** Eight an object, in the order in which they came: index into the affixes + 1, 0 behind the last. */
  readonly affixes: Uint16Array<ArrayBuffer>;
  /** For each of {@link affixes} the depth that it was chosen at. */
  readonly depths: Uint16Array<ArrayBuffer>;
  /** As many words an object as {@link flagWords}; bit b is the flag `flagNames[b]`. */
  readonly flags: Uint32Array<ArrayBuffer>;
  /** As many an object as there are {@link pvalNames}; a flag with a value is there where it is not 0. */
  readonly pvals: Int16Array<ArrayBuffer>;
  /** How many random words each object read. */
  readonly words: Uint32Array<ArrayBuffer>;
  readonly #plan: ObjectPlan;

  /** @internal */
  constructor(plan: ObjectPlan, length: number) {
    this.#plan = plan;
    this.length = length;
    const u16 = (stride = 1) => new Uint16Array(length * stride);
    [this.kind, this.artifact, this.theme, this.affixLevel, this.slots] = [u16(), u16(), u16(), u16(), u16()];
    [this.affixCount, this.ac, this.dice, this.sides, this.weight] = [u16(), u16(), u16(), u16(), u16()];
    this.toHit = new Int16Array(length);
    this.toDam = new Int16Array(length);
    this.toAc = new Int16Array(length);
    this.affixes = u16(MOST_AFFIXES);
    this.depths = u16(MOST_AFFIXES);
    this.flags = new Uint32Array(length * plan.bits.words);
    this.pvals = new Int16Array(length * plan.bits.pvalNames.length);
    this.words = new Uint32Array(length);
  }

  /** Words of {@link flags} an object. */
  get flagWords(): number {
    return this.#plan.bits.words;
  }

  /** The flag without a value of each bit; undefined for bits that stand for nothing. */
  get flagNames(): readonly (string | undefined)[] {
    return this.#plan.bits.names;
  }

  /** The flag of each of an object's {@link pvals}. */
  get pvalNames(): readonly string[] {
    return this.#plan.bits.pvalNames;
  }

  /**
   * Object {@link from} + k, by the records of the files.
   *
   * @throws RollmillError `argument.range`.
   */
  at(k: number): MadeObject {
    checkInteger("k", k, 0, this.length - 1);
    const { files } = this.#plan;
    const own = this.affixes.subarray(k * MOST_AFFIXES, k * MOST_AFFIXES + this.affixCount[k]);
    return {
      ...{ index: this.from + k, level: this.making.level, quality: this.making.quality },
      kind: files.kinds[this.kind[k]],
      artifact: files.artifacts[this.artifact[k] - 1],
      theme: files.themes[this.theme[k] - 1],
      affixes: Array.from(own, (affix) => files.affixes[affix - 1]),
      depths: [...this.depths.subarray(k * MOST_AFFIXES, k * MOST_AFFIXES + this.affixCount[k])],
      ...{ affixLevel: this.affixLevel[k] - 1, slots: this.slots[k], words: this.words[k] },
      ...{ toHit: this.toHit[k], toDam: this.toDam[k], toAc: this.toAc[k] },
      ...{ ac: this.ac[k], dice: this.dice[k], sides: this.sides[k], weight: this.weight[k] },
      flags: this.#flagsOf(k),
      pvals: this.#pvalsOf(k),
    };
  }

  /** @internal */
  isOf(plan: ObjectPlan): boolean {
    return this.#plan === plan;
  }

  #flagsOf(k: number): readonly string[] {
    const { bits, files } = this.#plan;
    const own = this.flags.subarray(k * bits.words, (k + 1) * bits.words);
    const isThere = (bit: number) => ((own[bit >>> 5] >>> (bit & 31)) & 1) === 1;
    return files.flags.flatMap(({ name }) => (bits.hasBit(name) && isThere(bits.bit(name)) ? [name] : []));
  }

  #pvalsOf(k: number): Readonly<Record<string, number>> {
    const { pvalNames } = this.#plan.bits;
    const first = k * pvalNames.length;
    return Object.fromEntries(
      pvalNames.flatMap((name, i) => (this.pvals[first + i] === 0 ? [] : [[name, this.pvals[first + i]]])),
    );
  }
}
