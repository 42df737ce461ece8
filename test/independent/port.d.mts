export type Key = [number, number];
export type Index = number | bigint;
export type Id = string | number | bigint | [number, number];

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
  headings?: (number | "rest")[];
  ends?: (row: number, col: number) => boolean;
  torus?: { rows: number; cols: number; oddR: boolean };
  start?: Start;
  closed?: (row: number, col: number) => boolean;
  slope?: { factor: (from: [number, number], to: [number, number]) => number; rests: boolean };
}

export interface WalkEnd {
  row: number;
  col: number;
  heading: number | "rest";
  stuck?: true;
}

export function fold(key: Key, bytes: Uint8Array, tag: number): Key;
export function keyOf(seed: string | number | bigint): Key;
export function nameKey(millKey: Key, name: string): Key;
export function startsKey(layerKey: Key): Key;
export function forkKey(key: Key, id: Id): Key;
export function streamKey(seed: string | number | bigint, name: string, forks?: Id[], millForks?: Id[]): Key;
export function word(key: Key, plane: Index, index: Index): number;
export function extra(key: Key, plane: Index, index: Index, i: number): number;
export function below(key: Key, plane: Index, index: Index, m: number): number;
export function integerWeights(weights: ArrayLike<number>): bigint[];
export function prefixPick(key: Key, plane: Index, index: Index, weights: number[]): number;
export function buildAlias(weights: ArrayLike<number>): AliasTable;
export function aliasPick(key: Key, plane: Index, index: Index, table: AliasTable): number;
export interface DiceParts {
  count: number;
  sides: number;
  plus: number;
}
export function rollQuantity(key: Key, index: Index, dice: DiceParts, firstPlane: number): number;
export function rollDice(key: Key, index: Index, dice: DiceParts): number;
export function makeDrop<Rolled>(
  key: Key,
  index: Index,
  drops: { always: DiceParts[]; rolls: DiceParts; roll: (key: Key) => Rolled | null },
): (number | Rolled)[];
export function drawSample(key: Key, k: Index, n: number, size: number): number[];
export function rollTable(key: Key, index: Index, rows: TableEntry[][], startRow: number): string | null;
export function walkEnds(key: Key, spec: WalkSpec): { cells: VisitedCell[]; ends: WalkEnd[] };
export function walkRegion(
  key: Key,
  region: [number, number],
  spec: Omit<WalkSpec, "start" | "torus"> & { side: number; visited?: VisitedCell[] },
): { cells: VisitedCell[]; ends: WalkEnd[] };
export function mapBytes(cells: VisitedCell[]): Uint8Array;

export type Word = { id: number; word: string } & Record<string, number | string>;
export interface Item {
  words: string[];
  stats: Record<string, number>;
}
export function makeItem(key: Key, recipe: object, tables: Record<string, Word[]>, index: Index, power?: number): Item;
