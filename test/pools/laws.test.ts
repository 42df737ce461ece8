import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, type PoolFamily, type PoolsInput, toNumber } from "../../src/index.js";
import { refusalOf } from "../refusal.js";
import { ENGINES, ITEMS, openPools, portrait, stateOf, unchangedRefusal } from "./build.js";
import { apply, drawable, operations, specs } from "./cases.js";

/** The total that a pool must have: Σ quantity × mass. */
function expectedTotal(pools: PoolFamily, path: string): number {
  return pools.pool(path).records.reduce((sum, { mass, quantity = 1 }) => sum + Number(mass) * quantity, 0);
}

function everyPath(pools: PoolFamily, path = "i"): string[] {
  return [path, ...pools.pool(path).subpools.flatMap((child) => everyPath(pools, child.path))];
}

describe.each(ENGINES)("laws of pools, on the %s", (engine) => {
  test("each pool's total is Σ quantity × mass of its records after every operation", () => {
    fc.assert(
      fc.property(specs, operations, (spec, steps) => {
        const pools = openPools(spec, { engine });
        for (const step of steps) {
          apply(pools, step);
          for (const path of everyPath(pools)) expect(pools.pool(path).total).toBe(expectedTotal(pools, path));
        }
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  test("drawn and left make the initial quantity, until something is refreshed", () => {
    fc.assert(
      fc.property(specs, fc.array(fc.nat(), { maxLength: 30 }), (spec, picks) => {
        if (spec.roots.i.kind === "infinite") return;
        const pools = openPools(spec, { engine });
        const initial = new Map(pools.pool("i").records.map(({ id }) => [id, pools.pool("i").quantity(id)]));
        const drawn = new Map([...initial].map(([id]) => [id, 0]));
        for (const pick of picks) {
          const paths = drawable(pools).filter((path) => pools.pool(path).total > 0);
          if (paths.length === 0) return;
          const id = pools.pool(paths[pick % paths.length]).draw();
          drawn.set(id, (drawn.get(id) ?? 0) + 1);
          for (const [each, all] of initial) expect(pools.pool("i").quantity(each)).toBe(all - (drawn.get(each) ?? 0));
        }
      }),
      { seed: 4, numRuns: 100 },
    );
  });

  test("every block of Σ quantity draws from one pool alone has each record of mass above 0 exactly its quantity times", () => {
    fc.assert(
      fc.property(specs, fc.nat(), (spec, pick) => {
        if (spec.roots.i.kind === "infinite") return;
        const pools = openPools(spec, { engine });
        const paths = drawable(pools);
        if (paths.length === 0) return;
        const path = paths[pick % paths.length];
        const view = pools.pool(path);
        if (view.kind !== "finite") return;
        const stock = view.records.filter(({ mass, quantity = 0 }) => Number(mass) > 0 && quantity > 0);
        const block = stock.reduce((sum, { quantity = 0 }) => sum + quantity, 0);
        for (let round = 0; round < 3; round++) {
          const { counts } = pools.pool(path).count(block);
          for (const { id, quantity } of stock) expect(counts.get(id)).toBe(quantity);
        }
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  test("n single draws are one bulk draw, by drawMany, drawInto and count", () => {
    fc.assert(
      fc.property(specs, fc.nat(), fc.integer({ min: 0, max: 60 }), (spec, pick, n) => {
        const open = () => openPools(spec, { engine, next: 1000 });
        const paths = drawable(open());
        if (paths.length === 0) return;
        const path = paths[pick % paths.length];
        const [single, many, into, counted] = [open(), open(), open(), open()];
        const ids = Array.from({ length: n }, () => single.pool(path).draw());
        const draws = many.pool(path).drawMany(n);
        expect([...draws]).toEqual(ids);
        expect([draws.from, draws.length, ids.map((_, k) => draws.at(k))]).toEqual([1000, n, ids]);
        expect(refusalOf(() => draws.at(n)).code).toBe("argument.range");
        const numbers = new Uint32Array(n);
        expect(into.pool(path).drawInto(numbers)).toBe(numbers);
        expect(Array.from(numbers, (number) => into.pool("i").recordIds()[number])).toEqual(ids);
        const { total, none, counts } = counted.pool(path).count(n);
        expect([total, none, [...counts.keys()]]).toEqual([n, 0, counted.pool(path).records.map(({ id }) => id)]);
        for (const [id, times] of counts) expect(times).toBe(ids.filter((each) => each === id).length);
        const portraits = [single, many, into, counted].map(portrait);
        expect(new Set(portraits).size).toBe(1);
      }),
      { seed: 6, numRuns: 60 },
    );
  });

  test("an infinite pool has every draw at its index, and takes nothing; a finite one takes no index", () => {
    fc.assert(
      fc.property(specs, fc.nat(), fc.nat(2 ** 42 - 100), (spec, pick, from) => {
        const family = openPools(spec, { engine });
        const paths = drawable(family);
        if (paths.length === 0) return;
        const pool = family.pool(paths[pick % paths.length]);
        if (pool.kind === "finite") {
          const uses = [() => pool.draw({ at: from }), () => pool.drawMany(3, { from }), () => pool.count(3, { from })];
          for (const use of uses) expect(unchangedRefusal(family, use).code).toBe("argument.option");
          return;
        }
        const before = portrait(family);
        const draws = pool.drawMany(40, { from });
        expect(Array.from({ length: 40 }, (_, k) => pool.draw({ at: from + k }))).toEqual([...draws]);
        expect([...pool.drawInto(new Uint32Array(20), { from: from + 20 })]).toEqual([...draws.records.subarray(20)]);
        for (const [id, times] of pool.count(40, { from }).counts) {
          expect(times).toBe([...draws].filter((each) => each === id).length);
        }
        expect(portrait(family)).toBe(before);
        family.next = from;
        expect([...pool.drawMany(40)]).toEqual([...draws]);
      }),
      { seed: 10, numRuns: 60 },
    );
  });

  test("peek is the next draw, and changes nothing", () => {
    fc.assert(
      fc.property(specs, operations, (spec, steps) => {
        const pools = openPools(spec, { engine });
        for (const step of steps) {
          apply(pools, step);
          for (const path of drawable(pools).slice(0, 2)) {
            const before = portrait(pools);
            const peeked = pools.pool(path).peek();
            expect(portrait(pools)).toBe(before);
            expect(pools.pool(path).draw()).toBe(peeked);
          }
        }
      }),
      { seed: 7, numRuns: 40 },
    );
  });

  test("state, restore and continue are the same as never interrupted", () => {
    fc.assert(
      fc.property(specs, operations, operations, (spec, before, after) => {
        const moves = (steps: typeof before) => steps.filter(({ what }) => what !== "add");
        const whole = openPools(spec, { engine });
        for (const step of moves(before)) apply(whole, step);
        const restored = openPools(spec, { engine, next: whole.next, state: stateOf(whole) });
        for (const step of moves(after)) expect(apply(restored, step)).toEqual(apply(whole, step));
        expect(portrait(restored)).toBe(portrait(whole));
      }),
      { seed: 8, numRuns: 60 },
    );
  });

  test("Wallenius: with masses (1, 2) and quantities (1, 2), {1, 2} has 7/15 and {2, 2} 8/15 after two draws", () => {
    const chance = (quantities: readonly [number, number], id: number) => {
      const records = [[1, 1, quantities[0]] as const, [2, 2, quantities[1]] as const];
      const family = openPools({ roots: { p: { kind: "finite", records } } }, { engine });
      return toNumber(family.pool("p").odds().odds[id - 1].probability);
    };
    expect(chance([1, 2], 2)).toBe(4 / 5);
    expect(chance([1, 2], 2) * chance([1, 1], 2)).toBeCloseTo(8 / 15, 15);
    expect(chance([1, 2], 1) * chance([0, 2], 2) + chance([1, 2], 2) * chance([1, 1], 1)).toBeCloseTo(7 / 15, 15);
    // odds of what is left are those of a pool made with it
    for (let seed = 0; seed < 20; seed++) {
      const spec = { roots: { p: { kind: "finite" as const, records: [[1, 1, 1] as const, [2, 2, 2] as const] } } };
      const pools = openPools(spec, { engine, seed: String(seed) });
      const [left1, left2] = pools.pool("p").draw() === 1 ? [0, 2] : [1, 1];
      const { odds } = pools.pool("p").odds();
      expect(odds.map(({ probability }) => toNumber(probability))).toEqual([
        left1 / (left1 + 2 * left2),
        (2 * left2) / (left1 + 2 * left2),
      ]);
    }
  });
});

test("the kernel draws what the slow twin draws, draw for draw and whatever happens between", () => {
  fc.assert(
    fc.property(specs, operations, fc.nat(2 ** 40), (spec, steps, next) => {
      const [kernel, twin] = ENGINES.map((engine) => openPools(spec, { engine, next }));
      for (const step of steps) {
        expect(apply(kernel, step)).toEqual(apply(twin, step));
        expect(portrait(kernel)).toBe(portrait(twin));
      }
    }),
    { seed: 9, numRuns: 150 },
  );
});

describe("in draws, Wallenius at 10⁻⁶", () => {
  test("chi-square of the first two draws over 30,000 blocks of three", () => {
    const input: PoolsInput = {
      roots: {
        p: {
          kind: "finite",
          records: [
            [1, 1, 1],
            [2, 2, 2],
          ],
        },
      },
    };
    const draws = [...createMill({ seed: "wallenius" }).pools("items", input).pool("p").drawMany(90_000)];
    let [mixed, double, first] = [0, 0, 0];
    for (let i = 0; i < draws.length; i += 3) {
      if (draws[i] === 2) first++;
      if (draws[i] === 2 && draws[i + 1] === 2) double++;
      else mixed++;
    }
    const square = (got: number, chance: number) => {
      const [wanted, rest] = [30_000 * chance, 30_000 * (1 - chance)];
      return (got - wanted) ** 2 / wanted + (30_000 - got - rest) ** 2 / rest;
    };
    // 23.93 is the 1 − 10⁻⁶ quantile of chi-square with one degree of freedom
    for (const [got, chance] of [
      [double, 8 / 15],
      [mixed, 7 / 15],
      [first, 4 / 5],
    ] as const) {
      expect(square(got, chance)).toBeLessThan(23.93);
      expect(square(got, chance + 0.03)).toBeGreaterThan(23.93);
    }
  });
});

describe("in a mill", () => {
  test("a snapshot goes on where the mill was: quantities, cursor and active setting", () => {
    const seed = "moria";
    const mill = createMill({ seed });
    const pools = mill.pools("items", ITEMS);
    pools.setActive("i", ["rare"]);
    pools.pool("i").drawMany(5);
    const snapshot = mill.snapshot();
    const again = createMill({ seed, snapshot });
    const restored = again.pools("items", ITEMS);
    expect([restored.next, restored.pool("i.~").path]).toEqual([5, "i.rare"]);
    expect([...restored.pool("i").drawMany(20)]).toEqual([...pools.pool("i").drawMany(20)]);
    expect(restored.pool("i.~").draw()).toBe(pools.pool("i.~").draw());
    // a family that is registered by and by is restored as it grows, and what never comes is kept
    const late = createMill({ seed, snapshot });
    const grown = late.pools("items");
    expect(late.snapshot()).toEqual(snapshot);
    grown.registerRoot("i", ITEMS.roots.i);
    expect(portrait(grown)).toBe(portrait(createMill({ seed, snapshot }).pools("items", ITEMS)));
  });

  test("a damaged snapshot is refused", () => {
    const spec = (quantity: number) => ({ roots: { i: { kind: "finite", records: [["axe", 1, quantity]] } } }) as const;
    const mill = createMill({ seed: 1 });
    mill.pools("items", spec(5)).pool("i").draw();
    const snapshot = mill.snapshot();
    const text = new TextDecoder().decode(snapshot).replace('"quantities":[[', '"quantities":[[null,');
    const damaged = createMill({ seed: 1, snapshot: new TextEncoder().encode(text) });
    expect(() => damaged.pools("items", spec(5))).toThrow("snapshot.invalid");
  });
});
