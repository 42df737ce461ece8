// What the page and its worker say to each other.

import type { FileKind } from "../../../src/cli/shared/texts.js";
import type { Issue } from "../../../src/index.js";
import type { Files } from "../document.js";
import type { Source } from "./source.js";

export type NounKind = FileKind | "objects";

export interface Place {
  readonly row: number;
  readonly col: number;
}

export interface Chance {
  readonly result: string;
  readonly probability: number;
  /** The exact fraction. */
  readonly exact: string;
}

/** The odds of a list, a table, drops or the next draw of a pool. */
export interface OddsOf {
  readonly chances: readonly Chance[];
  /** The chance of no result. */
  readonly none: Chance | undefined;
  /** False for drops: their chances are those of at least one, so they do not add up to 1. */
  readonly isExclusive: boolean;
}

export interface PoolNode {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly records: number;
  /** The copies that are left; undefined for an infinite pool. */
  readonly left: number | undefined;
}

/** The cells of a map: for each, an index of the colours. 255: outside. */
export interface MapCells {
  readonly row0: number;
  readonly col0: number;
  readonly rows: number;
  readonly cols: number;
  readonly cells: Uint8Array<ArrayBuffer>;
}

/** The greatest index of the colours of a walk's map. */
export const MOST_SHADE = 250;

/** The index of the colour of a number of visits: its logarithm, because a few cells have far more than all others. */
export function shadeOf(visits: number, most: number): number {
  return Math.floor((MOST_SHADE * Math.log1p(visits)) / Math.log1p(most));
}

export interface Legend {
  readonly name: string;
  readonly color: readonly [number, number, number];
}

/** A script of a table, with the weight that a slider gives it. */
export interface ScriptWeight {
  readonly id: string;
  readonly weight: number;
  /** The end of the slider. */
  readonly most: number;
}

/** Where a walker goes in the long run: one set of headings that it never leaves. */
export interface LongRun {
  /** The chance that a walker ends in this set. */
  readonly chance: number;
  /** The share of the steps in each of the six directions. */
  readonly headings: readonly number[];
  /** How far the mean step leads, in cells. */
  readonly drift: number;
  /** What each step adds to the mean square of the distance from the mean position. */
  readonly diffusion: number;
}

/** A row of a table: how often a roll visits it, and how often the roll ends there. */
export interface FlowRow {
  readonly label: string;
  readonly visits: number;
  readonly ends: number;
}

export interface OddsShown {
  readonly view: "odds";
  readonly odds: OddsOf;
  readonly samples: readonly string[];
  /** The odds of the pinned files. */
  readonly before?: OddsOf;
  /** What only tables have: scripts, and rows to start from. */
  readonly table?: {
    readonly scripts: readonly ScriptWeight[];
    readonly start: number;
    readonly rows: readonly string[];
  };
}

export type Shown =
  | OddsShown
  | { readonly view: "pools"; readonly nodes: readonly PoolNode[] }
  | ItemsShown
  | {
      readonly view: "walk";
      /** As `rollmill walk run` prints it. */
      readonly digest: string;
      readonly map: MapCells;
      readonly most: number;
      readonly layers: readonly { readonly name: string; readonly longRun: readonly LongRun[] }[];
    }
  | {
      readonly view: "world";
      readonly terrains: readonly Legend[];
      readonly kinds: readonly Legend[];
      readonly layers: readonly string[];
      readonly isOddR: boolean;
    };

export interface Item {
  readonly name: string;
  readonly parts: readonly (readonly [part: string, value: string])[];
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A request that the form offers: one of the choices, or a number. The view has its value under "with NAME". */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** What an empty field stands for, such as "any". */
  readonly empty: string;
  readonly choices?: readonly Choice[];
  /** The end of a slider that begins with 0. */
  readonly most?: number;
  /** Why the request cannot be met. */
  readonly problem?: string | undefined;
}

export interface ItemsShown {
  readonly view: "items";
  /** Empty if a request cannot be met. */
  readonly items: readonly Item[];
  readonly fields: readonly Field[];
  /** The requests as the library takes them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The parts of an item that have odds. */
  readonly parts: readonly Choice[];
}

/** How a number is distributed among the items that have it. */
export interface Histogram {
  readonly label: string;
  /** The share of the values from `least` to `most`, in ascending order. */
  readonly bars: readonly { readonly least: number; readonly most: number; readonly share: number }[];
  readonly mean: number;
  readonly least: number;
  readonly most: number;
  /** The number of items that have it and were counted. Undefined if the shares are exact. */
  readonly counted: number | undefined;
}

/** What the worker does, by name: what it is asked about a source, and what it answers. */
export interface Work {
  look: {
    ask: { readonly before?: Files | undefined };
    answer: { readonly kind: NounKind; readonly shown: Shown; readonly issues: readonly Issue[] };
  };
  wait: {
    ask: { readonly result: string };
    answer: {
      readonly mean: number;
      readonly quantiles: readonly (readonly [share: string, tries: number])[];
      /** The share of players who have waited at most n tries. */
      readonly points: readonly (readonly [n: number, share: number])[];
    };
  };
  flow: {
    ask: object;
    answer: {
      readonly rows: readonly FlowRow[];
      /** The jumps between these rows, and how often a roll takes each. */
      readonly jumps: readonly { readonly from: number; readonly to: number; readonly times: number }[];
      /** How many rows are left out. */
      readonly left: number;
    };
  };
  /** The bytes of a plan file. */
  plan: { ask: object; answer: { readonly bytes: Uint8Array<ArrayBuffer> } };
  target: { ask: { readonly result: string; readonly chance: string }; answer: { readonly text: string } };
  /** The odds of a part of an item. */
  part: {
    ask: { readonly part: string };
    answer: OddsOf & {
      /** The number of items that were counted, if the exact odds are unknown. */
      readonly counted?: number;
      /** How much greater than shown a chance can be. */
      readonly unexplored?: number;
    };
  };
  numbers: {
    ask: object;
    /** `counted`: how many items were made. */
    answer: { readonly counted: number; readonly histograms: readonly Histogram[] };
  };
  explain: { ask: { readonly at: number | Place }; answer: { readonly text: string } };
  draw: {
    ask: { readonly pool: string; readonly draws: readonly string[] };
    answer: { readonly drawn: readonly string[]; readonly left: number | undefined; readonly odds: OddsOf | undefined };
  };
  region: {
    ask: { readonly i: number; readonly j: number; readonly layer: string | undefined };
    answer: MapCells & {
      readonly placements: readonly (readonly [row: number, col: number, kind: number])[];
      /** For each cell, the binary logarithm of the layer's visits, rounded down. 255: no visits. */
      readonly visits?: Uint8Array<ArrayBuffer>;
    };
  };
  sheet: {
    ask: { readonly kind: string | undefined };
    /** `distance`: of the nearest thing of the kind from the cell (0, 0). */
    answer: MapCells & { readonly distance: number | undefined };
  };
  digest: { ask: { readonly cells: Omit<MapCells, "cells"> }; answer: { readonly digest: string } };
  nearest: {
    ask: { readonly kind: string; readonly from: Place };
    answer: (Place & { readonly distance: number }) | undefined;
  };
  cell: { ask: { readonly place: Place }; answer: { readonly lines: readonly string[] } };
}

/** A question as the worker gets it. */
export type Asked<Name extends keyof Work> = Work[Name]["ask"] & { readonly source: Source };
export type Ask = { [Name in keyof Work]: { readonly name: Name } & Asked<Name> }[keyof Work];
export type Failure = { readonly issues: readonly Issue[] };
