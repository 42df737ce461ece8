import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { type MadeObject, type PropertyCount, tallyProperties } from "../../src/objects/index.js";
import { DUNGEON } from "./dungeon.js";
import { LIGHTHOUSE } from "./lighthouse.js";

const keyOf = ({ name, band }: Pick<PropertyCount, "name" | "band">) => `${name} ${band}`;

/** The values of each property of some objects, from the objects one by one. */
function valuesOf(objects: readonly MadeObject[]): ReadonlyMap<string, number[]> {
  const values = new Map<string, number[]>();
  const add = (name: string, value: number, band: string) => {
    values.set(`${name} ${band}`, [...(values.get(`${name} ${band}`) ?? []), value]);
  };
  for (const { toHit, toDam, toAc, pvals, flags } of objects) {
    const numbers = Object.entries({ "to-hit": toHit, "to-dam": toDam, "to-ac": toAc, ...pvals });
    for (const [name, value] of numbers) if (value !== 0) add(name, value, value > 0 ? "good" : "bad");
    for (const name of flags) add(name, 1, "");
  }
  return values;
}

describe.each([
  ["version 4", DUNGEON],
  ["Angband 4.2", LIGHTHOUSE],
])("properties of objects of %s", (_, texts) => {
  const maker = createMill({ seed: "tally" }).objects("o", texts);
  const options = { levels: [30, 5], n: 400, great: true, artifacts: false };
  const tally = tallyProperties(maker, options);

  test.each(tally.levels.map((level) => [level.level, level] as const))(
    "are those of the objects at level %i",
    (_, own) => {
      const from = own.level * options.n;
      const made = [...maker.makeMany(options.n, { level: own.level, great: true, artifacts: false, from })];
      const values = valuesOf(made);
      expect(own.objects).toBe(options.n);
      expect(own.properties.length).toBe(values.size);
      for (const { name, band, count, least, mean, most } of own.properties) {
        const all = values.get(`${name} ${band}`) ?? values.get(`${name} `) ?? [];
        expect([name, count, least, most]).toEqual([name, all.length, Math.min(...all), Math.max(...all)]);
        expect(mean).toBeCloseTo(all.reduce((sum, value) => sum + value, 0) / all.length, 9);
      }
      const bad = new Set(own.properties.filter(({ band }) => band === "bad").map(({ name }) => name));
      const isBad = ({ toHit, toDam, toAc, pvals, flags }: MadeObject) =>
        [toHit, toDam, toAc, ...Object.values(pvals)].some((value) => value < 0) ||
        flags.some((name) => bad.has(name) && !(name in pvals));
      expect(own.bad).toBe(made.filter(isBad).length);
      expect(own.good).toBeGreaterThan(0);
    },
  );

  test("have the first level of the call at which they occurred", () => {
    const [deep, shallow] = tally.levels;
    const deepKeys = new Set(deep.properties.map(keyOf));
    for (const one of tally.first) expect(one.level).toBe(deepKeys.has(keyOf(one)) ? deep.level : shallow.level);
    const keys = new Set([...deepKeys, ...shallow.properties.map(keyOf)]);
    expect(tally.first).toHaveLength(keys.size);
    expect(tally.first.some(({ level }) => level === shallow.level)).toBe(true);
  });

  test("belong to groups", () => {
    const groups = new Map(tally.first.map(({ name, group }) => [name, group]));
    expect(groups.get("to-hit")).toBe("bonus");
    expect(groups.get("RES_COLD")).toBe("resistance");
    expect([...groups].filter(([name]) => name.startsWith("SLAY_")).every(([, group]) => group === "slay")).toBe(true);
  });
});
