import { describe, expect, test } from "vitest";
import { type Code, createMill, type PoolsInput, parsePools } from "../../src/index.js";
import { refusalOf } from "../tables/build.js";
import { ENTITIES, ITEMS, openPools, unchangedRefusal } from "./build.js";

type Family = ReturnType<typeof openPools>;

describe("a call that is refused says why, and changes nothing", () => {
  test.each<[Code, string, (pools: Family) => unknown]>([
    ["pool.unknown", '"common"', (p) => p.drawFromPool("i.comon")],
    ["pool.unknown", "depth 2", (p) => p.drawFromPool("i.common.wepon")],
    ["pool.unknown", '"weapon"', (p) => p.drawFromPool("i.common.wepon")],
    ["pool.unknown", "expected i", (p) => p.drawFromPool("e")],
    ["pool.unknown", "depth 1", (p) => p.drawFromPool("i.3")],
    ["pool.unknown", "depth 1", (p) => p.drawFromPool("i.0")],
    ["pool.unknown", "depth 3", (p) => p.addToSubpool("i.*.weapon.sharp", "bow")],
    ["pool.unknown", "depth 1", (p) => p.registerSubpool("i.epic.weapon")],
    ["pool.unknown", "depth 1", (p) => p.setActive("i", ["epic"])],
    ["pool.active", "depth 1", (p) => p.drawFromPool("i.~")],
    ["pool.active", "depth 2", (p) => p.drawFromPool("i.~.~", { active: ["rare"] })],
    ["pool.active", "root", (p) => p.drawFromPool("~.rare")],
    ["pool.active", "not usable", (p) => p.setActive("i", ["*"])],
    ["pool.path", "empty", (p) => p.drawFromPool("i..weapon")],
    ["pool.path", "not usable", (p) => p.drawFromPool("")],
    ["pool.path", "not usable", (p) => p.drawFromPool(undefined as never)],
    ["pool.star", "no name", (p) => p.registerSubpool("i.*")],
    ["pool.root", "registerRoot", (p) => p.registerSubpool("i")],
    ["pool.exists", "already", (p) => p.registerRoot("i", { kind: "finite" })],
    ["pool.path", "digits", (p) => p.registerRoot("7", { kind: "finite" })],
    ["pool.spec", "kind", (p) => p.registerRoot("x", {} as never)],
    ["pool.duplicate", "already", (p) => p.registerRoot("x", { kind: "finite", records: [1, 2, 1] })],
    ["pool.unknown-id", '"axe"', (p) => p.quantity("i", "axes")],
    ["pool.unknown-id", "", (p) => p.return("i", 7)],
    ["pool.quantity", "-1", (p) => p.addToSubpool("i.common", "bow", 1, { quantity: -1 })],
    ["pool.quantity", "1.5", (p) => p.addToSubpool("i.common", "bow", 1, { quantity: 1.5 })],
    ["pool.quantity", "already", (p) => p.addToSubpool("i.rare", "axe", 1, { quantity: 9 })],
    ["pool.mass", "-1", (p) => p.addToSubpool("i.common", "bow", -1)],
    ["pool.mass", "NaN", (p) => p.addToSubpool("i.common", "bow", Number.NaN)],
    ["pool.record", "1.5", (p) => p.addToSubpool("i.common", 1.5)],
    ["pool.total", "4294967295", (p) => p.addToSubpool("i.common", "bow", 2 ** 31, { quantity: 2 })],
    ["pool.total", "4294967295", (p) => p.registerSubpool("i.epic", [{ id: "bow", mass: 2 ** 32 - 1, quantity: 2 }])],
    ["pool.total", "10^-", (p) => p.addToSubpool("i.common", "bow", 1e-9)],
    ["pool.empty", "no records", (p) => p.drawFromPool("i.common.trinket")],
    ["argument.range", "draws", (p) => p.drawMany("i", -1)],
    ["argument.range", "draws", (p) => p.count("i", -1)],
    ["argument.range", "draws", (p) => p.count("i", 0.5)],
    ["argument.range", "draws", (p) => p.count("i", Number.NaN)],
  ])("%s (%s)", (code, words, call) => {
    const pools = openPools(ITEMS);
    pools.drawMany("i", 3);
    const refusal = unchangedRefusal(pools, () => call(pools));
    expect([refusal.code, refusal.message]).toEqual([code, expect.stringContaining(words)]);
  });

  test("returning what was not drawn is refused", () => {
    const pools = openPools(ITEMS);
    expect(unchangedRefusal(pools, () => pools.return("i", "axe")).code).toBe("pool.full");
  });

  test("infinite pools have no quantities", () => {
    const pools = openPools(ENTITIES);
    for (const use of [() => pools.quantity("e", "bat"), () => pools.return("e", "bat"), () => pools.restock("e.z1")]) {
      expect(unchangedRefusal(pools, use).code).toBe("pool.infinite");
    }
    expect(unchangedRefusal(pools, () => pools.addToSubpool("e.z1", "x", 1, { quantity: 2 })).code).toBe(
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
      for (const use of [() => pools.drawFromPool(path), () => pools.odds(path), () => pools.pool(path).getRandom()]) {
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
    // the name is still free
    mill.pools("items");
  });

  test("every mistake is told at once, with the file", () => {
    const input = { roots: { i: { kind: "x", records: [null, { id: 1, mass: -1 }] } } };
    const { issues } = parsePools(input, { file: "pools.json" });
    expect(issues.map(({ code, where }) => [code, where.file])).toEqual([
      ["pool.spec", "pools.json"],
      ["pool.record", "pools.json"],
      ["pool.mass", "pools.json"],
    ]);
  });

  test("a total of 2^32 − 1 is drawn from, one more is refused", () => {
    const pools = openPools({ roots: { i: { kind: "finite", records: [["a", 65535, 65537]] } } });
    expect([pools.pool("i").total, pools.drawFromPool("i")]).toEqual([2 ** 32 - 1, "a"]);
  });

  test("a getter that throws is one more mistake", () => {
    const input = {
      get roots(): never {
        throw new Error("no");
      },
    };
    expect(parsePools(input).issues[0].code).toBe("pool.spec");
  });
});
