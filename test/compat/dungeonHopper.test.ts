import { describe, expect, test } from "vitest";
import {
  addToSubpool,
  createPool,
  drawFromPool,
  exhaust,
  getRandom,
  InfPool,
  InfRecord,
  Pool,
  Record,
} from "../../src/compat/index.js";
import { ENGINES, ENTITIES, ITEMS, openPools, stateOf, unchangedRefusal } from "../pools/build.js";

describe.each(ENGINES)("the forms of Dungeon Hopper's Lua, on the %s", (engine) => {
  const empty = () => openPools({ roots: {} }, { engine });

  test("Pool(config.ids, config) has unnamed subpools by number, a parent and getRandom", () => {
    const config = {
      ids: [Record(1, 1, 1), Record(2, 2, 1)],
      subpools: [{ ids: [1] }, { ids: [{ id: 2, mass: 2 }] }],
    };
    const family = empty();
    const pool = family.registerRoot("p", Pool(config.ids, config));
    expect(pool.subpools.map(({ path }) => path)).toEqual(["p.1", "p.2"]);
    expect(pool.subpools[1].parent).toBe(pool);
    expect(pool.parent).toBeUndefined();
    expect([exhaust(pool), getRandom(pool.subpools[0]), getRandom(pool)]).toEqual([false, 1, 2]);
    expect(unchangedRefusal(family, () => getRandom(pool)).code).toBe("pool.exhausted");
    expect([exhaust(pool.subpools[0]), exhaust(pool.subpools[0]), pool.total]).toEqual([true, false, 1]);
    const lists = [
      [1, 1, 1],
      [2, 2, 1],
    ] as const;
    const same = family.registerRoot("q", createPool(lists, config.subpools));
    expect(same.records).toEqual([
      { id: 1, mass: 1, quantity: 1 },
      { id: 2, mass: 2, quantity: 1 },
    ]);
    expect(same.subpools.map(({ path }) => path)).toEqual(["q.1", "q.2"]);
  });

  test("InfPool draws without end, and cannot be exhausted", () => {
    const family = empty();
    const pool = family.registerRoot("p", InfPool([InfRecord(1, 1), InfRecord(2, 2)], { subpools: [{ ids: [2] }] }));
    expect([...pool.drawMany(100)].filter((id) => id === 2).length).toBeGreaterThan(40);
    expect([1, 2]).toContain(getRandom(pool));
    expect(getRandom(pool.subpools[0])).toBe(2);
    expect(unchangedRefusal(family, () => exhaust(pool)).code).toBe("pool.infinite");
  });

  test("drawFromPool and addToSubpool are the draws and additions of the family", () => {
    const [family, same] = [openPools(ITEMS, { engine }), openPools(ITEMS, { engine })];
    addToSubpool(family, "i.*.weapon", "bow", 5);
    addToSubpool(family, "i.rare", "bow");
    same.addToSubpool("i.*.weapon", "bow", { mass: 5 });
    same.addToSubpool("i.rare", "bow", { mass: 1 });
    const paths = ["i", "i.~.weapon", "i.rare"];
    const options = { active: ["rare"] };
    expect(paths.map((path) => drawFromPool(family, path, options))).toEqual(
      paths.map((path) => same.pool(path, options).draw()),
    );
    expect(stateOf(family)).toEqual(stateOf(same));
  });

  test("getRandom and exhaust refuse a pool that has nothing to give", () => {
    const family = openPools(
      { roots: { w: { kind: "finite", records: [["air", 0]], subpools: { bare: {} } } } },
      { engine },
    );
    const [air, bare] = [family.pool("w"), family.pool("w.bare")];
    expect(unchangedRefusal(family, () => getRandom(air)).code).toBe("pool.weightless");
    expect(unchangedRefusal(family, () => getRandom(bare)).code).toBe("pool.empty");
    expect(unchangedRefusal(family, () => exhaust(bare)).code).toBe("pool.empty");
    expect(exhaust(air)).toBe(true);
    expect(unchangedRefusal(openPools(ENTITIES), () => drawFromPool(openPools(ENTITIES), "*")).code).toBe("pool.star");
    const entities = openPools(ENTITIES, { engine });
    expect(["bat", "orc"]).toContain(drawFromPool(entities, "e.*.*.enemy"));
  });
});
