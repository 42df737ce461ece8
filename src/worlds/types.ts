import type { LongCall } from "../calls/index.js";
import type { Fraction } from "../fractions.js";
import type { ObjectFiles, ObjectTexts } from "../objects/index.js";
import type { PoolsInput, PoolsSpec } from "../pools/index.js";
import type { RecipeInput, RecipeSource, TablesInput } from "../recipes/index.js";
import type { TableSource, TableSpec } from "../tables/index.js";
import type { GridSpec, LayerInput, WalkPlan, WalkSpec } from "../walks/index.js";

/** Rows and columns of a region: terrain, placements and their contents are made by regions. A power of two. */
export const REGION_SIDE = 256;
/** Greatest number of rows, and of columns, of cells that are made together: whole blocks of random words. */
export const MAKE_SIDE = 1024;
/** Greatest distance of a `within` condition, and of placements of one kind. */
export const MAX_DISTANCE = 64;
/** Maximum number of different terrains of a world. The number 255 stands for "no terrain". */
export const MAX_TERRAINS = 255;
export const NO_TERRAIN = 255;
/** Maximum number of rules, and of conditions of all rules together. */
export const MAX_RULES = 1024;
export const MAX_CONDITIONS = 4096;
/** Maximum depth of nested conditions. */
export const MAX_CONDITION_DEPTH = 16;
/** Maximum number of kinds of placements of a world. */
export const MAX_PLACEMENTS = 256;

// ── the spec, as users write it ──

/** A range of counts or steps, both inclusive. null stands for "no upper limit". */
export type RangeInput = readonly [least: number, most: number | null];

/** What a rule asks of one layer at a cell. All fields that are present must hold; at least one is. */
export interface LayerCondition {
  /** The number of visits. `[1, null]`: the layer visited the cell. */
  readonly visits?: RangeInput;
  /** The step of the first visit. The layer must keep first visits; a cell without visits fails. */
  readonly firstVisit?: RangeInput;
  /** The layer visited a cell at most this many steps away, 0 … 64. 0 is the cell itself. */
  readonly within?: number;
}

/**
 * A condition on a cell: an object whose entries must all hold. The key of an entry is the name of a layer, or one of
 * `chance`, `all`, `any` and `not`. No layer of a world can have these four names.
 */
export interface ConditionInput {
  /** Holds with this probability, such as "1/20", 0.05 or 1; independently of every other cell and chance. */
  readonly chance?: string | number;
  /** All of these conditions hold. */
  readonly all?: readonly ConditionInput[];
  /** At least one of these conditions holds. */
  readonly any?: readonly ConditionInput[];
  /** This condition does not hold. */
  readonly not?: ConditionInput;
  readonly [layer: string]: LayerCondition | ConditionInput | readonly ConditionInput[] | string | number | undefined;
}

/**
 * A rule of the terrain. A cell gets the terrain of the first rule that holds. The last rule, and only the last, has no
 * `when`. Several rules can give the same terrain; then the first of them has its colour and tags.
 */
export interface TerrainRuleInput {
  /** The name of the terrain. */
  readonly terrain: string;
  readonly when?: ConditionInput;
  /** The colour in pictures, as #rrggbb. Default: chosen by the number of the terrain. */
  readonly color?: string;
  /** Names that placements can use for several terrains together. No tag has the name of a terrain. */
  readonly tags?: readonly string[];
}

/**
 * An option of a content: a number, or one that grows with the distance of the region from a cell:
 * min(most, from + ⌊distance / perCells⌋). The distance is that of the region's middle cell (256·i + 128, 256·j + 128)
 * from `center`, in steps.
 */
export type LevelInput =
  | number
  | {
      readonly from: number;
      /** Number of cells for each level, 1 or more. */
      readonly perCells: number;
      /** Default: no upper limit but that of the option. */
      readonly most?: number;
      /** Default [0, 0]. */
      readonly center?: readonly [row: number, col: number];
    };

/** Options of the objects of a content. */
export interface ObjectContentOptions {
  /** The real depth, 0 … 255. */
  readonly level?: LevelInput;
  readonly good?: boolean;
  readonly great?: boolean;
  readonly kind?: string | number;
  readonly tval?: string | number;
}

/** Options of the items of a content. */
export interface ItemContentOptions {
  readonly tier?: LevelInput;
  readonly power?: number;
  readonly request?: Readonly<Record<string, string>>;
}

/**
 * What a placement holds. A source is named as in `tables`, `recipes`, `objects` or `pools` of the world. Each placement
 * has random words of its own, even if two placements name the same source.
 */
export type ContentInput =
  /** One roll of a table. */
  | { readonly table: string }
  /** One item of a recipe. */
  | ({
      readonly recipe: string;
      /** Other options on some terrains: the first entry that names the terrain, or a tag of it, overrides options. */
      readonly on?: Readonly<Record<string, ItemContentOptions>>;
    } & ItemContentOptions)
  /** One object. `level` is required, here or in every entry that applies. */
  | ({
      readonly objects: string;
      readonly on?: Readonly<Record<string, ObjectContentOptions>>;
      /** "world": objects may be artifacts, each once in the world; only a job makes them, in order. Default: none are. */
      readonly stock?: "world";
    } & ObjectContentOptions)
  /** One draw from a pool, such as `treasure` or `treasure.rare`. */
  | {
      /** The family: a name in `pools`. */
      readonly pools: string;
      /** The path of the pool in the family. */
      readonly pool: string;
      /**
       * Where the stock of a finite pool is counted. "region": each region of 256 × 256 cells has a full stock of its own.
       * "world": one stock for the whole world, which only a job can draw from, in order. A finite pool needs one of the
       * two.
       */
      readonly stock?: "region" | "world";
    };

/** A kind of things that stand on the terrain. */
export interface PlacementInput {
  /** The name of the kind. It selects the random words. */
  readonly name: string;
  /** The terrains on which it stands, by name or tag. Default: all terrains. */
  readonly on?: readonly string[];
  /** The share of the cells of these terrains that are candidates: "1/200", 0.005 or 1. */
  readonly density: string | number;
  /** No two of the same kind are this close or closer, in steps, 0 … 64. Default 0: all candidates stay. */
  readonly distance?: number;
  readonly content?: ContentInput;
  /** The colour of its mark in pictures, as #rrggbb. Default: chosen by the number of the kind. */
  readonly color?: string;
}

/**
 * A world as users write it (its JSON form). `layers` and `grid` are those of a walk; a layer with `scatter` covers the
 * plane without end. The sources of contents are given whole, as the functions of a mill take them.
 */
export interface WorldInput {
  readonly name?: string;
  readonly grid?: GridSpec;
  readonly layers: readonly LayerInput[];
  readonly terrain?: readonly TerrainRuleInput[];
  readonly placements?: readonly PlacementInput[];
  readonly tables?: Readonly<Record<string, TableSource | TableSpec>>;
  readonly recipes?: Readonly<
    Record<string, RecipeInput | { readonly recipe: RecipeInput; readonly tables: TablesInput }>
  >;
  readonly objects?: Readonly<Record<string, ObjectTexts | ObjectFiles>>;
  readonly pools?: Readonly<Record<string, PoolsInput | PoolsSpec>>;
}

/** Options of a world that a mill opens. */
export interface WorldOptions {
  /** Name of the file that the spec came from, for messages. */
  readonly file?: string | undefined;
  /**
   * Maximum memory of the world in bytes: its kernel and its cache of regions. Default: `maxMemory` of the mill. The
   * results that a caller holds do not count.
   */
  readonly maxMemory?: number | undefined;
  /** Maximum number of regions of a layer that one call may walk; more is an error. Default 65,536. */
  readonly maxRegions?: number | undefined;
}

// ── the spec, as parsed ──

/** A condition, as parsed. Layers are given by their index. `most` is Infinity if there is no upper limit. */
export type ConditionSpec =
  | { readonly kind: "visits" | "firstVisit"; readonly layer: number; readonly least: number; readonly most: number }
  | { readonly kind: "within"; readonly layer: number; readonly distance: number }
  | {
      readonly kind: "chance";
      /** The probability in lowest terms, 0 … 1, with a denominator of at most 2³² − 1. */
      readonly chance: Fraction;
      /** Number of the chance among the chances of the rules that give the same terrain, from 0, in reading order. */
      readonly number: number;
    }
  | { readonly kind: "all" | "any"; readonly of: readonly ConditionSpec[] }
  | { readonly kind: "not"; readonly of: ConditionSpec };

/** A terrain of a world. */
export interface TerrainSpec {
  readonly name: string;
  /** Red, green and blue, 0 … 255. */
  readonly color: readonly [number, number, number];
  readonly tags: readonly string[];
}

/** A rule of the terrain, as parsed: `terrain` is the index of a {@link TerrainSpec}. */
export interface TerrainRuleSpec {
  readonly terrain: number;
  /** undefined for the last rule, which always holds. */
  readonly when: ConditionSpec | undefined;
}

/** A level, as parsed. A plain number n has `from` n and `most` n. */
export interface LevelSpec {
  readonly from: number;
  readonly perCells: number;
  readonly most: number;
  readonly center: readonly [number, number];
}

/** The options of one group of terrains, as parsed, in the form that `makeMany` takes, but for the level or tier. */
export interface ContentOptionsSpec {
  /** The level of objects or the tier of items; undefined if it is not given. */
  readonly level: LevelSpec | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Items or objects in placements, as parsed. */
export interface MadeContentSpec {
  readonly kind: "recipe" | "objects";
  readonly source: string;
  /** "world" if the objects may be artifacts, which only a job makes. */
  readonly stock: "world" | undefined;
  /** The distinct options that apply. */
  readonly groups: readonly ContentOptionsSpec[];
  /** The index of the group that applies on each terrain. */
  readonly groupOf: readonly number[];
}

/** What a placement holds, as parsed. */
export type ContentSpec =
  | { readonly kind: "table"; readonly source: string }
  | MadeContentSpec
  | {
      readonly kind: "pool";
      readonly source: string;
      readonly pool: string;
      /** "infinite" for an infinite pool. */
      readonly stock: "infinite" | "region" | "world";
    };

/** A kind of placement, as parsed. */
export interface PlacementSpec {
  readonly name: string;
  /** The indices of its terrains, ascending. */
  readonly terrains: readonly number[];
  /** The share of candidates in lowest terms, 0 … 1, with a denominator of at most 2³² − 1. */
  readonly density: Fraction;
  readonly distance: number;
  readonly content: ContentSpec | undefined;
  readonly color: readonly [number, number, number];
}

/** The sources of contents, as their parsers returned them. */
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
  /** Empty if the world has no terrain. */
  readonly terrains: readonly TerrainSpec[];
  readonly rules: readonly TerrainRuleSpec[];
  readonly placements: readonly PlacementSpec[];
  readonly sources: SourceSpecs;
}

/** A world, ready to open. */
export interface WorldPlan {
  readonly name: string;
  readonly spec: WorldSpec;
  readonly walk: WalkPlan;
  /** The reach of each layer; see `layerCosts`. */
  readonly costs: readonly LayerCost[];
}

/** What a layer costs. */
export interface LayerCost {
  readonly name: string;
  /** "scattered": made region by region. "finite": made whole, once. */
  readonly kind: "scattered" | "finite";
  /** Greatest distance, in rows and in columns, of a cell that the visits of one cell depend on; 0 for a finite layer. */
  readonly reach: number;
  /** Number of walkers: of a region if scattered, of the whole layer if finite. */
  readonly walkers: number;
  readonly steps: number;
  /** Side of the layer's regions in cells; 0 for a finite layer. */
  readonly side: number;
  /** What region (0, 0) of the world, made alone, needs of the layer. */
  readonly region: RegionCost;
}

/** What a region of 256 × 256 cells of the world needs of a layer, if nothing is in the cache. */
export interface RegionCost {
  /** Number of regions of the layer; 0 for a finite layer, and for one that no terrain depends on. */
  readonly regions: number;
  /** Steps of all walkers of these regions. For a finite layer, of all its walkers. */
  readonly steps: number;
  /** Greatest memory of the layer's map in the kernel, in bytes: walkers seldom reach all of its cells. */
  readonly bytes: number;
}

/** Options of `world.window`, `world.region` and `world.placements`. Progress counts cells. */
export interface WindowOptions extends LongCall {
  /** Names of the layers whose visits the window has. Default: no layers. */
  readonly visits?: readonly string[] | undefined;
  /** Whether the placements have their contents. Default true. */
  readonly contents?: boolean | undefined;
}
