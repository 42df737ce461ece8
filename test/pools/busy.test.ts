import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { refusalOf } from "../tables/build.js";
import { ENGINES, ITEMS, openPools, portrait } from "./build.js";

type Family = ReturnType<typeof openPools>;

const BULK: readonly [string, (pools: Family, onProgress: () => void) => unknown][] = [
  ["drawMany", (p, onProgress) => p.drawMany("i", 5, { onProgress })],
  ["drawInto", (p, onProgress) => p.drawInto(new Uint32Array(5), "i", { onProgress })],
  ["count", (p, onProgress) => [...p.count("i", 5, { onProgress })]],
];

const CHANGES: readonly [string, (pools: Family) => unknown][] = [
  ["drawFromPool", (p) => p.drawFromPool("i")],
  ["drawMany", (p) => p.drawMany("i", 2)],
  ["drawInto", (p) => p.drawInto(new Uint32Array(2), "i")],
  ["count", (p) => p.count("i", 2)],
  ["peek", (p) => p.peek("i")],
  ["getRandom", (p) => p.pool("i").getRandom()],
  ["exhaust", (p) => (p.pool("i.common") as { exhaust?: () => boolean }).exhaust?.()],
  ["return", (p) => p.return("i", "axe")],
  ["restock", (p) => p.restock()],
  ["restock of a pool", (p) => p.restock("i.rare")],
  ["registerRoot", (p) => p.registerRoot("j", { kind: "finite" })],
  ["registerSubpool", (p) => p.registerSubpool("i.epic")],
  ["addToSubpool", (p) => p.addToSubpool("i.rare", "bow")],
  ["a snapshot", (p) => p.state()],
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
    const look = () => [pools.quantity("i", "axe"), pools.odds("i"), pools.pool("i").records, pools.pool("i").total];
    bulk(pools, () => seen.push(look()));
    expect(seen).toEqual([look()]);
  });

  test.each(BULK)("%s: it is over when it fails, and what was refused is done then", (_, bulk) => {
    const pools = openPools(ITEMS, { engine });
    const before = portrait(pools);
    expect(() => bulk(pools, () => pools.drawFromPool("i"))).toThrow("argument.busy");
    expect(portrait(pools)).toBe(before);
    expect(pools.drawFromPool("i")).toBe(openPools(ITEMS, { engine }).drawFromPool("i"));
  });
});

test("a mill is not snapshot while a family of it draws; another family draws as ever", () => {
  const mill = createMill({ seed: "moria" });
  const [one, other] = [mill.pools("one", ITEMS), mill.pools("other", ITEMS)];
  const codes: string[] = [];
  const between: unknown[] = [];
  const onProgress = () => {
    codes.push(refusalOf(() => mill.snapshot()).code);
    between.push(other.drawFromPool("i"));
  };
  const drawn = one.drawMany("i", 5, { onProgress });
  const again = createMill({ seed: "moria" });
  expect([codes, drawn, between]).toEqual([
    ["argument.busy"],
    again.pools("one", ITEMS).drawMany("i", 5),
    [again.pools("other", ITEMS).drawFromPool("i")],
  ]);
  expect(mill.snapshot()).toEqual(again.snapshot());
});
