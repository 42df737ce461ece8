import type { LongCall, Progress } from "../../calls/index.js";
import { readFields, reading } from "../../errors/index.js";
import { checkInteger, readList, readOptions, refuseArgument } from "../../spec/index.js";
import { MAX_DEPTH } from "../law/constants.js";
import { FlagBits } from "../law/flagBits.js";
import { canBeDrawn } from "../law/kinds.js";
import { Obtainable } from "../law/reach.js";
import { ObjectMaker } from "../objectMaker.js";
import { kindNamed, plainName, tvalNamed } from "../parse/names.js";
import { MODIFIERS } from "../show/names.js";
import type { KindSpec, ObjectFiles, ObjectOptions } from "../types.js";
import { Counter, type LevelTally, sumOf } from "./counter.js";
import type { MadeObjects } from "./madeObjects.js";
import { qualityOf, REQUEST_OPTIONS, readCallOptions } from "./request.js";
import { ArtifactStock } from "./stock.js";

const OBJECTS = 1000;
/** Objects are made and counted in batches of this size. */
const AT_ONCE = 2 ** 16;
/** Maximum number of objects of a level: even with 256 levels, all indices of objects are below 2^32. */
const MAX_OF_LEVEL = 2 ** 24;

/** Options of {@link tallyObjects} and `tallyProperties`. */
export interface TallyOptions extends Omit<ObjectOptions, "level" | "artifact">, LongCall {
  /** The depths at which objects are made, 0 … 255. */
  readonly levels: readonly number[];
  /** Number of objects to make at each level, 1 … 2^24. Default 1000. */
  readonly n?: number | undefined;
}

/** The counts of all levels. */
export interface ObjectTally {
  readonly levels: readonly LevelTally[];
  /** The requested kinds that can get no affix at any level. Omits kinds that are made only as artifacts. */
  readonly withoutAffixes: readonly KindSpec[];
}

/**
 * Makes `n` objects of each level, and counts their kinds, affixes, themes and artifacts. The objects of a level have
 * the indices level · n … level · n + n − 1, so the levels are independent samples. Each level begins with a new stock.
 * The call changes neither `maker.next` nor `maker.claims`.
 *
 * @throws RollmillError `argument.range`, `argument.type`, `argument.option`, `object.name`, `object.request`;
 * `object.impossible` if no object of a level can fit; `argument.busy`.
 */
export function tallyObjects(maker: ObjectMaker, options: TallyOptions): ObjectTally {
  const levels = countLevels("tallyObjects", maker, options, (files) => new Counter(files));
  return { levels, withoutAffixes: withoutAffixes(maker.files, options) };
}

function readTally(call: string, maker: ObjectMaker, options: TallyOptions): TallyOptions {
  if (!(maker instanceof ObjectMaker)) refuseArgument("maker", maker, "a maker of objects");
  maker.checkTurn();
  const known = REQUEST_OPTIONS.filter((name) => name !== "level" && name !== "artifact");
  const read = readOptions(call, options, ["levels", "n", ...known, "signal", "onProgress"]);
  const { levels: given, n, ...rest } = read;
  const levels = readList("levels", given, { of: "depths", most: MAX_DEPTH + 1 }).map((level, i) => {
    checkInteger(`levels[${i}]`, level, 0, MAX_DEPTH);
    return level;
  });
  if (n !== undefined) checkInteger("n", n, 1, MAX_OF_LEVEL);
  const { level: _, ...checked } = readCallOptions(call, { ...rest, level: 0 });
  return { ...checked, levels, n };
}

function countLevels<Tally>(
  call: string,
  maker: ObjectMaker,
  options: TallyOptions,
  counterOf: (files: ObjectFiles) => { add(objects: MadeObjects, length: number): void; tally(level: number): Tally },
): readonly Tally[] {
  const { levels, n = OBJECTS, signal, onProgress, ...request } = readTally(call, maker, options);
  const total = n * levels.length;
  let objects: MadeObjects | undefined;
  return levels.map((level, i) => {
    const stock = new ArtifactStock();
    const counter = counterOf(maker.files);
    for (let done = 0; done < n; done += AT_ONCE) {
      const length = Math.min(AT_ONCE, n - done);
      const before = i * n + done;
      const report = onProgress && ((progress: Progress) => onProgress({ done: before + progress.done, total }));
      const from = level * n + done;
      objects = maker.makeWith(stock, length, { ...request, level, signal, onProgress: report, from }, objects);
      counter.add(objects, length);
    }
    return counter.tally(level);
  });
}

/** A row that {@link tallyRows} yields. */
export interface TallyRow {
  readonly level: number;
  /**
   * What `count` counts. "objects": all objects if `name` is "all", or all affixes of all objects if it is "affixes".
   * "affixes": the objects with `name` affixes. Any other type: the objects with the record `name`.
   */
  readonly type: "objects" | "kind" | "affix" | "theme" | "artifact" | "affixes";
  /** Number of the record in its file; null if the row has no record. It distinguishes records with the same name. */
  readonly number: number | null;
  /** The name of the record. For the type "objects": "all" or "affixes". For the type "affixes": "0" … "8". */
  readonly name: string;
  readonly count: number;
  /** `count` divided by the number of objects of the level. */
  readonly share: number;
}

/**
 * Yields the rows of a tally, level by level. Omits counts of 0. Names of kinds have no "& " and "~".
 *
 * @throws RollmillError `argument.type` for anything but a tally.
 */
export function* tallyRows(tally: ObjectTally): Generator<TallyRow, void> {
  const { levels } = readFields("the tally", tally, ["levels"]);
  for (const [i, level] of readList("levels", levels, { of: "levels" }).entries()) {
    yield* reading(`levels[${i}]`, () => rowsOfLevel(level as LevelTally));
  }
}

function rowsOfLevel(tally: LevelTally): readonly TallyRow[] {
  const { level, objects, kinds, affixes, themes, artifacts, affixCounts } = tally;
  const row = (type: TallyRow["type"], record: Pick<TallyRow, "number" | "name">, count: number): TallyRow => {
    return { level, type, number: record.number, name: record.name, count, share: count / objects };
  };
  const rows = <T extends { number: number; name: string }>(type: TallyRow["type"], counts: ReadonlyMap<T, number>) =>
    Array.from(counts, ([record, count]) => row(type, record, count));
  return [
    row("objects", { number: null, name: "all" }, objects),
    row("objects", { number: null, name: "affixes" }, sumOf(affixCounts)),
    ...Array.from(kinds, ([{ number, fullName }, count]) => row("kind", { number, name: plainName(fullName) }, count)),
    ...rows("affix", affixes),
    ...rows("theme", themes),
    ...rows("artifact", artifacts),
    ...affixCounts.flatMap((count, i) => (count > 0 ? [row("affixes", { number: null, name: String(i) }, count)] : [])),
  ];
}

function withoutAffixes(
  files: ObjectFiles,
  { kind, tval, good, great }: Pick<ObjectOptions, "kind" | "tval" | "good" | "great">,
): readonly KindSpec[] {
  const known = new Obtainable(files);
  const type = tval === undefined ? undefined : tvalNamed(files, tval);
  const query = { rules: files.rules, quality: qualityOf({ good, great }), tval: type };
  const kinds = kind === undefined ? files.kinds.filter((drawn) => canBeDrawn(drawn, query)) : [kindNamed(files, kind)];
  return kinds.filter((own) => !known.canGetSome(own));
}

/** Whether a property helps the bearer of an object ("good"), harms the bearer ("bad"), or does neither. */
export type PropertyBand = "good" | "bad" | "neutral";

/** A property of objects. A number such as to-hit counts as two properties: good above 0, bad below 0. */
export interface ObjectProperty {
  /**
   * The group of the property:
   * - "bonus": to-hit, to-dam, to-ac;
   * - "stat", "speed", and "modifier" (other flags with a value);
   * - "resistance", "immunity", "vulnerability", "slay", "brand", "sustain", "protection", "ability", "curse";
   * - any other flag: the type of the flag in lower case.
   */
  readonly group: string;
  /** The name of the flag, or "to-hit", "to-dam" or "to-ac". */
  readonly name: string;
  readonly band: PropertyBand;
}

/** The counts of one property on the objects of one level. */
export interface PropertyCount extends ObjectProperty {
  /** Number of objects with the property, 1 or more. */
  readonly count: number;
  /** The least, mean and greatest value among the objects with the property. A flag without a value counts as 1. */
  readonly least: number;
  readonly mean: number;
  readonly most: number;
}

/** The properties of the objects of one level. */
export interface LevelProperties {
  readonly level: number;
  /** Number of objects made. */
  readonly objects: number;
  /** Number of objects with a good property. `bad`: number of objects with a bad property. An object can be in both. */
  readonly good: number;
  readonly bad: number;
  /** The properties that occurred: the bonuses, then the flags in the order of the flag list, good before bad. */
  readonly properties: readonly PropertyCount[];
}

/** The properties of the objects of each level, and where each property occurred first. */
export interface PropertyTally {
  readonly levels: readonly LevelProperties[];
  /** Each property that occurred. `level` is the first entry of the option `levels` at which the property occurred. */
  readonly first: readonly (ObjectProperty & { readonly level: number })[];
}

/** The group and the band of flags without a value, by type. Any other type forms its own group, and is neutral. */
const GROUPS: Readonly<Record<string, readonly [group: string, band: PropertyBand]>> = {
  LRES: ["resistance", "good"],
  HRES: ["resistance", "good"],
  ORES: ["resistance", "good"],
  IMM: ["immunity", "good"],
  VULN: ["vulnerability", "bad"],
  SLAY: ["slay", "good"],
  KILL: ["slay", "good"],
  BRAND: ["brand", "good"],
  SUST: ["sustain", "good"],
  PROT: ["protection", "good"],
  MISC: ["ability", "good"],
  BAD: ["curse", "bad"],
  CURSE: ["curse", "bad"],
};

function groupOfValue(name: string, type: string): string {
  const group = { STAT: "stat", VSLAY: "slay", VBRAND: "brand" }[type];
  return group ?? (name === "SPEED" ? "speed" : "modifier");
}

/**
 * Makes the same objects as `tallyObjects` and counts their properties: bonuses, stats, speed and other values,
 * resistances, slays, brands and all other flags. Throws the errors of `tallyObjects`.
 */
export function tallyProperties(maker: ObjectMaker, options: TallyOptions): PropertyTally {
  const levels = countLevels("tallyProperties", maker, options, (files) => new PropertyCounter(files));
  const first = new Map<string, ObjectProperty & { readonly level: number }>();
  for (const { level, properties } of levels) {
    for (const { group, name, band } of properties) {
      const key = `${name} ${band}`;
      if (!first.has(key)) first.set(key, { group, name, band, level });
    }
  }
  return { levels, first: [...first.values()] };
}

class Count {
  readonly #property: ObjectProperty;
  #count = 0;
  #sum = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;

  constructor(group: string, name: string, band: PropertyBand) {
    this.#property = { group, name, band };
  }

  add(value: number, bands: Set<PropertyBand>): void {
    this.#count++;
    this.#sum += value;
    this.#least = Math.min(this.#least, value);
    this.#most = Math.max(this.#most, value);
    bands.add(this.#property.band);
  }

  results(): readonly PropertyCount[] {
    const [count, least, most] = [this.#count, this.#least, this.#most];
    return count === 0 ? [] : [{ ...this.#property, count, least, mean: this.#sum / count, most }];
  }
}

type ValueCount = readonly [good: Count, bad: Count];

function valueCount(group: string, name: string): ValueCount {
  return [new Count(group, name, "good"), new Count(group, name, "bad")];
}

function addValue([good, bad]: ValueCount, value: number, bands: Set<PropertyBand>): void {
  if (value !== 0) (value > 0 ? good : bad).add(value, bands);
}

class PropertyCounter {
  readonly #bonuses = MODIFIERS.map(([name, column]) => ({ column, count: valueCount("bonus", name) }));
  readonly #values: readonly ValueCount[];
  readonly #flags: readonly (Count | undefined)[];
  readonly #files: ObjectFiles;
  readonly #bits: FlagBits;
  #objects = 0;
  #good = 0;
  #bad = 0;

  constructor(files: ObjectFiles) {
    this.#files = files;
    this.#bits = new FlagBits(files.flags);
    const types = new Map(files.flags.map(({ name, type }) => [name, type]));
    this.#values = this.#bits.pvalNames.map((name) => valueCount(groupOfValue(name, types.get(name) ?? ""), name));
    this.#flags = this.#bits.names.map((name) => {
      if (name === undefined) return undefined;
      const type = types.get(name) ?? "";
      const [group, band] = GROUPS[type] ?? [type.toLowerCase(), "neutral"];
      return new Count(group, name, band);
    });
  }

  add(objects: MadeObjects, length: number): void {
    const { flags, flagWords, pvals } = objects;
    this.#objects += length;
    for (let k = 0; k < length; k++) {
      const bands = new Set<PropertyBand>();
      for (const { column, count } of this.#bonuses) addValue(count, objects[column][k], bands);
      const first = k * this.#values.length;
      for (const [i, count] of this.#values.entries()) addValue(count, pvals[first + i], bands);
      for (let word = 0; word < flagWords; word++) {
        // each pass counts the flag of the highest bit in `rest`, then clears this bit
        for (let rest = flags[k * flagWords + word]; rest !== 0; ) {
          const bit = 31 - Math.clz32(rest);
          rest = (rest & ~(1 << bit)) >>> 0;
          this.#flags[32 * word + bit]?.add(1, bands);
        }
      }
      this.#good += Number(bands.has("good"));
      this.#bad += Number(bands.has("bad"));
    }
  }

  tally(level: number): LevelProperties {
    const bits = this.#bits;
    const countsOf = (name: string) =>
      bits.hasBit(name) ? [this.#flags[bits.bit(name)]] : this.#values[bits.pval(name)];
    const counts = [
      ...this.#bonuses.flatMap(({ count }) => count),
      ...this.#files.flags.flatMap(({ name }) => countsOf(name)),
    ];
    const properties = counts.flatMap((count) => count?.results() ?? []);
    return { level, objects: this.#objects, good: this.#good, bad: this.#bad, properties };
  }
}
