import { createMill, type PoolsInput, type RecordInput } from "../../src/index.js";
import type { PoolFamily } from "../../src/pools/index.js";
import type { PoolsPlan } from "../../src/pools/types.js";
import { PoolTwin } from "../oracle/poolTwin.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { openOn } from "../pools/build.js";
import { digestOf } from "./golden.js";

/** Records 0 … n − 1 by rule: masses and quantities repeat, and a subpool lists every so many. */
interface Generated {
  readonly records: number;
  readonly masses: readonly number[];
  readonly quantities: readonly number[];
  readonly subpools: Readonly<Record<string, { from: number; every: number; masses?: readonly number[] }>>;
}

/** A family, in full or as one root "p" by rule, and the calls that draw from it, in order. */
export interface PoolsCase {
  readonly seed: string;
  readonly name: string;
  readonly pools?: PoolsInput;
  readonly generated?: Generated;
  readonly from?: number;
  readonly draws: readonly (readonly [path: string, count: number])[];
}

/** The draws of a case in a mill. */
export function drawInMill(golden: PoolsCase): unknown {
  return draw(createMill({ seed: golden.seed }).pools(golden.name, inputOf(golden)), golden);
}

/** The draws of a case by the slow twin. */
export function drawByTwin(golden: PoolsCase): unknown {
  const { name, seed } = golden;
  const words = streamWords(streamKey(seed, name));
  return draw(
    openOn((plan: PoolsPlan) => new PoolTwin(plan, words), inputOf(golden), { name }),
    golden,
  );
}

function inputOf({ pools, generated }: PoolsCase): PoolsInput {
  if (pools !== undefined) return pools;
  if (generated === undefined) throw new Error("a case has pools or a rule that makes them");
  const { records, masses, quantities, subpools } = generated;
  const numbers = Array.from({ length: records }, (_, id) => id);
  const listed = Object.entries(subpools).map(([name, { from, every, masses: own }]) => {
    const ids = numbers.filter((id) => id >= from && (id - from) % every === 0);
    return [name, { records: ids.map((id, i): RecordInput => (own ? { id, mass: own[i % own.length] } : id)) }];
  });
  const declared = numbers.map((id) => [id, masses[id % masses.length], quantities[id % quantities.length]] as const);
  return { roots: { p: { kind: "finite", records: declared, subpools: Object.fromEntries(listed) } } };
}

function draw(pools: PoolFamily, { from = 0, draws }: PoolsCase): unknown {
  pools.next = from;
  const calls = draws.map(([path, count]) => {
    const draws = pools.pool(path).drawMany(count);
    const first = Array.from({ length: Math.min(20, count) }, (_, k) => draws.at(k)).join(" ");
    return { first, refreshed: draws.refreshed, digest: digestOf(draws.records) };
  });
  const left = Object.fromEntries(
    pools.roots.map((root) => {
      const pool = pools.pool(root);
      if (pool.kind === "infinite") return [root, "as before"];
      const quantities = pool.records.map(({ quantity = 0 }) => quantity);
      return [root, { total: pool.total, quantities: quantities.slice(0, 20).join(" "), digest: digestOf(quantities) }];
    }),
  );
  return { calls, left, next: pools.next };
}
