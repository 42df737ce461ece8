// Decides a chance for each cell of a band: the BAND_ROWS rows that share their blocks of random words (cellWords.ts).

import { below } from "../core/below";
import {
  blockMask,
  blockOf,
  blockWords,
  fillBlocks,
  ROW_WORDS_BYTES,
  rowInBand,
  selectCell,
  WORD_BYTES,
} from "../core/cellWords";
import { BAND_ROWS, BLOCK_COLS, Share } from "../core/layout";
import { useStream } from "../core/words";

/**
 * Writes one mask for each row of the band to which `row` belongs. A mask has a byte for each cell: 0xff if the chance
 * holds, 0 if not. A mask covers whole blocks: all blocks with a column of col … col + cols − 1.
 */
export function chanceMasks(share: Share, row: i32, col: i32, cols: i32, masks: usize, strideBytes: usize): void {
  useStream(share.k0, share.k1);
  const end = blockOf(col + cols - 1) + 1;
  for (let block = blockOf(col); block < end; ) {
    const filled = fillBlocks(row, block, end);
    for (let k: u32 = 0; k < filled; ++k) {
      if (blockMask(blockWords(k), share.bound, masks, strideBytes)) {
        for (let r = 0; r < BAND_ROWS; ++r)
          settle(share, (row & -BAND_ROWS) + r, block + k, k, masks + <usize>r * strideBytes);
      }
      masks += <usize>BLOCK_COLS;
    }
    block += filled;
  }
}

/**
 * Corrects one row of the mask of a block. If the word of a cell equals the bound, extra words decide the chance for
 * this cell. `k` is the number of the block in the span.
 */
function settle(share: Share, row: i32, block: u32, k: u32, mask: usize): void {
  const from = blockWords(k) + <usize>rowInBand(row) * ROW_WORDS_BYTES;
  for (let c = 0; c < BLOCK_COLS; ++c) {
    if (load<u32>(from + <usize>c * WORD_BYTES) != share.bound) continue;
    selectCell(row, block, c);
    if (below(share.bound, share.whole) >= share.part) store<u8>(mask + c, 0);
  }
}
