import { describe, expect, test } from "vitest";
import { createMill, type Pool, type PoolFamily, type PoolsInput, type RecordInput } from "../../src/index.js";
import { checkPools } from "../../src/pools/index.js";
import { codeOf, refusalOf } from "../refusal.js";
import { ENGINES, ITEMS, openPools, stateOf, unchangedRefusal } from "./build.js";

const DECK = {
  roots: { deck: { kind: "finite", refill: false, records: ["ace", "king", ["queen", 1, 2], ["joker", 1, 0]] } },
} as const satisfies PoolsInput;

const countsOf = (family: PoolFamily, id: string) =>
  (["stock", "discards", "out"] as const).map((place) => family.pool("deck").quantity(id, place));

describe.each(ENGINES)("a deck without refills, on the %s (first hour 9)", (engine) => {
  const open = () => openPools(DECK, { engine });

  test("a bulk draw gives what is left, and a single one is refused", () => {
    const pools = open();
    const deck = pools.pool("deck");
    const drawn = deck.drawMany(20);
    expect([drawn.length, drawn.refreshed, pools.next]).toEqual([4, 0, 4]);
    expect(deck.next).toBe(4);
    expect([...drawn].toSorted()).toEqual(["ace", "king", "queen", "queen"]);
    expect([...deck.drawMany(3)]).toEqual([]);
    expect(deck.count(3)).toMatchObject({ total: 0 });
    expect(deck.drawInto(new Uint32Array(5)).length).toBe(0);
    for (const call of [() => deck.draw(), () => deck.peek(), () => deck.odds()]) {
      expect(unchangedRefusal(pools, call).code).toBe("pool.exhausted");
    }
  });

  test("drawInto fills the start, and leaves the rest", () => {
    const out = new Uint32Array(7).fill(99);
    const filled = open().pool("deck").drawInto(out);
    expect([filled.length, filled.buffer === out.buffer]).toEqual([4, true]);
    expect([...out.subarray(4)]).toEqual([99, 99, 99]);
  });

  test("draws one by one are the draws of one call", () => {
    const [one, many] = [open().pool("deck"), open().pool("deck")];
    expect([one.draw(), one.draw(), one.draw(), one.draw()]).toEqual([...many.drawMany(4)]);
  });

  test("a discard is not drawn before the reshuffle, and a card in a hand stays there", () => {
    const pools = open();
    const deck = pools.pool("deck");
    const [first, second, ...others] = deck.drawMany(4);
    deck.discard(first);
    expect(codeOf(() => deck.draw())).toBe("pool.exhausted");
    deck.reshuffle();
    expect(deck.draw()).toBe(first);
    expect(deck.drawMany(5).length).toBe(0);
    deck.return(second);
    expect([...deck.drawMany(5)]).toEqual([second]);
    for (const id of others) deck.discard(id);
    deck.restock();
    expect([countsOf(pools, "ace"), countsOf(pools, "queen")]).toEqual([
      [1, 0, 0],
      [2, 0, 0],
    ]);
  });

  test("gained and removed cards are in and out of every later shuffle", () => {
    const pools = open();
    const deck = pools.pool("deck");
    deck.gain("joker", { copies: 2 });
    deck.gain("ace", { to: "discards" });
    deck.gain("king", { to: "out" });
    expect(["joker", "ace", "king"].map((id) => countsOf(pools, id))).toEqual([
      [2, 0, 0],
      [1, 1, 0],
      [1, 0, 1],
    ]);
    deck.remove("king");
    deck.remove("queen", { from: "stock", copies: 2 });
    deck.restock();
    expect([...deck.drawMany(9)].toSorted()).toEqual(["ace", "ace", "joker", "joker", "king"]);
  });

  test.each<[string, (pools: PoolFamily) => void, string]>([
    ["a discard of a card in the stock", (pools) => pools.pool("deck").discard("ace"), "pool.full"],
    ["a removal of a card that is not out", (pools) => pools.pool("deck").remove("ace"), "pool.full"],
    ["a gain of an unknown card", (pools) => pools.pool("deck").gain("duke"), "pool.unknown-id"],
    [
      "a gain beyond the largest total",
      (pools) => pools.pool("deck").gain("ace", { copies: 2 ** 32 - 1 }),
      "pool.total",
    ],
    ["no copies", (pools) => pools.pool("deck").gain("ace", { copies: 0 }), "argument.range"],
    ["a place that is none", (pools) => pools.pool("deck").gain("ace", { to: "hand" as "out" }), "argument.type"],
    ["an unknown option", (pools) => pools.pool("deck").remove("ace", { to: "out" } as object), "argument.option"],
  ])("%s is refused and changes nothing", (_, call, code) => {
    const pools = open();
    expect(unchangedRefusal(pools, () => call(pools)).code).toBe(code);
  });

  test("a refill of a common root takes the discards back", () => {
    const pools = openPools({ roots: { deck: { kind: "finite", records: ["ace", "king"] } } }, { engine });
    const deck = pools.pool("deck");
    for (const id of deck.drawMany(2)) deck.discard(id);
    const [peeked, discards] = [deck.peek(), countsOf(pools, "ace")];
    expect([deck.draw(), discards]).toEqual([peeked, [0, 1, 0]]);
    expect(countsOf(pools, "ace")[1] + countsOf(pools, "king")[1]).toBe(0);
    for (const id of deck.drawMany(1)) deck.discard(id);
    deck.drawMany(1);
    expect(countsOf(pools, "ace")[1] + countsOf(pools, "king")[1]).toBe(0);
  });
});

test("a deck goes on from a snapshot, with gained, removed and discarded cards (first hour 9)", () => {
  const play = (from?: Uint8Array) => {
    const mill = createMill({ seed: "moria", snapshot: from });
    return { mill, deck: mill.pools("cards", DECK).pool("deck") };
  };
  const { mill, deck } = play();
  const [card] = deck.drawMany(2);
  deck.discard(card);
  deck.gain("joker");
  deck.remove("queen", { from: "stock" });
  const snapshot = mill.snapshot();
  const saved = play(snapshot);
  const rest = (one: typeof deck) => {
    one.reshuffle();
    return [...one.drawMany(9)];
  };
  expect(Buffer.from(saved.mill.snapshot())).toEqual(Buffer.from(snapshot));
  expect(rest(saved.deck)).toEqual(rest(deck));
});

describe("a save under a changed spec keeps its copies (issue 29, A1)", () => {
  const specOf = (strikes: number, guards: number, more: readonly RecordInput[] = []) => {
    const records = [{ id: "strike", quantity: strikes }, { id: "guard", mass: 2, quantity: guards }, ...more];
    return { roots: { deck: { kind: "finite", refill: false, records } } } satisfies PoolsInput;
  };
  const open = (spec: PoolsInput, snapshot?: Uint8Array) => {
    const mill = createMill({ seed: "moria", snapshot });
    const pools = mill.pools("cards", spec);
    return { mill, pools, deck: pools.pool("deck") };
  };
  const all = (deck: Pool, ids: readonly string[]) =>
    ids.map((id) => (["stock", "discards", "out"] as const).map((place) => deck.quantity(id, place)));
  const IDS = ["strike", "guard"];

  test("of every card, also of those that are as in the old spec", () => {
    const { mill, deck } = open(specOf(4, 3));
    deck.discard(deck.draw());
    const kept = all(deck, IDS);
    for (const spec of [specOf(5, 2), specOf(1, 9), specOf(0, 0)]) {
      const later = open(spec, mill.snapshot());
      expect(all(later.deck, IDS)).toEqual(kept);
      expect(Buffer.from(later.mill.snapshot())).toEqual(Buffer.from(mill.snapshot()));
      later.deck.restock();
      expect(later.deck.total).toBe(10);
    }
  });

  test("also if all cards are back in the stock, and after a second save", () => {
    const { mill, deck } = open(specOf(4, 3));
    for (const card of deck.drawMany(2)) deck.return(card);
    const again = open(specOf(6, 6), mill.snapshot());
    expect(all(open(specOf(8, 8), again.mill.snapshot()).deck, IDS)).toEqual([
      [4, 0, 0],
      [3, 0, 0],
    ]);
  });

  test("cards that are new in the spec are as in the spec; cards that it lacks come back with it", () => {
    const { mill, deck } = open(specOf(4, 3, [{ id: "curse", quantity: 2 }]));
    deck.remove("curse", { from: "stock" });
    const without = open(specOf(4, 3, [{ id: "fireball", quantity: 1 }]), mill.snapshot());
    expect(without.deck.records.map(({ id }) => id)).toEqual(["strike", "guard", "fireball"]);
    expect(without.deck.quantity("fireball")).toBe(1);
    const back = open(specOf(4, 3, [{ id: "curse", quantity: 9 }]), without.mill.snapshot());
    expect(back.deck.quantity("curse")).toBe(1);
  });

  test("masses are those of the new spec, but for those that setMass changed", () => {
    const { mill, pools, deck } = open(specOf(4, 3));
    pools.setMass("deck", "strike", 5);
    deck.draw();
    const heavy = {
      roots: {
        deck: {
          kind: "finite",
          records: [
            ["strike", 7, 1],
            ["guard", 9, 1],
          ],
        },
      },
    } as const;
    expect(open(heavy, mill.snapshot()).deck.records.map(({ mass }) => mass)).toEqual([5, 9]);
  });

  test("a family that was only read is not in the save", () => {
    const { mill, deck } = open(specOf(4, 3));
    deck.odds();
    expect(open(specOf(5, 3), mill.snapshot()).deck.total).toBe(11);
  });
});

test("an infinite root cannot have refill: false, and a deck of nothing is refused late", () => {
  expect(refusalOf(() => openPools({ roots: { i: { kind: "infinite", refill: false } } })).code).toBe("pool.spec");
  const pools = openPools({ roots: { i: { kind: "finite", refill: false } } });
  expect(codeOf(() => pools.pool("i").draw())).toBe("pool.empty");
  expect(pools.pool("i").drawMany(2).length).toBe(0);
});

describe.each(ENGINES)("unions, masses and removals, on the %s (first hour 15)", (engine) => {
  test("a union is one list of all matching pools, by mass × quantity, and shares the stock", () => {
    const pools = openPools(ITEMS, { engine });
    const union = pools.pool("i.*.weapon");
    expect(union.records).toEqual([
      { id: "sword", mass: 6, quantity: 2 },
      { id: "axe", mass: 2, quantity: 3 },
    ]);
    expect([union.path, union.name, union.parent, union.kind, union.total, union.size]).toEqual([
      "i.*.weapon",
      "weapon",
      undefined,
      "finite",
      18,
      2,
    ]);
    expect(union.subpools.map(({ path }) => path)).toEqual(["i.common.weapon", "i.rare.weapon"]);
    expect(union.odds().odds[0]).toMatchObject({ probability: { numerator: 2n, denominator: 3n } });
    const id = union.draw();
    expect(pools.pool("i.common.weapon").quantity(id)).toBe(union.quantity(id));
    expect(pools.pool("i").total).toBe(14 - (id === "sword" ? 3 : 2));
    expect(pools.pool("i.*.weapon")).toBe(union);
    expect(pools.pool("i.~.*", { active: ["rare"] }).records.map((record) => record.id)).toEqual([
      "sword",
      "ring",
      "crown",
    ]);
  });

  test("pools and records that are added later join the union", () => {
    const pools = openPools(ITEMS, { engine });
    const union = pools.pool("i.*.weapon");
    union.drawMany(2);
    pools.registerSubpool("i.epic");
    pools.registerSubpool("i.epic.weapon", [{ id: "crown", mass: 5 }]);
    pools.addToSubpool("i.rare.weapon", "kris", { mass: 0.5 });
    expect(union.records.map(({ id, mass }) => [id, mass])).toEqual([
      ["sword", 6],
      ["axe", 2],
      ["kris", "1/2"],
      ["crown", 5],
    ]);
    expect(union.odds().odds).toHaveLength(4);
    expect(union.drawMany(9)).toHaveLength(9);
  });

  test("decimals and fractions add up exactly", () => {
    const record = (mass: number | string) => ({ records: [{ id: "ring", mass }] });
    const pools = openPools(
      {
        roots: {
          i: { kind: "infinite", records: ["ring", "axe"], subpools: [record(0.1), record(0.2), { records: ["axe"] }] },
        },
      },
      { engine },
    );
    expect(pools.pool("i.*").records).toEqual([
      { id: "ring", mass: "3/10" },
      { id: "axe", mass: 1 },
    ]);
    expect(pools.pool("i.*").odds().odds[0].probability).toEqual({ numerator: 3n, denominator: 13n });
    expect(pools.pool("i.*").total).toBeCloseTo(1.3);
  });

  test("a union that is too large, or empty, is refused", () => {
    const heavy = { records: [{ id: 1, mass: 2 ** 32 - 1 }] };
    const pools = openPools(
      { roots: { i: { kind: "finite", records: [1], subpools: [heavy, heavy] }, j: { kind: "finite", records: [1] } } },
      { engine },
    );
    expect(codeOf(() => pools.pool("i.*"))).toBe("pool.total");
    expect(pools.pool("i.1").draw()).toBe(1);
    expect(codeOf(() => pools.pool("j.*").draw())).toBe("pool.empty");
    expect(codeOf(() => pools.pool("j.*.a"))).toBe("pool.unknown");
    pools.setMass("i.2", 1, 0);
    pools.restock();
    expect(pools.pool("i.*").total).toBe(2 ** 32 - 1);
  });

  test("a mass changes in one pool, or in all pools of a star", () => {
    const pools = openPools(ITEMS, { engine });
    pools.pool("i").drawMany(3);
    pools.setMass("i.common", "axe", "1/3");
    expect(pools.pool("i.common").records[1]).toMatchObject({ id: "axe", mass: "1/3" });
    expect(pools.pool("i").records[1].mass).toBe(2);
    pools.setMass("i.*.weapon", "sword", { n: 6, d: 4 });
    expect(["common", "rare"].map((rarity) => pools.pool(`i.${rarity}.weapon`).records[0].mass)).toEqual([
      "3/2",
      "3/2",
    ]);
    expect(pools.pool("i").quantity("axe") + pools.pool("i").quantity("sword")).toBeLessThan(6);
  });

  test("a record is removed from one pool, from a star, or from the root; a re-added one has its old place", () => {
    const pools = openPools(ITEMS, { engine });
    const idsOf = (path: string) => pools.pool(path).records.map(({ id }) => id);
    pools.removeRecord("i.common.weapon", "sword");
    expect([idsOf("i.common.weapon"), idsOf("i.common")]).toEqual([["axe"], ["sword", "axe"]]);
    expect([...pools.pool("i.common.weapon").drawMany(3)]).toEqual(["axe", "axe", "axe"]);
    expect(codeOf(() => pools.pool("i.common.weapon").quantity("sword"))).toBe("pool.unknown-id");
    pools.addToSubpool("i.common.weapon", "sword", { mass: 7 });
    expect(pools.pool("i.common.weapon").records.map(({ id, mass }) => [id, mass])).toEqual([
      ["sword", 7],
      ["axe", 2],
    ]);
    pools.removeRecord("i", "sword");
    expect(["i", "i.common", "i.common.weapon", "i.rare.weapon"].flatMap(idsOf)).not.toContain("sword");
    expect(codeOf(() => pools.removeRecord("i.*.weapon", "sword"))).toBe("pool.unknown-id");
  });

  test.each<[string, (pools: PoolFamily) => void, string]>([
    ["an unknown record", (pools) => pools.setMass("i.common", "sord", 1), "pool.unknown-id"],
    ["a record that the pool lacks", (pools) => pools.removeRecord("i.common", "ring"), "pool.unknown-id"],
    ["an invalid mass", (pools) => pools.setMass("i", "axe", -1), "pool.mass"],
    ["a text that is no fraction", (pools) => pools.setMass("i", "axe", "1/0"), "pool.mass"],
    ["a mass that is too large", (pools) => pools.setMass("i", "axe", 2 ** 32 - 1), "pool.total"],
    ["the active pool", (pools) => pools.setMass("i.~", "axe", 1), "pool.active"],
    ["an unknown pool", (pools) => pools.removeRecord("i.epic", "axe"), "pool.unknown"],
  ])("a change of %s is refused and changes nothing", (_, call, code) => {
    const pools = openPools(ITEMS, { engine });
    pools.pool("i.*.weapon").draw();
    expect(unchangedRefusal(pools, () => call(pools)).code).toBe(code);
  });

  test("changed masses are in the state", () => {
    const pools = openPools(ITEMS, { engine });
    pools.setMass("i.common", "axe", "1/3");
    pools.removeRecord("i.rare", "ring");
    expect(stateOf(pools)[0]).toMatchObject({
      masses: [
        ["i.common", "axe", "1/3"],
        ["i.rare", "ring", null],
      ],
    });
    const again = openPools(ITEMS, { engine, state: stateOf(pools) });
    expect(again.pool("i.*").records).toEqual(pools.pool("i.*").records);
  });

  test.each([
    ["copies above the new total", { quantities: [["sword", 3, 2]] }],
    ["discards above the rest", { quantities: [["sword", 1, 2, 2]] }],
    ["discards that are no number", { quantities: [["sword", 1, 2, "1"]] }],
    ["too much weight", { quantities: [["sword", 1, 2 ** 32 - 1]] }],
    ["a quantity that is no number", { quantities: [["sword", 1, "2"]] }],
    ["a mass that is none", { quantities: [], masses: [["i", "sword", "x"]] }],
    ["masses that are no list", { quantities: [], masses: {} }],
  ])("a state with %s is refused", (_, state) => {
    const states = [{ name: "i", active: [], ...state }] as never;
    const call = () => openPools(ITEMS, { engine, state: states }).pool("i").total;
    // parseState runs when a family is opened, so its own refusal is what a user sees
    expect(refusalOf(call).code).toBe("snapshot.invalid");
  });
});

test("checkPools takes texts, objects and specs (first hour 15)", () => {
  expect(checkPools(DECK)).toEqual([]);
  expect(checkPools("id\nace\n")).toEqual([]);
  expect(checkPools({ roots: { i: { kind: "finite" } } }, { file: "i.json" })).toMatchObject([
    { code: "pool.spec", severity: "warning", where: { file: "i.json", path: "i" } },
  ]);
});

test.each([
  ["id,weight\nace,2\n", "mass"],
  ["id,Drop Chance\nace,2\n", "mass"],
  ["id,copies\nace,2\n", "quantity"],
  ["id,count\nace,2\n", "quantity"],
  ["id,path\nace,i\n", "pool"],
])("a CSV with the columns %j is refused with the name %s", (csv, name) => {
  const [issue] = checkPools(csv, { file: "cards.csv" });
  expect(issue).toMatchObject({ code: "pool.spec", severity: "error", where: { line: 1, column: 4 } });
  expect(issue.message).toContain(`Did you mean "${name}"?`);
});

test("a CSV with other columns beside mass and quantity is read, with a warning", () => {
  expect(checkPools("name,mass,quantity,weight\nace,1,1,1\n")).toMatchObject([{ severity: "warning" }]);
});

test("a world draws contents from a union, of pools in a CSV (first hour 15)", () => {
  const pools = { shop: "id,pool,quantity\nsword,i.common.weapon,3\naxe,i.rare.weapon,2\nring,i.rare.ring,\n" };
  const land = createMill({ seed: "moria" }).world("land", {
    layers: [{ name: "hills", steps: 3, scatter: { side: 64, walkers: 2 } }],
    terrain: [{ terrain: "wood" }],
    placements: [{ name: "arms", density: "1/900", content: { pools: "shop", pool: "i.*.weapon", stock: "region" } }],
    pools,
  });
  const contents = [...land.placements({ row0: 0, col0: 0, rows: 128, cols: 256 })].map(({ content }) => content);
  expect(contents.length).toBeGreaterThan(5);
  expect(new Set(contents)).toEqual(new Set(["sword", "axe"]));
});
