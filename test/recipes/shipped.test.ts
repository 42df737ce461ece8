import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseTables } from "../../src/recipes/parse/tables.js";
import { parseRecipe } from "../../src/recipes/parse.js";
import { resolve } from "../../src/recipes/resolve.js";
import { SHIPPED_RECIPES, shippedRecipe } from "../../src/recipes/shipped.js";
import type { RecipeSpec, SlotSpec, StepSpec, WordTables } from "../../src/recipes/types.js";
import { parseWordCsv } from "../../src/recipes/wordCsv.js";
import { ROOT } from "../architecture/sources.js";

const FOLDER = join(ROOT, "data/recipes");

/** A shipped recipe as it is parsed; no issue, not even a warning, is expected. */
function parsed(name: string): { spec: RecipeSpec; tables: WordTables } {
  const shipped = shippedRecipe(name);
  const { spec, issues } = parseRecipe(shipped.recipe);
  expect(issues).toEqual([]);
  if (spec === undefined) throw new Error(`${name} is no recipe`);
  const words = parseTables(shipped.tables, { spec });
  expect(words.issues).toEqual([]);
  if (words.spec === undefined) throw new Error(`${name} has no tables`);
  return { spec, tables: words.spec };
}

function slotsOf({ steps }: RecipeSpec): readonly SlotSpec[] {
  return steps.flatMap((step) => (step.kind === "slots" ? step.slots : []));
}

function kindsOf({ steps }: RecipeSpec, kind: StepSpec["kind"]): readonly StepSpec[] {
  return steps.filter((step) => step.kind === kind);
}

/** The tables of a recipe's folder, as their files hold them. */
function filesOf(name: string): Record<string, unknown> {
  const files = readdirSync(join(FOLDER, "words", name)).sort();
  return Object.fromEntries(
    files.map((file) => {
      const { rows, issues } = parseWordCsv(readFileSync(join(FOLDER, "words", name, file), "utf8"), { file });
      expect(issues).toEqual([]);
      return [file.replace(/\.csv$/, ""), rows];
    }),
  );
}

describe("the shipped recipes", () => {
  test("are those of data/recipes", () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith(".json"));
    expect(files.map((file) => file.replace(/\.json$/, "")).sort()).toEqual([...SHIPPED_RECIPES].sort());
    expect([...SHIPPED_RECIPES].sort()).toEqual(["armor", "shield", "trinket", "weapon"]);
  });

  test.each(SHIPPED_RECIPES)("%s is its file, and its words are those of its CSV tables", (name) => {
    const { spec, tables } = parsed(name);
    expect(shippedRecipe(name).recipe).toEqual(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")));
    const files = parseTables(filesOf(name), { spec });
    expect(files.issues).toEqual([]);
    const plain = (words: WordTables | undefined) =>
      [...(words ?? [])].map(([table, { rows }]) => [
        table,
        rows.map((row) => ({ ...row, stats: nonZero(row.stats) })),
      ]);
    expect(plain(tables)).toEqual(plain(files.spec));
    const nonEmpty = [...tables.values()].every(({ rows }) =>
      rows.some((row) => Object.keys(nonZero(row.stats)).length),
    );
    expect(nonEmpty).toBe(true);
  });

  test.each(SHIPPED_RECIPES)(
    "%s has words enough, some inactive in each table, and each stat is given by something",
    (name) => {
      const { spec, tables } = parsed(name);
      for (const [table, { rows }] of tables) {
        expect(rows.length, table).toBeGreaterThanOrEqual(12);
        expect(rows.filter(({ active }) => !active).length, table).toBeGreaterThanOrEqual(1);
        expect(rows.filter(({ active }) => active).length, table).toBeGreaterThanOrEqual(10);
      }
      const given = new Set(
        [...tables.values()].flatMap(({ rows }) => rows.flatMap((row) => Object.keys(nonZero(row.stats)))),
      );
      expect([...given, spec.strength].sort()).toEqual(spec.stats.map((stat) => stat.name).sort());
    },
  );

  test.each(SHIPPED_RECIPES)(
    "%s has words for each tier from 1 to 6, varied or not, and a variance that leaves the range",
    (name) => {
      const { spec, tables } = parsed(name);
      expect(slotsOf(spec).some(({ tiers }) => tiers !== undefined)).toBe(true);
      for (let tier = 0; tier <= 6; tier++) {
        for (const tierVariance of [0, 1])
          expect(() => resolve({ spec, tables }, { tier, tierVariance })).not.toThrow();
      }
      expect(() => resolve({ spec, tables }, { tier: 7 })).toThrow(
        expect.objectContaining({ code: "recipe.candidates" }),
      );
    },
  );

  test("are copies: a change of one does not change the next", () => {
    const [row] = shippedRecipe("weapon").tables.element;
    const { word } = row;
    Object.assign(row, { word: "changed" });
    expect(shippedRecipe("weapon").tables.element[0].word).toBe(word);
  });

  test("take less than 60,000 characters of the library", () => {
    expect(readFileSync(join(ROOT, "src/recipes/data.ts"), "utf8").length).toBeLessThan(60_000);
  });

  test.each(["wepon", "constructor", ""])("no other name is accepted: %j", (name) => {
    expect(() => shippedRecipe(name)).toThrow(expect.objectContaining({ code: "recipe.unknown" }));
  });
});

function nonZero(stats: { readonly [stat: string]: number }): { readonly [stat: string]: number } {
  return Object.fromEntries(Object.entries(stats).filter(([, value]) => value !== 0));
}

describe("the weapon's words", () => {
  const { spec, tables } = parsed("weapon");
  const rowsOf = (table: string) => tables.get(table)?.rows ?? [];
  const countActive = (table: string) => rowsOf(table).filter(({ active }) => active).length;

  test("are at least 8 elements, 20 prefixes, 30 types, 20 adjectives and 20 abstracts", () => {
    const least = { element: 8, prefix: 20, type: 30, adjective: 20, abstract: 20 };
    expect([...tables.keys()].sort()).toEqual(Object.keys(least).sort());
    for (const [table, count] of Object.entries(least)) expect(countActive(table), table).toBeGreaterThanOrEqual(count);
  });

  test("have crippling, never by itself, and at least three active types in each of the tiers 1 to 6", () => {
    expect(rowsOf("element").find(({ word }) => word === "crippling")).toMatchObject({ active: false });
    for (let tier = 1; tier <= 6; tier++) {
      const count = rowsOf("type").filter((row) => row.active && row.tier === tier).length;
      expect(count, `tier ${tier}`).toBeGreaterThanOrEqual(3);
    }
    expect(rowsOf("type").every(({ tier }) => tier >= 1 && tier <= 6)).toBe(true);
  });

  test("try the rules' corners: a negative attack, hands past both clamps, words of two parts", () => {
    const types = rowsOf("type").filter(({ active }) => active);
    expect(types.some(({ stats }) => stats.attack < 0)).toBe(true);
    const hands = rowsOf("prefix").map(({ stats }) => stats.hands ?? 0);
    expect([Math.min(...hands), Math.max(...hands)]).toEqual([-1, 1]);
    expect(types.some(({ word }) => word.includes(" "))).toBe(true);
    expect(types.some(({ word }) => word.includes("-"))).toBe(true);
  });

  test("give integers for hands, attack, defense and magic, and tenths at most for the rest", () => {
    const scale = { hands: 1, attack: 1, defense: 1, magic: 1 };
    const offending = [...tables.values()].flatMap(({ rows }) =>
      rows.flatMap(({ word, stats }) =>
        Object.entries(stats)
          .filter(([stat, value]) => !Number.isInteger(value * (stat in scale ? 1 : 10)))
          .map(([stat]) => `${word} ${stat}`),
      ),
    );
    expect(offending).toEqual([]);
  });

  test("are of a recipe that has the seed's stats, slots, chances and strengths", () => {
    expect(spec.stats.map(({ name }) => name).join(" ")).toBe(
      "hands multiplier attack defense magic flaming freezing shocking holy evil sneak crit str",
    );
    expect(spec.stats.filter(({ clamp }) => clamp !== undefined)).toEqual([{ name: "hands", clamp: [1, 2] }]);
    expect(slotsOf(spec).map(({ slot, chance, strength }) => [slot, chance, strength])).toEqual([
      ["element", { atLeast: 95 }, 6],
      ["secondElement", { atLeast: 98 }, 11],
      ["prefix", { atLeast: 75 }, 3],
      ["type", undefined, 1],
      ["adjective", { atLeast: 60 }, 4],
      ["abstract", undefined, 2],
    ]);
    expect(spec.steps.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "slots element",
      "slots prefix",
      "slots type",
      "condition condition",
      "slots attribute",
      "bonus bonus",
    ]);
  });
});

describe("the other recipes have what a weapon lacks", () => {
  const weapon = parsed("weapon").spec;
  const { spec: armor } = parsed("armor");
  const { spec: shield } = parsed("shield");
  const { spec: trinket } = parsed("trinket");
  const tiered = (spec: RecipeSpec) => slotsOf(spec).filter(({ tiers }) => tiers !== undefined).length;
  const gates = (spec: RecipeSpec) =>
    spec.steps.flatMap((step) => (step.kind === "slots" && step.chance ? [step] : []));
  const bonusOf = (spec: RecipeSpec) => spec.steps.flatMap((step) => (step.kind === "bonus" ? [step] : []))[0];

  test("armor: two slots by tier, conditions on two stats, a slot that differs from another and can be requested", () => {
    expect([tiered(weapon), tiered(armor)]).toEqual([1, 2]);
    expect(kindsOf(armor, "condition").map((step) => step.kind === "condition" && step.stat)).toEqual([
      "defense",
      "weight",
    ]);
    const other = (spec: RecipeSpec) => slotsOf(spec).filter((slot) => slot.differentFrom !== undefined && !slot.after);
    expect([other(weapon).length, other(armor).length]).toEqual([0, 1]);
    expect(bonusOf(armor)?.sides).toBe(20);
  });

  test("shield: a gate with three slots, one of them special and two a pair", () => {
    expect(gates(weapon).map(({ slots }) => slots.length)).toEqual([2]);
    const [emblem] = gates(shield);
    expect(emblem?.slots.map(({ slot, special, differentFrom }) => [slot, special?.word, differentFrom])).toEqual([
      ["tincture", "prismatic", undefined],
      ["charge", undefined, undefined],
      ["secondCharge", undefined, "charge"],
    ]);
  });

  test("trinket: no condition, two gates, and a ladder that goes down below nothing", () => {
    expect(kindsOf(trinket, "condition")).toEqual([]);
    expect(gates(trinket)).toHaveLength(2);
    const rungs = bonusOf(trinket)?.ladder ?? [];
    expect(rungs.map(({ text }) => text)).toEqual(["+3", "+2", "+1", "-1", "-2", "-3"]);
    expect(rungs.map(({ add }) => Math.sign(add.str))).toEqual([1, 1, 1, -1, -1, -1]);
  });
});
