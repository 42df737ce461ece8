import seedrandom from "seedrandom";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { createWeapon, type PhpChance, UNIT } from "../oracle/weaponPhp.js";
import { agrees, trialsToTell } from "../statistics/chiSquare.js";
import { read, weapon } from "./cases.js";
import { phpArgs, phpTables } from "./php.js";
import { cellOf, frequencies, jointLaw, WeaponCounts } from "./statisticsCounts.js";

const WEAPONS = 10_000_000;
const CALL = 200_000;
const BY_SOURCE = 150_000;
const POWERS = [0.6, 1, 1.7];

const { tables } = read(weapon);
const counted = new Map(POWERS.map((power) => [power, count(power)]));

function count(power: number): WeaponCounts {
  const recipe = createMill({ seed: "statistics" }).recipe("weapon");
  const counts = new WeaponCounts(tables);
  const items = recipe.makeMany(CALL, { power });
  for (counts.add(items); counts.weapons < WEAPONS; counts.add(items)) recipe.makeInto(items, { power });
  return counts;
}

function countsOf(power: number): WeaponCounts {
  const counts = counted.get(power);
  if (counts === undefined) throw new Error(`no weapons of power ${power}`);
  return counts;
}

describe.each(POWERS)("10,000,000 weapons at power %d (α = 10⁻⁶)", (power) => {
  test("every probability is that of the description, and not one that is a little wrong", () => {
    for (const [name, { counts, law, wrong }] of frequencies(countsOf(power), tables, power)) {
      expect(agrees(counts, law), name).toBe(true);
      const trials = counts.reduce((sum, seen) => sum + seen, 0);
      for (const other of wrong.filter((spoilt) => trialsToTell(spoilt, law) <= trials)) {
        expect(agrees(counts, other), `${name}, as if ${other[0]}`).toBe(false);
      }
    }
  });

  test("elements, prefix, condition and bonus are independent of each other", () => {
    expect(agrees(countsOf(power).joint, jointLaw(power))).toBe(true);
  });
});

test("each probability is told from one that is one hundredth off, and from one value of its roll more, at some power", () => {
  const told = new Map<string, Set<string>>();
  for (const power of POWERS) {
    for (const [name, { counts, law, wrong }] of frequencies(countsOf(power), tables, power)) {
      const trials = counts.reduce((sum, seen) => sum + seen, 0);
      const kinds = told.get(name) ?? new Set<string>();
      told.set(name, kinds);
      for (const other of wrong) {
        if (trialsToTell(other, law) > trials) continue;
        kinds.add(Math.abs(other[0] / law[0] - 1) < 0.0101 ? "a hundredth" : "a value");
      }
    }
  }
  const rolls = [
    "element",
    "crippling",
    "second element",
    "prefix",
    "doubled",
    "up",
    "attribute",
    "adjective",
    "bonus",
  ];
  for (const name of rolls) expect([...(told.get(name) ?? [])].sort(), name).toEqual(["a hundredth", "a value"]);
});

describe.each([1, 1.7])("the source, with random numbers of its own, at power %d", (power) => {
  const random = seedrandom(`php ${power}`);
  const php = phpTables(tables);
  const joint = jointLaw(power).map(() => 0);
  const attacks = new Map<number, number>();
  const strengths = new Map<number, number>();
  for (let k = 0; k < BY_SOURCE; k++) {
    const said = new Map<string, number>();
    const made = createWeapon(phpArgs({ power }), php, remembering(random, said));
    joint[cellSaid(said, made.name, power)]++;
    for (const [stat, seen] of [
      ["attack", attacks],
      ["str", strengths],
    ] as const) {
      const value = Number((made.stats.get(stat) ?? 0n) / UNIT);
      seen.set(value, (seen.get(value) ?? 0) + 1);
    }
  }

  test("has the same joint distribution of elements, prefix, condition and bonus", () => {
    expect(agrees(joint, jointLaw(power))).toBe(true);
  });

  test("has the same attacks and strengths as ten million weapons", () => {
    const counts = countsOf(power);
    expect(agrees(...alike(attacks, counts.attacks))).toBe(true);
    expect(agrees(...alike(strengths, counts.strengths))).toBe(true);
    const stronger = new Map([...strengths].map(([value, seen]) => [value + 1, seen]));
    expect(agrees(...alike(stronger, counts.strengths))).toBe(false);
  });
});

/** Counts, and the frequencies of many more as their law, over all values that came up. */
function alike(few: ReadonlyMap<number, number>, many: ReadonlyMap<number, number>): [number[], number[]] {
  const values = [...new Set([...few.keys(), ...many.keys()])];
  const seen = values.map((value) => many.get(value) ?? 0.5);
  const total = seen.reduce((a, b) => a + b, 0);
  return [values.map((value) => few.get(value) ?? 0), seen.map((times) => times / total)];
}

/** Random numbers of the language's kind, and what they were. */
function remembering(random: () => number, said: Map<string, number>): PhpChance {
  return {
    rand(what, a, b) {
      const value = Math.min(a, b) + Math.floor(random() * (Math.abs(b - a) + 1));
      said.set(what, value);
      return value;
    },
    choose(what, rows) {
      said.set(`${what}'s word`, 1);
      return rows[Math.floor(random() * rows.length)];
    },
  };
}

function cellSaid(said: ReadonlyMap<string, number>, name: string, power: number): number {
  const one = said.has("element's word") ? 1 : 0;
  const elements = said.has("second element's word") ? 2 : name.startsWith("Crippling") ? 3 : one;
  const doubled = (said.get("doubled") ?? 0) * power >= 98;
  const condition = doubled ? 2 : (said.get("up") ?? 0) * power > 38 ? 1 : 0;
  const bonus = /\+(\d)$/.exec(name);
  return cellOf(elements, said.has("prefix's word") ? 1 : 0, condition, bonus === null ? 0 : 6 - Number(bonus[1]));
}
