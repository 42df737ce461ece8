import { Columns } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import type { Column } from "../../formats/tables/columns.js";
import { checkInteger } from "../../spec/index.js";
import type { ObjectPlan } from "../compile.js";
import { MOST_AFFIXES } from "../law/slots.js";
import { plainName } from "../parse/names.js";
import { objectColumns } from "../show/columns.js";
import { describeObject, type ObjectDescription, type ObjectRow, objectRow } from "../show/describe.js";
import { checkedNaming, type Naming, objectColour, objectName } from "../show/names.js";
import type { AffixSpec, MadeObject, Quality } from "../types.js";

/** The level and the quality of a call. All objects of the call share them. */
export interface Making {
  readonly level: number;
  readonly quality: Quality;
}

/**
 * The names for the numbers in the columns: number i in the column `kind` stands for entry i of the list `kind`, and so
 * on. Entry 0 is "" if objects can lack the record.
 */
export interface ObjectVocabulary {
  /** Names of the kinds, without "& " and "~". */
  readonly kind: readonly string[];
  /** The type of each kind, as a word such as "sword". */
  readonly tval: readonly string[];
  readonly artifact: readonly string[];
  readonly theme: readonly string[];
  readonly affixes: readonly string[];
  readonly affixLevel: readonly string[];
}

/**
 * Objects as columns: entry k of each column belongs to object {@link from} + k. A column refers to a record by its
 * index in the files, plus 1 if 0 stands for 'no record'.
 *
 * Memory: about 100 bytes an object with the flag list of a real game.
 */
export class MadeObjects extends Columns<MadeObject> {
  making: Making = { level: 0, quality: "normal" };
  /** Index into the kinds of the files. */
  readonly kind: Uint16Array<ArrayBuffer>;
  /** 1 + the index into the artifacts; 0 for no artifact. */
  readonly artifact: Uint16Array<ArrayBuffer>;
  /** 1 + the index into the themes; 0 for no theme. */
  readonly theme: Uint16Array<ArrayBuffer>;
  /** 1 + the index into `ObjectFiles.levels`; 0 for an artifact without affixes. */
  readonly affixLevel: Uint16Array<ArrayBuffer>;
  /** Number of affix slots that were rolled for the object. */
  readonly slots: Uint16Array<ArrayBuffer>;
  readonly affixCount: Uint16Array<ArrayBuffer>;
  readonly toHit: Int16Array<ArrayBuffer>;
  readonly toDam: Int16Array<ArrayBuffer>;
  readonly toAc: Int16Array<ArrayBuffer>;
  readonly ac: Uint16Array<ArrayBuffer>;
  readonly dice: Uint16Array<ArrayBuffer>;
  readonly sides: Uint16Array<ArrayBuffer>;
  /** Weight in tenths of a pound. */
  readonly weight: Uint16Array<ArrayBuffer>;
  /** Eight numbers for each object: 1 + the index of each affix, in the order of the rolls, then zeros. */
  readonly affixes: Uint16Array<ArrayBuffer>;
  /** For each number in {@link affixes}, the depth at which this affix was chosen. */
  readonly depths: Uint16Array<ArrayBuffer>;
  /** {@link flagWords} words for each object. Bit b % 32 of word ⌊b / 32⌋ is set for the flag `flagNames[b]`. */
  readonly flags: Uint32Array<ArrayBuffer>;
  /** For each object, one value for each of {@link pvalNames}; 0 for a flag that the object lacks. */
  readonly pvals: Int16Array<ArrayBuffer>;
  /** Number of random words that each object read. */
  readonly words: Uint32Array<ArrayBuffer>;
  readonly #plan: ObjectPlan;

  /** @internal */
  constructor(plan: ObjectPlan, length: number) {
    super({ length, from: 0 });
    this.#plan = plan;
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

  /** Number of words that {@link flags} has for each object. */
  get flagWords(): number {
    return this.#plan.bits.words;
  }

  /** The names of the flags in {@link flags}. Entry b is the name of flag b; undefined if no flag has this number. */
  get flagNames(): readonly (string | undefined)[] {
    return this.#plan.bits.names;
  }

  /** The flags with a value, in the order of {@link pvals}. */
  get pvalNames(): readonly string[] {
    return this.#plan.bits.pvalNames;
  }

  /** The names for the numbers in the columns of records. */
  get vocabulary(): ObjectVocabulary {
    const { files } = this.#plan;
    const names = (records: readonly { readonly name: string }[]) => ["", ...records.map(({ name }) => name)];
    return {
      kind: files.kinds.map(({ fullName }) => plainName(fullName)),
      tval: files.kinds.map(({ type }) => type.word),
      artifact: names(files.artifacts),
      theme: names(files.themes),
      affixes: names(files.affixes),
      affixLevel: ["", ...files.levels],
    };
  }

  /** @internal */
  protected override compose(k: number): MadeObject {
    const { files } = this.#plan;
    const affixes: AffixSpec[] = [];
    const depths: number[] = [];
    for (let place = k * MOST_AFFIXES; place < k * MOST_AFFIXES + this.affixCount[k]; place++) {
      affixes.push(files.affixes[this.affixes[place] - 1]);
      depths.push(this.depths[place]);
    }
    // one literal without spreads: with spreads, most of the time would go into copying fields
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
      added: 0,
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
   * Returns the name of object k by the rules of `nameOf`.
   *
   * @throws RollmillError `argument.range`, and the errors of `nameOf` for an invalid naming.
   */
  name(k: number, naming: Naming = {}): string {
    return objectName(this.at(k), checkedNaming(naming, this.#plan.files));
  }

  /** Returns object k as a row of plain values, for JSON and CSV. Throws the errors of {@link name}. */
  row(k: number, naming?: Naming): ObjectRow {
    return objectRow(this.at(k), this.#plan.files, naming);
  }

  /** Iterates over the rows of all objects; {@link row} describes a row. */
  *rows(naming?: Naming): Generator<ObjectRow, void> {
    const { files } = this.#plan;
    const read = checkedNaming(naming ?? {}, files);
    for (let k = 0; k < this.length; k++) yield objectRow(this.compose(k), files, read);
  }

  /**
   * Returns all objects as columns for `toCsv`, `toParquet` and `toNpy` of `rollmill/formats`. The columns, in order:
   * - index, name, kind, tval, colour, artifact, theme, affix_1 … affix_8 and affix_level, null if absent;
   * - slots, to_hit, to_dam, to_ac, ac, dice, sides, and weight in tenths of a pound;
   * - flags without a value, separated by "|";
   * - one column for each flag with a value, 0 if the object lacks the flag.
   *
   * If a flag has the name of an earlier column, its column is called `flag.<name>`.
   *
   * Cost: O(columns), and 120 bytes an object. The column of names stores the parts of each name, and equal parts share
   * one text. For large files, write batches with `csvChunks` or `parquetChunks`.
   *
   * @throws The errors of {@link name}.
   */
  columns(naming: Naming = {}): Column[] {
    return objectColumns(this, this.#plan, checkedNaming(naming, this.#plan.files));
  }

  /**
   * Describes object k in words: its name, the descriptions in the files, and every difference from its kind. Throws
   * the errors of {@link name}.
   */
  describe(k: number, naming?: Naming): ObjectDescription {
    return describeObject(this.at(k), this.#plan.files, naming);
  }

  /**
   * Returns the colour of object k by the rule of `colourOf`.
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
   * Returns the flags of object k that have no value, in the order of the flag list.
   *
   * @throws RollmillError `argument.range`.
   */
  flagsOf(k: number): readonly string[] {
    checkInteger("k", k, 0, this.length - 1);
    const { bits } = this.#plan;
    return bits.namesIn(this.flags, k * bits.words);
  }

  /** @internal Copies all columns of `made`, which has the same files and the same length. */
  take(made: MadeObjects): this {
    const columns = columnsOf(made);
    for (const [i, column] of columnsOf(this).entries()) column.set(columns[i]);
    this.from = made.from;
    this.making = made.making;
    return this;
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

function columnsOf(objects: MadeObjects): readonly (Uint16Array | Int16Array | Uint32Array)[] {
  return Object.values(objects).filter(ArrayBuffer.isView) as Uint16Array[];
}

export function bytesPerObject({ bits }: ObjectPlan): number {
  // 13 columns of 2 bytes, 2 columns of MOST_AFFIXES · 2 bytes, the flags, the pvals, and 4 bytes of `words`
  return 26 + 4 * MOST_AFFIXES + 4 * bits.words + 2 * bits.pvalNames.length + 4;
}

export function checkRoom(out: unknown, plan: ObjectPlan, name: string): number {
  const areObjects = out instanceof MadeObjects;
  if (areObjects && out.isOf(plan)) return out.length;
  const problem = areObjects ? "the objects were made from other files" : 'invalid argument "out"';
  return fail(
    error("argument.type", { problem, got: out, expected: `objects that the maker ${JSON.stringify(name)} made` }),
  );
}
