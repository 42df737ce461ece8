import { expect, test } from "vitest";
import { toCsv } from "../../src/formats/index.js";
import { createMill } from "../../src/index.js";
import type { StepSpec } from "../../src/recipes/index.js";

test("items become their name, their stats, and the word of each slot under a name of its own", () => {
  const slots = [
    { slot: "str", table: "prefix", strength: 0, chance: { atLeast: 1000 } },
    { slot: "type", table: "type", strength: 0 },
  ];
  const steps: readonly StepSpec[] = [{ kind: "slots", name: "words", slots }];
  const tables = {
    prefix: [{ id: 1, word: "strong" }],
    type: [{ id: 1, word: "axe", str: -3, crit: 1.5 }],
  };
  const recipe = { stats: [{ name: "str" }, { name: "crit" }], strength: "str", steps };
  const items = createMill({ seed: "columns" }).recipe("axes", recipe, { tables }).makeMany(2);
  expect(toCsv(items.columns())).toBe("name,str,crit,slot.str,type\nAxe,-3,1.5,,axe\nAxe,-3,1.5,,axe\n");
});
