import { type LongCall, MAX_INDEX } from "../calls/index.js";
import type { DirectionKey, Heading, HeadingKey, TurnKey } from "./directions.js";
import { NEVER } from "./map/chunk.js";
import type { LayerMap } from "./map/layerMap.js";
import type { PresetName } from "./presets.js";

/** The most walkers of a layer. */
export const MAX_WALKERS = 2 ** 32 - 1;
/** The most steps of a walker. */
export const MAX_STEPS = MAX_INDEX - 1;
/** The most steps with first visits: a step is 32 bits wide, and {@link NEVER} is not a step. */
export const MAX_DATED_STEPS = NEVER - 1;

/** An axial cell, [row, col]; both are 32-bit integers. */
export type Cell = readonly [row: number, col: number];

/**
 * The ground of a walk. `unbounded`: every cell with 32-bit coordinates. `bounded`: rows × cols cells from (0, 0);
 * all others are closed. `torus`: rows × cols cells whose opposite edges meet. rows and cols are 1 … 2³¹ − 1.
 */
export type GridSpec =
  | { readonly kind: "unbounded" }
  | { readonly kind: "bounded" | "torus"; readonly rows: number; readonly cols: number };

/**
 * The Direction Tensor as users write it: non-negative weights by name, decimals allowed. If a part is absent, its six
 * weights are equal; in a part that is present, an absent name has weight 0. Short names, the study's names and clock names
 * may be mixed; each direction is named once.
 */
export interface TensorInput {
  readonly absolute?: { readonly [name in DirectionKey]?: number };
  readonly relative?: { readonly [name in TurnKey]?: number };
}

/**
 * Where walkers start. A list of cells: walker w takes entry w mod length. A rectangle, corners inclusive: each walker draws
 * a cell of it uniformly. An earlier layer: each walker draws one of the cells that the layer visited, uniformly.
 */
export type StartInput =
  | readonly Cell[]
  | { readonly rect: readonly [row0: number, col0: number, row1: number, col1: number] }
  | { readonly layer: string };

/** A layer's walkers, as users write them. Every field has a default. */
export interface LayerBody {
  /** The name of a pattern; excludes `tensor`. Default `uniform`. */
  readonly preset?: PresetName;
  /** Twelve weights; excludes `preset`. */
  readonly tensor?: TensorInput;
  /** Number of walkers, 1 … 2³² − 1. Default 1. */
  readonly walkers?: number;
  /** Steps of each walker, 0 … 2⁴² − 1 (with `firstVisit` 0 … 2³² − 2). Default 0: the walkers only visit their start cells. */
  readonly steps?: number;
  /** The heading of every walker before its first step. Default resting. */
  readonly heading?: HeadingKey;
  /** Whether the map also keeps, for each cell, the least step at which a walker stood on it. Default false. */
  readonly firstVisit?: boolean;
  /** Cells that no walker enters: a list, and everything that earlier layers visited. Default none. */
  readonly closed?: { readonly cells?: readonly Cell[]; readonly layers?: readonly string[] };
  /** Default [[0, 0]]. */
  readonly start?: StartInput;
}

/** One of several layers, as users write it. `name` is unique in its walk and contains no "/". */
export interface LayerInput extends LayerBody {
  readonly name: string;
}

/** A walk as users write it (its JSON form): several layers, or the fields of a single layer at the top. */
export type WalkInput =
  | { readonly name?: string; readonly grid?: GridSpec; readonly layers: readonly LayerInput[] }
  | ({ readonly name?: string; readonly grid?: GridSpec; readonly layers?: undefined } & LayerBody);

/** Options of a walk, when a mill opens it. */
export interface WalkOptions {
  /** The file that the spec came from, for messages. */
  readonly file?: string | undefined;
}

/** Twelve weights as parsed: integers in the proportions given, each part with a scale of its own. */
export interface TensorSpec {
  /** In the order of {@link DIRECTIONS}; not all 0. */
  readonly absolute: readonly number[];
  /** In the order of {@link TURNS}. */
  readonly relative: readonly number[];
}

/** Where walkers start, as parsed. */
export type StartSpec =
  /** Row, col, row, col, … */
  | { readonly kind: "cells"; readonly cells: Int32Array }
  | {
      readonly kind: "rect";
      readonly row0: number;
      readonly col0: number;
      readonly rows: number;
      readonly cols: number;
    }
  /** The index of an earlier layer. */
  | { readonly kind: "layer"; readonly layer: number };

/** One layer as parsed, with every default filled in. */
export interface LayerSpec {
  /** "" for the single layer of a walk that has neither `layers` nor a name. */
  readonly name: string;
  readonly tensor: TensorSpec;
  readonly walkers: number;
  readonly steps: number;
  /** 0 … 5 for a direction, 6 for resting. */
  readonly heading: number;
  readonly firstVisit: boolean;
  /** Row, col, row, col, …; any order, cells may repeat. */
  readonly closedCells: Int32Array;
  /** Indices of earlier layers, ascending and distinct. */
  readonly closedLayers: readonly number[];
  readonly start: StartSpec;
}

/** A walk as parsed, with every default filled in. */
export interface WalkSpec {
  readonly name: string | undefined;
  readonly grid: GridSpec;
  readonly layers: readonly LayerSpec[];
  /** Whether the input has `layers`. If not, the single layer uses the random words of the walk's own name. */
  readonly layered: boolean;
}

/** The combined weights of a tensor, as the kernel takes them. */
export interface TensorPlan {
  /** 7 × 6 weights, `combined[heading · 6 + direction]`; each row's sum is 0 … 2³² − 1. Row 6 (resting) has the absolute weights. */
  readonly combined: Uint32Array;
}

/** One layer, ready to run. */
export interface LayerPlan extends Omit<LayerSpec, "tensor"> {
  /** The name of its random words: the walk's, or `<walk>/<layer>`. Its starts use this name + "/start". */
  readonly streamName: string;
  readonly tensor: TensorPlan;
}

/** A walk, ready to run. */
export interface WalkPlan {
  readonly name: string;
  readonly grid: GridSpec;
  readonly layers: readonly LayerPlan[];
}

/** A layer of a walk: its name and size. */
export interface LayerInfo {
  /** The walk's name if the spec has no `layers`. */
  readonly name: string;
  readonly walkers: number;
  /** Steps of each walker. */
  readonly steps: number;
}

/** Selects a part of a walk: a layer, and some of its walkers. */
export interface LayerOptions {
  /** The layer's name; optional if the walk has one layer. */
  readonly layer?: string | undefined;
  /** Walkers `from` … `to` − 1 of the layer. Default all. */
  readonly walkers?: { readonly from?: number | undefined; readonly to?: number | undefined } | undefined;
  /** Maps of the earlier layers that this layer closes or starts from, by name. Each map has all walkers of its layer. */
  readonly earlier?: Readonly<Record<string, LayerMap>> | undefined;
}

/** Options of {@link Walk.runLayer}. */
export interface RunLayerOptions extends LayerOptions, LongCall {}

/** Options of {@link Walk.odds}. */
export interface StepOptions {
  /** The layer's name; optional if the walk has one layer. */
  readonly layer?: string | undefined;
  /** The direction of the walker's last step. Default resting. */
  readonly heading?: HeadingKey | undefined;
  /** Directions whose cells are closed. Default none. */
  readonly closed?: Iterable<DirectionKey> | undefined;
}

/** Where a walker is. */
export interface WalkerPosition {
  readonly row: number;
  readonly col: number;
  /** The direction of its last step, or "resting". */
  readonly heading: Heading;
}
