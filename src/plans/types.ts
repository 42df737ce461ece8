import type { Dice } from "../dice/index.js";
import type { ObjectMaker, ObjectOptions } from "../objects/index.js";
import type { PoolFamily } from "../pools/index.js";
import type { ItemOptions, Recipe } from "../recipes/index.js";
import type { Sampler } from "../samples/index.js";
import type { Drops, Table } from "../tables/index.js";
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
  | Drops<string, unknown>
  | Recipe
  | Walk
  | World;

/** A recipe with the options of its items, such as `{ noun: weapon, options: { tier: 3, request: { type: "axe" } } }`. */
export interface PlanItems {
  readonly noun: Recipe;
  readonly options: ItemOptions;
}

/**
 * An object maker with the options of its objects, such as `{ noun: maker, options: { level: 30 } }`. A host cannot
 * change them: for several depths, open the files under several names.
 */
export interface PlanObjects {
  readonly noun: ObjectMaker;
  readonly options: Pick<ObjectOptions, "level" | "good" | "great" | "kind" | "affixLevel" | "artifacts">;
}

/** A noun with the options of what it makes. */
export type PlanRequest = PlanItems | PlanObjects;

/** A kind of noun in a plan file. */
export type PlanKind =
  | "list"
  | "table"
  | "dice"
  | "sampler"
  | "pools"
  | "drops"
  | "recipe"
  | "objects"
  | "walk"
  | "world";

/** The kinds by their codes in a plan file, from 1 (docs/formats/plans.md). */
export const PLAN_KINDS: readonly PlanKind[] = [
  "list",
  "table",
  "dice",
  "sampler",
  "pools",
  "drops",
  "recipe",
  "objects",
  "walk",
  "world",
];

/** What a plan file says about a noun. */
export interface PlanEntry {
  readonly kind: PlanKind;
  readonly name: string;
  /** The texts that belong to the numbers of results, as the file has them (docs/formats/plans.md). */
  readonly labels: unknown;
}
