import type { StreamKey } from "../../address.js";
import type { Fraction } from "../../fractions.js";
import type { Kernel } from "../../kernel/index.js";
import { CHUNK_SIDE, Share } from "../../kernel/layout.js";
import { cellsOf, type RegionRange } from "../rectangles.js";
import type { Cell } from "../types.js";

const ROW_BYTES = CHUNK_SIDE / 8;
const WORD_BITS = 32;
const WORDS_PER_ROW = CHUNK_SIDE / WORD_BITS;

/** Returns the record of a probability with the key of its random words. */
export function shareRecord({ k0, k1 }: StreamKey, { numerator, denominator }: Fraction): Share {
  const bound = Number((numerator << 32n) / denominator);
  return { k0, k1, part: Number(numerator), whole: Number(denominator), bound };
}

/** Returns a function that lists the cells of a chunk for which a probability holds, by row, then by column. */
export function cellsHolding(kernel: Kernel, key: StreamKey, share: Fraction): (chunk: RegionRange) => Cell[] {
  const address = kernel.taken(
    kernel.call((exports) => exports.allocate(Share.bytes)),
    "a probability",
  );
  kernel.write(address, Share, shareRecord(key, share));
  return (chunk) => {
    const { row0, col0 } = cellsOf(chunk, CHUNK_SIDE);
    const bits = kernel.u32(kernel.window, CHUNK_SIDE * WORDS_PER_ROW).fill(2 ** WORD_BITS - 1);
    kernel.runStreams((exports) => exports.keepHolding(address, chunk.i0, chunk.j0, kernel.window, ROW_BYTES));
    return [...bits].flatMap((word, w) => {
      const row = row0 + Math.floor(w / WORDS_PER_ROW);
      const col = col0 + WORD_BITS * (w % WORDS_PER_ROW);
      return bitsOf(word).map((bit): Cell => [row, col + bit]);
    });
  };
}

function bitsOf(word: number): number[] {
  const bits: number[] = [];
  for (let rest = word; rest !== 0; rest &= rest - 1) bits.push(WORD_BITS - 1 - Math.clz32(rest & -rest));
  return bits;
}
