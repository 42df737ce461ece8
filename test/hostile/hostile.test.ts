import { describe, expect, test } from "vitest";
import * as compat from "../../src/compat/index.js";
import * as core from "../../src/core/index.js";
import * as dice from "../../src/dice/index.js";
import * as formats from "../../src/formats/index.js";
import * as main from "../../src/index.js";
import * as objects from "../../src/objects/index.js";
import * as pools from "../../src/pools/index.js";
import * as recipes from "../../src/recipes/index.js";
import * as samples from "../../src/samples/index.js";
import * as streams from "../../src/streams/index.js";
import * as tables from "../../src/tables/index.js";
import * as walks from "../../src/walks/index.js";
import * as weighted from "../../src/weighted/index.js";
import { callsOf, differences, ELSEWHERE } from "./surface.mjs";

const LIBRARY = {
  ".": main,
  "./core": core,
  "./weighted": weighted,
  "./dice": dice,
  "./samples": samples,
  "./tables": tables,
  "./pools": pools,
  "./walks": walks,
  "./recipes": recipes,
  "./objects": objects,
  "./streams": streams,
  "./formats": formats,
  "./compat": compat,
};

describe("the public surface", () => {
  test("has a valid call for each export, method and property that can be set", () => {
    expect(differences(LIBRARY)).toEqual([]);
  });

  test("leaves out only the sub-paths that other tests cover", async () => {
    const { default: found } = await import("../../package.json", { with: { type: "json" } });
    const listed = [...Object.keys(LIBRARY), ...ELSEWHERE].sort();
    expect(Object.keys(found.exports).sort()).toEqual(listed);
  });

  test.each(callsOf().map(({ name, prepare }) => [name, prepare] as const))(
    "%s works as listed",
    async (_, prepare) => {
      const { args, invoke } = prepare(LIBRARY);
      await invoke(args);
    },
  );
});

describe("silent wrong results", () => {
  const mill = () => main.createMill({ seed: "moria" });

  test("a row of more than 65,536 columns rolls alike, live and frozen", () => {
    const columns = Array.from({ length: 70_000 }, (_, i) => ({ result: `r${i % 40_000}`, weight: 1 }));
    const row = { columns: [...columns, { result: "last", weight: { script: 1 } }] };
    const table = mill().table("loot", { rows: [row] }, { script: () => 70_000 });
    const live = table.rollMany(40, { mode: "live", from: 0 });
    expect([...live]).toEqual([...table.rollMany(40, { mode: "frozen", from: 0 })]);
    expect(new Set(live)).toContain("last");
  });

  test.each([2.5, -1, Number.NaN, 2 ** 43, "1", 1n, null])("next of every noun refuses %s", (value) => {
    const one = mill();
    const nouns = [
      one.weighted("w", [1]),
      one.table("t", { rows: [{ columns: [{ result: "a", weight: 1 }] }] }),
      one.pools("p", { roots: { e: { kind: "finite", records: ["rat"] } } }),
      one.recipe("weapon"),
    ];
    for (const noun of nouns) {
      expect(() => {
        noun.next = value as never;
      }).toThrow(expect.objectContaining({ code: "argument.range" }));
    }
    expect(() => main.createMill({ seed: "moria", snapshot: one.snapshot() })).not.toThrow();
  });

  test("a frozen roll refuses a chosen callback of the call", () => {
    const object = { rows: [{ columns: [{ result: "a", weight: { script: 1 } }] }] };
    const table = mill().table("loot", object, { script: () => 1 });
    const options = { mode: "frozen", chosen: () => undefined } as const;
    expect(() => table.roll(options)).toThrow(expect.objectContaining({ code: "argument.option" }));
    expect(() => table.rollMany(3, options)).toThrow(expect.objectContaining({ code: "argument.option" }));
  });

  test.each([99, 3, -1, 0.5, Number.NaN, "1", undefined])("name, word and stat of item %s of 3 are refused", (k) => {
    const items = mill().recipe("weapon").makeMany(3);
    for (const read of [
      () => items.name(k as never),
      () => items.word("type", k as never),
      () => items.stat("attack", k as never),
    ]) {
      expect(read).toThrow(expect.objectContaining({ code: "argument.range" }));
    }
    expect(() => items.word("colour", 1)).toThrow(expect.objectContaining({ code: "recipe.request" }));
  });

  test("visits of a running layer are those of the cell, or refused outside the grid's coordinates", () => {
    const run = mill()
      .walk("land", { grid: { kind: "unbounded" }, preset: "uniform", steps: 5 })
      .start();
    expect(run.visitsAt(0, 0)).toBe(1);
    for (const [row, col] of [
      [2 ** 32, 0],
      [0, 2 ** 32],
      [0.5, 0],
      [Number.NaN, 0],
    ]) {
      expect(() => run.visitsAt(row, col)).toThrow(expect.objectContaining({ code: "argument.range" }));
      expect(() => run.firstVisitAt(row, col)).toThrow(expect.objectContaining({ code: "argument.range" }));
    }
  });
});
