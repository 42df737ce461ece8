// A typed program that uses the types of the package. No runtime runs it. run.mjs also makes one with every entry.
import {
  type Counts,
  createMill,
  createMillAsync,
  type Fraction,
  type KernelSource,
  LayerMap,
  type Mill,
  type Odds,
  RollmillError,
  toNumber,
  type WalkInput,
} from "rollmill";
import { DirectionTensor } from "rollmill/compat";
import { type CoreMill, createMill as createCore, type ForkId } from "rollmill/core";
import { toParquet, toPng } from "rollmill/formats";
import { type MadeObjects, objects } from "rollmill/objects";
import { type PoolsSpec, pools } from "rollmill/pools";
import { type Items, recipes } from "rollmill/recipes";
import { type Stream, streams } from "rollmill/streams";
import { type Table, tables } from "rollmill/tables";
import { type LayerMapMessage, walks } from "rollmill/walks";
import { MAX_ENTRIES, type WeightedList } from "rollmill/weighted";
import { loadTables } from "rollmill/wordstores";

export type Named = [Items, MadeObjects, PoolsSpec, KernelSource, ForkId];
export const values = [objects, pools, recipes, streams, walks, MAX_ENTRIES, DirectionTensor, loadTables, toParquet];

const mill: Mill = createMill({ seed: 1n });
const stream: Stream = mill.stream("words").fork("player/7");
const words: Uint32Array = stream.words(4);
// from TypeScript 5.9 on, an array that may be a view of shared memory would be refused here
const buffer: ArrayBuffer = stream.words(4).buffer;
const list: WeightedList = mill.weighted("list", [1, 2]);
let total = 0;
for (const [index, count] of list.count(10).counts) total += index * count;
for (const count of list.count(10).counts.values()) total += count;
const counts: Counts<string> = mill.table("loot", "Random0 Random0Weight\n0 ra 1").count(10);
const odds: Odds<number> = list.odds();
const first: Fraction = odds.odds[0].probability;
const spec: WalkInput = { walkers: 2, steps: 10, preset: "five-ways" };
const map: LayerMap = mill.walk("land", spec).run().total;
const message: LayerMapMessage = map.toMessage();
const png: Uint8Array = toPng(LayerMap.from(message));
const core: CoreMill = createCore({ seed: "moria", kernel: new Uint8Array(8) });
const table: Table = core.open(tables, "loot", "Random0 Random0Weight\n0 ra 1");
const later: Promise<Mill> = createMillAsync({ seed: "moria", kernel: new URL("https://example.org/kernel.wasm") });
export const all = [words, buffer, total, counts, toNumber(first), png, table.roll(), later, RollmillError];
// @ts-expect-error: a mill has no default seed
createMill({});
// @ts-expect-error: no such preset
mill.walk("sea", { preset: "six-ways" });
