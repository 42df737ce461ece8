import type { LongCall } from "../calls/index.js";
import type { Fraction } from "../fractions.js";
import type { ObjectFiles } from "../objects/index.js";
import type { PoolsSpec } from "../pools/index.js";
import type { RecipeSource } from "../recipes/index.js";
import type { TableSpec } from "../tables/index.js";
import type { Cell, WalkPlan, WalkSpec } from "../walks/index.js";

/** Number of rows and of columns of a region. Terrain and contents are made region by region. A power of two. */
export const REGION_SIDE = 256;
/** Maximum rows and columns that are made together. Smaller parts cost more: neighbours both make cells at the edge. */
export const MAKE_SIDE = 1024;
/** Greatest distance of a `within` condition, and of placements of one kind. */
export const MAX_DISTANCE = 64;
export const NO_TERRAIN = 255;
export { FIELD_MOST } from "../kernel/layout.js";
export const MAX_PLACEMENTS = 256;

/** Options of a world that a mill opens. */
export interface WorldOptions {
  /** Name of the file that the spec came from, for messages. */
  readonly file?: string | undefined;
  /** Maximum memory of the world in bytes: its kernel and its cache of regions. Default: `maxMemory` of the mill. */
  readonly maxMemory?: number | undefined;
  /** Maximum number of regions of one layer that a call may need. Default 65,536. */
  readonly maxRegions?: number | undefined;
}

/** `layer` is the index of a layer. `most` is Infinity if there is no upper limit. */
export type ConditionSpec =
  | { readonly kind: "visits" | "firstVisit"; readonly layer: number; readonly least: number; readonly most: number }
  | { readonly kind: "within"; readonly layer: number; readonly distance: number }
  | { readonly kind: "field"; readonly field: number; readonly least: number; readonly most: number }
  | {
      readonly kind: "chance";
      /** The probability in lowest terms, 0 … 1, with a denominator of at most 2³² − 1. */
      readonly chance: Fraction;
      /** Index of the chance among all chances of the terrain's rules, in reading order. */
      readonly number: number;
    }
  | { readonly kind: "all" | "any"; readonly of: readonly ConditionSpec[] }
  | { readonly kind: "not"; readonly of: ConditionSpec };

/**
 * How the value of a field is computed. `layer` and `field` are indices; a field refers only to earlier fields. `most`
 * is the count or the distance that gives the greatest value.
 */
export type FieldForm =
  | { readonly kind: "noise"; readonly scale: number; readonly octaves: number }
  | { readonly kind: "distance" | "visits" | "firstVisit"; readonly layer: number; readonly most: number }
  | { readonly kind: "position"; readonly from: readonly [row: number, col: number]; readonly most: number }
  | { readonly kind: "rows"; readonly from: number; readonly most: number }
  | {
      readonly kind: "sum";
      readonly of: readonly { readonly field: number; readonly factor: number }[];
      readonly plus: number;
      readonly over: number;
    }
  | { readonly kind: "least" | "most"; readonly of: readonly number[] }
  | {
      readonly kind: "curve";
      readonly of: number;
      readonly points: readonly (readonly [from: number, to: number])[];
    };

/** A field as parsed: an integer 0 … 65,535 for each cell. */
export type FieldSpec = FieldForm & { readonly name: string };

/** A terrain as parsed. */
export interface TerrainSpec {
  readonly name: string;
  /** Red, green and blue, 0 … 255. */
  readonly color: readonly [number, number, number];
  readonly tags: readonly string[];
}

/** `terrain` is the index of a {@link TerrainSpec}. */
export interface TerrainRuleSpec {
  readonly terrain: number;
  /** Undefined for the last rule, which always holds. */
  readonly when: ConditionSpec | undefined;
}

/** A level that grows with the distance from `center`, from `from` to at most `most`. They are equal if it is fixed. */
export interface LevelSpec {
  readonly from: number;
  readonly perCells: number;
  readonly most: number;
  readonly center: readonly [number, number];
}

/** The options of one group of terrains, in the form that `makeMany` accepts. */
export interface ContentOptionsSpec {
  /** The level of objects, or the tier of items. */
  readonly level: LevelSpec | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface MadeContentSpec {
  readonly kind: "recipe" | "objects";
  readonly source: string;
  /** "world" if the objects may be artifacts. Only a job makes these objects. */
  readonly stock: "world" | undefined;
  readonly groups: readonly ContentOptionsSpec[];
  /** For each terrain, the index of its group. */
  readonly groupOf: readonly number[];
}

export type ContentSpec =
  | { readonly kind: "table"; readonly source: string }
  | MadeContentSpec
  | {
      readonly kind: "pool";
      readonly source: string;
      readonly pool: string;
      readonly stock: "infinite" | "region" | "world";
    };

/** A kind of placement as parsed. Its terrains are indices of the world's terrains. */
export interface PlacementSpec {
  readonly name: string;
  /** The indices of the terrains on which the kind can stand, ascending. */
  readonly terrains: readonly number[];
  /** The share of candidates in lowest terms, 0 … 1, with a denominator of at most 2³² − 1. */
  readonly density: Fraction;
  readonly distance: number;
  readonly content: ContentSpec | undefined;
  readonly color: readonly [number, number, number];
}

/** How the neighbours of a place are chosen. */
export type PathGraph = "gabriel" | "relative" | "all";

/** A kind of paths as parsed. */
export interface PathSpec {
  readonly name: string;
  /** The kinds of placements that the paths join: indices, ascending. */
  readonly kinds: readonly number[];
  /** Greatest distance of the ends, in steps. */
  readonly within: number;
  readonly graph: PathGraph;
  /** For each terrain, the cost of entering a cell, 1 … 1,000; 0 if it is closed. */
  readonly costs: readonly number[];
  /** For each terrain, the index of the terrain that a path lays there. */
  readonly lays: readonly number[];
}

/** A path between two places of a world. */
export interface WorldPath {
  /** The name of the kind of paths. */
  readonly name: string;
  /** The cells of the two placements. `from` is the smaller one, by row, then column. */
  readonly from: Cell;
  readonly to: Cell;
  /** The cells of the path from `from` to `to`, both included. No cells if there is no way. */
  readonly cells: readonly Cell[];
  /** The number of steps, and the sum of the costs of the cells between the ends. Undefined if there is no way. */
  readonly length?: number | undefined;
  readonly cost?: number | undefined;
  /** Why there is no way: `closed` if closed terrain separates the ends, as far as a path may go around it. */
  readonly reason?: "closed" | undefined;
}

export interface SourceSpecs {
  readonly tables: ReadonlyMap<string, TableSpec>;
  readonly recipes: ReadonlyMap<string, RecipeSource>;
  readonly objects: ReadonlyMap<string, ObjectFiles>;
  readonly pools: ReadonlyMap<string, PoolsSpec>;
}

/** A world as parsed, with every default filled in. */
export interface WorldSpec {
  readonly name: string | undefined;
  readonly walk: WalkSpec;
  readonly fields: readonly FieldSpec[];
  /** The terrains: those of the rules, then those that only paths lay. Empty if the spec has no `terrain`. */
  readonly terrains: readonly TerrainSpec[];
  readonly rules: readonly TerrainRuleSpec[];
  readonly placements: readonly PlacementSpec[];
  readonly paths: readonly PathSpec[];
  readonly sources: SourceSpecs;
}

/** Data of an operation of the kernel, besides its numbers. */
export type StepData =
  | { readonly kind: "chance"; readonly terrain: string; readonly number: number; readonly share: Fraction }
  | { readonly kind: "noise"; readonly name: string; readonly scale: number; readonly octaves: number }
  | { readonly kind: "position"; readonly from: readonly [row: number, col: number] }
  | { readonly kind: "table"; readonly values: Uint16Array };

/** An operation of the kernel, with the index of a layer and data in place of their addresses. */
export interface TerrainStep extends Readonly<Record<"code" | "slot" | "least" | "span" | "value", number>> {
  readonly layer: number | undefined;
  readonly data: StepData | undefined;
}

export interface TerrainProgram {
  readonly steps: readonly TerrainStep[];
  /** Number of masks that the stack needs. */
  readonly depth: number;
  /** Number of rows of counts. */
  readonly rows: number;
  readonly chances: number;
  /** For each layer, the greatest distance of its `within` conditions and of the fields with distances to it. */
  readonly reaches: ReadonlyMap<number, number>;
}

export interface FieldPlan {
  readonly name: string;
  readonly program: TerrainProgram;
  /** The layers that the field depends on, ascending. */
  readonly layers: readonly number[];
}

export interface WorldPlan {
  readonly name: string;
  readonly spec: WorldSpec;
  readonly walk: WalkPlan;
  /** The layers that the terrain depends on, ascending. */
  readonly terrainLayers: readonly number[];
  readonly program: TerrainProgram;
  /** For each field, the program that stores its values. */
  readonly fields: readonly FieldPlan[];
  /** `terrainLayers` must be complete up to this many rows and columns beyond a rectangle. */
  readonly halo: number;
  /** A finished cell depends on the terrain and the placements up to this many rows and columns away. */
  readonly margin: number;
  readonly costs: readonly LayerCost[];
}

/** How far the walkers of a layer reach, and what the layer costs. */
export interface LayerCost {
  readonly name: string;
  /** "scattered": made region by region. "finite": made whole, once. */
  readonly kind: "scattered" | "finite";
  /** The visits of a cell depend on cells at most this many rows and columns away. 0 for a finite layer. */
  readonly reach: number;
  /**
   * Number of walkers: in each region if the layer is scattered, in the whole layer if it is finite. With `density`:
   * the mean number in a region of which all cells are start cells, rounded up.
   */
  readonly walkers: number;
  /** The probability that a start cell sends a walker. Absent if the layer has no `density`. */
  readonly density?: Fraction;
  readonly steps: number;
  /** Side of the layer's regions in cells; 0 for a finite layer. */
  readonly side: number;
  /** The cost if only region (0, 0) of the world is made. */
  readonly region: RegionCost;
}

/** The cost of a layer for one region of 256 × 256 cells of the world, if the cache is empty. */
export interface RegionCost {
  /** Number of regions of the layer. 0 for a finite layer, and for a layer on which no terrain depends. */
  readonly regions: number;
  /**
   * Maximum number of steps of all walkers in these regions; for a finite layer, of all its walkers. With `density`:
   * the mean number if all cells are start cells.
   */
  readonly steps: number;
  /**
   * Approximate memory of the layer's map in the kernel, in bytes, if the walkers visit every cell that they can reach.
   */
  readonly bytes: number;
}

/** Options of `world.window`, `world.region` and `world.placements`. Progress counts cells. */
export interface WindowOptions extends LongCall {
  /** Names of the layers whose visits the window will contain. Default: no layers. */
  readonly visits?: readonly string[] | undefined;
  /** Names of the fields whose values the window will contain. Default: no fields. */
  readonly fields?: readonly string[] | undefined;
  /** Whether to make the contents of the placements. Default true. */
  readonly contents?: boolean | undefined;
}
