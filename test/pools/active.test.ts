import { describe, expect, test } from "vitest";
import { createMill, type PoolsInput } from "../../src/index.js";
import { refusalOf } from "../tables/build.js";
import { ITEMS, openPools, portrait } from "./build.js";

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
    expect(openPools(RARE, { state: pools.state() }).pool("i.~").path).toBe("i.common");
  });
});
