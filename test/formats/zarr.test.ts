import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as zarrita from "zarrita";
import { crc32c } from "../../src/formats/bytes.js";
import {
  readZarrShard,
  type ZarrArray,
  type ZarrShards,
  zarrArray,
  zarrGroup,
  zarrShard,
  zarrShardPath,
} from "../../src/formats/index.js";
import { codeOf, rejectionOf } from "../refusal.js";

/** The files of a folder, in memory, as zarrita reads them. */
class Folder {
  readonly files = new Map<string, Uint8Array>();

  write(path: string, content: string | Uint8Array): void {
    this.files.set(`/${path}`, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }

  async get(path: string): Promise<Uint8Array | undefined> {
    return this.files.get(path);
  }

  async getRange(path: string, range: { suffixLength: number } | { offset: number; length: number }) {
    const file = this.files.get(path);
    if ("suffixLength" in range) return file?.slice(-range.suffixLength);
    return file?.slice(range.offset, range.offset + range.length);
  }
}

/** The number in a cell of a map: patches of equal numbers, and many cells without any. */
function cellAt(row: number, col: number, type: string): number {
  const patch = Math.imul((row >> 4) * 977 + (col >> 5), 0x9e3779b1) >>> 24;
  if (patch < 100) return 0;
  const number = patch < 200 ? patch : Math.imul(row * 8191 + col, 0x85ebca6b) >>> 8;
  return type === "uint8" ? number & 0xff : number;
}

/** Writes all shards of an array, padded at the edge. */
async function written(array: ZarrArray, { name, folder }: { name: string; folder: Folder }): Promise<void> {
  const { dataType, shardSide = 1024, fillValue = 0 } = array;
  const [rows, cols] = array.shape;
  folder.write(`${name}/zarr.json`, zarrArray(array));
  for (let r = 0; r * shardSide < rows; r++) {
    for (let c = 0; c * shardSide < cols; c++) {
      const cells = dataType === "uint8" ? new Uint8Array(shardSide ** 2) : new Uint32Array(shardSide ** 2);
      cells.fill(fillValue);
      for (let i = 0; i < Math.min(shardSide, rows - r * shardSide); i++) {
        for (let j = 0; j < Math.min(shardSide, cols - c * shardSide); j++) {
          cells[i * shardSide + j] = cellAt(r * shardSide + i, c * shardSide + j, dataType);
        }
      }
      const { shardSide: side, chunkSide, fillValue: fill } = array;
      folder.write(
        `${name}/${zarrShardPath(r, c)}`,
        await zarrShard(cells, { shardSide: side, chunkSide, fillValue: fill }),
      );
    }
  }
}

describe("zarrita reads back every cell of several shards, edge shards included", () => {
  test.each<ZarrArray>([
    { shape: [1100, 2050], dataType: "uint8" },
    { shape: [1100, 1030], dataType: "uint32", attributes: { origin: [-1024, 2048], name: "visits" } },
    { shape: [100, 65], dataType: "uint32", shardSide: 64, chunkSide: 16, fillValue: 4294967295 },
    { shape: [3, 3], dataType: "uint8", shardSide: 1, fillValue: 255 },
  ])("%j", async (array) => {
    const folder = new Folder();
    folder.write("zarr.json", zarrGroup({ world: "isle" }));
    await written(array, { name: "map", folder });
    const group = await zarrita.open.v3(folder, { kind: "group" });
    expect(group.attrs).toEqual({ world: "isle" });
    const opened = await zarrita.open.v3(group.resolve("map"), { kind: "array" });
    const { data, shape } = await zarrita.get(opened, null);
    expect(shape).toEqual(array.shape);
    expect(opened.attrs).toEqual(array.attributes ?? {});
    expect(opened.dimensionNames).toEqual(["row", "col"]);
    const wanted = array.dataType === "uint8" ? new Uint8Array(data.length) : new Uint32Array(data.length);
    for (let i = 0; i < wanted.length; i++) {
      wanted[i] = cellAt(Math.floor(i / array.shape[1]), i % array.shape[1], array.dataType);
    }
    expect(data).toEqual(wanted);
  });
});

describe("zarrShard and readZarrShard", () => {
  const OPTIONS = { shardSide: 8, chunkSide: 4 } as const;

  test("give every cell back", () =>
    fc.assert(
      fc.asyncProperty(
        fc.uint32Array({ minLength: 64, maxLength: 64 }),
        fc.constantFrom(0, 7),
        async (cells, fillValue) => {
          cells.fill(fillValue, 10, 20);
          const shard = await zarrShard(cells, { ...OPTIONS, fillValue });
          expect(await readZarrShard(shard, { ...OPTIONS, fillValue, dataType: "uint32" })).toEqual(cells);
        },
      ),
    ));

  test("chunks that are wholly the fill value take no bytes", async () => {
    const empty = await zarrShard(new Uint32Array(1024 ** 2));
    expect(empty.length).toBe(16 * 16 + 4);
    const one = new Uint8Array(1024 ** 2).fill(9);
    one[5] = 1;
    const shard = await zarrShard(one, { fillValue: 9 });
    expect(shard.length).toBeLessThan(16 * 16 + 4 + 60);
    expect(await readZarrShard(shard, { dataType: "uint8", fillValue: 9 })).toEqual(one);
  });

  test("equal cells give these bytes on every platform", async () => {
    const cells = Uint32Array.from({ length: 1024 ** 2 }, (_, i) => cellAt(i >> 10, i & 1023, "uint32"));
    const shard = await zarrShard(cells);
    expect([shard.length, crc32c(shard).toString(16)]).toMatchInlineSnapshot(`
      [
        804072,
        "c5e72ea9",
      ]
    `);
  });

  test("calls at the same time do not disturb each other", async () => {
    const maps = [1, 2, 3].map((step) => Uint8Array.from({ length: 64 }, (_, i) => i * step));
    const shards = await Promise.all(maps.map((cells) => zarrShard(cells, OPTIONS)));
    const read = await Promise.all(shards.map((shard) => readZarrShard(shard, { ...OPTIONS, dataType: "uint8" })));
    expect(read).toEqual(maps);
  });

  test("a shard that was changed anywhere, or cut off, is refused with its file and place", async () => {
    const cells = Uint8Array.from({ length: 64 }, (_, i) => (i * i) >> 3);
    const shard = await zarrShard(cells, OPTIONS);
    const options = { ...OPTIONS, dataType: "uint8", file: "c/0/0" } as const;
    for (let i = 0; i < shard.length; i++) {
      const changed = shard.slice();
      changed[i] ^= 1 << (i % 8);
      expect((await rejectionOf(readZarrShard(changed, options))).code).toBe("snapshot.invalid");
      expect((await rejectionOf(readZarrShard(shard.slice(0, i), options))).code).toBe("snapshot.invalid");
    }
    const damaged = shard.slice();
    damaged[7] ^= 1;
    const [issue] = (await rejectionOf(readZarrShard(damaged, options))).issues;
    expect(issue.where).toEqual({ file: "c/0/0", path: "chunk 0" });
  });

  test("another type or another side than those of the shard is refused", async () => {
    const shard = await zarrShard(new Uint8Array(64).fill(3), OPTIONS);
    for (const wrong of [{ dataType: "uint32" }, { dataType: "uint8", shardSide: 16 }] as const) {
      const refused = await rejectionOf(readZarrShard(shard, { ...OPTIONS, ...wrong }));
      expect(refused.code).toBe("snapshot.invalid");
    }
  });

  test("CRC-32C of the nine digits is that of the standard", () => {
    expect(crc32c(new TextEncoder().encode("123456789"))).toBe(0xe306_9283);
  });
});

describe("malformed arguments", () => {
  const array: ZarrArray = { shape: [1, 1], dataType: "uint8" };
  const endless = () => {
    const list: unknown[] = [];
    return { deep: list.concat([Object.assign(list, { 0: list })]) };
  };

  test.each<[string, () => unknown]>([
    ["argument.type", () => zarrArray({ ...array, shape: [1] as never })],
    ["argument.range", () => zarrArray({ ...array, shape: [1, 0] })],
    ["argument.range", () => zarrArray({ ...array, dataType: "int8" as never })],
    ["argument.range", () => zarrArray({ ...array, shardSide: 10, chunkSide: 4 })],
    ["argument.range", () => zarrArray({ ...array, fillValue: 256 })],
    ["argument.type", () => zarrArray({ ...array, dimensionNames: [1, 2] as never })],
    ["argument.option", () => zarrArray({ ...array, chunks: 1 } as never)],
    ["argument.type", () => zarrGroup({ of: 5n })],
    ["argument.type", () => zarrGroup({ of: Number.NaN })],
    ["argument.type", () => zarrGroup(endless())],
    ["argument.type", () => zarrGroup([] as never)],
    ["argument.range", () => zarrGroup({ of: "x".repeat(2 ** 20) })],
    ["argument.range", () => zarrShardPath(-1, 0)],
  ])("%s", (code, call) => {
    expect(codeOf(call)).toBe(code);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["argument.type", () => zarrShard([0] as never)],
    ["argument.range", () => zarrShard(new Uint8Array(5))],
    ["argument.option", () => zarrShard(new Uint8Array(4), { side: 2 } as never)],
    ["argument.type", () => readZarrShard("x" as never, { dataType: "uint8" })],
    ["argument.range", () => readZarrShard(new Uint8Array(9), {} as never)],
  ])("%s, in a rejected promise", async (code, call) => {
    expect((await rejectionOf(call())).code).toBe(code);
  });

  test.each<[string, unknown]>([
    ["a value that throws when it becomes a number", { valueOf: () => expect.fail("read as a number") }],
    ["a bigint", 4n],
    ["a symbol", Symbol("side")],
    ["null", null],
  ])("sides and fill values are checked before they are used: %s", async (_, value) => {
    for (const name of ["shardSide", "chunkSide", "fillValue"]) {
      const given = { [name]: value } as ZarrShards;
      expect(
        codeOf(() => zarrArray({ ...array, ...given })),
        name,
      ).toBe("argument.range");
      for (const call of [
        zarrShard(new Uint8Array(4), given),
        readZarrShard(new Uint8Array(9), { dataType: "uint8", ...given }),
      ]) {
        expect((await rejectionOf(call)).code, name).toBe("argument.range");
      }
    }
  });

  test("attributes that have the same list in 2^30 places are refused, and not copied to each of them", () => {
    let many: unknown = ["x"];
    for (let i = 0; i < 29; i++) many = [many, many];
    expect(codeOf(() => zarrGroup({ many }))).toBe("argument.range");
    const long = new Array(2 ** 12).fill("x".repeat(2 ** 19));
    expect(codeOf(() => zarrGroup({ long: [long, long] }))).toBe("argument.range");
  });

  test("the place of a bad attribute is named, and any key is a key", () => {
    expect(() => zarrGroup({ a: { b: [0, undefined] } })).toThrow("attributes.a.b[1]");
    expect(zarrGroup(JSON.parse('{"__proto__": {"a": 1}}'))).toContain("__proto__");
  });
});
