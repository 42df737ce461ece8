// The random words of Rollmill's worlds, written from docs/determinism.md. With these words, a rival makes the same world
// as Rollmill, byte for byte, so that its world can be checked. The words that `below` rejects do not occur in the world
// that is checked.

const LANES = 4;
const BLOCK = 1024;
const EXTRA = 4; // first counter of the extra words
const BAND_ROWS = 16;
const BLOCK_COLUMNS = 64;
const FIRST_BLOCK = 2 ** 25;
const HELD_BLOCKS = 64; // more than the blocks of a band of a window
const STARTS_TAG = 0x80000003;
const PAIR_TAG = 0x80000002;

/** The high half of the product of two u32. */
function high(a, b) {
  const [a1, a0, b1, b0] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff];
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const other = a0 * b1 + (middle & 0xffff);
  return (a1 * b1 + Math.floor(middle / 65_536) + Math.floor(other / 65_536)) >>> 0;
}

/** Writes the output of Philox4x32-10 into `out`. */
function philox([k0, k1], c0, c1, c2, c3, out) {
  let [a, b, c, d] = [c0 >>> 0, c1 >>> 0, c2 >>> 0, c3 >>> 0];
  for (let round = 0; round < 10; round++) {
    const key0 = (k0 + Math.imul(round, 0x9e3779b9)) | 0;
    const key1 = (k1 + Math.imul(round, 0xbb67ae85)) | 0;
    const first = (high(0xcd9e8d57, c) ^ b ^ key0) >>> 0;
    const third = (high(0xd2511f53, a) ^ d ^ key1) >>> 0;
    b = Math.imul(0xcd9e8d57, c) >>> 0;
    d = Math.imul(0xd2511f53, a) >>> 0;
    a = first;
    c = third;
  }
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
}

function folded([k0, k1], low, second, tag) {
  const out = new Uint32Array(4);
  philox([k0 ^ 0x5851f42d, k1 ^ 0x4c957f2d], low, second, 0, tag, out);
  return [out[0], out[1]];
}

/** Fills `out`, at most a block, with the words of a plane from the start of block `block`. */
function fillBlock(key, plane, block, out) {
  const state = new Int32Array(LANES);
  for (let lane = 0; lane < LANES; lane++) {
    philox(key, lane, block, plane, 0, state);
    let [s0, s1, s2, s3] = state;
    for (let k = lane; k < out.length; k += LANES) {
      const sum = (s0 + s3) | 0;
      out[k] = ((sum << 7) | (sum >>> 25)) + s0;
      const t = s1 << 9;
      s2 ^= s0;
      s3 ^= s1;
      s1 ^= s2;
      s0 ^= s3;
      s2 ^= t;
      s3 = (s3 << 11) | (s3 >>> 21);
    }
  }
}

/** The words of a world of Rollmill; see OwnWords. */
export class SameWords {
  /** @param keys - {layers, cells}: the keys of the layers' streams and of the streams of cells, as pairs of u32. */
  constructor({ layers, cells }) {
    this.layers = layers;
    const held = () => ({ band: undefined, block: undefined, words: new Uint32Array(BLOCK) });
    this.cells = cells.map((key) => ({ key, blocks: Array.from({ length: HELD_BLOCKS }, held) }));
    this.output = new Uint32Array(4);
  }

  walker(layer, i, j, walker, out) {
    const key = folded(this.layers[layer], i, j, PAIR_TAG);
    fillBlock(key, walker, 0, out);
  }

  starts(layer, i, j, plane, out) {
    const key = folded(folded(this.layers[layer], i, j, PAIR_TAG), 1, 0, STARTS_TAG);
    fillBlock(key, plane, 0, out);
  }

  cell(stream, row, col) {
    const { key, blocks } = this.cells[stream];
    const [band, block] = [Math.floor(row / BAND_ROWS), Math.floor(col / BLOCK_COLUMNS)];
    const held = blocks[block & (HELD_BLOCKS - 1)];
    if (held.band !== band || held.block !== block) {
      fillBlock(key, band >>> 0, block + FIRST_BLOCK, held.words);
      held.band = band;
      held.block = block;
    }
    return held.words[offsetOf(row, col)];
  }

  extra(stream, row, col) {
    const index = (Math.floor(col / BLOCK_COLUMNS) + FIRST_BLOCK) * BLOCK + offsetOf(row, col);
    const first = EXTRA + 2 ** 16 * Math.floor(index / 2 ** 32);
    philox(this.cells[stream].key, first, index, Math.floor(row / BAND_ROWS), 0, this.output);
    return this.output[0];
  }
}

/** The place of a cell's word in its block. */
function offsetOf(row, col) {
  return (row & (BAND_ROWS - 1)) * BLOCK_COLUMNS + (col & (BLOCK_COLUMNS - 1));
}
