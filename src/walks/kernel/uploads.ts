import { type Address, type Kernel, Status } from "../../kernel/index.js";
import type { CellSetKind } from "../../kernel/layout.js";
import type { CellSet } from "../map/cellSet.js";
import type { TensorPlan } from "../types.js";

/**
 * Copies a tensor to the kernel.
 *
 * @param purpose - Names the tensor, for messages.
 * @throws RollmillError `kernel.memory`.
 */
export function uploadTensor(kernel: Kernel, { combined }: TensorPlan, purpose: string): Address {
  kernel.u32(kernel.window, combined.length).set(combined);
  return kernel.taken(
    kernel.call((exports) => exports.createTensor()),
    purpose,
  );
}

/**
 * Marks the cells of a set in a map, chunk by chunk. Leaves out the chunks that the set does not have.
 *
 * @param purpose - Names the cells, for messages.
 * @throws RollmillError `kernel.memory`.
 */
export function markChunks(
  kernel: Kernel,
  { map, kind, set, purpose }: Readonly<{ map: Address; kind: CellSetKind; set: CellSet; purpose: string }>,
): void {
  for (const { chunkRow, chunkCol, bits } of set.chunks()) {
    kernel.u8(kernel.window, bits.length).set(bits);
    const status = kernel.call((exports) => exports.markChunk(map, kind, chunkRow, chunkCol));
    if (status !== Status.OK) kernel.outOfMemory(purpose);
  }
}
