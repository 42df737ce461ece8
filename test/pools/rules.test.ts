import { describe, expect, test } from "vitest";
import { ENTITIES, ITEMS, openPools, unchangedRefusal } from "./build.js";

const idsOf = (pools: ReturnType<typeof openPools>, path: string) => pools.pool(path).records.map(({ id }) => id);

describe("stars are rules", () => {
  test("what is registered later has the subpools and the records of earlier star paths", () => {
    const pools = openPools(ENTITIES);
    pools.registerSubpool("e.*.f3");
    pools.registerSubpool("e.*.*.wall", [{ id: "dirt", mass: 5 }]);
    pools.addToSubpool("e.*", "ghost", { mass: 2 });
    pools.registerSubpool("e.z3", ["bat"]);
    expect(pools.pool("e.z3").records).toEqual([
      { id: "bat", mass: 1 },
      { id: "ghost", mass: 2 },
    ]);
    expect(pools.pool("e.z3").subpools.map(({ path }) => path)).toEqual(["e.z3.f3"]);
    expect(pools.pool("e.z3.f3.wall").records).toEqual([{ id: "dirt", mass: 5 }]);
    pools.registerSubpool("e.z3.f1");
    expect(idsOf(pools, "e.z3.f1.wall")).toEqual(["dirt"]);
  });

  test("what a pool is given with its registration goes before what a rule gives it", () => {
    const pools = openPools(ENTITIES);
    pools.addToSubpool("e.*", "ghost", { mass: 2 });
    pools.registerSubpool("e.z3", [{ id: "ghost", mass: 7 }]);
    expect(pools.pool("e.z3").records).toEqual([{ id: "ghost", mass: 7 }]);
  });

  test("rules in JSON are the same rules", () => {
    const pools = openPools({
      ...ENTITIES,
      rules: [
        { path: "e.*.*.wall", records: ["stone"] },
        { path: "e.*", records: [{ id: "ghost", mass: 2 }] },
      ],
      active: { e: ["z2", "f1"] },
    });
    expect([idsOf(pools, "e.z1.f2.wall"), idsOf(pools, "e.~")]).toEqual([["stone"], ["orc", "mud", "ghost"]]);
    pools.registerSubpool("e.z3");
    expect(idsOf(pools, "e.z3")).toEqual(["ghost"]);
  });

  test("what is there already is refused, and the other pools of the star stay as they were", () => {
    const pools = openPools(ITEMS);
    expect(unchangedRefusal(pools, () => pools.addToSubpool("i.*.weapon", "axe")).code).toBe("pool.duplicate");
    expect(unchangedRefusal(pools, () => pools.addToSubpool("i.common", "axe")).code).toBe("pool.duplicate");
    expect(unchangedRefusal(pools, () => pools.registerSubpool("i.rare")).code).toBe("pool.exists");
    pools.registerSubpool("i.*.armour");
    expect(unchangedRefusal(pools, () => pools.registerSubpool("i.*.armour")).code).toBe("pool.exists");
    expect(unchangedRefusal(pools, () => pools.registerSubpool("i.*.shield", ["buckler", "buckler"])).code).toBe(
      "pool.duplicate",
    );
    expect(unchangedRefusal(pools, () => pools.registerSubpool("i.*.weapon", ["kris", "sword"])).code).toBe(
      "pool.duplicate",
    );
  });

  test("numbers follow the order of registration at a depth, whatever the parent", () => {
    const pools = openPools(ITEMS);
    pools.registerSubpool("i.*.armour");
    expect([pools.pool("i.2.1").path, pools.pool("i.2.3").path]).toEqual(["i.rare.weapon", "i.rare.armour"]);
    pools.registerSubpool("i.epic");
    expect(pools.pool("i.3.3").path).toBe("i.epic.armour");
    // a known name may be given to a parent that lacks it, also by its number
    pools.registerSubpool("i.epic.1");
    expect(pools.pool("i.epic.weapon").path).toBe("i.epic.weapon");
  });

  test("a registration between draws goes on with what is left", () => {
    const pools = openPools(ITEMS);
    const first = [...pools.pool("i").drawMany(4)];
    pools.addToSubpool("i.common", "bow", { mass: 4, quantity: 3 });
    const left = (id: string) => pools.pool("i").quantity(id) + first.filter((drawn) => drawn === id).length;
    expect(["sword", "axe", "ring", "crown", "bow"].map(left)).toEqual([2, 3, 1, 1, 3]);
    expect(pools.next).toBe(4);
  });
});
