import type { Watch } from "../calls/index.js";
import { sha256 } from "../sha256.js";
import type { LayerPlan } from "../walks/index.js";
import type { WorldWindow } from "./window.js";

/** A region, or the part of a region that is in a rectangle. */
interface DigestPart {
  readonly i: number;
  readonly j: number;
  readonly window: WorldWindow;
}

/**
 * Returns the SHA-256 of regions, in the given order. The hash covers for each region:
 *
 * - i and j, as i32;
 * - for each layer, the visits of the cells as u32, then the first visits if the layer keeps them;
 * - the terrain, as bytes;
 * - for each placement, the row, the column and the index of its kind as i32, the number of bytes of its content as
 *   u32, and the content as JSON in UTF-8 (0 bytes if there is no content).
 *
 * All numbers are little-endian, and cells are row by row. The JSON leaves out the field `place` of objects: it names a
 * file, and the file's path can differ between machines.
 */
export function digestRegions(parts: Iterable<DigestPart>, layers: readonly LayerPlan[], watch: Watch): string {
  const hash = sha256();
  let done = 0;
  for (const { i, j, window } of parts) {
    hash.update(bytesOf(Int32Array.of(i, j)));
    for (const { name, firstVisit } of layers) {
      hash.update(bytesOf(window.visits(name)));
      if (firstVisit) hash.update(bytesOf(window.firstVisits(name)));
    }
    hash.update(window.terrain);
    for (const [k, { row, col, content }] of [...window.placements].entries()) {
      const text = content === undefined ? "" : JSON.stringify(content, withoutPlace);
      const bytes = new TextEncoder().encode(text);
      hash.update(bytesOf(Int32Array.of(row, col, window.placements.kinds[k], bytes.length)));
      hash.update(bytes);
    }
    done += window.rows * window.cols;
    watch.passed(done);
  }
  return hash.hex();
}

function withoutPlace(key: string, value: unknown): unknown {
  return key === "place" && typeof value === "object" ? undefined : value;
}

/** Returns the little-endian bytes of numbers. */
function bytesOf(numbers: Int32Array | Uint32Array): Uint8Array {
  if (IS_LITTLE_ENDIAN) return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const bytes = new DataView(new ArrayBuffer(numbers.byteLength));
  for (const [k, number] of numbers.entries()) bytes.setInt32(4 * k, number, true);
  return new Uint8Array(bytes.buffer);
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
