// What odds, quantities and totals say at every step, held to the twin's plain lists and to plain bookkeeping.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyOf, purposeOf } from "../../src/address.js";
import type { PoolsInput, PoolsPlan } from "../../src/pools/index.js";
import { Family, Pools, parsePools } from "../../src/pools/index.js";
import { PoolTwin } from "../oracle/poolTwin.js";
import { purposeWords } from "../oracle/words.js";
import { ENGINES, openPools } from "./build.js";
import { apply, drawable, operations, specs } from "./cases.js";

type View = ReturnType<Pools["pool"]>;

/** A pool, and all pools under it: in order of registration for the families here. */
function everyPool(pool: View): View[] {
  return [pool, ...pool.subpools.flatMap(everyPool)];
}

/** Every quantity of root i, by id. */
function stockOf(pools: Pools): Map<string | number, number> {
  return new Map(pools.recordIds("i").map((id) => [id, pools.quantity("i", id)]));
}

test("the odds of every step are the twin's weights over their sum, or those after a refresh", () => {
  let refreshed = 0;
  fc.assert(
    fc.property(specs, operations, (spec, steps) => {
      const kernel = openPools(spec);
      const { pools, opened } = openTwin(spec);
      for (const step of steps.filter(({ what }) => what !== "add")) {
        expect(apply(kernel, step)).toEqual(apply(pools, step));
        for (const [number, pool] of everyPool(kernel.pool("i")).entries()) {
          const law = opened === undefined ? undefined : lawOf(opened, number);
          if (law === undefined) continue;
          if (pool.total === 0) refreshed++;
          const odds = kernel.odds(pool.path);
          expect(odds.map(({ id }) => id)).toEqual(Array.from(law.records, (record) => kernel.recordIds("i")[record]));
          for (const [i, { numerator, denominator }] of odds.entries()) {
            expect([denominator > 0n, numerator * law.total]).toEqual([true, law.weights[i] * denominator]);
          }
        }
      }
    }),
    { seed: 31, numRuns: 100 },
  );
  expect(refreshed).toBeGreaterThan(50);
});

interface Opened {
  readonly plan: PoolsPlan;
  readonly twin: PoolTwin;
}

/** A family on the twin, whose lists can be seen if anything can be drawn. */
function openTwin(input: PoolsInput): { readonly pools: Pools; readonly opened: Opened | undefined } {
  const { spec } = parsePools(input);
  if (spec === undefined) throw new Error("refused");
  let opened: Opened | undefined;
  const open = (plan: PoolsPlan) => {
    const twin = new PoolTwin(plan, purposeWords(keyOf("moria"), purposeOf("items")));
    opened = { plan, twin };
    return twin;
  };
  const pools = new Pools("items", Family.of(spec), { open, restored: [] });
  const [path] = drawable(pools);
  if (path !== undefined) pools.peek(path);
  return { pools, opened };
}

/** What the next draw of a pool goes by; undefined where nothing can ever be drawn. */
function lawOf({ plan: { pools, roots }, twin }: Opened, number: number) {
  const { masses, records } = pools[number];
  const { kind, initial } = roots[0];
  const weigh = (stock: ArrayLike<number>) =>
    Array.from(records, (record, i) => BigInt(masses[i]) * BigInt(kind === "finite" ? stock[record] : 1));
  const sum = (weights: bigint[]) => weights.reduce((total, weight) => total + weight, 0n);
  const weights = [twin.left[0], initial].map(weigh).find((each) => sum(each) > 0n);
  return weights === undefined ? undefined : { records, weights, total: sum(weights) };
}

describe.each(ENGINES)("the books balance, on the %s", (engine) => {
  test("a draw takes one from one record; before it a refresh gives an exhausted pool's own records back, and no others", () => {
    let refreshed = 0;
    fc.assert(
      fc.property(specs, fc.array(fc.nat(), { minLength: 10, maxLength: 40 }), (spec, picks) => {
        if (spec.roots.i.kind === "infinite") return;
        const pools = openPools(spec, { engine });
        const initial = stockOf(pools);
        for (const pick of picks) {
          const paths = drawable(pools);
          if (paths.length === 0) return;
          const pool = pools.pool(paths[pick % paths.length]);
          const expected = stockOf(pools);
          if (pool.total === 0) {
            refreshed++;
            for (const { id } of pool.records) expected.set(id, initial.get(id) ?? 0);
          }
          const drawn = pools.drawFromPool(pool.path);
          expected.set(drawn, (expected.get(drawn) ?? 0) - 1);
          expect(stockOf(pools)).toEqual(expected);
        }
      }),
      { seed: 32, numRuns: 150 },
    );
    expect(refreshed).toBeGreaterThan(50);
  });

  test("drawn and left make what was there and what refreshes, returns and restocking gave back", () => {
    fc.assert(
      fc.property(specs, operations, (spec, steps) => {
        if (spec.roots.i.kind === "infinite") return;
        const pools = openPools(spec, { engine });
        const initial = stockOf(pools);
        const [drawn, given] = [new Map<string | number, number>(), new Map<string | number, number>()];
        const add = (to: typeof drawn, id: string | number, n: number) => to.set(id, (to.get(id) ?? 0) + n);
        const giveBack = (path: string) => {
          for (const { id } of pools.pool(path).records)
            add(given, id, (initial.get(id) ?? 0) - pools.quantity("i", id));
        };
        for (const { what, pool, count } of steps) {
          const paths = drawable(pools);
          if (paths.length === 0) return;
          const path = paths[pool % paths.length];
          for (let i = 0; i < (what === "many" ? count : 1); i++) {
            if (pools.pool(path).total === 0) giveBack(path);
            add(drawn, pools.drawFromPool(path), 1);
          }
          const [id] = [...drawn.keys()].filter((each) => pools.quantity("i", each) < (initial.get(each) ?? 0));
          if (what === "return" && id !== undefined) {
            pools.return("i", id);
            add(given, id, 1);
          }
          if (what === "restock") {
            giveBack(path);
            pools.restock(path);
          }
          for (const [each, all] of initial) {
            expect((drawn.get(each) ?? 0) + pools.quantity("i", each)).toBe(all + (given.get(each) ?? 0));
          }
        }
      }),
      { seed: 33, numRuns: 60 },
    );
  });
});
