import type { Scope, Setup } from "../../calls/index.js";
import type { Tracer } from "./tracer.js";

/** A step of a walker. */
export interface StepPlace {
  /** The name of the layer. Required if the walk has several layers. */
  readonly layer?: string | undefined;
  /** The region [i, j] of the walker, if the layer is scattered. */
  readonly region?: readonly [i: number, j: number] | undefined;
  /** The number of the walker in its layer, or in its region. */
  readonly walker: number;
  /** 0 explains the start cell. Step n, 1 … `steps` of the layer, is the walker's n-th step. */
  readonly step: number;
}

/** A cell of a world. */
export interface CellPlace {
  readonly row: number;
  readonly col: number;
}

/** Which result of a noun: its index, a step of a walker, or a cell of a world. */
export type Place = number | StepPlace | CellPlace;

/** A noun, a result of it, and how to make the result's decisions again. */
export interface Subject {
  readonly noun: string;
  readonly setup: Pick<Setup<unknown>, "kernel" | "name"> & { readonly stream: Pick<Scope, "key" | "ids"> };
  readonly at: Place;
  /** What the noun's own single call returned. It changed no state. */
  readonly result: unknown;
  readonly trace: (tracer: Tracer) => unknown;
  /** The result as plain data, if it is not plain itself. */
  readonly plain?: unknown;
}
