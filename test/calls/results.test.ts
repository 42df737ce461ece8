import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Columns, IndexCounts } from "../../src/calls/index.js";

class Doubled extends Columns<number> {
  protected override compose(k: number): number {
    return 2 * (this.from + k);
  }
}

describe("columns", () => {
  test("at and iteration give the same results", () => {
    fc.assert(
      fc.property(fc.nat({ max: 50 }), fc.nat(), (length, from) => {
        const columns = new Doubled({ length, from });
        const expected = Array.from({ length }, (_, k) => 2 * (from + k));
        expect([...columns]).toEqual(expected);
        expect(expected.map((_, k) => columns.at(k))).toEqual(expected);
        expect([columns.length, columns.from]).toEqual([length, from]);
      }),
    );
  });

  test("at refuses everything but 0 … length − 1", () => {
    const columns = new Doubled({ length: 3, from: 0 });
    for (const k of [-1, 3, 0.5, Number.NaN, "0" as unknown as number]) {
      expect(() => columns.at(k)).toThrow(expect.objectContaining({ code: "argument.range" }));
    }
    expect(() => new Doubled({ length: 0, from: 0 }).at(0)).toThrow(
      expect.objectContaining({ code: "argument.range" }),
    );
  });
});

describe("counts of indices", () => {
  test("behave as a Map with these entries", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1000 })), (totals) => {
        const counts = new IndexCounts(Float64Array.from(totals));
        const map = new Map(totals.entries());
        expect(counts.size).toBe(map.size);
        expect([...counts]).toEqual([...map]);
        expect([...counts.entries()]).toEqual([...map.entries()]);
        expect([...counts.keys()]).toEqual([...map.keys()]);
        expect([...counts.values()]).toEqual([...map.values()]);
        const visited: [number, number][] = [];
        counts.forEach((count, index, own) => {
          expect(own).toBe(counts);
          visited.push([index, count]);
        });
        expect(visited).toEqual([...map]);
        for (const index of [-1, 0, totals.length - 1, totals.length, 0.5]) {
          expect([counts.has(index), counts.get(index)]).toEqual([map.has(index), map.get(index)]);
        }
      }),
    );
  });
});
