// The cells of a chunk for which a chance holds (docs/determinism.md). The columns of a chunk are those of one block of
// random words, and its rows are whole bands.

import { below } from "../core/below";
import { blockBits, blockOf, blockWords, fillBlocks, ROW_WORDS_BYTES, selectCell, WORD_BYTES } from "../core/cellWords";
import { BAND_ROWS, Share } from "../core/layout";
import { useStream } from "../core/words";
import { ROW_BYTES, rowOfBits } from "./chunkBits";
import { CHUNK_SIDE_BITS } from "./hexMap";
import { CHUNK_SIDE } from "./layout";

/** For each row of a band, the bits of the cells whose word is at most the bound. */
const bandBits = memory.data(<i32>(BAND_ROWS * sizeof<u64>()), 16);

/**
 * Clears the bits of those cells of a chunk for which the chance does not hold. `rowBytes` is the distance from one row
 * of bits to the next. Changes the current stream.
 */
export function keepHolding(share: Share, chunkRow: i32, chunkCol: i32, bits: usize, rowBytes: usize): void {
  if (share.part == share.whole) return;
  useStream(share.k0, share.k1);
  const row = chunkRow << CHUNK_SIDE_BITS;
  const block = blockOf(chunkCol << CHUNK_SIDE_BITS);
  for (let r = 0; r < CHUNK_SIDE; r += BAND_ROWS, bits += <usize>BAND_ROWS * rowBytes) {
    if (anyBit(bits, rowBytes)) keepBand(share, row + r, block, bits, rowBytes);
  }
}

function anyBit(bits: usize, rowBytes: usize): bool {
  let any: u64 = 0;
  for (let r = 0; r < BAND_ROWS; ++r, bits += rowBytes) any |= load<u64>(bits);
  return any != 0;
}

function keepBand(share: Share, row: i32, block: u32, bits: usize, rowBytes: usize): void {
  fillBlocks(row, block, block + 1);
  blockBits(blockWords(0), share.bound, bandBits, ROW_BYTES);
  for (let r = 0; r < BAND_ROWS; ++r, bits += rowBytes) {
    const words = blockWords(0) + <usize>r * ROW_WORDS_BYTES;
    store<u64>(bits, settled(share, row + r, block, words, load<u64>(bits) & load<u64>(rowOfBits(bandBits, r))));
  }
}

/** Returns the bits without those of cells whose word equals the bound and whose extra words decide against them. */
function settled(share: Share, row: i32, block: u32, words: usize, bits: u64): u64 {
  let kept = bits;
  for (let left = bits; left; left &= left - 1) {
    const col = <i32>ctz(left);
    if (load<u32>(words + <usize>col * WORD_BYTES) != share.bound) continue;
    selectCell(row, block, col);
    if (below(share.bound, share.whole) >= share.part) kept &= ~((<u64>1) << col);
  }
  return kept;
}
