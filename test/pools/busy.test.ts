import { describe, expect, test } from "vitest";
import { createMill, type PoolFamily } from "../../src/index.js";
import { refusalOf } from "../refusal.js";
import { ENGINES, ITEMS, openPools, portrait, stateOf } from "./build.js";

const BULK: readonly [string, (pools: PoolFamily, onProgress: () => void) => unknown][] = [
  ["drawMany", (p, onProgress) => [...p.pool("i").drawMany(5, { onProgress })]],
  ["drawInto", (p, onProgress) => p.pool("i").drawInto(new Uint32Array(5), { onProgress })],
  ["count", (p, onProgress) => [...p.pool("i").count(5, { onProgress }).counts]],
];

const CHANGES: readonly [string, (pools: PoolFamily) => unknown][] = [
  ["draw", (p) => p.pool("i").draw()],
  ["drawMany", (p) => p.pool("i").drawMany(2)],
  ["drawInto", (p) => p.pool("i").drawInto(new Uint32Array(2))],
  ["count", (p) => p.pool("i").count(2)],
  ["peek", (p) => p.pool("i").peek()],
  ["return", (p) => p.pool("i").return("axe")],
  ["restock", (p) => p.restock()],
  ["restock of a pool", (p) => p.pool("i.rare").restock()],
  ["registerRoot", (p) => p.registerRoot("j", { kind: "finite" })],
  ["registerSubpool", (p) => p.registerSubpool("i.epic")],
  ["addToSubpool", (p) => p.addToSubpool("i.rare", "bow")],
  ["a snapshot", (p) => stateOf(p)],
  [
    "a move to another draw",
    (p) => {
      p.next = 9;
    },
  ],
];

describe.each(ENGINES)("what onProgress of a bulk call may do to its own family (%s)", (engine) => {
  test.each(BULK)("%s: changes are refused and leave the call as it would have been", (_, bulk) => {
    const undisturbed = openPools(ITEMS, { engine });
    const drawn = bulk(undisturbed, () => undefined);
    for (const [what, change] of CHANGES) {
      const pools = openPools(ITEMS, { engine });
      const codes: string[] = [];
      const got = bulk(pools, () => codes.push(refusalOf(() => change(pools)).code));
      expect([got, codes], what).toEqual([drawn, ["argument.busy"]]);
      expect(portrait(pools), what).toBe(portrait(undisturbed));
    }
  });

  test.each(BULK)("%s: reading shows what is left so far", (_, bulk) => {
    const pools = openPools(ITEMS, { engine });
    const seen: unknown[] = [];
    const look = () => [
      pools.pool("i").quantity("axe"),
      pools.pool("i").odds(),
      pools.pool("i").records,
      pools.pool("i").total,
    ];
    bulk(pools, () => seen.push(look()));
    expect(seen).toEqual([look()]);
  });

  test.each(BULK)("%s: it is over when it fails, and what was refused is done then", (_, bulk) => {
    const pools = openPools(ITEMS, { engine });
    const before = portrait(pools);
    expect(() => bulk(pools, () => pools.pool("i").draw())).toThrow("argument.busy");
    expect(portrait(pools)).toBe(before);
    expect(pools.pool("i").draw()).toBe(openPools(ITEMS, { engine }).pool("i").draw());
  });
});

test("a mill is not snapshot while a family of it draws; another family draws as ever", () => {
  const mill = createMill({ seed: "moria" });
  const [one, other] = [mill.pools("one", ITEMS), mill.pools("other", ITEMS)];
  const codes: string[] = [];
  const between: unknown[] = [];
  const onProgress = () => {
    codes.push(refusalOf(() => mill.snapshot()).code);
    between.push(other.pool("i").draw());
  };
  const drawn = [...one.pool("i").drawMany(5, { onProgress })];
  const again = createMill({ seed: "moria" });
  expect([codes, drawn, between]).toEqual([
    ["argument.busy"],
    [...again.pools("one", ITEMS).pool("i").drawMany(5)],
    [again.pools("other", ITEMS).pool("i").draw()],
  ]);
  expect(mill.snapshot()).toEqual(again.snapshot());
});
