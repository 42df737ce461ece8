import type { ObjectPlan } from "../compile.js";
import type { ObjectMaker } from "../objectMaker.js";
import { MODIFIERS } from "../show/names.js";
import type { MadeObjects } from "./madeObjects.js";
import { countLevels, type TallyOptions } from "./tally.js";

/** Whether a property helps the bearer of an object ("good"), harms the bearer ("bad"), or does neither. */
export type PropertyBand = "good" | "bad" | "neutral";

/** A property of objects. A number such as to-hit counts as two: a good one above 0, and a bad one below 0. */
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
  /** Number of objects with at least one good property, and with at least one bad one. An object can count in both. */
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
 * resistances, slays, brands and all other flags.
 *
 * @throws The errors of `tallyObjects`.
 */
export function tallyProperties(maker: ObjectMaker, options: TallyOptions): PropertyTally {
  const levels = countLevels("tallyProperties", maker, options, (plan) => new PropertyCounter(plan));
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

/** The counts of the values of one number above 0, and below 0. */
class ValueCount {
  readonly #good: Count;
  readonly #bad: Count;

  constructor(group: string, name: string) {
    [this.#good, this.#bad] = [new Count(group, name, "good"), new Count(group, name, "bad")];
  }

  add(value: number, bands: Set<PropertyBand>): void {
    if (value !== 0) (value > 0 ? this.#good : this.#bad).add(value, bands);
  }

  results(): readonly PropertyCount[] {
    return [...this.#good.results(), ...this.#bad.results()];
  }
}

class PropertyCounter {
  readonly #bonuses = MODIFIERS.map(([name, column]) => ({ column, count: new ValueCount("bonus", name) }));
  readonly #values: readonly ValueCount[];
  /** By bit; undefined for a bit without a flag. */
  readonly #flags: readonly (Count | undefined)[];
  readonly #plan: ObjectPlan;
  #objects = 0;
  #good = 0;
  #bad = 0;

  constructor(plan: ObjectPlan) {
    const { files, bits } = plan;
    const types = new Map(files.flags.map(({ name, type }) => [name, type]));
    this.#plan = plan;
    this.#values = bits.pvalNames.map((name) => new ValueCount(groupOfValue(name, types.get(name) ?? ""), name));
    this.#flags = bits.names.map((name) => {
      if (name === undefined) return undefined;
      const type = types.get(name) ?? "";
      const [group, band] = GROUPS[type] ?? [type.toLowerCase(), "neutral"];
      return new Count(group, name, band);
    });
  }

  add(objects: MadeObjects, length: number): void {
    this.#objects += length;
    for (let k = 0; k < length; k++) {
      const bands = new Set<PropertyBand>();
      for (const { column, count } of this.#bonuses) count.add(objects[column][k], bands);
      const first = k * this.#values.length;
      for (const [i, count] of this.#values.entries()) count.add(objects.pvals[first + i], bands);
      this.#addFlags(objects, k, bands);
      this.#good += Number(bands.has("good"));
      this.#bad += Number(bands.has("bad"));
    }
  }

  #addFlags({ flags, flagWords }: MadeObjects, k: number, bands: Set<PropertyBand>): void {
    for (let word = 0; word < flagWords; word++) {
      // each pass counts the flag of the highest bit in `rest`, then clears this bit
      for (let rest = flags[k * flagWords + word]; rest !== 0; ) {
        const bit = 31 - Math.clz32(rest);
        rest = (rest & ~(1 << bit)) >>> 0;
        this.#flags[32 * word + bit]?.add(1, bands);
      }
    }
  }

  tally(level: number): LevelProperties {
    const { files, bits } = this.#plan;
    const countOf = (name: string) => (bits.hasBit(name) ? this.#flags[bits.bit(name)] : this.#values[bits.pval(name)]);
    const counts = [...this.#bonuses.map(({ count }) => count), ...files.flags.map(({ name }) => countOf(name))];
    const properties = counts.flatMap((count) => count?.results() ?? []);
    return { level, objects: this.#objects, good: this.#good, bad: this.#bad, properties };
  }
}
