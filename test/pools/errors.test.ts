import { describe, expect, test } from "vitest";
import { type Code, createMill, type PoolFamily, type PoolsInput, parsePools } from "../../src/index.js";
import { refusalOf } from "../refusal.js";
import { ENTITIES, ITEMS, openPools, unchangedRefusal } from "./build.js";

describe("a call that is refused says why, and changes nothing", () => {
  test.each<[Code, string, (pools: PoolFamily) => unknown]>([
    ["pool.unknown", "i.comon", (p) => p.pool("i.comon").draw()],
    ["pool.unknown", "i.common.wepon", (p) => p.pool("i.common.wepon").draw()],
    ["pool.unknown", "i.common.wepon", (p) => p.pool("i.common.wepon").draw()],
    ["pool.unknown", "e", (p) => p.pool("e").draw()],
    ["pool.unknown", "i.3", (p) => p.pool("i.3").draw()],
    ["pool.unknown", "i.0", (p) => p.pool("i.0").draw()],
    ["pool.unknown", "i.*.weapon.sharp", (p) => p.addToSubpool("i.*.weapon.sharp", "bow")],
    ["pool.unknown", "i.epic.weapon", (p) => p.registerSubpool("i.epic.weapon")],
    ["pool.unknown", "i", (p) => p.setActive("i", ["epic"])],
    ["pool.active", "i.~", (p) => p.pool("i.~").draw()],
    ["pool.active", "i.~.~", (p) => p.pool("i.~.~", { active: ["rare"] }).draw()],
    ["pool.active", "", (p) => p.pool("~.rare").draw()],
    ["pool.active", "active[0]", (p) => p.setActive("i", ["*"])],
    ["pool.path", "i..weapon", (p) => p.pool("i..weapon").draw()],
    ["pool.path", "", (p) => p.pool("").draw()],
    ["pool.path", "", (p) => p.pool(undefined as never).draw()],
    ["pool.star", "i.*", (p) => p.registerSubpool("i.*")],
    ["pool.root", "i", (p) => p.registerSubpool("i")],
    ["pool.exists", "i", (p) => p.registerRoot("i", { kind: "finite" })],
    ["pool.path", "", (p) => p.registerRoot("7", { kind: "finite" })],
    ["pool.spec", "kind", (p) => p.registerRoot("x", {} as never)],
    ["pool.duplicate", "records[2]", (p) => p.registerRoot("x", { kind: "finite", records: [1, 2, 1] })],
    ["pool.unknown-id", "i", (p) => p.pool("i").quantity("axes")],
    ["pool.unknown-id", "i", (p) => p.pool("i").return(7)],
    ["pool.quantity", "records[0].quantity", (p) => p.addToSubpool("i.common", "bow", { mass: 1, quantity: -1 })],
    ["pool.quantity", "records[0].quantity", (p) => p.addToSubpool("i.common", "bow", { mass: 1, quantity: 1.5 })],
    ["pool.quantity", "records[0].quantity", (p) => p.addToSubpool("i.rare", "axe", { mass: 1, quantity: 9 })],
    ["pool.mass", "records[0].mass", (p) => p.addToSubpool("i.common", "bow", { mass: -1 })],
    ["pool.mass", "records[0].mass", (p) => p.addToSubpool("i.common", "bow", { mass: Number.NaN })],
    ["pool.record", "records[0].id", (p) => p.addToSubpool("i.common", 1.5)],
    ["pool.total", "records", (p) => p.addToSubpool("i.common", "bow", { mass: 2 ** 31, quantity: 2 })],
    ["pool.total", "records", (p) => p.registerSubpool("i.epic", [{ id: "bow", mass: 2 ** 32 - 1, quantity: 2 }])],
    ["pool.total", "records", (p) => p.addToSubpool("i.common", "bow", { mass: 1e-9 })],
    ["pool.empty", "i.common.trinket", (p) => p.pool("i.common.trinket").draw()],
    ["argument.range", "", (p) => p.pool("i").drawMany(-1)],
    ["argument.range", "", (p) => p.pool("i").count(-1)],
    ["argument.range", "", (p) => p.pool("i").count(0.5)],
    ["argument.range", "", (p) => p.pool("i").count(Number.NaN)],
  ])("%s at %s", (code, path, call) => {
    const pools = openPools(ITEMS);
    pools.pool("i").drawMany(3);
    const refusal = unchangedRefusal(pools, () => call(pools));
    expect([refusal.code, refusal.issues[0].where.path ?? ""]).toEqual([code, path]);
  });

  test("returning what was not drawn is refused", () => {
    const pools = openPools(ITEMS);
    expect(unchangedRefusal(pools, () => pools.pool("i").return("axe")).code).toBe("pool.full");
  });

  test("infinite pools have no quantities", () => {
    const pools = openPools(ENTITIES);
    for (const use of [
      () => pools.pool("e").quantity("bat"),
      () => pools.pool("e").return("bat"),
      () => pools.pool("e.z1").restock(),
    ]) {
      expect(unchangedRefusal(pools, use).code).toBe("pool.infinite");
    }
    expect(unchangedRefusal(pools, () => pools.addToSubpool("e.z1", "x", { mass: 1, quantity: 2 })).code).toBe(
      "pool.quantity",
    );
  });

  test("a pool of masses or quantities 0 only can never be drawn from", () => {
    const pools = openPools({
      roots: {
        p: {
          kind: "finite",
          records: [
            [1, 0, 5],
            [2, 3, 0],
          ],
        },
        q: { kind: "infinite", records: [[1, 0]] },
      },
    });
    for (const path of ["p", "q"]) {
      for (const use of [() => pools.pool(path).draw(), () => pools.pool(path).odds(), () => pools.pool(path).peek()]) {
        expect(unchangedRefusal(pools, use).code).toBe("pool.weightless");
      }
    }
  });
});

describe("a spec that is refused says where", () => {
  const records = [1, 2];
  const cyclic: { records: number[]; subpools: Record<string, unknown> } = { records, subpools: {} };
  cyclic.subpools.again = cyclic;
  const root = (more: object): unknown => ({ roots: { i: { kind: "finite", records, ...more } } });
  test.each<[Code, string, unknown]>([
    ["pool.spec", "", null],
    ["pool.spec", "", []],
    ["pool.spec", "roots", {}],
    ["pool.spec", "root", { root: {} }],
    ["pool.spec", "roots.i.kind", { roots: { i: { kind: "endless" } } }],
    ["pool.spec", "roots.a.b", { roots: { "a.b": { kind: "finite" } } }],
    ["pool.spec", "roots.i.recrods", root({ recrods: [] })],
    ["pool.spec", "roots.i.records", root({ records: {} })],
    ["pool.record", "roots.i.records[1]", root({ records: [1, null] })],
    ["pool.record", "roots.i.records[0].id", root({ records: [{ mass: 1 }] })],
    ["pool.mass", "roots.i.records[0].mass", root({ records: [{ id: 1, mass: "2" }] })],
    ["pool.quantity", "roots.i.records[0].quantity", root({ records: [{ id: 1, quantity: 0.5 }] })],
    [
      "pool.quantity",
      "roots.i.subpools.a.records[0].quantity",
      root({ subpools: { a: { records: [{ id: 1, quantity: 2 }] } } }),
    ],
    ["pool.duplicate", "roots.i.records[2]", root({ records: [1, "1", 1] })],
    ["pool.duplicate", "roots.i.subpools.a.records[1]", root({ subpools: { a: { records: [1, 1] } } })],
    ["pool.unknown-id", "roots.i.subpools.a.records[0]", root({ subpools: { a: { records: ["1"] } } })],
    ["pool.cycle", "roots.i.subpools.again.subpools", root({ subpools: cyclic.subpools })],
    ["pool.structure", "i.b", root({ subpools: { a: { subpools: { c: {} } }, b: {} } })],
    ["pool.star", "rules[0].path", { ...(root({}) as object), rules: [{ path: "i.a" }] }],
    ["pool.unknown", "rules[0]", { ...(root({}) as object), rules: [{ path: "j.*.a" }] }],
    ["pool.unknown", "active.i", { ...(root({}) as object), active: { i: ["a"] } }],
    [
      "pool.total",
      "roots.i.records",
      root({
        records: [
          [1, 2 ** 32 - 1, 1],
          [2, 1, 1],
        ],
      }),
    ],
  ])("%s at %s", (code, path, input) => {
    const mill = createMill({ seed: 1 });
    const refusal = refusalOf(() => mill.pools("items", input as PoolsInput));
    expect(refusal.issues.map((issue) => [issue.code, issue.where.path])).toContainEqual([code, path]);
    // the failed call has not taken the name
    mill.pools("items");
  });

  test("every mistake is reported at once, with the file", () => {
    const input = { roots: { i: { kind: "x", records: [null, { id: 1, mass: -1 }] } } };
    const { issues } = parsePools(input, { file: "pools.json" });
    expect(issues.map(({ code, where }) => [code, where.file])).toEqual([
      ["pool.spec", "pools.json"],
      ["pool.record", "pools.json"],
      ["pool.mass", "pools.json"],
    ]);
  });

  test("a long id is shortened in each message, because there can be 10,000 of them", () => {
    const long = "x".repeat(1000);
    const root = { kind: "finite", records: [long] } as const;
    const pools = openPools({ roots: { i: root } });
    for (const [code, call] of [
      ["pool.duplicate", () => pools.registerRoot("x", { ...root, records: [long, long] })],
      ["pool.quantity", () => pools.registerSubpool("i.a", [{ id: long, quantity: 2 }])],
    ] as const) {
      const refusal = refusalOf(call);
      expect(refusal.code).toBe(code);
      expect(refusal.message.length).toBeLessThan(300);
    }
  });

  test("a pool may have a total of 2^32 − 1", () => {
    const pools = openPools({ roots: { i: { kind: "finite", records: [["a", 65535, 65537]] } } });
    expect([pools.pool("i").total, pools.pool("i").draw()]).toEqual([2 ** 32 - 1, "a"]);
  });
});
