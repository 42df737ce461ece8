import type { LongCall } from "../../calls/index.js";
import type { OpenedJob } from "../folder/manifest.js";
import type { RectangleInput } from "../plan/parse.js";
import type { ExportName } from "../types.js";

/** Options of `exportJob`. Progress counts cells. */
export interface ExportOptions extends LongCall {
  /** The file or the folder to write. Its parent folder must exist. Default: one in the folder `exports` of the job. */
  readonly to?: string | undefined;
  /** Exports only these cells. Default: all cells of the job. A `report` is always about the whole job. */
  readonly window?: RectangleInput | undefined;
  /** For `npy`: the layer whose visits are exported. Default: the terrain is exported. */
  readonly layer?: string | undefined;
  /** For `png`: the longest side in pixels. Default 4096. */
  readonly maxSide?: number | undefined;
  /**
   * For `png`: names of layers that the job keeps. The more these layers visit a cell, the darker it is. Only for at
   * most 2²⁴ cells. Default: no layers.
   */
  readonly darken?: readonly string[] | undefined;
  /** Like `darken`, but lighter. Default: no layers; in a world without terrain, all layers. */
  readonly lighten?: readonly string[] | undefined;
}

/** A job that can be exported. `openJob` returns it. */
export interface ExportableJob {
  readonly folder: string;
  /** @internal */
  readonly opened: OpenedJob;
}

/** The result of an export. */
export interface Exported {
  readonly kind: ExportName;
  /** The path of the file or of the folder. */
  readonly to: string;
  /** The file to open: the page of `tiles`, or `to` itself. */
  readonly main: string;
}

export type WriteOptions = Omit<ExportOptions, "to" | "window">;
