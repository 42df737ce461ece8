import { crc32 } from "node:zlib";
import { failDamaged, hashOf } from "./sealed.js";
import type { JobStore } from "./store/types.js";

/*
 * A part: what one task has made. All numbers are little-endian.
 *
 *   0        4          8                                          −44           −36        −32
 *   ├─ RMPT ──┼─ version ─┼─ sections, without gaps ─┼─ head, JSON ─┼─ length u64 ─┼─ 4 bytes ─┼─ SHA-256 of the head ─┤
 *
 * The head has the length and the CRC-32 of each section. So every byte of a part is checked, and a reader can check
 * one section without reading the others. The length is that of the head; the 4 bytes after it repeat the magic.
 *
 * A CRC finds damage, and takes a third of the time of SHA-256. It does not identify the content. Where the digest of
 * the job needs that, the data in the head have a SHA-256 of the content.
 */

const MAGIC = "RMPT";
const VERSION = 2;
const PREFIX_BYTES = 8;
const TRAILER_BYTES = 44;
const LENGTH_BYTES = 8;
const HASH_BYTES = 32;

/** A named piece of a part. */
export interface Section {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface PlacedSection {
  readonly name: string;
  readonly length: number;
  readonly crc32: number;
}

/** The head of a part: its sections, and data about the result of the task. */
interface Head<Meta> {
  readonly meta: Meta;
  readonly sections: readonly PlacedSection[];
}

/** Writes a part. `sections` may be made lazily. `metaOf` is called after the last section. */
export function putPart(store: JobStore, name: string, sections: Iterable<Section>, metaOf: () => object): void {
  store.put(name, pieces());

  function* pieces() {
    const placed: PlacedSection[] = [];
    yield prefix();
    for (const section of sections) {
      placed.push({ name: section.name, length: section.bytes.length, crc32: crc32(section.bytes) });
      yield section.bytes;
    }
    const head = Buffer.from(JSON.stringify({ meta: metaOf(), sections: placed }));
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeBigUInt64LE(BigInt(head.length), 0);
    trailer.write(MAGIC, LENGTH_BYTES, "latin1");
    trailer.write(hashOf(head), TRAILER_BYTES - HASH_BYTES, "hex");
    yield head;
    yield trailer;
  }
}

/** A part in a store. Its head has been checked. A section is checked when it is read. */
export class Part<Meta> {
  readonly meta: Meta;
  /** SHA-256 of the head. It identifies the part if the head identifies the content. */
  readonly sha256: string;
  readonly #store: JobStore;
  readonly #name: string;
  readonly #places: ReadonlyMap<string, PlacedSection & { readonly from: number }>;

  private constructor(store: JobStore, name: string, { meta, sections }: Head<Meta>, sha256: string) {
    this.sha256 = sha256;
    const places = new Map<string, PlacedSection & { readonly from: number }>();
    let from = PREFIX_BYTES;
    for (const section of sections) {
      places.set(section.name, { ...section, from });
      from += section.length;
    }
    this.meta = meta;
    this.#store = store;
    this.#name = name;
    this.#places = places;
  }

  /**
   * Opens a part. Returns undefined if it does not exist.
   *
   * @throws RollmillError `job.damaged`.
   */
  static open<Meta>(store: JobStore, name: string): Part<Meta> | undefined {
    const size = store.sizeOf(name);
    const trailer = store.read(name, -TRAILER_BYTES, TRAILER_BYTES);
    if (size === undefined || trailer === undefined) return undefined;
    const damaged = () => failDamaged(store, name);
    if (trailer.length < TRAILER_BYTES) return damaged();
    const view = Buffer.from(trailer);
    const length = Number(view.readBigUInt64LE(0));
    const start = size - TRAILER_BYTES - length;
    if (view.toString("latin1", LENGTH_BYTES, LENGTH_BYTES + 4) !== MAGIC || start < PREFIX_BYTES) return damaged();
    const head = store.read(name, start, length);
    const hash = view.toString("hex", TRAILER_BYTES - HASH_BYTES);
    if (head === undefined || hashOf(head) !== hash) return damaged();
    const read = JSON.parse(Buffer.from(head).toString("utf8")) as Head<Meta>;
    const sum = read.sections.reduce((bytes, section) => bytes + section.length, PREFIX_BYTES);
    if (sum !== start || !prefix().equals(store.read(name, 0, PREFIX_BYTES) ?? new Uint8Array())) return damaged();
    return new Part<Meta>(store, name, read, hash);
  }

  /** The names of the sections. */
  get sections(): readonly string[] {
    return [...this.#places.keys()];
  }

  /**
   * Reads a section. Returns undefined if the part has no such section.
   *
   * @param memoryFor - Returns memory for a number of bytes. The result is in this memory. Default: new memory.
   * @throws RollmillError `job.damaged`.
   */
  section(name: string, memoryFor?: (bytes: number) => Uint8Array<ArrayBuffer>): Uint8Array | undefined {
    const place = this.#places.get(name);
    if (place === undefined) return undefined;
    const bytes = this.#store.read(this.#name, place.from, place.length, memoryFor);
    if (bytes?.length !== place.length || crc32(bytes) !== place.crc32) return failDamaged(this.#store, this.#name);
    return bytes;
  }

  /** Reads and checks every section. */
  verify(): void {
    for (const name of this.sections) this.section(name);
  }
}

function prefix(): Buffer {
  const bytes = Buffer.alloc(PREFIX_BYTES);
  bytes.write(MAGIC, 0, "latin1");
  bytes.writeUInt32LE(VERSION, 4);
  return bytes;
}
