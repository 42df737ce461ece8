import { keyOf, purposeOf } from "../../src/address.js";
import { createMill, type PoolsInput, type RecordInput } from "../../src/index.js";
import { Family, Pools, type PoolsPlan, parsePools } from "../../src/pools/index.js";
import { PoolTwin } from "../oracle/poolTwin.js";
import { purposeWords } from "../oracle/words.js";
import { digestOf } from "./golden.js";

/** A list of records 0 … n − 1 by rule: masses and quantities go round, and a subpool takes every so many. */
interface Generated {
  readonly records: number;
  readonly masses: readonly number[];
  readonly quantities: readonly number[];
  readonly subpools: Readonly<Record<string, { from: number; every: number; masses?: readonly number[] }>>;
}

/** A family, written out or as one root "p" by rule, and calls that draw from it, in order. */
export interface PoolsCase {
  readonly seed: string;
  readonly name: string;
  readonly pools?: PoolsInput;
  readonly generated?: Generated;
  readonly from?: number;
  readonly draws: readonly (readonly [path: string, count: number])[];
}

/** What a case gives in a mill. */
export function drawInMill(golden: PoolsCase): unknown {
  return draw(createMill({ seed: golden.seed }).pools(golden.name, inputOf(golden)), golden);
}

/** What it gives by the slow twin, over the same paths. */
export function drawByTwin(golden: PoolsCase): unknown {
  const { spec } = parsePools(inputOf(golden));
  if (spec === undefined) throw new Error("refused");
  const words = purposeWords(keyOf(golden.seed), purposeOf(golden.name));
  const open = (plan: PoolsPlan) => new PoolTwin(plan, words);
  return draw(new Pools(golden.name, Family.of(spec), { open, restored: [] }), golden);
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

function draw(pools: Pools, { from = 0, draws }: PoolsCase): unknown {
  pools.next = from;
  const calls = draws.map(([path, count]) => {
    const numbers = new Uint32Array(count);
    const refreshed = pools.drawInto(numbers, path);
    const ids = pools.recordIds(path.split(".")[0]);
    const first = Array.from(numbers.subarray(0, 20), (number) => ids[number]).join(" ");
    return { first, refreshed, digest: digestOf(numbers) };
  });
  const left = Object.fromEntries(
    pools.roots.map((root) => {
      const pool = pools.pool(root);
      if (pool.kind === "infinite") return [root, "as before"];
      const quantities = pool.records.map(({ quantity }) => quantity);
      return [root, { total: pool.total, quantities: quantities.slice(0, 20).join(" "), digest: digestOf(quantities) }];
    }),
  );
  return { calls, left, next: pools.next };
}
