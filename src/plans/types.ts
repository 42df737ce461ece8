import type { Dice } from "../dice/index.js";
import type { PoolFamily } from "../pools/index.js";
import type { ItemOptions, Recipe } from "../recipes/index.js";
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
  | Drops<string, unknown>
  | Recipe;

/** Options of `makeMany` that say what a noun makes. The host cannot change them. */
export type PlanOptions = ItemOptions;

/** A recipe with the options of its items, such as `{ noun: weapon, options: { tier: 3, request: { type: "axe" } } }`. */
export interface PlanRequest {
  readonly noun: Recipe;
  readonly options: PlanOptions;
}

/** A kind of noun in a plan file. */
export type PlanKind = "list" | "table" | "dice" | "sampler" | "pools" | "drops" | "recipe";

/** The kinds by their codes in a plan file, from 1 (docs/formats/plans.md). */
export const PLAN_KINDS: readonly PlanKind[] = ["list", "table", "dice", "sampler", "pools", "drops", "recipe"];

/** What a plan file says about a noun. */
export interface PlanEntry {
  readonly kind: PlanKind;
  readonly name: string;
  /** The texts that belong to the numbers of results, as the file has them (docs/formats/plans.md). */
  readonly labels: unknown;
}
