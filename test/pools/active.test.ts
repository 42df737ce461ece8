import { describe, expect, test } from "vitest";
import { createMill, type PoolsInput } from "../../src/index.js";
import { refusalOf } from "../refusal.js";
import { ITEMS, openPools, portrait, stateOf, unchangedRefusal } from "./build.js";

const RARE = { ...ITEMS, active: { i: ["rare"] } } as const satisfies PoolsInput;

describe("an active setting in a snapshot", () => {
  test("that was cleared stays cleared, whatever the spec sets", () => {
    const seed = "moria";
    const mill = createMill({ seed });
    const pools = mill.pools("items", RARE);
    pools.setActive("i", []);
    const restored = createMill({ seed, snapshot: mill.snapshot() }).pools("items", RARE);
    expect(portrait(restored)).toBe(portrait(pools));
    expect(refusalOf(() => restored.pool("i.~")).code).toBe("pool.active");
  });

  test("that was changed goes before the spec's, and the spec's is there without a snapshot", () => {
    const pools = openPools(RARE);
    expect(pools.pool("i.~").path).toBe("i.rare");
    pools.setActive("i", ["common"]);
    expect(openPools(RARE, { state: stateOf(pools) }).pool("i.~").path).toBe("i.common");
  });
});

describe("active settings by root, for one call", () => {
  test("are those of the path's root, and other roots that there are may stand beside it", () => {
    const pools = openPools({ roots: { ...ITEMS.roots, constructor: ITEMS.roots.i } });
    expect(pools.pool("i.~", { active: { i: ["rare"], constructor: ["common"] } }).path).toBe("i.rare");
    // what every object has under a root's name is no setting
    pools.setActive("constructor", ["common"]);
    expect(pools.pool("constructor.~", { active: { i: ["rare"] } }).path).toBe("constructor.common");
  });

  test("are refused with a root that there is not, and the nearest that there is", () => {
    const pools = openPools(RARE);
    const options = { active: { I: ["common"] } };
    for (const use of [() => pools.pool("i.~", options).draw(), () => pools.pool("i", options)]) {
      const refusal = unchangedRefusal(pools, use);
      expect([refusal.code, refusal.message]).toEqual(["pool.unknown", expect.stringContaining('Did you mean "i"?')]);
    }
  });
});
