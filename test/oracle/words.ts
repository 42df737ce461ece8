import seedrandom from "seedrandom";

/** Random words by address, as docs/determinism.md defines them: one block of Philox, one output of xoshiro at a time. */

/** A key: two u32. */
export type TwinKey = readonly [number, number];

/** The words of one stream, by address: what the twins of tables and walks take. A plane is 0 … 2^53 − 1. */
export interface StreamWords {
  /** word(stream, plane, index), a u32. */
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
  { high, plane, block, lane }: { high: number; plane: number; block: number; lane: number },
): Uint32Array {
  const start = philox(key, [lane, block, plane, high]);
  return Uint32Array.from(start.every((word) => word === 0) ? [1, 2, 3, 4] : start);
}

/** The 1,024 words of a block: output i is output ⌊i/4⌋ of lane i mod 4. */
export function blockWords(key: TwinKey, high: number, plane: number, block: number): Uint32Array {
  const words = new Uint32Array(BLOCK);
  for (let lane = 0; lane < LANES; lane++) {
    const state = laneStart(key, { high, plane, block, lane });
    for (let i = lane; i < BLOCK; i += LANES) words[i] = xoshiro128pp(state);
  }
  return words;
}

/** word(stream, high · 2^32 + plane, index). */
export function wordTwin(key: TwinKey, high: number, plane: number, index: number): number {
  return blockWords(key, high, plane, Math.floor(index / BLOCK))[index % BLOCK];
}

/** Extra word x_i: word i mod 4 of Philox at (4 + ⌊i/4⌋ + 2¹⁶·⌊index/2³²⌋, index mod 2³², plane, high). */
export function extraTwin(key: TwinKey, high: number, plane: number, index: number, i: number): number {
  const first = 4 + 2 ** 16 * Math.floor(index / 2 ** 32);
  return philox(key, [first + Math.floor(i / 4), index % 2 ** 32, plane, high])[i % 4];
}

/** The words of one stream; blocks are kept, for twins that go through them in order. */
export function streamWords(key: TwinKey): StreamWords {
  const blocks = new Map<string, Uint32Array>();
  return {
    word(plane, index) {
      const block = Math.floor(index / BLOCK);
      const place = `${plane} ${block}`;
      const words = blocks.get(place) ?? blockWords(key, highOf(plane), plane % 2 ** 32, block);
      blocks.set(place, words);
      return words[index % BLOCK];
    },
    extra: (plane, index, i) => extraTwin(key, highOf(plane), plane % 2 ** 32, index, i),
  };
}

function highOf(plane: number): number {
  return Math.floor(plane / 2 ** 32);
}

// ── keys: docs/determinism.md, sections 1 and 2 ──

/** The key of a stream: that of a name under a seed. */
export function streamKey(seed: string | number | bigint, name: string): TwinKey {
  return nameTwin(seedKeyTwin(seed), name);
}

/** The key of a name in a mill. */
export function nameTwin(mill: TwinKey, name: string): TwinKey {
  return foldTwin(mill, [...Buffer.from(name, "utf8")], Buffer.byteLength(name, "utf8"));
}

/** The key of a mill. */
export function seedKeyTwin(seed: string | number | bigint): TwinKey {
  const bytes = [...Buffer.from(String(seed), "utf8")];
  const generator = seedrandom(`${bytes.length}:${Buffer.from(bytes).toString("latin1")}`);
  return foldTwin([generator.int32() >>> 0, generator.int32() >>> 0], bytes, bytes.length);
}

/** The key of the starts of a layer of a walk. */
export function startsKeyTwin(layer: TwinKey): TwinKey {
  return foldTwin(layer, [1, 0, 0, 0, 0, 0, 0, 0], 2 ** 31 + 3);
}

/** The key of a child stream: of a text, an integer or a pair. */
export function forkTwin(key: TwinKey, id: string | bigint | readonly [number, number]): TwinKey {
  if (typeof id === "string")
    return foldTwin(key, [...Buffer.from(id, "utf8")], 2 ** 30 + Buffer.byteLength(id, "utf8"));
  const bytes = Buffer.alloc(8);
  if (typeof id === "bigint") bytes.writeBigInt64LE(id);
  else for (const [i, part] of id.entries()) bytes.writeInt32LE(part, 4 * i);
  return foldTwin(key, [...bytes], 2 ** 31 + (typeof id === "bigint" ? 1 : 2));
}

function foldTwin(key: TwinKey, bytes: readonly number[], tag: number): TwinKey {
  const chunks = Buffer.alloc(8 * Math.max(1, Math.ceil(bytes.length / 8)));
  chunks.set(bytes);
  let folded = key;
  for (let i = 0; i < chunks.length; i += 8) {
    const under: TwinKey = [(folded[0] ^ 0x5851f42d) >>> 0, (folded[1] ^ 0x4c957f2d) >>> 0];
    const [k0, k1] = philox(under, [chunks.readUInt32LE(i), chunks.readUInt32LE(i + 4), i / 8, tag]);
    folded = [k0, k1];
  }
  return folded;
}
