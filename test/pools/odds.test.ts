// Odds, quantities and totals at every step, compared with the plain lists of the twin and with plain bookkeeping.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Pool, PoolFamily, PoolsInput } from "../../src/pools/index.js";
import type { PoolsPlan } from "../../src/pools/types.js";
import { PoolTwin } from "../oracle/poolTwin.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { ENGINES, openOn, openPools } from "./build.js";
import { apply, drawable, operations, specs } from "./cases.js";

/** A pool, and all pools under it: in order of registration for the families here. */
function everyPool(pool: Pool): Pool[] {
  return [pool, ...pool.subpools.flatMap(everyPool)];
}

/** Every quantity of root i, by id. */
function stockOf(pools: PoolFamily): Map<string | number, number> {
  const root = pools.pool("i");
  return new Map(root.recordIds().map((id) => [id, root.quantity(id)]));
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
          const { odds } = pool.odds();
          const ids = pool.recordIds();
          expect(odds.map(({ result }) => result)).toEqual(Array.from(law.records, (record) => ids[record]));
          for (const [i, { probability }] of odds.entries()) {
            const { numerator, denominator } = probability;
            expect([denominator > 0n, numerator * law.total]).toEqual([true, law.weights[i] * denominator]);
          }
        }
      }
    }),
    { seed: 31, numRuns: 150 },
  );
  expect(refreshed).toBeGreaterThan(50);
});

interface Opened {
  readonly plan: PoolsPlan;
  readonly twin: PoolTwin;
}

/** A family on the twin; `opened` shows its lists, if anything can be drawn. */
function openTwin(input: PoolsInput): { readonly pools: PoolFamily; readonly opened: Opened | undefined } {
  let opened: Opened | undefined;
  const create = (plan: PoolsPlan) => {
    const twin = new PoolTwin(plan, streamWords(streamKey("moria", "items")));
    opened = { plan, twin };
    return twin;
  };
  const pools = openOn(create, input);
  const [path] = drawable(pools);
  if (path !== undefined) pools.pool(path).peek();
  return { pools, opened };
}

/** The law of the next draw from a pool; undefined if nothing can ever be drawn. */
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
          const drawn = pools.pool(pool.path).draw();
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
            add(given, id, (initial.get(id) ?? 0) - pools.pool("i").quantity(id));
        };
        for (const { what, pool, count } of steps) {
          const paths = drawable(pools);
          if (paths.length === 0) return;
          const path = paths[pool % paths.length];
          for (let i = 0; i < (what === "many" ? count : 1); i++) {
            if (pools.pool(path).total === 0) giveBack(path);
            add(drawn, pools.pool(path).draw(), 1);
          }
          const [id] = [...drawn.keys()].filter((each) => pools.pool("i").quantity(each) < (initial.get(each) ?? 0));
          if (what === "return" && id !== undefined) {
            pools.pool("i").return(id);
            add(given, id, 1);
          }
          if (what === "restock") {
            giveBack(path);
            pools.pool(path).restock();
          }
          for (const [each, all] of initial) {
            expect((drawn.get(each) ?? 0) + pools.pool("i").quantity(each)).toBe(all + (given.get(each) ?? 0));
          }
        }
      }),
      { seed: 33, numRuns: 60 },
    );
  });
});
