import type { Scope } from "../../src/calls/index.js";
import type { RollmillError } from "../../src/errors/index.js";
import { compilePools } from "../../src/pools/compile.js";
import { FamilyState } from "../../src/pools/familyState.js";
import { type Pool, PoolFamily, type PoolsInput, parsePools } from "../../src/pools/index.js";
import { KernelPools, type PoolsEngine, spareKernels } from "../../src/pools/kernel.js";
import type { PoolsPlan, RootState } from "../../src/pools/types.js";
import { specOf } from "../../src/spec/index.js";
import { keyIn, openBranch, openKernel } from "../kernel/open.js";
import { PoolTwin } from "../oracle/poolTwin.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { refusalOf } from "../refusal.js";

/** The engines that keep quantities: the kernel, and the slow twin. Both pass the same tests. */
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
): PoolFamily {
  const create = (plan: PoolsPlan) => openEngine(engine, seed, plan);
  return openOn(create, input, { next, state });
}

/** A family of pools on an engine of the caller's. */
export function openOn(
  create: (plan: PoolsPlan) => PoolsEngine,
  input: PoolsInput,
  { name = "items", next = 0, state = [] }: { name?: string; next?: number; state?: readonly RootState[] } = {},
): PoolFamily {
  const register = compilePools(specOf(parsePools(input)));
  const stream = openBranch<FamilyState>("moria", name, (_, { key, guard }) => {
    return new FamilyState(register(), { name, key, guard }, state, create);
  });
  const family = new PoolFamily({ kernel: UNUSED, name, stream, plan: register });
  STATES.set(family, stream);
  family.next = next;
  return family;
}

/** The scopes of the families here. */
const STATES = new WeakMap<PoolFamily, Scope<FamilyState>>();

/** The stock of a family, as a snapshot saves it. */
export function stateOf(family: PoolFamily): readonly RootState[] {
  return STATES.get(family)?.state().save() ?? [];
}

/** The kernel of the set-up, which an engine of these families does not use. */
const UNUSED = openKernel(2 ** 20);

/** An engine of the name "items". */
export function openEngine(engine: EngineName, seed: string, plan: PoolsPlan): PoolsEngine {
  if (engine === "twin") return new PoolTwin(plan, streamWords(streamKey(seed, "items")));
  const takeKernel = spareKernels(() => openKernel(2 ** 26));
  return new KernelPools(takeKernel(), "items", keyIn(seed, "items"), plan);
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

/** The refusal of a call, which must change nothing. */
export function unchangedRefusal(family: PoolFamily, call: () => unknown): RollmillError {
  const before = portrait(family);
  const refusal = refusalOf(call);
  if (portrait(family) !== before) throw new Error(`changed by a call that failed: ${refusal.message}`);
  return refusal;
}

/** Everything that can be seen of a family. */
export function portrait(family: PoolFamily): string {
  const draw = (pool: Pool): unknown => [pool.path, pool.total, pool.records, pool.subpools.map(draw)];
  return JSON.stringify([family.next, stateOf(family), family.roots.map((root) => draw(family.pool(root)))]);
}
