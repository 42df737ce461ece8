// What the page and its worker say to each other.

import type { FileKind } from "../../../src/cli/shared/texts.js";
import type { Issue } from "../../../src/index.js";
import type { Files } from "../document.js";

export type NounKind = FileKind | "objects";

/** The document as the worker needs it. */
export interface Source {
  readonly files: Files;
  readonly file: string;
  readonly seed: string;
  /** The depth of objects. */
  readonly level?: number | undefined;
}

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

export interface Legend {
  readonly name: string;
  readonly color: readonly [number, number, number];
}

export type Shown =
  | { readonly view: "odds"; readonly odds: OddsOf; readonly samples: readonly string[]; readonly before?: OddsOf }
  | { readonly view: "pools"; readonly nodes: readonly PoolNode[] }
  | { readonly view: "items"; readonly level: number | undefined; readonly items: readonly Item[] }
  | { readonly view: "walk"; readonly map: MapCells; readonly most: number; readonly layers: readonly string[] }
  | {
      readonly view: "world";
      readonly terrains: readonly Legend[];
      readonly kinds: readonly Legend[];
      readonly isOddR: boolean;
    };

/** The name of an item, and its other parts. */
export type Item = { readonly name: string } & Readonly<Record<string, string>>;

type Of<Given> = Given & { readonly source: Source };

/** What the worker does, by name: what it is asked, and what it answers. */
export interface Work {
  look: {
    ask: Of<{ readonly before?: Files | undefined }>;
    answer: { readonly kind: NounKind; readonly shown: Shown; readonly issues: readonly Issue[] };
  };
  wait: {
    ask: Of<{ readonly result: string }>;
    answer: { readonly quantiles: readonly (readonly [share: string, tries: number])[]; readonly mean: number };
  };
  target: { ask: Of<{ readonly result: string; readonly chance: string }>; answer: { readonly text: string } };
  explain: { ask: Of<{ readonly at: number | Place }>; answer: { readonly text: string } };
  draw: {
    ask: Of<{ readonly pool: string; readonly draws: readonly string[] }>;
    answer: { readonly drawn: readonly string[]; readonly left: number | undefined; readonly odds: OddsOf | undefined };
  };
  region: {
    ask: Of<{ readonly i: number; readonly j: number }>;
    answer: MapCells & { readonly placements: readonly (readonly [row: number, col: number, kind: number])[] };
  };
  sheet: {
    ask: Of<{ readonly kind: string | undefined }>;
    /** `distance`: of the nearest thing of the kind from the cell (0, 0). */
    answer: MapCells & { readonly distance: number | undefined };
  };
  digest: { ask: Of<{ readonly cells: Omit<MapCells, "cells"> }>; answer: { readonly digest: string } };
  nearest: {
    ask: Of<{ readonly kind: string; readonly from: Place }>;
    answer: (Place & { readonly distance: number }) | undefined;
  };
  cell: { ask: Of<{ readonly place: Place }>; answer: { readonly lines: readonly string[] } };
}

export type Ask = { [Name in keyof Work]: { readonly name: Name } & Work[Name]["ask"] }[keyof Work];
export type Failure = { readonly issues: readonly Issue[] };
