import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as compat from "../../src/compat/index.js";
import * as core from "../../src/core/index.js";
import * as dice from "../../src/dice/index.js";
import * as formats from "../../src/formats/index.js";
import * as main from "../../src/index.js";
import * as instruments from "../../src/instruments/index.js";
import * as jobs from "../../src/jobs/index.js";
import * as objects from "../../src/objects/index.js";
import { nameOf, rowOf } from "../../src/objects/index.js";
import * as plans from "../../src/plans/index.js";
import * as pools from "../../src/pools/index.js";
import * as recipes from "../../src/recipes/index.js";
import * as samples from "../../src/samples/index.js";
import * as streams from "../../src/streams/index.js";
import * as tables from "../../src/tables/index.js";
import * as walks from "../../src/walks/index.js";
import * as weighted from "../../src/weighted/index.js";
import * as worlds from "../../src/worlds/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { openJobs, removeJobs } from "./jobs.mjs";
import { callsOf, differences, ELSEWHERE } from "./surface.mjs";
import { outcomeOf, VALUES, withDeadline } from "./values.mjs";

const LIBRARY = {
  ".": main,
  "./core": core,
  "./weighted": weighted,
  "./dice": dice,
  "./samples": samples,
  "./tables": tables,
  "./pools": pools,
  "./walks": walks,
  "./worlds": worlds,
  "./recipes": recipes,
  "./objects": objects,
  "./streams": streams,
  "./plans": plans,
  "./instruments": instruments,
  "./formats": formats,
  "./jobs": jobs,
  "./compat": compat,
};

beforeAll(() => openJobs(LIBRARY));
afterAll(() => removeJobs());

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

describe("a generated test calls each export with hostile arguments of every kind", () => {
  // each call with every twentieth value, in one place after another; the fuzzer tries all values in all places
  const PART = 20;

  test.each(callsOf().map((call, i) => [call.name, call, i] as const))("%s", async (_, call, i) => {
    const untyped: string[] = [];
    for (const [k, [name, make]] of VALUES.entries()) {
      if ((k + i) % PART !== 0) continue;
      const { args, invoke } = call.prepare(LIBRARY);
      const place = k % Math.max(1, args.length);
      const given = withDeadline(call, args.toSpliced(place, 1, make()), 50);
      const thrown = await outcomeOf(main, invoke, given);
      if (thrown !== undefined) untyped.push(`${name} as argument ${place}: ${thrown.message}`);
    }
    expect(untyped).toEqual([]);
  });
});

describe("calls of plain JavaScript that ended in an untyped error", () => {
  const mill = main.createMill({ seed: "moria" });
  const family = mill.pools("p", { roots: { e: { kind: "finite", records: ["rat"] } } });
  const pool = family.pool("e");
  const recipe = mill.recipe("weapon");
  const maker = mill.objects("drops", DUNGEON);
  const object = maker.make({ level: 5 });
  const spec = main.parseRecipe(main.shippedRecipe("weapon").recipe).spec as recipes.RecipeSpec;

  test.each<[string, (value: never) => unknown]>([
    ["ids in pools: addToSubpool", (id) => family.addToSubpool("e", id)],
    ["ids in pools: registerSubpool", (id) => family.registerSubpool("e.z", [id])],
    ["ids in pools: registerRoot", (id) => family.registerRoot("x", { kind: "finite", records: [id] })],
    ["ids in pools: quantity", (id) => pool.quantity(id)],
    ["ids in pools: return", (id) => pool.return(id)],
    ["ids in pools: a path", (path) => family.pool(path).draw()],
    ["containers of makeInto of recipes", (out) => recipe.makeInto(out)],
    ["containers of makeInto of objects", (out) => maker.makeInto(out, { level: 5 })],
    ["containers of drawInto", (out) => pool.drawInto(out)],
    ["the naming of a name", (naming) => nameOf(maker.files, object, naming)],
    ["the naming of a row", (naming) => rowOf(maker.files, object, naming)],
    ["odds of a theme", (query) => maker.odds(query)],
    ["odds of a theme: its affixes", (has) => maker.odds({ of: "theme", level: 5, kind: 1, has })],
    ["odds of an object: its kind", (kind) => maker.odds({ of: "object", level: 0, kind, states: 1 })],
    ["odds of an object: its type", (tval) => maker.odds({ of: "object", level: 0, tval, states: 1 })],
    ["odds of an object: its level", (level) => maker.odds({ of: "object", level, kind: 1 })],
    ["odds of an object: its affix level", (affixLevel) => maker.odds({ of: "object", level: 5, kind: 1, affixLevel })],
    ["odds of an object: artifacts", (artifacts) => maker.odds({ of: "object", level: 5, kind: 1, artifacts })],
    ["odds of an object: states", (states) => maker.odds({ of: "object", level: 5, kind: 1, states })],
    ["requests of items", (request) => recipe.make({ request })],
    ["requests by unknown slots", (word) => recipe.make({ request: { hilt: word } })],
    ["requestFromForm", (form) => recipes.requestFromForm(form, spec)],
    ["requestFromForm: its recipe", (wrong) => recipes.requestFromForm(new URLSearchParams("a=b"), wrong)],
  ])("%s", async (_, call) => {
    const untyped: string[] = [];
    for (const [name, make] of VALUES) {
      const thrown = await outcomeOf(main, ([value]) => call(value as never), [make()]);
      if (thrown !== undefined) untyped.push(`${name}: ${thrown.message}`);
    }
    expect(untyped).toEqual([]);
  });

  test("a sparse array of length 2^31 ends in a typed error, wherever a list is expected", () => {
    const holes = () => Object.assign([], { length: 2 ** 31 }) as never;
    for (const use of [
      () => mill.weighted("w", holes()),
      () => mill.table("t", { rows: holes() }),
      () => mill.table("t", { rows: [{ columns: holes() }] }),
      () => mill.pools("q", { roots: { e: { kind: "finite", records: holes() } } }),
      () => mill.walk("land", { start: holes() }),
      () => mill.recipe("r", { ...spec, steps: holes() }, { tables: { type: [] } }),
      () => maker.make({ level: 5, with: holes() }),
    ]) {
      expect(() => {
        use();
        throw new RangeError("no error");
      }).toThrow(main.RollmillError);
    }
  });
});

describe("silent wrong results", () => {
  const mill = () => main.createMill({ seed: "moria" });

  test("a row of more than 65,536 columns in a table object rolls the same, live and frozen", () => {
    const columns = Array.from({ length: 70_000 }, (_, i) => ({ result: `r${i % 40_000}`, weight: 1 }));
    const row = { columns: [...columns, { result: "last", weight: { script: 1 } }] };
    const table = mill().table("loot", { rows: [row] }, { script: () => 70_000 });
    const live = table.rollMany(40, { mode: "live", from: 0 });
    expect([...live]).toEqual([...table.rollMany(40, { mode: "frozen", from: 0 })]);
    expect(new Set(live)).toContain("last");
  });

  test.each([2.5, -1, Number.NaN, 2 ** 43, "1", 1n, null])(
    "next = %s is refused by every noun, so a snapshot can be restored",
    (value) => {
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
    },
  );

  test("drawInto and rollInto refuse an array that is too narrow, and write nothing", () => {
    const ids = Array.from({ length: 70_000 }, (_, i) => i);
    const pool = mill()
      .pools("p", { roots: { e: { kind: "infinite", records: ids } } })
      .pool("e");
    const rows = [{ columns: ids.slice(0, 40_000).map((id) => ({ result: `r${id}`, weight: 1 })) }];
    const table = mill().table("t", { rows });
    for (const out of [new Uint8Array(9).fill(7), new Uint16Array(9).fill(7)]) {
      for (const fill of [() => pool.drawInto(out as never), () => table.rollInto(out as never)]) {
        expect(fill).toThrow(expect.objectContaining({ code: "argument.type" }));
      }
      expect([...out]).toEqual(new Array(9).fill(7));
    }
    expect(table.next).toBe(0);
    expect(Math.max(...pool.drawInto(new Uint32Array(99)))).toBeGreaterThan(65_535);
    expect(Math.max(...table.rollInto(new Uint32Array(99)))).toBeLessThan(80_001);
  });

  test("a frozen roll does not ignore chosen: it is refused", () => {
    const object = { rows: [{ columns: [{ result: "a", weight: { script: 1 } }] }] };
    const table = mill().table("loot", object, { script: () => 1 });
    const options = { mode: "frozen", chosen: () => undefined } as const;
    expect(() => table.roll(options)).toThrow(expect.objectContaining({ code: "argument.option" }));
    expect(() => table.rollMany(3, options)).toThrow(expect.objectContaining({ code: "argument.option" }));
  });

  test.each([99, 3, -1, 0.5, Number.NaN, "1", undefined])(
    "items.name(%s) of 3 items is refused, and so are word and stat",
    (k) => {
      const items = mill().recipe("weapon").makeMany(3);
      for (const read of [
        () => items.name(k as never),
        () => items.word("type", k as never),
        () => items.stat("attack", k as never),
      ]) {
        expect(read).toThrow(expect.objectContaining({ code: "argument.range" }));
      }
      expect(() => items.word("colour", 1)).toThrow(expect.objectContaining({ code: "recipe.request" }));
    },
  );

  test("visitsAt(2**32, 0) of a running layer does not return the visits of (0, 0): it is refused", () => {
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
