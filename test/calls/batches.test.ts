import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { SMALL } from "../objects/small.js";
import { SEED_TABLE } from "../tables/seedTable.js";

const mill = createMill({ seed: "moria" });

test.each<[string, () => unknown]>([
  ["words", () => mill.stream("words").words(2 ** 41)],
  ["picks", () => mill.weighted("picks", [1, 2]).pickMany(2 ** 41)],
  ["rolls", () => mill.table("rolls", SEED_TABLE).rollMany(2 ** 41)],
  ["items", () => mill.recipe("weapon").makeMany(2 ** 41)],
  ["objects", () => mill.objects("objects", SMALL).makeMany(2 ** 32, { level: 1 })],
])("more %s than any array holds are refused", (_, make) => {
  expect(make).toThrow(expect.objectContaining({ code: "kernel.memory" }));
});
