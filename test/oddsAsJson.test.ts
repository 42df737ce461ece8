import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fraction } from "../src/fractions.js";
import { apportion, createMill } from "../src/index.js";
import { DUNGEON } from "./objects/dungeon.js";

const mill = createMill({ seed: "moria" });
const LOOT = readFileSync(new URL("../examples/loot.csv", import.meta.url), "utf8");
const GEMS = readFileSync(new URL("../examples/gems.csv", import.meta.url), "utf8");
const loot = () => mill.table("loot", LOOT, { file: "loot.csv", files: { "gems.csv": GEMS } });
const list = () =>
  mill.weighted("list", [
    { result: "gold", weight: 3, quantity: "2d6" },
    { result: null, weight: 1 },
  ]);
const pools = () => mill.pools("pools", { roots: { i: { kind: "infinite", records: [["axe", 2], "bow"] } } });
const recipe = () => mill.recipe("trinket");
const objects = () => mill.objects("drops", DUNGEON);

/** What a program reads from the JSON: fractions as texts, and everything else as it is. */
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const { numerator, denominator, ...others } = value as { numerator?: unknown; denominator?: unknown };
  if (typeof numerator === "bigint") {
    expect(others).toEqual({});
    return `${numerator}/${denominator}`;
  }
  // a Map or a class would lose its content
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries.map(([key, part]) => [key, plain(part)]));
}

describe("odds survive JSON.stringify", () => {
  test.each<[string, () => unknown]>([
    ["weighted list", () => mill.weighted("weights", [1, 2.5, 0]).odds()],
    ["labelled list", () => list().odds()],
    ["quantity of a list", () => list().quantityOdds("gold")],
    ["dice", () => mill.dice("hp", "3d6-2").odds()],
    ["sample", () => mill.sample("hand", ["ace", "king"], { size: 1 }).odds()],
    ["table", () => loot().odds()],
    ["quantity of a table", () => loot().quantityOdds("gold")],
    ["pool", () => pools().pool("i").odds()],
    ["walk", () => mill.walk("land", { steps: 3, preset: "five-ways" }).odds({ heading: "E" })],
    ["recipe", () => recipe().odds({ of: "bonus" })],
    ["strength of a recipe", () => recipe().odds({ of: "strength" })],
    ["chances of a recipe", () => recipe().chances()],
    ["kinds of objects", () => objects().odds({ of: "kind", level: 30 })],
    ["affixes of an object", () => objects().odds({ of: "affix", level: 30, kind: "Longsword", affixLevel: "good" })],
    ["affix levels of objects", () => objects().odds({ of: "affixLevel", level: 30 })],
    ["apportioned weights", () => apportion([0.5, 0.25, 0.3], 100)],
  ])("of a %s", (_, compute) => {
    const odds = compute();
    const text = JSON.stringify(odds);
    expect(text).toMatch(/"\d+\/\d+"/);
    expect(JSON.parse(text)).toEqual(plain(odds));
  });

  test("a probability is a weight again, and a negative fraction has its sign", () => {
    const [{ probability }] = mill.weighted("w", [1, 2]).odds().odds;
    const weight = JSON.parse(JSON.stringify(probability)) as string;
    expect(weight).toBe("1/3");
    expect(mill.weighted("again", [weight, "2/3"]).odds()).toEqual(mill.weighted("w", [1, 2]).odds());
    expect(JSON.stringify(fraction(2n, -7n))).toBe('"-2/7"');
  });
});
