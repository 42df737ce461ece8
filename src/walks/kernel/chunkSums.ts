import { type Address, type Kernel, within } from "../../kernel/index.js";
import { bySector, CHUNK_CELLS, NEVER, placeKey } from "../map/chunk.js";
import type { StoredChunk } from "../map/chunkCodec.js";
import { storedChunk } from "./uploads.js";

const SUM_BYTES = 4 * CHUNK_CELLS;

interface ChunkSum {
  readonly chunkRow: number;
  readonly chunkCol: number;
  /** The visits, then the first visits: u32. */
  readonly address: Address;
}

/** Merges stored chunks of several maps, as `mergeLayerMaps` does. Memory: 16 or 32 KiB for each place. */
export class ChunkSums {
  readonly #kernel: Kernel;
  readonly #firstVisits: boolean;
  readonly #empty: Address;
  readonly #sums = new Map<number, ChunkSum>();

  /** @param setup - `kernel` is a separate kernel. `firstVisits` is true if all chunks have first visits. */
  constructor({ kernel, firstVisits }: { readonly kernel: Kernel; readonly firstVisits: boolean }) {
    this.#kernel = kernel;
    this.#firstVisits = firstVisits;
    this.#empty = kernel.call((exports) => exports.mark());
  }

  /** @throws RollmillError `kernel.memory`. */
  add({ chunkRow, chunkCol, visitBytes, firstVisitBytes }: StoredChunk): void {
    const kernel = this.#kernel;
    const { address } = this.#sumAt(chunkRow, chunkCol);
    kernel.u8(kernel.window, visitBytes.length).set(visitBytes);
    kernel.call((exports) => exports.addCounts(address, visitBytes.length / CHUNK_CELLS));
    if (firstVisitBytes === undefined || !this.#firstVisits) return;
    kernel.u8(kernel.window, SUM_BYTES).set(firstVisitBytes);
    kernel.call((exports) => exports.leastSteps(within(address, SUM_BYTES)));
  }

  /** In the order of {@link bySector}. The bytes are in the kernel: copy them before the next call. */
  *storedChunks(): Generator<StoredChunk, void> {
    for (const sum of [...this.#sums.values()].sort(bySector)) {
      yield storedChunk(this.#kernel, sum, sum.address, this.#firstVisits);
    }
  }

  clear(): void {
    this.#sums.clear();
    this.#kernel.call((exports) => exports.release(this.#empty));
  }

  #sumAt(chunkRow: number, chunkCol: number): ChunkSum {
    const key = placeKey(chunkRow, chunkCol);
    const known = this.#sums.get(key);
    if (known !== undefined) return known;
    const kernel = this.#kernel;
    const bytes = this.#firstVisits ? 2 * SUM_BYTES : SUM_BYTES;
    const made = kernel.call((exports) => exports.allocate(bytes));
    const address = kernel.taken(made, "the sum of chunks");
    kernel.u32(address, CHUNK_CELLS).fill(0);
    if (this.#firstVisits) kernel.u32(within(address, SUM_BYTES), CHUNK_CELLS).fill(NEVER);
    const sum = { chunkRow, chunkCol, address };
    this.#sums.set(key, sum);
    return sum;
  }
}
