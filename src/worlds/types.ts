import type { LongCall } from "../calls/index.js";
import type { MarkShape, TerrainKind } from "../formats/index.js";
import type { Fraction } from "../fractions.js";
import type { ObjectFiles } from "../objects/index.js";
import type { PoolsSpec } from "../pools/index.js";
import type { RecipeSource } from "../recipes/index.js";
import type { DropsSpec, TableSpec } from "../tables/index.js";
import type { Cell, GridSpec, WalkPlan, WalkSpec } from "../walks/index.js";
import type { UprightGrid } from "../walks/rectangles.js";

/** Number of rows and of columns of a region. Terrain and contents are made region by region. A power of two. */
export const REGION_SIDE = 256;
/** Maximum rows and columns that are made together. Smaller parts cost more: neighbours both make cells at the edge. */
export const MAKE_SIDE = 1024;
/** Greatest distance of a `within` condition, and of placements of one kind. */
export const MAX_DISTANCE = 64;
/** Greatest distance of a cell from the seat of its realm. */
export const MAX_REALM_DISTANCE = 256;
export const NO_TERRAIN = 255;
export { FIELD_MOST } from "../kernel/layout.js";
export const MAX_PLACEMENTS = 256;
/** Greatest distance in a relation of two kinds, and greatest radius of `least` and `most`. */
export const MAX_RELATION = 256;
/** Greatest distance of a cell that can matter to a placement, apart from the layers that its terrain depends on. */
export const MAX_REACH = 1024;

/** Options of a world that a mill opens. */
export interface WorldOptions {
  /** Name of the file that the spec came from, for messages. */
  readonly file?: string | undefined;
  /** Maximum memory of the world in bytes: its kernel and its cache of regions. Default: `maxMemory` of the mill. */
  readonly maxMemory?: number | undefined;
  /**
   * Maximum number of regions of one layer that a call may need. In an unbounded odd-r grid, each 1,024 rows of the
   * call may need so many. Default 65,536.
   */
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
export interface TerrainSpec extends TerrainKind {
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

/** The source of the content on one group of terrains, and the options in the form that `makeMany` accepts. */
export interface ContentGroupSpec {
  readonly source: string;
  /** The path of the pool. Only pools have it. */
  readonly pool: string | undefined;
  /** The level of objects, or the tier of items. */
  readonly level: LevelSpec | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface ContentSpec {
  /** Undefined for `content`, which is the only content of its kind. */
  readonly name: string | undefined;
  readonly kind: "table" | "drops" | "recipe" | "objects" | "pools";
  /** The stock of finite pools. Of objects: "world" if they may be artifacts. Only a job makes contents of "world". */
  readonly stock: "region" | "world" | undefined;
  readonly groups: readonly ContentGroupSpec[];
  /** For each terrain, the index of its group. */
  readonly groupOf: readonly number[];
}

/** All cells at most `within` steps from the cell `of`. `count` is the least or the greatest number of placements. */
export interface DiscSpec {
  readonly count: number;
  readonly within: number;
  readonly of: readonly [row: number, col: number];
}

/** The name of a size, and its weight: an integer, at least 1. */
export interface SizeSpec {
  readonly name: string;
  readonly weight: number;
}

/** A kind of placement as parsed. Its terrains are indices of the world's terrains. */
export interface PlacementSpec {
  readonly name: string;
  /** The indices of the terrains on which the kind can stand, ascending. */
  readonly terrains: readonly number[];
  /** The share of candidates in lowest terms, 0 … 1, with a denominator of at most 2³² − 1. */
  readonly density: Fraction;
  readonly distance: number;
  /** The index of an earlier kind, of which a placement must stand at most `within` steps away. */
  readonly near: { readonly kind: number; readonly within: number } | undefined;
  /** The index of an earlier kind, of which no placement may stand at most `distance` steps away. */
  readonly apart: { readonly kind: number; readonly distance: number } | undefined;
  /** Whether no earlier kind may stand on the cell. */
  readonly alone: boolean;
  readonly where: ConditionSpec | undefined;
  /** The cells on which the kind always stands, sorted by row, then column. */
  readonly at: readonly Cell[];
  readonly least: DiscSpec | undefined;
  readonly most: DiscSpec | undefined;
  /** Undefined if the placements have no sizes. */
  readonly sizes: readonly SizeSpec[] | undefined;
  /** Whether each placement faces one of the six directions. */
  readonly facing: boolean;
  /** One content without a name, or any number of contents with names. */
  readonly contents: readonly ContentSpec[];
  readonly color: readonly [number, number, number];
  /** The shape of the mark in pictures. Default: the index of the kind selects it. */
  readonly icon?: MarkShape | undefined;
  /** The child world that placements of this kind lead to. */
  readonly enters: EntranceSpec | undefined;
  /** The stamps of which each placement of this kind has one. */
  readonly stamps: StampsOfKind | undefined;
}

/** How placements of a kind get their stamps. */
export interface StampsOfKind {
  /** `stamp` is an index of the world's stamps. Each pick has a weight from 1 to 65,536. */
  readonly picks: readonly { readonly stamp: number; readonly weight: number }[];
  readonly turns: boolean;
}

/** A cell of a stamp. */
export interface StampCell {
  /** The place of the cell before any turn: rows and columns from the anchor, in axial coordinates. */
  readonly row: number;
  readonly q: number;
  /** The index of the terrain that the stamp lays. Undefined: the terrain stays. */
  readonly terrain: number | undefined;
  /** The terrains on which the stamp changes the cell, ascending. Undefined: all terrains. */
  readonly on: readonly number[] | undefined;
  /** The kinds of placements that the stamp puts on the cell: indices, ascending. */
  readonly kinds: readonly number[];
}

/** A stamp as parsed. */
export interface StampSpec {
  readonly name: string;
  readonly cells: readonly StampCell[];
  /** The terrains that the stamp may cover, ascending. Undefined: all terrains. */
  readonly fits: readonly number[] | undefined;
}

/** The child world to which the placements of a kind lead. */
export interface EntranceSpec {
  /** The name of the child world. */
  readonly world: string;
  /** The least and the greatest number of levels of a placement. */
  readonly levels: readonly [least: number, most: number];
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

/**
 * Realms as parsed. A cell belongs to the realm of the nearest placement of the kind `of`, at most `within` steps away.
 */
export interface RealmSpec {
  readonly name: string;
  readonly of: string;
  readonly within: number;
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
  readonly drops: ReadonlyMap<string, DropsSpec>;
  readonly recipes: ReadonlyMap<string, RecipeSource>;
  readonly objects: ReadonlyMap<string, ObjectFiles>;
  readonly pools: ReadonlyMap<string, PoolsSpec>;
}

/** A world as parsed, with every default filled in. */
export interface WorldSpec {
  readonly name: string | undefined;
  /** The grid of the world: its windows have these coordinates. */
  readonly grid: GridSpec | UprightGrid;
  /** The layers. If {@link grid} is unbounded, they have axial coordinates, also in an odd-r grid. */
  readonly walk: WalkSpec;
  readonly fields: readonly FieldSpec[];
  /** The terrains: those of the rules, then those that only paths lay. Empty if the spec has no `terrain`. */
  readonly terrains: readonly TerrainSpec[];
  readonly rules: readonly TerrainRuleSpec[];
  readonly placements: readonly PlacementSpec[];
  readonly realms: readonly RealmSpec[];
  readonly paths: readonly PathSpec[];
  readonly stamps: readonly StampSpec[];
  readonly sources: SourceSpecs;
  /** The child worlds by name. */
  readonly worlds: ReadonlyMap<string, WorldSpec>;
}

/** The ids of the forks that lead from the world's stream to the stream of a chance. */
export type ChanceIds = readonly (string | number)[];

/** Data of an operation of the kernel, besides its numbers. */
export type StepData =
  | { readonly kind: "chance"; readonly ids: ChanceIds; readonly share: Fraction }
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
  /**
   * For each kind of placement, the program that replaces the terrain of the cells on which `where` does not hold.
   * Undefined without `where`.
   */
  readonly limits: readonly (TerrainProgram | undefined)[];
  /** The greatest distance in the conditions of rules and placements. */
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
  /** The visits of a cell depend on cells at most this many rows and axial columns away. 0 for a finite layer. */
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
  /**
   * Names of the realms that the window will contain. Regions up to `within` steps away are made too, for their seats.
   * Default: no realms.
   */
  readonly realms?: readonly string[] | undefined;
  /** Whether to make the contents of the placements. Default true. */
  readonly contents?: boolean | undefined;
}
