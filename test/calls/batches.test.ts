import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { bytesPerObject } from "../../src/objects/make/madeObjects.js";
import { bytesPerItem } from "../../src/recipes/items.js";
import { SMALL } from "../objects/small.js";
import { SEED_TABLE } from "../tables/seedTable.js";

const mill = createMill({ seed: "moria" });
const pools = mill.pools("draws", { roots: { e: { kind: "infinite", records: ["rat"] } } });

test.each<[string, (n: number) => unknown]>([
  ["words", (n) => mill.stream("words").words(n)],
  ["picks", (n) => mill.weighted("picks", [1, 2]).pickMany(n)],
  ["rolls", (n) => mill.table("rolls", SEED_TABLE).rollMany(n)],
  ["draws", (n) => pools.pool("e").drawMany(n)],
  ["items", (n) => mill.recipe("weapon").makeMany(n)],
  ["objects", (n) => mill.objects("objects", SMALL).makeMany(n, { level: 1 })],
])("an allocation that cannot succeed is a typed error: 4·10^9 %s, and more than any array holds", (_, make) => {
  const before = process.memoryUsage().rss;
  for (const n of [4e9, 2 ** 41]) {
    expect(() => make(n)).toThrow(expect.objectContaining({ code: "kernel.memory" }));
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 28);
});

/** The bytes of all typed arrays among the values, each buffer once. */
function bytesOf(values: readonly unknown[]): number {
  const arrays = new Set(values.filter((value) => ArrayBuffer.isView(value)));
  return [...arrays].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

test("the size of an item and of an object is that of their columns", () => {
  const items = mill.recipe("weapon").makeMany(10);
  const columns = [...items.indices.values(), ...Object.values(items.stats)];
  expect(bytesPerItem(Reflect.get(mill.recipe("weapon"), "plan"))).toBe(bytesOf(columns) / 10);
  const maker = mill.objects("objects", SMALL);
  const objects = maker.makeMany(10, { level: 1 });
  expect(bytesPerObject(Reflect.get(maker, "plan"))).toBe(bytesOf(Object.values(objects)) / 10);
});
