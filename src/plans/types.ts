import type { Dice } from "../dice/index.js";
import type { PoolFamily } from "../pools/index.js";
import type { Sampler } from "../samples/index.js";
import type { Drops, Table } from "../tables/index.js";
import type { LabelledList, WeightedList } from "../weighted/index.js";

/** A noun that a plan file can contain. */
export type PlanNoun =
  | WeightedList
  | LabelledList<string | null, unknown>
  | Table<string, unknown>
  | Dice
  | Sampler<unknown>
  | PoolFamily
  | Drops<string, unknown>;

/** A kind of noun in a plan file. */
export type PlanKind = "list" | "table" | "dice" | "sampler" | "pools" | "drops";

/** The kinds by their codes in a plan file, from 1 (docs/formats/plans.md). */
export const PLAN_KINDS: readonly PlanKind[] = ["list", "table", "dice", "sampler", "pools", "drops"];

/** What a plan file says about a noun. */
export interface PlanEntry {
  readonly kind: PlanKind;
  readonly name: string;
  /** The texts that belong to the numbers of results, as the file has them (docs/formats/plans.md). */
  readonly labels: unknown;
}
