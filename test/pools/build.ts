import { keyOf, purposeOf } from "../../src/address.js";
import type { RollmillError } from "../../src/errors/index.js";
import { Kernel } from "../../src/kernel/index.js";
import { Family, KernelPools, Pools, type PoolsInput, parsePools, type RootState } from "../../src/pools/index.js";
import type { PoolsEngine, PoolsPlan } from "../../src/pools/kernelPools.js";
import { PoolTwin } from "../oracle/poolTwin.js";
import { purposeWords } from "../oracle/words.js";
import { refusalOf } from "../tables/build.js";

/** What quantities are kept by: the kernel, and the slow twin. Both pass the same tests. */
export const ENGINES = ["kernel", "twin"] as const;

export type EngineName = (typeof ENGINES)[number];

export interface Opening {
  readonly engine?: EngineName;
  readonly seed?: string;
  readonly next?: number;
  readonly state?: readonly RootState[];
}

/** A family of pools on either engine, under the name "items". */
export function openPools(
  input: PoolsInput,
  { engine = "kernel", seed = "moria", next = 0, state = [] }: Opening = {},
) {
  const { spec, issues } = parsePools(input);
  if (spec === undefined) throw new Error(issues.map(({ message }) => message).join("\n"));
  const open = (plan: PoolsPlan) => openEngine(engine, seed, plan);
  const pools = new Pools("items", Family.of(spec, state), { open, restored: state });
  pools.next = next;
  return pools;
}

/** An engine of the name "items". */
export function openEngine(engine: EngineName, seed: string, plan: PoolsPlan): PoolsEngine {
  const purpose = purposeOf("items");
  if (engine === "twin") return new PoolTwin(plan, purposeWords(keyOf(seed), purpose));
  return new KernelPools(new Kernel(keyOf(seed), 2 ** 26), purpose, plan);
}

/** The seed's item pool: rarities, then categories. */
export const ITEMS = {
  roots: {
    i: {
      kind: "finite",
      records: [
        { id: "sword", mass: 3, quantity: 2 },
        { id: "axe", mass: 2, quantity: 3 },
        { id: "ring", mass: 1, quantity: 1 },
        { id: "crown", mass: 1, quantity: 1 },
      ],
      subpools: {
        common: {
          records: ["sword", { id: "axe", mass: 5 }],
          subpools: { weapon: { records: ["sword", "axe"] }, trinket: { records: [] } },
        },
        rare: {
          records: ["ring", "crown"],
          subpools: { weapon: { records: ["sword"] }, trinket: { records: ["ring", "crown"] } },
        },
      },
    },
  },
} as const satisfies PoolsInput;

/** The seed's entity pool: zones, floors, types. */
export const ENTITIES = {
  roots: {
    e: {
      kind: "infinite",
      records: ["bat", "orc", "stone", "mud"],
      subpools: { z1: zone(["bat"], ["stone"]), z2: zone(["orc"], ["mud"]) },
    },
  },
} satisfies PoolsInput;

function zone(enemies: readonly string[], walls: readonly string[]) {
  const floor = {
    records: [...enemies, ...walls],
    subpools: { enemy: { records: enemies }, tile: { records: walls } },
  };
  return { records: [...enemies, ...walls], subpools: { f1: floor, f2: floor } };
}

/** What a call is refused with, after making sure that it changed nothing. */
export function unchangedRefusal(pools: Pools, call: () => unknown): RollmillError {
  const before = portrait(pools);
  const refusal = refusalOf(call);
  if (portrait(pools) !== before) throw new Error(`changed by a call that failed: ${refusal.message}`);
  return refusal;
}

/** Everything that can be seen of a family. */
export function portrait(pools: Pools): string {
  type View = ReturnType<Pools["pool"]>;
  const draw = (view: View): unknown => [view.path, view.total, view.records, view.subpools.map(draw)];
  return JSON.stringify([pools.next, pools.state(), pools.roots.map((root) => draw(pools.pool(root)))]);
}
