import { describe, expect, test } from "vitest";
import { toCsv } from "../../src/formats/index.js";
import { createMill } from "../../src/index.js";
import { type StepSpec, shippedRecipe, type TablesInput } from "../../src/recipes/index.js";

test("items become their name, their stats, their words and their origin, each under a name of its own", () => {
  const slots = [
    { slot: "str", table: "prefix", strength: 0, chance: { atLeast: 1000 } },
    { slot: "type", table: "type", strength: 0 },
  ];
  const steps: readonly StepSpec[] = [
    { kind: "slots", name: "words", slots },
    { kind: "condition", name: "crit", stat: "str", share: 0, doubled: { above: 100 }, up: { above: -1 } },
    { kind: "bonus", name: "index", chance: { above: 100 }, sides: 2, ladder: [{ text: "+1", add: {} }] },
  ];
  const tables = {
    prefix: [{ id: 1, word: "strong" }],
    type: [{ id: 7, word: "axe", str: -3, crit: 1.5 }],
  };
  const recipe = { stats: [{ name: "str" }, { name: "crit" }], strength: "str", steps };
  const items = createMill({ seed: "columns" }).recipe("axes", recipe, { tables }).makeMany(2);
  expect(toCsv(items.columns())).toBe(
    [
      "name,str,crit,slot.str,type,outcome.crit,index,str_id,type_id,item.index,seed",
      "Axe,-3,1.5,,axe,up,,,7,0,columns",
      "Axe,-3,1.5,,axe,up,,,7,1,columns",
      "",
    ].join("\n"),
  );
});

describe("the origin of an item (first hour 9, 17)", () => {
  const mill = createMill({ seed: 7 });
  const weapon = mill.recipe("weapon");
  const tables = shippedRecipe("weapon").tables as TablesInput;
  const from = 2 ** 40;
  const items = weapon.makeMany(3000, { from, power: 1.5 });

  test("leads back to the same item", () => {
    for (const item of [...items].filter((_, k) => k % 500 === 0)) {
      expect(createMill({ seed: item.seed }).recipe("weapon").make({ at: item.index, power: 1.5 })).toEqual(item);
    }
    expect(items.at(1)).toMatchObject({ seed: "7", index: from + 1 });
    expect(weapon.fork("ann").make({ at: 5 })).toMatchObject({ seed: "7", index: 5 });
  });

  test("has the word of each slot, the id of its row, and the outcome of each condition and bonus", () => {
    const seen = new Set<string>();
    for (const [k, { words, ids, outcomes }] of [...items].entries()) {
      for (const [slot, word] of Object.entries(words)) {
        expect(word ?? "").toBe(items.word(slot, k));
        const table = slot === "secondElement" ? "element" : slot;
        const row = tables[table].find(({ id }) => id === ids[slot]);
        expect(row?.word ?? null).toBe(word);
        seen.add(word === null ? `no ${slot}` : slot);
      }
      for (const outcome of Object.values(outcomes)) seen.add(String(outcome));
    }
    const slots = ["element", "secondElement", "prefix", "adjective", "abstract"];
    expect([...seen].sort()).toEqual(
      ["type", ...slots, ...slots.map((slot) => `no ${slot}`), "up", "down", "doubled", "null"]
        .concat(["+1", "+2", "+3", "+4", "+5"])
        .sort(),
    );
  });

  test("is what `probability` takes, and outcomes are counted as `count` counts them", () => {
    const { words, outcomes } = items.at(0);
    expect(weapon.probability({ words, outcomes }).numerator).toBeGreaterThan(0n);
    for (const of of ["condition", "bonus"]) {
      const counted = weapon.count(3000, { from, power: 1.5, of });
      const own = [...items].filter((item) => item.outcomes[of] === null).length;
      expect(own).toBe(counted.none);
      for (const [result, times] of counted.counts) {
        expect([...items].filter((item) => item.outcomes[of] === result)).toHaveLength(times);
      }
    }
  });

  test("is in the columns", () => {
    const [head, ...lines] = toCsv(items.columns()).trimEnd().split("\n");
    const names = head.split(",");
    const cell = (k: number, name: string) => lines[k].split(",")[names.indexOf(name)];
    for (const k of [0, 1, 2999]) {
      const { words, ids, outcomes, index, seed } = items.at(k);
      expect([cell(k, "index"), cell(k, "seed")]).toEqual([String(index), seed]);
      for (const [slot, id] of Object.entries(ids)) expect(cell(k, `${slot}_id`)).toBe(String(id ?? ""));
      for (const [name, text] of Object.entries({ ...words, ...outcomes })) {
        expect(cell(k, name).replace(/^'/, "")).toBe(text ?? "");
      }
    }
  });
});
