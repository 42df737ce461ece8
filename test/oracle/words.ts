/** Random words by address, as docs/determinism.md defines them: one block of Philox, one output of xoshiro at a time. */

/** The two u32 of a mill's key. */
export type TwinKey = readonly [number, number];

/** The words of one purpose, by address: what the twins of tables and walks take. */
export interface PurposeWords {
  /** word(purpose, plane, index), a u32. */
  word(plane: number, index: number): number;
  /** Extra word x_i of the same address, a u32. */
  extra(plane: number, index: number, i: number): number;
}

const BLOCK = 1024;
const LANES = 4;
const HALF = 2 ** 16;

/** Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011): four u32 from a key and a counter of four u32. */
export function philox(key: TwinKey, counter: readonly number[]): number[] {
  let [k0, k1] = key;
  let [c0, c1, c2, c3] = counter;
  for (let round = 0; round < 10; round++) {
    const [high0, low0] = [highProduct(c0, 0xd2511f53), Math.imul(c0, 0xd2511f53)];
    const [high1, low1] = [highProduct(c2, 0xcd9e8d57), Math.imul(c2, 0xcd9e8d57)];
    [c0, c1, c2, c3] = [(high1 ^ c1 ^ k0) >>> 0, low1 >>> 0, (high0 ^ c3 ^ k1) >>> 0, low0 >>> 0];
    k0 = (k0 + 0x9e3779b9) >>> 0;
    k1 = (k1 + 0xbb67ae85) >>> 0;
  }
  return [c0, c1, c2, c3];
}

/** ⌊a·b / 2³²⌋ of two u32, by halves of `a`: every product and sum is below 2⁵³. */
export function highProduct(a: number, b: number): number {
  const upper = Math.floor(a / HALF);
  return Math.floor((upper * b + Math.floor(((a - upper * HALF) * b) / HALF)) / HALF);
}

/** xoshiro128++ 1.0 (Blackman and Vigna 2019), output by output; the state is changed. */
export function xoshiro128pp(state: Uint32Array): number {
  const result = (rotl(state[0] + state[3], 7) + state[0]) >>> 0;
  const t = state[1] << 9;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= t;
  state[3] = rotl(state[3], 11);
  return result;
}

function rotl(x: number, k: number): number {
  return (x << k) | ((x >>> 0) >>> (32 - k));
}

/** Where lane `lane` of a block starts; never all zeros. */
export function laneStart(
  key: TwinKey,
  { purpose, plane, block, lane }: { purpose: number; plane: number; block: number; lane: number },
): Uint32Array {
  const start = philox(key, [lane, block, plane, purpose]);
  return Uint32Array.from(start.every((word) => word === 0) ? [1, 2, 3, 4] : start);
}

/** The 1,024 words of a block: output i is output ⌊i/4⌋ of lane i mod 4. */
export function blockWords(key: TwinKey, purpose: number, plane: number, block: number): Uint32Array {
  const words = new Uint32Array(BLOCK);
  for (let lane = 0; lane < LANES; lane++) {
    const state = laneStart(key, { purpose, plane, block, lane });
    for (let i = lane; i < BLOCK; i += LANES) words[i] = xoshiro128pp(state);
  }
  return words;
}

/** word(purpose, plane, index). */
export function wordTwin(key: TwinKey, purpose: number, plane: number, index: number): number {
  return blockWords(key, purpose, plane, Math.floor(index / BLOCK))[index % BLOCK];
}

/** Extra word x_i of an address: word i mod 4 of Philox at (4 + ⌊i/4⌋ + 2¹⁶·⌊index/2³²⌋, index mod 2³², plane, purpose). */
export function extraTwin(key: TwinKey, purpose: number, plane: number, index: number, i: number): number {
  const high = Math.floor(index / 2 ** 32);
  return philox(key, [4 + Math.floor(i / 4) + 2 ** 16 * high, index % 2 ** 32, plane, purpose])[i % 4];
}

/** The words of one purpose; blocks are kept, for twins that go through them in order. */
export function purposeWords(key: TwinKey, purpose: number): PurposeWords {
  const blocks = new Map<string, Uint32Array>();
  return {
    word(plane, index) {
      const block = Math.floor(index / BLOCK);
      const place = `${plane} ${block}`;
      const words = blocks.get(place) ?? blockWords(key, purpose, plane, block);
      blocks.set(place, words);
      return words[index % BLOCK];
    },
    extra: (plane, index, i) => extraTwin(key, purpose, plane, index, i),
  };
}
