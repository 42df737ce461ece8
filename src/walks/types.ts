import type { DirectionKey, HeadingKey, TurnKey } from "./directions.js";
import type { PresetName } from "./presets.js";

/** An axial cell, [row, col], each an i32. */
export type Cell = readonly [row: number, col: number];

/**
 * The ground of a walk. `unbounded`: every i32 cell, none made before a walker reaches it. `bounded`: rows × cols cells
 * from (0, 0), all else closed. `torus`: rows × cols cells whose edges meet. rows and cols are 1 … 2³¹ − 1.
 */
export type GridSpec =
  | { readonly kind: "unbounded" }
  | { readonly kind: "bounded" | "torus"; readonly rows: number; readonly cols: number };

/**
 * The Direction Tensor as written: weights by name, non-negative, decimals allowed. A part left out is six equal weights;
 * in a part that is given, a name left out weighs 0. Short names, the study's and clock names may be mixed, each
 * direction named once.
 */
export interface TensorInput {
  readonly absolute?: { readonly [name in DirectionKey]?: number };
  readonly relative?: { readonly [name in TurnKey]?: number };
}

/** Where walkers start: walker w at entry w mod length; drawn from a rectangle, corners inclusive; or uniformly over an earlier layer's cells. */
export type StartInput =
  | readonly Cell[]
  | { readonly rect: readonly [row0: number, col0: number, row1: number, col1: number] }
  | { readonly layer: string };

/** What a layer says about its walkers, as written. Everything has a default. */
export interface LayerBody {
  /** A pattern by name; not together with `tensor`. Default `uniform`. */
  readonly preset?: PresetName;
  /** Twelve weights; not together with `preset`. */
  readonly tensor?: TensorInput;
  /** 1 … 2³² − 1. Default 1. */
  readonly walkers?: number;
  /** Steps of each walker, 0 … 2⁴² − 1 (with `firstVisit` 0 … 2³² − 2). Default 0: only the start cells. */
  readonly steps?: number;
  /** What every walker's last step is taken to have been. Default resting. */
  readonly heading?: HeadingKey;
  /** Whether each cell also keeps the least step at which a walker stood on it. Default false. */
  readonly firstVisit?: boolean;
  /** Cells that no walker enters: listed ones, and all that earlier layers visited. Default none. */
  readonly closed?: { readonly cells?: readonly Cell[]; readonly layers?: readonly string[] };
  /** Default [[0, 0]]. */
  readonly start?: StartInput;
}

/** One of several layers, as written. `name` is unique in its walk and without "/". */
export interface LayerInput extends LayerBody {
  readonly name: string;
}

/** A walk as written (its JSON form): several layers, or one whose fields stand at the top. */
export type WalkInput =
  | { readonly name?: string; readonly grid?: GridSpec; readonly layers: readonly LayerInput[] }
  | ({ readonly name?: string; readonly grid?: GridSpec; readonly layers?: undefined } & LayerBody);

/** Twelve weights in the order of {@link DIRECTIONS} and {@link TURNS}, not yet scaled. */
export interface TensorSpec {
  readonly absolute: readonly number[];
  readonly relative: readonly number[];
}

/** Where walkers start, checked; `layer` is the index of an earlier layer. */
export type StartSpec =
  | { readonly kind: "cells"; readonly cells: readonly Cell[] }
  | { readonly kind: "rect"; readonly rect: readonly [row0: number, col0: number, row1: number, col1: number] }
  | { readonly kind: "layer"; readonly layer: number };

/** One layer, checked, every default filled in. */
export interface LayerSpec {
  /** "" for the one layer of a walk without `layers` or name. */
  readonly name: string;
  readonly tensor: TensorSpec;
  readonly walkers: number;
  readonly steps: number;
  /** 0 … 5 a direction, 6 resting. */
  readonly heading: number;
  readonly firstVisit: boolean;
  readonly closedCells: readonly Cell[];
  /** Indices of earlier layers, ascending, each once. */
  readonly closedLayers: readonly number[];
  readonly start: StartSpec;
}

/** A walk, checked, every default filled in. */
export interface WalkSpec {
  readonly name: string | undefined;
  readonly grid: GridSpec;
  readonly layers: readonly LayerSpec[];
  /** Whether `layers` was written out; if not, the one layer's randomness goes by the walk's own name. */
  readonly layered: boolean;
}

/** Exact integer weights of a tensor; see {@link compileTensor}. */
export interface TensorPlan {
  /** Six weights; their sum is 1 … 2³² − 1. */
  readonly absolute: Uint32Array;
  /** 7 × 6 weights, `combined[heading · 6 + direction]`; a row's sum is 0 … 2³² − 1. Row 6 (resting) is `absolute`. */
  readonly combined: Uint32Array;
}

/** Where walkers start, as numbers: `cells` holds row, col in turn. */
export type StartPlan =
  | { readonly kind: "cells"; readonly cells: Int32Array }
  | {
      readonly kind: "rect";
      readonly row0: number;
      readonly col0: number;
      readonly rows: number;
      readonly cols: number;
    }
  | { readonly kind: "layer"; readonly layer: number };

/** One layer, ready to run. */
export interface LayerPlan {
  readonly name: string;
  /** The name that its random words go by: the walk's, or `<walk>/<layer>`. Its starts go by this name + "/start". */
  readonly purposeName: string;
  readonly tensor: TensorPlan;
  readonly walkers: number;
  readonly steps: number;
  /** 0 … 5 a direction, 6 resting. */
  readonly heading: number;
  readonly firstVisit: boolean;
  /** Row, col in turn; sorted by row, then column; each cell once. */
  readonly closedCells: Int32Array;
  readonly closedLayers: readonly number[];
  readonly start: StartPlan;
}

/** A walk, ready to run. */
export interface WalkPlan {
  readonly name: string;
  readonly grid: GridSpec;
  readonly layers: readonly LayerPlan[];
  /** Whether the walk was written with `layers`. */
  readonly layered: boolean;
}
