import { dirname } from "node:path/posix";
import { crc32 } from "node:zlib";
import { littleEndian } from "../../formats/bytes.js";
import { type Field, integer, list, record, type SpecReader } from "../../spec/index.js";
import { type Bounds, SECTOR_SIDE } from "../../walks/map/chunk.js";
import { fullBytesIn, type NarrowCounts, widened } from "../../walks/map/chunkCodec.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { CODE_HASH } from "../codeHash.js";
import { folderNameOf } from "../plan/parse.js";
import { sectorName } from "../plan/sectors.js";
import type { Sector } from "../types.js";
import { compressed, decompressed, MAX_COMPRESSED } from "./compression.js";
import type { OpenedJob } from "./manifest.js";
import { checkEqual, failDamaged, HASH, hashOf, jsonIn, parseData } from "./store.js";

/*
 * A part is a file with everything that one task made. All numbers are little-endian.
 *
 *   0        4          8                                          −44           −36        −32
 *   ├─ RMPT ──┼─ version ─┼─ sections, without gaps ─┼─ head, JSON ─┼─ length u64 ─┼─ 4 bytes ─┼─ SHA-256 of the head ─┤
 *
 * The head has the length and the CRC-32 of each section. If a section is compressed (Brotli, RFC 7932), the head also
 * has the length and the CRC-32 of the stored bytes. So every byte of a part is checked, and a reader can check one
 * section without reading the others. `length` is the length of the head. The 4 bytes after it repeat RMPT.
 *
 * Two versions of a runtime can compress differently. So what identifies a part is its head without `stored`.
 *
 * The head also has the hash of the code, and the key of the part, which depends on all that decides its content (see
 * plan/keys.ts). So an undamaged part of another job, of another build or of another task is not accepted either. But
 * a part that another job has made with the same key is accepted, because its content is the same.
 *
 * A CRC finds damage in a third of the time of SHA-256, but it does not identify the content. Where the digest of the
 * job must identify the content, the head also has a SHA-256 of the content.
 */

const MAGIC = "RMPT";
const VERSION = 5;
const PREFIX_BYTES = 8;
const TRAILER_BYTES = 44;
const LENGTH_BYTES = 8;
const HASH_BYTES = 32;
/** Maximum bytes of a head and of a section: a task keeps the whole head, or a whole section, in memory. */
const MAX_HEAD = 2 ** 28;
const MAX_SECTION = 2 ** 31;
const PIECE = 2 ** 24;
const NOT_CONTENT = "a section does not have the content that the head of the part describes";

export interface Section {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether the bytes are in a format that is compact by itself. To compress them takes longer than it is worth. */
  readonly isCompact?: boolean;
}

interface Checked {
  readonly length: number;
  readonly crc32: number;
}

/** A section of a head. `stored` describes the bytes in the file if they are compressed. */
interface SectionMeta extends Checked {
  readonly name: string;
  readonly stored?: Checked | undefined;
}

export type ReadMeta<Meta> = (reader: SpecReader, at: Field, sections: readonly string[]) => Meta;

/** Writes a part. `sections` may be made lazily. `metaOf` is called after the last section. */
export function putPart(job: OpenedJob, name: string, sections: Iterable<Section>, metaOf: () => object): void {
  job.store.put(name, pieces());

  function* pieces() {
    const placed: SectionMeta[] = [];
    yield prefix();
    for (const { name, bytes, isCompact = false } of sections) {
      const fewer = isCompact ? undefined : compressed(bytes);
      placed.push({ name, ...checked(bytes), stored: fewer && checked(fewer) });
      yield fewer ?? bytes;
    }
    const identity = { key: job.keys?.part(name), code: CODE_HASH };
    const head = Buffer.from(JSON.stringify({ ...identity, meta: metaOf(), sections: placed }));
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeBigUInt64LE(BigInt(head.length), 0);
    trailer.write(MAGIC, LENGTH_BYTES, "latin1");
    trailer.write(hashOf(head), TRAILER_BYTES - HASH_BYTES, "hex");
    yield head;
    yield trailer;
  }
}

export type Part<Meta> = NonNullable<ReturnType<typeof openPart<Meta>>>;

/** Returns undefined if the part is missing. Throws `job.damaged`, also for the part of another job, build or task. */
export function openPart<Meta>(
  job: OpenedJob,
  name: string,
  readMeta: ReadMeta<Meta> = (_, { value }) => value as Meta,
) {
  const { store } = job;
  const size = store.sizeOf(name);
  const trailer = size === undefined ? undefined : store.read(name, -TRAILER_BYTES, TRAILER_BYTES);
  if (size === undefined || trailer === undefined) return undefined;
  const damaged = () => failDamaged(store, name);
  if (trailer.length < TRAILER_BYTES) return damaged();
  const view = Buffer.from(trailer);
  const length = Number(view.readBigUInt64LE(0));
  const start = size - TRAILER_BYTES - length;
  if (view.toString("latin1", LENGTH_BYTES, LENGTH_BYTES + 4) !== MAGIC || start < PREFIX_BYTES) return damaged();
  if (length > MAX_HEAD) return failDamaged(store, name, "the head of the part is too large");
  const head = store.read(name, start, length);
  const sha256 = view.toString("hex", TRAILER_BYTES - HASH_BYTES);
  if (head === undefined || hashOf(head) !== sha256) return damaged();
  const { meta, sections, identity } = parseData({ store, name }, jsonIn(head), (reader, root) => {
    const fields = reader.record(root);
    checkEqual(reader, fields.get("code"), job.manifest.code, "another build of Rollmill made this part");
    const key = job.keys?.part(name) ?? HASH.read(reader, fields.get("key"));
    checkEqual(reader, fields.get("key"), key, "the file contains another part, or a part of another job");
    const sections = sectionsIn(reader, fields.get("sections"));
    const meta = fields.get("meta");
    const identity = { key, code: job.manifest.code, meta: meta.value };
    return { meta: readMeta(reader, meta, [...sections.keys()]), sections, identity };
  });
  let end = PREFIX_BYTES;
  const places = new Map<string, SectionMeta & { readonly from: number; readonly inFile: Checked }>();
  for (const section of sections.values()) {
    const inFile = section.stored ?? section;
    places.set(section.name, { ...section, from: end, inFile });
    end += inFile.length;
  }
  if (end !== start || !prefix().equals(store.read(name, 0, PREFIX_BYTES) ?? new Uint8Array())) return damaged();
  return {
    meta,
    /** SHA-256 of the head without `stored`, which is equal for all compressors. */
    get sha256(): string {
      const contents = Array.from(sections.values(), ({ stored, ...content }) => content);
      return hashOf(JSON.stringify({ ...identity, sections: contents }));
    },
    get sections(): readonly string[] {
      return [...places.keys()];
    },
    /** The bytes that each section takes in the file, by name. */
    get storedLengths(): ReadonlyMap<string, number> {
      return new Map(Array.from(places, ([of, { inFile }]) => [of, inFile.length]));
    },
    /** Reads the bytes of the file into the memory that `memoryFor` returns. */
    section(of: string, memoryFor?: (bytes: number) => Uint8Array<ArrayBuffer>): Uint8Array | undefined {
      const place = places.get(of);
      if (place === undefined) return undefined;
      const bytes = store.read(name, place.from, place.inFile.length, memoryFor);
      if (bytes === undefined || !isSame(bytes, place.inFile)) return damaged();
      if (place.stored === undefined) return bytes;
      const content = decompressed(bytes, place.length);
      return content !== undefined && isSame(content, place) ? content : failDamaged(store, name, NOT_CONTENT);
    },
    /** Yields all bytes of the part. Throws at the end of a damaged section. */
    *pieces(): Generator<Uint8Array, void> {
      yield prefix();
      for (const { from, inFile } of places.values()) {
        const { length, crc32: wanted } = inFile;
        let sum = 0;
        for (let at = 0; at < length; at += PIECE) {
          const piece = store.read(name, from + at, Math.min(PIECE, length - at)) ?? new Uint8Array();
          sum = crc32(piece, sum);
          yield piece;
        }
        if (sum !== wanted) damaged();
      }
      yield head;
      yield trailer;
    },
    verify(): void {
      for (const _ of this.pieces());
      // anybody can write a part whose bytes have correct checksums, but are not the compressed form of its content
      for (const { name: of, stored } of places.values()) if (stored !== undefined) this.section(of);
    },
  };
}

export function partOf<Meta>(job: OpenedJob, name: string, readMeta?: ReadMeta<Meta>): Part<Meta> {
  return openPart(job, name, readMeta) ?? failDamaged(job.store, name);
}

function sectionsIn(reader: SpecReader, at: Field): ReadonlyMap<string, SectionMeta> {
  const sections = new Map<string, SectionMeta>();
  for (const field of reader.list(at, { of: "sections" })) {
    const { name, length, crc32, stored } = (field.value ?? {}) as SectionMeta;
    const content = { name, length, crc32 };
    const isCompressed = stored !== undefined;
    const isSound =
      typeof name === "string" &&
      isChecked(content, isCompressed ? MAX_COMPRESSED : MAX_SECTION) &&
      (!isCompressed || isChecked(stored, length - 1));
    if (isSound && !sections.has(name)) sections.set(name, { ...content, stored });
    else reader.report(field, { problem: "not a section", got: field.value });
  }
  return sections;
}

function checked(bytes: Uint8Array): Checked {
  return { length: bytes.length, crc32: crc32(bytes) };
}

function isSame(bytes: Uint8Array, wanted: Checked): boolean {
  return bytes.length === wanted.length && crc32(bytes) === wanted.crc32;
}

function isChecked(value: Checked | null, most: number): boolean {
  return isWhole(value?.length, most) && isWhole(value?.crc32, 2 ** 32 - 1);
}

function isWhole(value: unknown, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
}

function prefix(): Buffer {
  const bytes = Buffer.alloc(PREFIX_BYTES);
  bytes.write(MAGIC, 0, "latin1");
  bytes.writeUInt32LE(VERSION, 4);
  return bytes;
}

export const partName = {
  shard: (layer: number, k: number) => `parts/walk/${layer}/${k}.part`,
  /** A part of a map that did not fit into memory. Its name has `maxMemory`, which decides where the map is cut. */
  further: (layer: number, k: number, { maxMemory, n }: { maxMemory: number; n: number }) =>
    `parts/walk/${layer}/${k}-${maxMemory}-${n}.part`,
  layer: (layer: number, sector: Sector) => `parts/layer/${layer}/${sectorName(sector)}.part`,
  cells: (sector: Sector) => `parts/cells/${sectorName(sector)}.part`,
  ordered: "parts/ordered.part",
  bulk: (name: string, batch: number) => `parts/bulk/${folderNameOf(name)}/${batch}.part`,
} as const;

/** Whether `name` is the name of a shard's further part number `n`. `shard` is the name of the shard's last part. */
export function isFurtherPart(shard: string, n: number | string, name: string): boolean {
  const stem = `${shard.slice(0, -".part".length)}-`;
  if (!name.startsWith(stem)) return false;
  const [limit, ...rest] = name.slice(stem.length).split("-");
  return /^(?:0|[1-9]\d*)$/.test(limit) && rest.join("-") === `${n}.part`;
}

export function isSectorName(name: string): boolean {
  const numbers = name.split("_");
  const isInside = (text: string) => /^(?:0|-?[1-9]\d*)$/.test(text) && Math.abs(Number(text)) <= LIMIT / SECTOR_SIDE;
  return numbers.length === 2 && numbers.every(isInside);
}

// ── heads: anybody can write a part with correct checksums, so the heads are checked like any other input ──

/** Cells have coordinates from −2³¹ to 2³¹ − 1. */
const LIMIT = 2 ** 31;
const COORDINATE = integer({ least: -LIMIT, most: LIMIT - 1 });
export const COUNT = integer({ least: 0 });
const PLACE = { i: COORDINATE, j: COORDINATE } as const;
const SECTOR = record(PLACE);
const DIGESTS = list(record({ ...PLACE, digest: HASH }), { of: "digests" });

export function rectangleIn(reader: SpecReader, at: Field): CellRectangle {
  const fields = reader.record(at);
  const [row0, col0] = ["row0", "col0"].map((key) => COORDINATE.read(reader, fields.get(key)));
  const side = (key: string, first: number) => reader.integer(fields.get(key), { least: 0, most: LIMIT - first });
  return { row0, col0, rows: side("rows", row0), cols: side("cols", col0) };
}

/**
 * The head of the last part of a shard. `further` has the names of the other parts. The file has them without their
 * folder, whose name is the index of the layer, because a layer can have another index in another job.
 */
export type ShardMeta = ReturnType<ReturnType<typeof shardMeta>>;

export function shardMeta(name: string) {
  return (reader: SpecReader, at: Field, sections: readonly string[]) => {
    const fields = reader.record(at);
    for (const section of sections) {
      if (isSectorName(section)) continue;
      const problem = "invalid name of a section";
      reader.report(at, { problem, got: section, expected: "a name such as 0_-1" });
    }
    const further = reader.list(fields.get("further"), { of: "names of parts" }).map((one, n) => {
      const found = `${dirname(name)}/${one.value}`;
      if (isFurtherPart(name, n, found)) return found;
      reader.report(one, { problem: "not the name of a further part of this shard", got: one.value });
      return name;
    });
    return { steps: COUNT.read(reader, fields.get("steps")), further };
  };
}

/** Reads the head of a part of a layer. `bounds` is null if no cell was visited. */
export function layerMeta(reader: SpecReader, at: Field): { readonly bounds: Bounds | null } {
  const bounds = reader.record(at).get("bounds");
  if (bounds.value === null) return { bounds: null };
  const [row0, col0, row1, col1] = list(COORDINATE, { least: 4, most: 4, of: "coordinates" }).read(reader, bounds);
  if (row0 > row1 || col0 > col1) reader.report(bounds, { problem: "the first row or column is after the last one" });
  return { bounds: [row0, col0, row1, col1] };
}

/** The head of a sector's part, with the digest of each region in the sector. */
export type CellsMeta = ReturnType<ReturnType<typeof cellsMeta>>;

export function cellsMeta({ spec }: Pick<OpenedJob, "spec">) {
  return (reader: SpecReader, at: Field) => {
    const fields = reader.record(at);
    const counts = (key: string, { length }: readonly unknown[]) =>
      list(COUNT, { least: length, most: length, of: "counts" }).read(reader, fields.get(key));
    return {
      ...rectangleIn(reader, at),
      sector: SECTOR.read(reader, fields.get("sector")),
      digests: DIGESTS.read(reader, fields.get("digests")),
      terrain: counts("terrain", spec.terrains),
      placements: counts("placements", spec.placements),
    };
  };
}

/** Reads the SHA-256 of a head. The other fields of the head are for people. */
export function hashedMeta(reader: SpecReader, at: Field): { readonly sha256: string } {
  return { sha256: HASH.read(reader, reader.record(at).get("sha256")) };
}

export function wordsIn(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  // words must start at a multiple of 4 bytes, and the bytes of a section can start anywhere
  const words = new Uint32Array(new Uint8Array(bytes).buffer);
  return new Uint32Array(littleEndian(words).buffer as ArrayBuffer);
}

/** Returns a byte for each count, at most 255, and then the counts of 255 or more as 32-bit numbers. */
export function storedCounts({ bytes, large }: Pick<NarrowCounts, "bytes" | "large">): Uint8Array {
  return large.length === 0 ? bytes : Buffer.concat([bytes, littleEndian(large)]);
}

export function countsIn(bytes: Uint8Array, length: number): Uint32Array<ArrayBuffer> | undefined {
  const small = bytes.subarray(0, length);
  if (bytes.length !== length + 4 * fullBytesIn(small)) return undefined;
  return widened({ bytes: small, large: wordsIn(bytes.subarray(length)) });
}
