import { crc32 } from "node:zlib";
import type { Field, SpecReader } from "../../spec/index.js";
import { CODE_HASH } from "../codeHash.js";
import { checkEqual, failDamaged, hashOf, jsonIn, parseData } from "./checked.js";
import type { OpenedJob } from "./manifest.js";
import type { FolderStore } from "./store.js";

/*
 * A part: what one task has made. All numbers are little-endian.
 *
 *   0        4          8                                          −44           −36        −32
 *   ├─ RMPT ──┼─ version ─┼─ sections, without gaps ─┼─ head, JSON ─┼─ length u64 ─┼─ 4 bytes ─┼─ SHA-256 of the head ─┤
 *
 * The head has the length and the CRC-32 of each section. So every byte of a part is checked, and a reader can check
 * one section without reading the others. The length is that of the head; the 4 bytes after it repeat the magic.
 *
 * The head also has the hashes of the manifest and of the code, and the name of the part. So an undamaged part of
 * another job, of another build or of another task is not accepted either.
 *
 * A CRC finds damage in a third of the time of SHA-256. It does not identify the content. Where the digest of the job
 * needs that, the data in the head have a SHA-256 of the content.
 */

const MAGIC = "RMPT";
const VERSION = 3;
const PREFIX_BYTES = 8;
const TRAILER_BYTES = 44;
const LENGTH_BYTES = 8;
const HASH_BYTES = 32;
/** In bytes. A task makes no larger ones: it holds each of them in memory. */
const MAX_HEAD = 2 ** 28;
const MAX_SECTION = 2 ** 31;
const PIECE = 2 ** 24;

export interface Section {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface PlacedSection {
  readonly name: string;
  readonly length: number;
  readonly crc32: number;
}

export type ReadMeta<Meta> = (reader: SpecReader, at: Field, sections: readonly string[]) => Meta;

/** Writes a part. `sections` may be made lazily. `metaOf` is called after the last section. */
export function putPart(job: OpenedJob, name: string, sections: Iterable<Section>, metaOf: () => object): void {
  job.store.put(name, pieces());

  function* pieces() {
    const placed: PlacedSection[] = [];
    yield prefix();
    for (const section of sections) {
      placed.push({ name: section.name, length: section.bytes.length, crc32: crc32(section.bytes) });
      yield section.bytes;
    }
    const identity = { job: job.hash, code: CODE_HASH, part: name };
    const head = Buffer.from(JSON.stringify({ ...identity, meta: metaOf(), sections: placed }));
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeBigUInt64LE(BigInt(head.length), 0);
    trailer.write(MAGIC, LENGTH_BYTES, "latin1");
    trailer.write(hashOf(head), TRAILER_BYTES - HASH_BYTES, "hex");
    yield head;
    yield trailer;
  }
}

/** A part whose head has been checked. A section is checked when it is read. */
export class Part<Meta> {
  readonly meta: Meta;
  /** SHA-256 of the head. */
  readonly sha256: string;
  readonly #store: FolderStore;
  readonly #name: string;
  readonly #places = new Map<string, PlacedSection & { readonly from: number }>();

  private constructor(
    store: FolderStore,
    name: string,
    head: { readonly meta: Meta; readonly sections: readonly PlacedSection[]; readonly sha256: string },
  ) {
    this.#store = store;
    this.#name = name;
    this.meta = head.meta;
    this.sha256 = head.sha256;
    let from = PREFIX_BYTES;
    for (const section of head.sections) {
      this.#places.set(section.name, { ...section, from });
      from += section.length;
    }
  }

  /** Undefined if there is no part. Throws `job.damaged`, also for the part of another job, build or task. */
  static open<Meta>(
    job: OpenedJob,
    name: string,
    readMeta: ReadMeta<Meta> = (_, { value }) => value as Meta,
  ): Part<Meta> | undefined {
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
    if (length > MAX_HEAD) return failDamaged(store, name, { problem: "the head of the part is too large" });
    const head = store.read(name, start, length);
    const sha256 = view.toString("hex", TRAILER_BYTES - HASH_BYTES);
    if (head === undefined || hashOf(head) !== sha256) return damaged();
    const read = parseData({ store, name }, jsonIn(head), (reader, root) => {
      const fields = reader.record(root);
      checkEqual(reader, fields.get("part"), name, "the file is the part of another task");
      checkEqual(reader, fields.get("job"), job.hash, "the file is a part of another job");
      checkEqual(reader, fields.get("code"), job.manifest.code, "another build of Rollmill made this part");
      const sections = sectionsIn(reader, fields.get("sections"));
      const names = sections.map((section) => section.name);
      return { meta: readMeta(reader, fields.get("meta"), names), sections, sha256 };
    });
    const sum = read.sections.reduce((bytes, section) => bytes + section.length, PREFIX_BYTES);
    if (sum !== start || !prefix().equals(store.read(name, 0, PREFIX_BYTES) ?? new Uint8Array())) return damaged();
    return new Part<Meta>(store, name, read);
  }

  static openOrFail<Meta>(job: OpenedJob, name: string, readMeta?: ReadMeta<Meta>): Part<Meta> {
    return Part.open(job, name, readMeta) ?? failDamaged(job.store, name);
  }

  get sections(): readonly string[] {
    return [...this.#places.keys()];
  }

  /** Undefined if the part has no such section. Throws `job.damaged`. */
  section(name: string, memoryFor?: (bytes: number) => Uint8Array<ArrayBuffer>): Uint8Array | undefined {
    const place = this.#places.get(name);
    if (place === undefined) return undefined;
    const bytes = this.#store.read(this.#name, place.from, place.length, memoryFor);
    if (bytes?.length !== place.length || crc32(bytes) !== place.crc32) return failDamaged(this.#store, this.#name);
    return bytes;
  }

  verify(): void {
    for (const { from, length, crc32: wanted } of this.#places.values()) {
      let sum = 0;
      for (let at = 0; at < length; at += PIECE) {
        const bytes = this.#store.read(this.#name, from + at, Math.min(PIECE, length - at));
        sum = crc32(bytes ?? "", sum);
      }
      if (sum !== wanted) failDamaged(this.#store, this.#name);
    }
  }
}

/** Returns only sections without flaws. */
function sectionsIn(reader: SpecReader, at: Field): PlacedSection[] {
  const names = new Set<string>();
  return reader.list(at, { of: "sections" }).flatMap((field) => {
    const section = (field.value ?? {}) as PlacedSection;
    const { name, length, crc32 } = section;
    const isSound = typeof name === "string" && isWhole(length, MAX_SECTION) && isWhole(crc32, 2 ** 32 - 1);
    if (isSound && !names.has(name)) {
      names.add(name);
      return [section];
    }
    reader.report(field, { problem: "not a section", got: field.value });
    return [];
  });
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
