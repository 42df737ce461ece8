import type { Dice } from "../dice/index.js";
import type { PoolFamily } from "../pools/index.js";
import type { Sampler } from "../samples/index.js";
import type { Table } from "../tables/index.js";
import type { Walk } from "../walks/index.js";
import type { LabelledList, WeightedList } from "../weighted/index.js";
import type { World } from "../worlds/index.js";

/** A noun that a plan file can contain. */
export type PlanNoun =
  | WeightedList
  | LabelledList<string | null, unknown>
  | Table<string, unknown>
  | Dice
  | Sampler<unknown>
  | PoolFamily
  | Walk
  | World;

/** A kind of noun in a plan file. */
export type PlanKind = "list" | "table" | "dice" | "sampler" | "pools" | "walk" | "world";

/** The codes of the kinds in a plan file (docs/formats/plans.md). */
export const PLAN_KINDS: Readonly<Record<PlanKind, number>> = {
  list: 1,
  table: 2,
  dice: 3,
  sampler: 4,
  pools: 5,
  walk: 9,
  world: 10,
};

/** What a plan file says about a noun. */
export interface PlanEntry {
  readonly kind: PlanKind;
  readonly name: string;
  /** The texts that belong to the numbers of results, as the file has them (docs/formats/plans.md). */
  readonly labels: unknown;
}
