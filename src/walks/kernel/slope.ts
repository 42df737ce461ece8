import { type Address, type Kernel, NO_ADDRESS, within } from "../../kernel/index.js";
import { CHUNK_SIDE, SlopePlan } from "../../kernel/layout.js";
import type { LayerMap } from "../map/layerMap.js";
import { cellsOf, grown, type RegionRange, single } from "../rectangles.js";
import type { Cell, SlopeSpec } from "../types.js";

/** A slope reads the values of neighbours, so the values of a chunk include one cell more on each side. */
export const RIM = 1;
export const VALUE_BYTES = 2;

interface SlopeSources {
  readonly map: Address;
  /** The values that {@link createValues} returned. */
  readonly values: Address;
  /** The map that counts the walkers that end because they are stuck. Default: nothing counts them. */
  readonly stuck?: Address | undefined;
  /** The name of the layer, for messages. */
  readonly name: string;
}

/** Lets the walkers of a map choose their steps by the values of a field. */
export function useSlope(kernel: Kernel, slope: SlopeSpec, { map, values, stuck, name }: SlopeSources): void {
  const { down, level, up, steepness } = slope;
  const made = kernel.call((exports) => exports.allocate(SlopePlan.bytes));
  const address = kernel.taken(made, `the slope of layer ${name}`);
  const ends = Number(slope.stuck === "end");
  kernel.write(address, SlopePlan, { down, level, up, steepness, ends, stuck: stuck ?? NO_ADDRESS, values });
  kernel.call((exports) => exports.setSlope(map, address));
}

export function createValues(kernel: Kernel, purpose: string): Address {
  const values = kernel.call((exports) => exports.createValues());
  return kernel.taken(values, purpose);
}

/** Values of a rectangle of cells in the kernel, a u16 for each cell. */
export interface KernelValues {
  /** The address of the value of the first cell. */
  readonly at: Address;
  readonly rowBytes: number;
  readonly row0: number;
  readonly col0: number;
}

/** Returns the address of the value of the first cell of a chunk, for the kernel's functions. */
export function chunkIn({ at, rowBytes, row0, col0 }: KernelValues, chunk: RegionRange): Address {
  const first = cellsOf(chunk, CHUNK_SIDE);
  return within(at, (first.row0 - row0) * rowBytes + (first.col0 - col0) * VALUE_BYTES);
}

/**
 * Stores the values of a chunk. The rectangle of `values` must have {@link RIM} cells more on each side of the chunk.
 */
export function storeValues(
  kernel: Kernel,
  { values, purpose }: { readonly values: Address; readonly purpose: string },
  chunk: RegionRange,
  from: KernelValues,
): void {
  const first = chunkIn(from, chunk);
  const isDone = kernel.call((exports) => exports.storeValues(values, chunk.i0, chunk.j0, first, from.rowBytes));
  if (!isDone) kernel.outOfMemory(purpose);
}

/** Stores the values of a field that are in a map, in the form of {@link valueAt}. */
export function uploadValues(kernel: Kernel, map: LayerMap, purpose: string): Address {
  const values = createValues(kernel, purpose);
  for (const { chunkRow, chunkCol } of map.chunks()) {
    const chunk = single(chunkRow, chunkCol);
    const cells = grown(cellsOf(chunk, CHUNK_SIDE), RIM);
    const read = map.window(cells);
    kernel.u16(kernel.window, read.length).set(read.map((visits) => visits - 1));
    const from = { ...cells, at: kernel.window, rowBytes: cells.cols * VALUE_BYTES };
    storeValues(kernel, { values, purpose }, chunk, from);
  }
  return values;
}

/** A map of a field has value + 1 as the visits of a cell, because a map leaves out chunks without visits. */
export function valueAt(map: LayerMap, [row, col]: Cell): number {
  return Math.max(0, map.visitsAt(row, col) - 1);
}
