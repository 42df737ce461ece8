// What a page does with the library; bundled with it, and run by Node too, which must get the same.
import { readZarrShard, toNpy, toPng, zarrShard } from "../../dist/formats/index.js";
import { createMill, createMillAsync } from "../../dist/index.js";
import { resultsOf as resultsAndMap, sum } from "./results.mjs";

export { createMill, createMillAsync };

/** Results of every kind, ready for JSON. */
export function resultsOf(mill) {
  const { results, map } = resultsAndMap(mill);
  return { ...results, png: sum(toPng(map)), npy: sum(toNpy(map)) };
}

/**
 * A Zarr shard, whose compressor is a WebAssembly of its own: the sum of its bytes, and that of the cells read back.
 */
export async function shardSums() {
  const cells = Uint32Array.from({ length: 64 ** 2 }, (_, i) => Math.imul(i >> 3, 0x9e3779b1) >>> 20);
  const options = { shardSide: 64, chunkSide: 32 };
  const shard = await zarrShard(cells, options);
  const read = await readZarrShard(shard, { ...options, dataType: "uint32" });
  return [sum(shard), sum(new Uint8Array(read.buffer)), sum(new Uint8Array(cells.buffer))];
}
