import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRecipe } from "../../src/recipes/parse.js";
import { places, weaponInput } from "./small.js";

/** The weapon with one place changed: `at` is a path such as steps.0.slots.1.after; undefined takes the key away. */
function changed(at: string, value: unknown): unknown {
  const input = weaponInput();
  const keys = at.split(".");
  const last = keys.pop() ?? "";
  let inner: Record<string, unknown> = input;
  for (const key of keys) inner = inner[key] as Record<string, unknown>;
  if (value === undefined) delete inner[last];
  else inner[last] = value;
  return input;
}

function found(input: unknown): string[] {
  const { spec, issues } = parseRecipe(input);
  expect(spec === undefined, "a spec is there unless something is wrong").toBe(issues.length > 0);
  return places(issues);
}

const always = { slot: "x", table: "t", strength: 0 };
const slotStep = (slots: unknown[]) => ({ kind: "slots", name: "added", slots });

describe("a valid recipe", () => {
  test("the weapon is read unchanged", () => {
    const { spec, issues } = parseRecipe(weaponInput(), { file: "weapon.json" });
    expect(issues).toEqual([]);
    expect(spec).toEqual(weaponInput());
  });

  test("the spec is a copy", () => {
    const input = { stats: [{ name: "s" }], strength: "s", steps: [slotStep([always])] };
    const { spec } = parseRecipe(input);
    input.stats[0].name = "changed";
    input.steps.pop();
    expect(spec).toMatchObject({ stats: [{ name: "s" }], steps: [{ name: "added" }] });
  });

  test("the amounts of a rung have no inherited names", () => {
    const stat = JSON.parse('{"name": "__proto__"}');
    const ladder = [{ text: "+1", add: JSON.parse('{"__proto__": 2}') }];
    const bonus = { kind: "bonus", name: "b", chance: { atLeast: 0 }, sides: 6, ladder };
    const { spec } = parseRecipe({ stats: [stat], strength: "__proto__", steps: [bonus] });
    const [step] = spec?.steps ?? [];
    expect(step?.kind === "bonus" && Object.entries(step.ladder[0].add)).toEqual([["__proto__", 2]]);
    expect(step?.kind === "bonus" && step.ladder[0].add.constructor).toBeUndefined();
  });
});

describe("each error is an issue with its path", () => {
  test.each<[string, unknown, string[]]>([
    ["stats", [], ["stats"]],
    ["stats", new Array(65), ["stats"]],
    ["stats.0.name", "str", ["stats[12].name"]],
    ["stats.0.name", "tier", ["stats[0].name"]],
    ["stats.0.name", "a=b", ["stats[0].name"]],
    ["stats.0.name", "\n", ["stats[0].name"]],
    ["stats.0.name", "\u200b", ["stats[0].name"]],
    ["stats.0.clamp", [2, 1], ["stats[0].clamp"]],
    ["stats.0.clamp", [1], ["stats[0].clamp"]],
    ["stats.0.clamp", [1, Number.NaN], ["stats[0].clamp[1]"]],
    ["strength", "strr", ["strength"]],
    ["strength", undefined, ["strength"]],
    ["steps", {}, ["steps"]],
    ["steps.0.kind", "slot", ["steps[0].kind"]],
    ["steps.0.name", "prefix", ["steps[1].name"]],
    ["steps.3.name", "prefix", ["steps[3].name", "steps[3].name"]],
    ["steps.5.name", "abstract", ["steps[5].name"]],
    ["steps.5.name", "strength", ["steps[5].name"]],
    ["steps.1.slots.0.slot", "strength", ["steps[1].slots[0].slot"]],
    ["steps.0.chanse", { atLeast: 1 }, ["steps[0].chanse"]],
    ["steps.0.slots", [], ["steps[0].slots"]],
    ["steps.0.slots.0.chance", {}, ["steps[0].slots[0].chance"]],
    ["steps.0.slots.0.chance", { atLeast: 1, above: 1 }, ["steps[0].slots[0].chance"]],
    ["steps.0.slots.0.chance", { atLeast: "95" }, ["steps[0].slots[0].chance.atLeast"]],
    ["steps.0.slots.0.chance", { above: Number.POSITIVE_INFINITY }, ["steps[0].slots[0].chance.above"]],
    ["steps.0.slots.0.chance", 95, ["steps[0].slots[0].chance"]],
    ["steps.0.slots.0.table", "", ["steps[0].slots[0].table", "steps[0].slots[1].differentFrom"]],
    ["steps.0.slots.0.strength", undefined, ["steps[0].slots[0].strength"]],
    ["steps.0.slots.0.special.word", 7, ["steps[0].slots[0].special.word"]],
    ["steps.0.slots.1.after", "elemnt", ["steps[0].slots[1].after"]],
    ["steps.0.slots.1.after", "secondElement", ["steps[0].slots[1].after"]],
    ["steps.1.slots.0.after", "element", ["steps[1].slots[0].after"]],
    ["steps.0.slots.1.table", "prefix", ["steps[0].slots[1].differentFrom"]],
    ["steps.0.slots.1.tiers", [], ["steps[0].slots[1].differentFrom"]],
    ["steps.1.slots.0.slot", "element", ["steps[1].slots[0].slot"]],
    ["steps.2.slots.0.tiers.1.atLeast", 80, ["steps[2].slots[0].tiers[1].atLeast"]],
    ["steps.2.slots.0.tiers.0.atLeast", 101, ["steps[2].slots[0].tiers[0].atLeast"]],
    ["steps.2.slots.0.tiers.0.variance", 0.5, ["steps[2].slots[0].tiers[0].variance"]],
    ["steps.3.stat", "atack", ["steps[3].stat"]],
    ["steps.3.share", -0.1, ["steps[3].share"]],
    ["steps.3.up", undefined, ["steps[3].up"]],
    ["steps.5.sides", 65_536, ["steps[5].sides"]],
    ["steps.5.sides", 97, ["steps[5].ladder[0].atLeast"]],
    ["steps.5.sides", 4, ["steps[5].ladder"]],
    ["steps.5.ladder.4.atLeast", 2, ["steps[5].ladder[4].atLeast"]],
    ["steps.5.ladder.1.atLeast", undefined, ["steps[5].ladder[1].atLeast"]],
    ["steps.5.ladder.1.atLeast", 98, ["steps[5].ladder[1].atLeast"]],
    ["steps.5.ladder.1.text", "+5", ["steps[5].ladder[1].text"]],
    ["steps.5.ladder.1.add", { atack: 1 }, ["steps[5].ladder[1].add.atack"]],
    ["steps.5.ladder.1.add", { attack: "1" }, ["steps[5].ladder[1].add.attack"]],
  ])("%s = %j", (at, value, paths) => {
    expect(found(changed(at, value))).toEqual(paths.map((path) => `recipe.spec ${path}`));
  });

  test("issues carry the file, and all are found at once", () => {
    const { issues } = parseRecipe({ stats: [{}], strenght: "x", steps: [{ kind: "condition" }] }, { file: "r.json" });
    expect(issues.length).toBeGreaterThan(5);
    expect(issues.every(({ where }) => where.file === "r.json")).toBe(true);
  });

  test("a slot cannot differ from one with tiers", () => {
    const tiered = { ...always, tiers: [] };
    const differing = { ...always, slot: "y", differentFrom: "x" };
    expect(found(changed("steps.1", slotStep([always, differing])))).toEqual([]);
    const wrong = changed("steps.1", slotStep([tiered, differing]));
    expect(found(wrong)).toEqual(["recipe.spec steps[1].slots[1].differentFrom"]);
  });

  test("a step has at most 16 decisions", () => {
    const slots = Array.from({ length: 16 }, (_, i) => ({ ...always, slot: `x${i}` }));
    expect(found(changed("steps.1", slotStep(slots)))).toEqual([]);
    expect(found(changed("steps.1", { ...slotStep(slots), chance: { above: 5 } }))).toEqual(["recipe.spec steps[1]"]);
    const [first, ...others] = slots;
    const two = [{ ...first, chance: { atLeast: 1 } }, ...others];
    expect(found(changed("steps.1", slotStep(two)))).toEqual(["recipe.spec steps[1]"]);
  });

  test("a recipe has at most 64 slots, and 64 steps", () => {
    const steps = Array.from({ length: 5 }, (_, s) => ({
      ...slotStep(Array.from({ length: 13 }, (_, i) => ({ ...always, slot: `x${s} ${i}` }))),
      name: `step ${s}`,
    }));
    expect(found(changed("steps", steps))).toEqual(["recipe.spec steps"]);
    steps[0].slots.pop();
    expect(found(changed("steps", steps))).toEqual([]);
    expect(
      found(
        changed(
          "steps",
          Array.from({ length: 65 }, () => steps[0]),
        ),
      ),
    ).toEqual(["recipe.spec steps"]);
  });
});

describe("hostile input", () => {
  test.each([undefined, null, 7, "weapon", [], () => 1, new Map(), Symbol("s")])("%s is not a recipe", (input) => {
    expect(found(input).length).toBeGreaterThan(0);
  });

  test("a list of four billion holes is refused", () => {
    expect(found(changed("steps.0.slots", new Array(2 ** 32 - 1)))).not.toEqual([]);
  });

  test("anything at any place of a weapon gives issues or a spec, never an exception", () => {
    const paths = pathsOf(weaponInput());
    expect(paths.length).toBeGreaterThan(100);
    fc.assert(
      fc.property(
        fc.constantFrom(...paths),
        fc.anything({ withNullPrototype: true, withSparseArray: true }),
        (at, value) => {
          found(changed(at, value));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

function pathsOf(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, part]) => pathsOf(part, path === "" ? key : `${path}.${key}`));
  return path === "" ? inner : [path, ...inner];
}
