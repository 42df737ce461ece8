import { checkInteger } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import type { ObjectPlan } from "../compile.js";
import { MOST_AFFIXES } from "../odds/law.js";
import { tvalWord } from "../parse/tvals.js";
import { describeObject, type ObjectDescription } from "../show/describe.js";
import { plainName } from "../show/kindNames.js";
import { objectColour, objectName } from "../show/names.js";
import type { Naming } from "../show/naming.js";
import { type ObjectRow, objectRow } from "../show/rows.js";
import type { AffixSpec, MadeObject, Quality } from "../types.js";

/** What all objects of a call have in common. */
export interface Making {
  readonly level: number;
  readonly quality: Quality;
}

/** What the numbers of columns mean: the name of each record by its index, "" where 0 stands for none. */
export interface ObjectVocabulary {
  /** Without the marks of article and plural. */
  readonly kind: readonly string[];
  /** Kinds' types, by the index of the kind. */
  readonly tval: readonly string[];
  readonly artifact: readonly string[];
  readonly theme: readonly string[];
  readonly affixes: readonly string[];
  readonly affixLevel: readonly string[];
}

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
  /** Affixes up to this level could come, from 1; 0 for an artifact that was made at once. */
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
  /** Flags without a value in the order of the flag list, and where they stand. */
  #flagBits: readonly FlagBit[] | undefined;

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

  /** What the numbers of {@link kind}, {@link artifact}, {@link theme}, {@link affixes} and {@link affixLevel} mean. */
  get vocabulary(): ObjectVocabulary {
    const { files } = this.#plan;
    const names = (records: readonly { readonly name: string }[]) => ["", ...records.map(({ name }) => name)];
    return {
      kind: files.kinds.map(({ name }) => plainName(name)),
      tval: files.kinds.map(({ tval }) => tvalWord(tval)),
      artifact: names(files.artifacts),
      theme: names(files.themes),
      affixes: names(files.affixes),
      affixLevel: ["", ...files.levels],
    };
  }

  /**
   * Object {@link from} + k, by the records of the files.
   *
   * @throws RollmillError `argument.range`.
   */
  at(k: number): MadeObject {
    checkInteger("k", k, 0, this.length - 1);
    const { files } = this.#plan;
    const affixes: AffixSpec[] = [];
    const depths: number[] = [];
    for (let place = k * MOST_AFFIXES; place < k * MOST_AFFIXES + this.affixCount[k]; place++) {
      affixes.push(files.affixes[this.affixes[place] - 1]);
      depths.push(this.depths[place]);
    }
    // one literal: spreads into it would cost more than all the rest
    return {
      index: this.from + k,
      level: this.making.level,
      quality: this.making.quality,
      kind: files.kinds[this.kind[k]],
      artifact: files.artifacts[this.artifact[k] - 1],
      theme: files.themes[this.theme[k] - 1],
      affixes,
      depths,
      affixLevel: this.affixLevel[k] - 1,
      slots: this.slots[k],
      words: this.words[k],
      toHit: this.toHit[k],
      toDam: this.toDam[k],
      toAc: this.toAc[k],
      ac: this.ac[k],
      dice: this.dice[k],
      sides: this.sides[k],
      weight: this.weight[k],
      flags: this.flagsOf(k),
      pvals: this.#pvalsOf(k),
    };
  }

  /**
   * What object {@link from} + k is called, with its article: see {@link objectName}.
   *
   * @param naming - As {@link checkNaming} leaves it.
   * @throws RollmillError `argument.range`.
   */
  name(k: number, naming?: Naming): string {
    return objectName(this.at(k), naming);
  }

  /**
   * Object {@link from} + k as a row of plain values.
   *
   * @param naming - As {@link checkNaming} leaves it.
   * @throws RollmillError `argument.range`.
   */
  row(k: number, naming?: Naming): ObjectRow {
    return objectRow(this.at(k), this.#plan.files, naming);
  }

  /** The objects one by one, as {@link row} gives them. */
  *rows(naming?: Naming): Generator<ObjectRow, void> {
    for (let k = 0; k < this.length; k++) yield this.row(k, naming);
  }

  /**
   * Object {@link from} + k in words: its name, what its files say of it, and every change against its kind.
   *
   * @throws RollmillError `argument.range`, and as {@link checkNaming}.
   */
  describe(k: number, naming?: Naming): ObjectDescription {
    return describeObject(this.at(k), this.#plan.files, naming);
  }

  /**
   * What object {@link from} + k is drawn in: see {@link objectColour}.
   *
   * @throws RollmillError `argument.range`.
   */
  colour(k: number): string | undefined {
    checkInteger("k", k, 0, this.length - 1);
    const { files } = this.#plan;
    const own = this.affixes.subarray(k * MOST_AFFIXES, k * MOST_AFFIXES + this.affixCount[k]);
    return objectColour({ kind: files.kinds[this.kind[k]], affixes: Array.from(own, (i) => files.affixes[i - 1]) });
  }

  /**
   * The flags without a value of object {@link from} + k, in the order of the flag list.
   *
   * @throws RollmillError `argument.range`.
   */
  flagsOf(k: number): readonly string[] {
    checkInteger("k", k, 0, this.length - 1);
    const { bits, files } = this.#plan;
    this.#flagBits ??= files.flags.flatMap(({ name }) => {
      if (!bits.hasBit(name)) return [];
      return [{ name, word: bits.bit(name) >>> 5, mask: 1 << (bits.bit(name) & 31) }];
    });
    const first = k * bits.words;
    const names: string[] = [];
    for (const { name, word, mask } of this.#flagBits) if ((this.flags[first + word] & mask) !== 0) names.push(name);
    return names;
  }

  /** @internal */
  isOf(plan: ObjectPlan): boolean {
    return this.#plan === plan;
  }

  #pvalsOf(k: number): Readonly<Record<string, number>> {
    const { pvalNames } = this.#plan.bits;
    const first = k * pvalNames.length;
    const pvals: [string, number][] = [];
    for (let i = 0; i < pvalNames.length; i++) {
      if (this.pvals[first + i] !== 0) pvals.push([pvalNames[i], this.pvals[first + i]]);
    }
    return Object.fromEntries(pvals);
  }
}

/**
 * Checks what objects are to be made into.
 *
 * @throws RollmillError `argument.type` where it is no objects of these very files.
 */
export function checkRoom(objects: unknown, plan: ObjectPlan, name: string): void {
  const areObjects = objects instanceof Objects;
  if (areObjects && objects.isOf(plan)) return;
  const problem = areObjects ? "the objects are of other files" : "there is no room for objects";
  fail(error("argument.type", { problem, got: objects, expected: `objects that ${name} made` }));
}

interface FlagBit {
  readonly name: string;
  readonly word: number;
  readonly mask: number;
}
