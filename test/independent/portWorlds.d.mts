import type { Key } from "./port.mjs";

export type PortShare = readonly [k: number, n: number];
export interface PortVisit {
  readonly row: number;
  readonly col: number;
  readonly visits: number;
  readonly firstVisit: number;
}
export type PortCondition =
  | { readonly visits: { readonly layer: number; readonly range: readonly [number, number] } }
  | { readonly firstVisit: { readonly layer: number; readonly range: readonly [number, number] } }
  | { readonly within: { readonly layer: number; readonly distance: number } }
  | { readonly chance: PortShare }
  | { readonly all: readonly PortCondition[] }
  | { readonly any: readonly PortCondition[] }
  | { readonly not: PortCondition };
export interface PortRule {
  readonly terrain: string;
  readonly when?: PortCondition;
}
export interface PortKind {
  readonly name: string;
  readonly on: readonly string[];
  readonly density: PortShare;
  readonly distance: number;
}
/** Rules whose chances are numbered. */
export type NumberedRules = readonly { readonly terrain: string; readonly when?: object | undefined }[];
export interface PortWorld {
  readonly key: Key;
  readonly grid?: { readonly rows: number; readonly cols: number; readonly oddR: boolean } | undefined;
  readonly layers: readonly ((row: number, col: number) => PortVisit | undefined)[];
  readonly rules: NumberedRules;
}

export function addressOf(row: number, col: number): [plane: bigint, index: bigint];
export function numberChances(rules: readonly PortRule[]): NumberedRules;
export function terrainAt(world: PortWorld, row: number, col: number): string | undefined;
export function stands(world: PortWorld, kind: PortKind, row: number, col: number): boolean;
