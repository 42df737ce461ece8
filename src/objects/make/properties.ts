import type { ObjectPlan } from "../compile.js";
import type { ObjectMaker } from "../objectMaker.js";
import type { FlagSpec } from "../types.js";
import type { MadeObjects } from "./madeObjects.js";
import { countLevels, readTally, type TallyOptions } from "./tally.js";

/** Whether a property helps the bearer of an object ("good"), harms the bearer ("bad"), or does neither. */
export type PropertyBand = "good" | "bad" | "neutral";

/**
 * A property of objects. A number such as to-hit counts as two properties: a good one above 0, and a bad one below 0.
 */
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
  /** A value is good above 0 and bad below 0. */
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
  /** Number of objects with at least one good property, and with at least one bad one. An object can count in both. */
  readonly good: number;
  readonly bad: number;
  /**
   * The properties that occurred: the bonuses, then the flags in the order of the flag list. Of a number that occurs as
   * both, the good property comes first.
   */
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

const BONUSES = [
  ["to-hit", "toHit"],
  ["to-dam", "toDam"],
  ["to-ac", "toAc"],
] as const;

function groupOfValue({ name, type }: FlagSpec): string {
  const group = { STAT: "stat", VSLAY: "slay", VBRAND: "brand" }[type];
  if (group !== undefined) return group;
  return name === "SPEED" ? "speed" : "modifier";
}

/**
 * Makes the same objects as `tallyObjects` and counts their properties. Properties are bonuses, stats, speed and other
 * values, resistances, slays, brands and all other flags. Each property of the result has a band: good, bad or neutral.
 * The result also has the least, mean and greatest value of each property, and the first level at which the property
 * occurred.
 *
 * @throws The errors of `tallyObjects`.
 */
export function tallyProperties(maker: ObjectMaker, options: TallyOptions): PropertyTally {
  const read = readTally("tallyProperties", maker, options);
  const levels = countLevels(maker, read, (plan) => new PropertyCounter(plan));
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
  readonly property: ObjectProperty;
  #count = 0;
  #sum = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;

  constructor(property: ObjectProperty) {
    this.property = property;
  }

  add(value: number): void {
    this.#count++;
    this.#sum += value;
    this.#least = Math.min(this.#least, value);
    this.#most = Math.max(this.#most, value);
  }

  result(): readonly PropertyCount[] {
    const [count, least, most] = [this.#count, this.#least, this.#most];
    return count === 0 ? [] : [{ ...this.property, count, least, mean: this.#sum / count, most }];
  }
}

/** The counts of the values of one number above 0, and below 0. */
type ValueCount = readonly [good: Count, bad: Count];

function valueCount(group: string, name: string): ValueCount {
  return [new Count({ group, name, band: "good" }), new Count({ group, name, band: "bad" })];
}

function addValue([good, bad]: ValueCount, value: number): PropertyBand {
  if (value === 0) return "neutral";
  const count = value > 0 ? good : bad;
  count.add(value);
  return count.property.band;
}

function results(counts: readonly Count[]): readonly PropertyCount[] {
  return counts.flatMap((count) => count.result());
}

class PropertyCounter {
  readonly #bonuses = BONUSES.map(([name, column]) => ({ column, count: valueCount("bonus", name) }));
  /** By the order of the pvals. */
  readonly #values: readonly ValueCount[];
  /** By bit; undefined for a bit without a flag. */
  readonly #flags: readonly (Count | undefined)[];
  readonly #plan: ObjectPlan;
  #objects = 0;
  #good = 0;
  #bad = 0;

  constructor(plan: ObjectPlan) {
    const { files, bits } = plan;
    const byName = new Map(files.flags.map((flag) => [flag.name, flag]));
    this.#plan = plan;
    this.#values = bits.pvalNames.map((name) => {
      return valueCount(groupOfValue(byName.get(name) ?? { name, type: "PVAL" }), name);
    });
    this.#flags = bits.names.map((name) => {
      if (name === undefined) return undefined;
      const type = byName.get(name)?.type ?? "";
      const [group, band] = GROUPS[type] ?? [type.toLowerCase(), "neutral"];
      return new Count({ group, name, band });
    });
  }

  add(objects: MadeObjects, length: number): void {
    this.#objects += length;
    for (let k = 0; k < length; k++) {
      const bands = new Set<PropertyBand>();
      for (const { column, count } of this.#bonuses) bands.add(addValue(count, objects[column][k]));
      this.#addValues(objects, k, bands);
      this.#addFlags(objects, k, bands);
      this.#good += Number(bands.has("good"));
      this.#bad += Number(bands.has("bad"));
    }
  }

  #addValues({ pvals }: MadeObjects, k: number, bands: Set<PropertyBand>): void {
    const first = k * this.#values.length;
    for (const [i, count] of this.#values.entries()) bands.add(addValue(count, pvals[first + i]));
  }

  #addFlags({ flags, flagWords }: MadeObjects, k: number, bands: Set<PropertyBand>): void {
    for (let word = 0; word < flagWords; word++) {
      // each pass counts the flag of the highest bit in `rest`, then clears this bit
      for (let rest = flags[k * flagWords + word]; rest !== 0; ) {
        const bit = 31 - Math.clz32(rest);
        rest = (rest & ~(1 << bit)) >>> 0;
        const count = this.#flags[32 * word + bit];
        if (count === undefined) continue;
        count.add(1);
        bands.add(count.property.band);
      }
    }
  }

  tally(level: number): LevelProperties {
    const { files, bits } = this.#plan;
    const ofFlag = ({ name }: FlagSpec) =>
      bits.hasBit(name) ? (this.#flags[bits.bit(name)]?.result() ?? []) : results(this.#values[bits.pval(name)]);
    const properties = [...this.#bonuses.flatMap(({ count }) => results(count)), ...files.flags.flatMap(ofFlag)];
    return { level, objects: this.#objects, good: this.#good, bad: this.#bad, properties };
  }
}
