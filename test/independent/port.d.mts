export type Key = [number, number];
export type Index = number | bigint;

export interface AliasTable {
  k: number;
  total: bigint;
  threshold: bigint[];
  alias: number[];
}

export type TableEntry = { weight: number; result: string } | { weight: number; jump: number };

export interface VisitedCell {
  row: number;
  col: number;
  visits: number;
}

export type Start =
  | [number, number][]
  | { row: number; col: number; rows: number; cols: number }
  | { visited: VisitedCell[] };

export interface WalkSpec {
  absolute: number[];
  relative: number[];
  walkers: number;
  steps: number;
  heading?: number | "rest";
  start?: Start;
  closed?: (row: number, col: number) => boolean;
}

export interface WalkEnd {
  row: number;
  col: number;
  heading: number | "rest";
}

export function keyOf(seedText: string): Key;
export function purposeOf(name: string): number;
export function word(key: Key, purpose: number, plane: number, index: Index): number;
export function extra(key: Key, purpose: number, plane: number, index: Index, i: number): number;
export function below(key: Key, purpose: number, plane: number, index: Index, m: number): number;
export function integerWeights(weights: ArrayLike<number>): bigint[];
export function prefixPick(key: Key, purpose: number, plane: number, index: Index, weights: number[]): number;
export function buildAlias(weights: ArrayLike<number>): AliasTable;
export function aliasPick(key: Key, purpose: number, plane: number, index: Index, table: AliasTable): number;
export function rollTable(
  key: Key,
  purpose: number,
  index: Index,
  rows: TableEntry[][],
  startRow: number,
): string | null;
export function walkEnds(key: Key, layerName: string, spec: WalkSpec): { cells: VisitedCell[]; ends: WalkEnd[] };
export function mapBytes(cells: VisitedCell[]): Uint8Array;
