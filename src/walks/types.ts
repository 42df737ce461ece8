import { type LongCall, MAX_INDEX } from "../calls/index.js";
import type { Coordinates } from "./coordinates.js";
import type { DirectionKey, Heading, HeadingKey, TurnKey } from "./directions.js";
import { NEVER } from "./map/chunk.js";
import type { LayerMap } from "./map/layerMap.js";
import type { PresetName } from "./presets.js";

export const MAX_WALKERS = 2 ** 32 - 1;
export const MAX_STEPS = MAX_INDEX - 1;
/** The maximum if the layer keeps first visits: the value {@link NEVER} marks unvisited cells. */
export const MAX_DATED_STEPS = NEVER - 1;
/** The maximum in a scattered layer. So only walkers from regions at most this many cells away can reach a cell. */
export const MAX_SCATTERED_STEPS = 2 ** 20;
export const MAX_SCATTERED_WALKERS = 2 ** 16;
export const MIN_REGION_SIDE = 64;
export const MAX_REGION_SIDE = 4096;
export const DEFAULT_REGION_SIDE = 256;

/** A cell as [row, col], in the coordinates of its grid. Both numbers are signed 32-bit integers. */
export type Cell = readonly [row: number, col: number];

/**
 * The grid of a walk.
 *
 * - `unbounded`: all cells with 32-bit coordinates.
 * - `bounded`: the cells in rows 0 … rows − 1 and columns 0 … cols − 1. All other cells are closed.
 * - `torus`: a bounded grid whose opposite edges are joined. With odd-r coordinates, the number of rows must be even.
 *
 * `rows` and `cols` are 1 … 2³¹ − 1. A grid is a rhombus with axial coordinates (the default), and an upright rectangle
 * with odd-r coordinates. All cells in a walk's spec and results have the coordinates of its grid. `axialToOddR` and
 * `oddRToAxial` convert them.
 */
export type GridSpec =
  | { readonly kind: "unbounded" }
  | {
      readonly kind: "bounded" | "torus";
      readonly rows: number;
      readonly cols: number;
      readonly coordinates?: Coordinates | undefined;
    };

/**
 * The weights of a step, as users write them (the Direction Tensor of the drunken-walk study).
 *
 * `absolute` has a weight for each direction, and `relative` for each turn from the walker's heading. Each weight is ≥
 * 0 and may have decimals. In an absent field, all six weights are equal. In a field that is present, an absent weight
 * is 0. A direction or a turn has several names; list each only once.
 */
export interface TensorInput {
  readonly absolute?: { readonly [name in DirectionKey]?: number };
  readonly relative?: { readonly [name in TurnKey]?: number };
}

/**
 * The start cells of a layer's walkers, in one of three forms.
 *
 * - A list of n cells: walker w starts on entry w mod n of the list.
 * - A rectangle, corners inclusive: each walker starts on a random cell of the rectangle.
 * - The name of an earlier layer: each walker starts on a random cell that the earlier layer visited.
 *
 * Walkers start only on cells that the layer does not close. Cells of a list that earlier layers close are left out. A
 * cell of the list that `closed.cells` lists too is the error `walk.closed-start`. So is a layer without an open start
 * cell. Random cells are uniform over the open cells.
 */
export type StartInput =
  | readonly Cell[]
  | { readonly rect: readonly [row0: number, col0: number, row1: number, col1: number] }
  | { readonly layer: string };

/**
 * The cells on which walkers end early. The value is the name of an earlier layer. `on` selects the cells that the
 * earlier layer visited, and `outside` selects all other cells.
 */
export type UntilInput =
  | { readonly on: string; readonly outside?: undefined }
  | { readonly outside: string; readonly on?: undefined };

/**
 * Scatters walkers over an unbounded grid. Region (i, j) has the rows i · side … i · side + side − 1 and the columns j
 * · side … j · side + side − 1. Each region has its own walkers.
 */
export interface ScatterInput {
  /** Number of rows of a region, and also of its columns. A power of two, 64 … 4096. Default 256. */
  readonly side?: number;
  /** Number of walkers that start in each region, 1 … 65536. */
  readonly walkers: number;
}

/** The fields of a layer as users write them, except the name. Every field has a default. */
export interface LayerBody {
  /** The name of a preset tensor. A layer cannot have both `preset` and `tensor`. Default `uniform`. */
  readonly preset?: PresetName;
  /** The weights of the directions and turns. A layer cannot have both `tensor` and `preset`. */
  readonly tensor?: TensorInput;
  /** Number of walkers, 1 … 2³² − 1. Default 1. A layer cannot have both `walkers` and `scatter`. */
  readonly walkers?: number;
  /**
   * Number of steps of each walker, 0 … 2⁴² − 1. The maximum is 2³² − 2 if `firstVisit` is true, and 2²⁰ if the layer
   * is scattered. With `until`, a walker may take fewer steps. Default 0: the walkers only visit their start cells.
   */
  readonly steps?: number;
  /**
   * The heading before the first step: one heading for all walkers, or a list. From a list of n headings, walker w
   * takes entry w mod n. Default "resting".
   */
  readonly heading?: HeadingKey | readonly HeadingKey[];
  /** If true, the map also stores, for each cell, the smallest step at which a walker visited it. Default false. */
  readonly firstVisit?: boolean;
  /**
   * Closed cells, which no walker enters. `cells` lists single cells. `layers` lists names of earlier layers: a cell
   * that at least one of these layers visited is closed. Default: no cell is closed.
   */
  readonly closed?: { readonly cells?: readonly Cell[]; readonly layers?: readonly string[] };
  /**
   * `layers` lists names of earlier layers. Only cells that at least one of the earlier layers visited are open, and
   * `closed` can close some of these cells again. Default: all cells are open.
   */
  readonly open?: { readonly layers: readonly string[] };
  /**
   * Ends walkers early, either `on` the cells that an earlier layer visited, or `outside` these cells. A walker ends
   * when it enters such an end cell, or if it starts on one. The visit of the end cell counts. A walker that meets no
   * end cell takes `steps` steps. Default: there are no end cells.
   */
  readonly until?: UntilInput;
  /**
   * The start cells of the walkers. Default [[0, 0]]. In a scattered layer, the default is different: each walker
   * starts on a random open cell of its region. With `{layer}`, each walker of a scattered layer starts on a random
   * open cell of its region that the earlier layer visited. A region without such a cell has no walkers.
   */
  readonly start?: StartInput;
  /**
   * Scatters the layer: walkers start in every region of the grid. The grid must be unbounded. A scattered layer has no
   * whole map, so `mill.world` makes the map part by part. A scattered layer can refer to all earlier layers. A layer
   * that is not scattered cannot refer to a scattered layer. Default: the layer is not scattered.
   */
  readonly scatter?: ScatterInput;
}

/** One of several layers, as users write it. `name` is unique in its walk and contains no "/". */
export interface LayerInput extends LayerBody {
  readonly name: string;
}

/**
 * A walk as users write it, for example in a JSON file. The top level has either `layers` or the fields of a single
 * layer.
 */
export type WalkInput =
  | { readonly name?: string; readonly grid?: GridSpec; readonly layers: readonly LayerInput[] }
  | ({ readonly name?: string; readonly grid?: GridSpec; readonly layers?: undefined } & LayerBody);

/** Options of a walk that a mill opens. */
export interface WalkOptions {
  /** Name of the spec's file, for messages. */
  readonly file?: string | undefined;
}

/** The weights of a tensor: integers in the same proportions as the input. */
export interface TensorSpec {
  /** In the order of {@link DIRECTIONS}; not all 0. */
  readonly absolute: readonly number[];
  /** In the order of {@link TURNS}. */
  readonly relative: readonly number[];
}

export type StartSpec =
  /** row, col, row, col, … */
  | { readonly kind: "cells"; readonly cells: Int32Array }
  | {
      readonly kind: "rect";
      readonly row0: number;
      readonly col0: number;
      readonly rows: number;
      readonly cols: number;
    }
  /** In a scattered layer, walkers start only on such cells of their own region. */
  | { readonly kind: "layer"; readonly layer: number }
  /** Any cell of the walker's region. Only scattered layers have this start. */
  | { readonly kind: "region" };

export interface ScatterSpec {
  readonly side: number;
}

/** One layer as parsed, with every default filled in. Layers are given by their indices, ascending. */
export interface LayerSpec {
  /** "" if the walk has neither `layers` nor a name. */
  readonly name: string;
  readonly tensor: TensorSpec;
  readonly scatter: ScatterSpec | undefined;
  /** In a scattered layer, the number of walkers in each region. */
  readonly walkers: number;
  readonly steps: number;
  /** 0 … 5 for a direction, 6 for resting. From n headings, walker w takes heading w mod n. */
  readonly headings: Uint8Array;
  readonly firstVisit: boolean;
  /** row, col, row, col, … */
  readonly closedCells: Int32Array;
  readonly closedLayers: readonly number[];
  /** If the list is not empty, a cell that none of these layers visited is closed. */
  readonly openLayers: readonly number[];
  readonly until: UntilSpec | undefined;
  readonly start: StartSpec;
}

/** Where walkers end early: on the visited cells of an earlier layer, or outside these cells. */
export interface UntilSpec {
  readonly kind: "on" | "outside";
  readonly layer: number;
}

/** A walk as parsed, with every default filled in. */
export interface WalkSpec {
  readonly name: string | undefined;
  readonly grid: GridSpec;
  readonly layers: readonly LayerSpec[];
  /** Whether the input has `layers`. If not, the walk's name alone selects the layer's random words. */
  readonly layered: boolean;
}

export interface TensorPlan {
  /**
   * 7 × 6 weights. `combined[heading · 6 + direction]` is an absolute weight times a relative weight. For heading 6
   * (resting), it is the absolute weight alone. The six weights of a heading add up to 0 … 2³² − 1.
   */
  readonly combined: Uint32Array;
}

export interface LayerPlan extends Omit<LayerSpec, "tensor"> {
  /** Selects the layer's random words: the walk's name, or `<walk>/<layer>`. */
  readonly streamName: string;
  readonly tensor: TensorPlan;
}

export interface WalkPlan {
  readonly name: string;
  readonly grid: GridSpec;
  readonly layers: readonly LayerPlan[];
}

/** A layer of a walk: its name and size. */
export interface LayerInfo {
  /** The layer's name; the walk's name if the spec has no `layers`. */
  readonly name: string;
  /** Number of walkers. In a scattered layer, the number of walkers in each region. */
  readonly walkers: number;
  /** A region of the layer has this many rows, and this many columns. Absent if the layer is not scattered. */
  readonly side?: number;
  /** Number of steps of each walker. If walkers can end early, a walker may take fewer steps. */
  readonly steps: number;
  readonly firstVisit: boolean;
  /** Whether walkers can end before their last step. */
  readonly endsEarly: boolean;
}

/** Selects one layer of a walk, and some of its walkers. */
export interface LayerOptions {
  /** The layer's name. Required if the walk has several layers. */
  readonly layer?: string | undefined;
  /** The walkers `from` … `to` − 1 of the layer. Default: all walkers. */
  readonly walkers?: { readonly from?: number | undefined; readonly to?: number | undefined } | undefined;
  /**
   * The region [i, j] whose walkers will run. Required if the layer is scattered, and invalid if it is not. i and j are
   * −2³¹ / side … 2³¹ / side − 1.
   */
  readonly region?: readonly [i: number, j: number] | undefined;
  /**
   * The maps of earlier layers, by layer name. Required for each layer to which this layer's `closed`, `open`, `start`
   * or `until` refers. Each map must contain the visits of all walkers of its layer. If the call runs a region, the
   * maps need to be complete only in the region and within `steps` cells of the region.
   */
  readonly earlier?: Readonly<Record<string, LayerMap>> | undefined;
}

/** Options of {@link Walk.runLayer}. */
export interface RunLayerOptions extends LayerOptions, LongCall {}

/** Options of {@link Walk.odds}. */
export interface StepOptions {
  /** The layer's name. Required if the walk has several layers. */
  readonly layer?: string | undefined;
  /** The direction of the walker's last step. Default "resting". */
  readonly heading?: HeadingKey | undefined;
  /** The directions in which the neighbouring cell is closed. Default: none. */
  readonly closed?: Iterable<DirectionKey> | undefined;
}

/** The cell and heading of a walker. */
export interface WalkerPosition {
  readonly row: number;
  readonly col: number;
  /** The direction of the walker's last step, or "resting". */
  readonly heading: Heading;
  /** The step at which the walker ended; absent if it has not ended. */
  readonly ended?: number;
}
