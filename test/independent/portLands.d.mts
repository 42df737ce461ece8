import type { WorldInput } from "../../src/worlds/index.js";
import type { Key } from "./port.mjs";

export type PortCell = readonly [row: number, col: number];
export interface PortWindow {
  readonly row0: number;
  readonly col0: number;
  readonly rows: number;
  readonly cols: number;
}
export interface PortWay {
  readonly from: PortCell;
  readonly to: PortCell;
  readonly cells: readonly PortCell[];
  readonly cost: number;
}
export interface PortLand {
  readonly key: Key;
  readonly layers: Readonly<
    Record<string, (row: number, col: number) => { readonly visits: number; readonly firstVisit: number } | undefined>
  >;
  readonly fields: Readonly<Record<string, (row: number, col: number) => number>>;
  isPlaced(kind: number, row: number, col: number): boolean;
}

export function openLand(seed: string, name: string, spec: WorldInput): PortLand;
export function cellsOf(window: PortWindow): PortCell[];
export function terrainAfter(land: PortLand, count: number, window: PortWindow): (row: number, col: number) => string;
export function waysNear(land: PortLand, number: number, window: PortWindow): { readonly ways: readonly PortWay[] };
export function noiseAt(key: Key, noise: { scale: number; octaves?: number }, row: number, q: number): number;
