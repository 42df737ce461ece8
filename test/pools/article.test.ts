import { describe, expect, test } from "vitest";
import { ENGINES, ENTITIES, ITEMS, openPools, unchangedRefusal } from "./build.js";

// The Pools page of Dungeon Hopper's documentation, example by example.
describe.each(ENGINES)("the article's examples, on the %s", (engine) => {
  const items = () => openPools(ITEMS, { engine });
  const entities = () => openPools(ENTITIES, { engine });
  const wallsFor = (pools: ReturnType<typeof items>) => pools.registerSubpool("e.*.*.wall");

  test("a weapon of the current rarity", () => {
    const pools = items();
    pools.setActive("i", ["rare"]);
    expect(pools.pool("i.~.weapon").draw()).toBe("sword");
    expect(pools.pool("i.~.weapon", { active: ["common"] }).draw()).toMatch(/sword|axe/);
    expect(pools.pool("i.~").path).toBe("i.rare");
  });

  test("names and numbers: i.common is i.1, and e.~.~.enemy is e.z1.f2.enemy in zone 1 on floor 2", () => {
    expect(items().pool("i.1").path).toBe("i.common");
    expect(items().pool("i.2").path).toBe("i.rare");
    const pools = entities();
    pools.setActive("e", ["z1", 2]);
    expect(pools.pool("e.~.~.enemy").path).toBe("e.z1.f2.enemy");
  });

  test("an enemy of zone 1, floor 1", () => {
    expect(entities().pool("e.z1.f1.enemy").draw()).toBe("bat");
  });

  test("drawing from * is an error; the article's other paths with stars are unions here", () => {
    const pools = entities();
    expect(unchangedRefusal(pools, () => pools.pool("*")).code).toBe("pool.star");
    for (const path of ["e.*.*.*", "e.*", "e.z2.*", "e.z2.f1.*"]) {
      expect(["bat", "orc", "stone", "mud"]).toContain(pools.pool(path).draw());
    }
    expect(unchangedRefusal(pools, () => pools.pool("e.*.item")).code).toBe("pool.unknown");
  });

  test("drawing from e is ok", () => {
    expect(["bat", "orc", "stone", "mud"]).toContain(entities().pool("e").draw());
  });

  test("an item added to i.common.weapon is in that pool and the root, and not in i.common", () => {
    const pools = items();
    pools.addToSubpool("i.common.weapon", "bow");
    const lists = (path: string) => pools.pool(path).records.some(({ id }) => id === "bow");
    expect(["i", "i.common", "i.common.weapon", "i.rare.weapon"].map(lists)).toEqual([true, false, true, false]);
    pools.addToSubpool("i.common", "bow");
    expect(lists("i.common")).toBe(true);
    expect(pools.pool("i").quantity("bow")).toBe(1);
  });

  test("an entity added to all zones, and to the enemies of every second floor", () => {
    const pools = entities();
    pools.addToSubpool("e.*", "ghost");
    pools.addToSubpool("e.*.f2.enemy", "ghost");
    const listing = [
      "e",
      "e.z1",
      "e.z2",
      "e.z1.f1",
      "e.z1.f2",
      "e.z1.f2.enemy",
      "e.z2.f2.enemy",
      "e.z1.f1.enemy",
    ].filter((path) => pools.pool(path).records.some(({ id }) => id === "ghost"));
    expect(listing).toEqual(["e", "e.z1", "e.z2", "e.z1.f2.enemy", "e.z2.f2.enemy"]);
  });

  test("adding to the root pool is an error, and so is the tilde", () => {
    const pools = entities();
    pools.setActive("e", ["z1"]);
    expect(unchangedRefusal(pools, () => pools.addToSubpool("e", "ghost")).code).toBe("pool.root");
    expect(unchangedRefusal(pools, () => pools.addToSubpool("e.~", "ghost")).code).toBe("pool.active");
    expect(unchangedRefusal(pools, () => pools.registerSubpool("e.~.f9")).code).toBe("pool.active");
  });

  test("a mass of 5 makes it five times as likely as mass 1", () => {
    const pools = entities();
    pools.addToSubpool("e.z1", "ghost", { mass: 5 });
    const { odds, none } = pools.pool("e.z1").odds();
    expect(none).toEqual({ numerator: 0n, denominator: 1n });
    expect(odds).toEqual([
      { result: "bat", probability: { numerator: 1n, denominator: 7n } },
      { result: "stone", probability: { numerator: 1n, denominator: 7n } },
      { result: "ghost", probability: { numerator: 5n, denominator: 7n } },
    ]);
  });

  test("zone 3 is registered, and walls under every floor, with a config or without", () => {
    const pools = entities();
    pools.registerSubpool("e.z3");
    wallsFor(pools);
    expect(pools.pool("e.z2.f1.wall").records).toEqual([]);
    const configured = entities();
    configured.registerSubpool("e.*.*.wall", [{ id: "dirt", mass: 5 }]);
    expect(configured.pool("e.z2.f1.wall").records).toEqual([{ id: "dirt", mass: 5 }]);
    expect(configured.pool("e.z1.f2.wall").draw()).toBe("dirt");
  });

  test("a floor of one zone only is an error that proposes the star", () => {
    const pools = entities();
    pools.registerSubpool("e.z3");
    const refusal = unchangedRefusal(pools, () => pools.registerSubpool("e.z3.f9"));
    expect(refusal.code).toBe("pool.structure");
    expect(refusal.message).toContain("e.*.f9");
  });

  test("twice the mass is twice the chance, and twice the quantity twice again", () => {
    const odds = (quantity: number) => {
      const pools = openPools({ roots: {} }, { engine });
      pools.registerRoot("p", {
        kind: "finite",
        records: [
          [1, 1, 1],
          [2, 2, quantity],
        ],
      });
      const { odds } = pools.pool("p").odds();
      return odds.map(({ probability: { numerator, denominator } }) => `${numerator}/${denominator}`);
    };
    expect([odds(1), odds(2)]).toEqual([
      ["1/3", "2/3"],
      ["1/5", "4/5"],
    ]);
  });
});
