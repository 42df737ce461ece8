import { describe, expect, test } from "vitest";
import {
  columnsOf,
  MOST_OUTCOMES,
  MOST_SLOTS,
  MOST_STATS,
  OutcomeRow,
  SlotRow,
  StatRow,
} from "../../src/recipes/fields.js";

/** Names of fields. The name at `proto`, if any, is "__proto__". */
function names(count: number, proto: number): string[] {
  return Array.from({ length: count }, (_, i) => (i === proto ? "__proto__" : `field ${i}`));
}

const PROTOS = [-1, 0, 2];
const COUNTS = [0, 1, 3, 4, 5, 8, 9, 16, 17, 20];
const cases = COUNTS.flatMap((count) => PROTOS.filter((at) => at < count).map((proto) => ({ count, proto })));

describe.each(cases)("an object of $count fields, with __proto__ at $proto", ({ count, proto }) => {
  const columns = names(count, proto).map((name, i) => ({ name, words: [null, i], indices: Uint16Array.of(0, 1) }));
  const words = columns.map(({ name }, i) => [name, i]);

  test.each([
    ["slots", (k: number) => new SlotRow(columnsOf(columns, MOST_SLOTS), k)],
    ["outcomes", (k: number) => new OutcomeRow(columnsOf(columns, MOST_OUTCOMES), k)],
  ])("is a plain object with each field, in order (%s)", (_, make) => {
    expect(Object.entries(make(1))).toEqual(words);
    expect(Object.entries(make(0))).toEqual(words.map(([name]) => [name, null]));
    expect(Object.getPrototypeOf(make(1))).toBe(Object.prototype);
  });

  test("has the stats after the name", () => {
    const scaled = names(count, proto).map((name, i) => {
      return { name, values: Int16Array.of(0, -i), scale: i % 2 === 0 ? 1 : 10 };
    });
    const row = new StatRow(columnsOf(scaled, MOST_STATS), 1, "axe");
    const stats = scaled.map(({ name, values, scale }) => [name, values[1] / scale]);
    expect(Object.entries(row)).toEqual([["name", "axe"], ...stats]);
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  });
});
