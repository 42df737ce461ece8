import { type LongCall, MAX_INDEX } from "../calls/index.js";
import type { Fraction } from "../fractions.js";
import type { DirectionKey, Heading, HeadingKey } from "./directions.js";
import { NEVER } from "./map/chunk.js";
import type { LayerMap } from "./map/layerMap.js";
import type { GridSpec } from "./parse/cells.js";
import type { CellRectangle } from "./rectangles.js";

export type { Cell, GridSpec } from "./parse/cells.js";

/** Maximum number of walkers of a layer. */
export const MAX_WALKERS = 2 ** 32 - 1;
/** Maximum number of steps of a walker. */
export const MAX_STEPS = MAX_INDEX - 1;
/** Maximum number of steps if the layer keeps first visits, because {@link NEVER} marks unvisited cells. */
export const MAX_DATED_STEPS = NEVER - 1;
/** Options of a walk that a mill opens. */
export interface WalkOptions {
  /** Name of the spec's file, for messages. */
  readonly file?: string | undefined;
}

/** The weights of a tensor: integers in the same proportions as the input. */
export interface TensorSpec {
  /** The weights of the directions, in the order of {@link DIRECTIONS}; not all 0. */
  readonly absolute: readonly number[];
  /** The weights of the turns, in the order of {@link TURNS}. */
  readonly relative: readonly number[];
}

/** The start cells of walkers, as parsed. */
export type StartSpec =
  /** The cells, as row, col, row, col, … */
  | { readonly kind: "cells"; readonly cells: Int32Array }
  | ({ readonly kind: "rect" } & CellRectangle)
  /** The cells of a source. A walker of a scattered layer starts only on cells of its own region. */
  | { readonly kind: "layer"; readonly layer: number }
  /** Any cell of the walker's region. Only scattered layers have this start. */
  | { readonly kind: "region" };

/** The regions of a scattered layer: `side` × `side` cells each. */
export interface ScatterSpec {
  readonly side: number;
  /** The probability that a start cell sends a walker. Undefined if each region has the same number of walkers. */
  readonly density: Fraction | undefined;
}

/** The cells where a field of the world has a value `least` … `most`, both inclusive. `field` is its index. */
export interface FieldRange {
  readonly field: number;
  readonly least: number;
  readonly most: number;
}

/** How the walkers of a layer feel a field, with every default filled in. */
export interface SlopeSpec {
  /** The number of the field as a source (`Source` in compile.ts). */
  readonly source: number;
  /** The factors of a neighbour that is lower than the walker's cell, as high, and higher. */
  readonly down: number;
  readonly level: number;
  readonly up: number;
  /** For each 256 by which a neighbour is lower, its factor is greater by this number. */
  readonly steepness: number;
  /** What a walker does if no direction has a weight. */
  readonly stuck: "end" | "rest";
}

/**
 * One layer as parsed, with every default filled in. It names the cells of other layers, and ranges of fields, by their
 * numbers as sources (`Source` in compile.ts), in ascending order.
 */
export interface LayerSpec {
  /** The layer's name; "" if the walk has neither `layers` nor a name. */
  readonly name: string;
  readonly tensor: TensorSpec;
  readonly scatter: ScatterSpec | undefined;
  /**
   * In a scattered layer, the number of walkers in each region. With a density: the mean number in a region of which
   * all cells are start cells, rounded up.
   */
  readonly walkers: number;
  readonly steps: number;
  /** The headings before the first step: 0 … 5 for a direction, 6 for resting. Walker w has entry w mod length. */
  readonly headings: Uint8Array;
  readonly firstVisit: boolean;
  /** The closed cells, as row, col, row, col, … */
  readonly closedCells: Int32Array;
  readonly closedLayers: readonly number[];
  /** If the list has entries, only cells that at least one of these layers visited are open. */
  readonly openLayers: readonly number[];
  readonly until: UntilSpec | undefined;
  readonly start: StartSpec;
  readonly slope: SlopeSpec | undefined;
  /**
   * The index of the layer whose stuck walkers this layer has as visits. Such a layer has no walkers of its own, and
   * the regions of that layer. Undefined for any other layer.
   */
  readonly stuckOf: number | undefined;
}

/** Where walkers end early: on the cells of a source, or outside these cells. */
export interface UntilSpec {
  readonly kind: "on" | "outside";
  readonly layer: number;
}

/** A walk as parsed, with every default filled in. */
export interface WalkSpec {
  readonly name: string | undefined;
  readonly grid: GridSpec;
  readonly layers: readonly LayerSpec[];
  /** The names of the fields of the world. Empty if the walk is not part of a world. */
  readonly fields: readonly string[];
  /** The ranges of these fields to which layers refer. */
  readonly ranges: readonly FieldRange[];
  /** Whether the input has `layers`. If not, the walk's name alone selects the layer's random words. */
  readonly layered: boolean;
}

export interface TensorPlan {
  /** 7 × 6 weights, by heading and direction (see `compileTensor`). The six weights of a heading sum to 0 … 2³² − 1. */
  readonly combined: Uint32Array;
}

/** One layer, ready to run. */
export interface LayerPlan extends Omit<LayerSpec, "tensor"> {
  /** Selects the layer's random words: the walk's name, or `<walk>/<layer>`. */
  readonly streamName: string;
  readonly tensor: TensorPlan;
}

/** A walk, ready to run. */
export interface WalkPlan extends Pick<WalkSpec, "grid" | "fields" | "ranges"> {
  readonly name: string;
  readonly layers: readonly LayerPlan[];
}

/** A layer of a walk: its name and size. */
export interface LayerInfo {
  /** The layer's name; the walk's name if the spec has no `layers`. */
  readonly name: string;
  /**
   * Number of walkers. In a scattered layer, the number of walkers in each region. With `density`: the mean number in a
   * region of which all cells are start cells, rounded up.
   */
  readonly walkers: number;
  /** Number of rows of a region, and also of columns. Absent if the layer is not scattered. */
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
  /**
   * The walkers `from` … `to` − 1 of the layer. Default: all walkers. If the layer has a `density`, `to` can be greater
   * than the number of walkers in the region.
   */
  readonly walkers?: { readonly from?: number | undefined; readonly to?: number | undefined } | undefined;
  /** For a scattered layer: the region [i, j] whose walkers run. Both indices are −2³¹ / side … 2³¹ / side − 1. */
  readonly region?: readonly [i: number, j: number] | undefined;
  /**
   * By layer name: the maps of the earlier layers to which `closed`, `open`, `start` or `until` refers. Each map must
   * have the visits of all its layer's walkers. With `region`, visits within `steps` cells of the region are enough.
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
