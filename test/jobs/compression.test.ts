import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, crc32, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openPart, partName, putPart, type Section } from "../../src/jobs/folder/part.js";
import type { Job } from "../../src/jobs/index.js";
import { codeOf } from "../refusal.js";
import { finished, newJob, REACHED, SMALL } from "./samples.js";

const NAME = partName.cells({ i: 0, j: 0 });
const TRAILER = 44;

const zeros = (length: number) => new Uint8Array(length);
const noise = (length: number) => createHash("shake256", { outputLength: length }).digest();

/** Stores sections as a part of a new job. */
async function stored(sections: readonly Section[]) {
  const job = await newJob(REACHED);
  putPart(job.opened, NAME, sections, () => ({}));
  const part = openPart(job.opened, NAME) ?? expect.unreachable();
  return { job, part, file: join(job.folder, NAME) };
}

interface Head {
  readonly sections: { name: string; length: unknown; crc32: unknown; stored?: unknown }[];
}

/** Replaces the sections and the head of a part, with a correct checksum of the head. */
function forge(file: string, change: (head: Head) => void, sections?: Uint8Array): void {
  const bytes = readFileSync(file);
  const start = bytes.length - TRAILER - Number(bytes.readBigUInt64LE(bytes.length - TRAILER));
  const head = JSON.parse(bytes.toString("utf8", start, bytes.length - TRAILER));
  change(head);
  const text = Buffer.from(JSON.stringify(head));
  const trailer = bytes.subarray(-TRAILER);
  trailer.writeBigUInt64LE(BigInt(text.length), 0);
  createHash("sha256").update(text).digest().copy(trailer, 12);
  writeFileSync(file, Buffer.concat([bytes.subarray(0, 8), sections ?? bytes.subarray(8, start), text, trailer]));
}

/** Makes the first section of a part some other bytes, of which the head says the truth but for `change`. */
function replace(file: string, bytes: Uint8Array, change: object = {}): void {
  const own = { length: bytes.length, crc32: crc32(bytes) };
  forge(file, ({ sections }) => Object.assign(sections[0], { stored: own }, change), bytes);
}

describe("a part", () => {
  test("has the bytes of its sections, and compresses those that become smaller", async () => {
    const sections = [
      { name: "none", bytes: zeros(0) },
      { name: "one", bytes: zeros(1) },
      { name: "zeros", bytes: zeros(100_000) },
      { name: "noise", bytes: noise(5000) },
      { name: "compact", bytes: zeros(7000), isCompact: true },
    ];
    const { part, file } = await stored(sections);
    for (const { name, bytes } of sections)
      expect(Buffer.from(part.section(name) ?? []), name).toEqual(Buffer.from(bytes));
    const { zeros: few, ...whole } = Object.fromEntries(part.storedLengths);
    expect(whole).toEqual({ none: 0, one: 1, noise: 5000, compact: 7000 });
    expect(few).toBeLessThan(100);
    expect(Buffer.concat([...part.pieces()])).toEqual(readFileSync(file));
    part.verify();
  });

  test("of another compressor has the same hash", async () => {
    const bytes = Buffer.from("a line of text\n".repeat(99));
    const { job, part, file } = await stored([{ name: "text", bytes }]);
    const before = readFileSync(file);
    const { BROTLI_PARAM_QUALITY: quality } = constants;
    replace(file, brotliCompressSync(bytes, { params: { [quality]: 9 } }));
    const other = openPart(job.opened, NAME) ?? expect.unreachable();
    other.verify();
    expect(readFileSync(file)).not.toEqual(before);
    expect(other.sha256).toBe(part.sha256);
    putPart(job.opened, NAME, [{ name: "text", bytes: Buffer.from("another") }], () => ({}));
    expect(openPart(job.opened, NAME)?.sha256).not.toBe(part.sha256);
  });

  test("is damaged if any byte of a compressed section changes", async () => {
    const { part, file } = await stored([{ name: "text", bytes: Buffer.from("a line of text\n".repeat(9)) }]);
    const bytes = readFileSync(file);
    for (let at = 8; at < 8 + (part.storedLengths.get("text") ?? 0); at++) {
      bytes[at] ^= 1 << (at % 8);
      writeFileSync(file, bytes);
      expect([codeOf(() => part.section("text")), codeOf(() => part.verify())]).toEqual(["job.damaged", "job.damaged"]);
      bytes[at] ^= 1 << (at % 8);
    }
    writeFileSync(file, bytes);
    part.verify();
  });
});

describe("a compressed section with correct checksums", () => {
  const content = Buffer.from("a line of text\n".repeat(99));
  const packed = brotliCompressSync(content);
  const codes = (job: Job) => {
    const part = () => openPart(job.opened, NAME) ?? expect.unreachable();
    return [codeOf(() => part().section("text")), codeOf(() => part().verify())];
  };

  test.each([
    ["is cut", packed.subarray(0, -1), {}],
    ["is empty", zeros(0), {}],
    ["is no stream", noise(50), {}],
    ["has another format", gzipSync(content), {}],
    ["has other content", brotliCompressSync(Buffer.from(content).reverse()), {}],
    ["has more content than it says", packed, { length: content.length - 1 }],
    ["has less content than it says", packed, { length: content.length + 1 }],
    ["has much less content than it says", packed, { length: 2 ** 28 }],
    ["has 64 MiB of content, in some bytes", brotliCompressSync(zeros(2 ** 26)), {}],
    ["says another checksum of its content", packed, { crc32: 5 }],
  ])("that %s is damaged, also for verify", async (_, bytes, change) => {
    const { job, file } = await stored([{ name: "text", bytes: content }]);
    replace(file, bytes, change);
    expect(codes(job)).toEqual(["job.damaged", "job.damaged"]);
  });

  test.each([
    ...[-1, 0, 0.5, 1e300, "5", null, 2 ** 28 + 1, packed.length].map((length) => ({ length })),
    { stored: null },
    { stored: "no" },
    { stored: [] },
    { stored: { crc32: 1 } },
    ...[-1, 0.5, 1e300, "5", null, content.length].map((length) => ({ stored: { length, crc32: crc32(packed) } })),
    ...[-1, 0.5, 2 ** 32, null].map((crc) => ({ stored: { length: packed.length, crc32: crc } })),
  ])("whose head says %j is damaged", async (change) => {
    const { job, file } = await stored([{ name: "text", bytes: content }]);
    replace(file, packed, change);
    expect(codeOf(() => openPart(job.opened, NAME))).toBe("job.damaged");
  });

  test("but without its content is made again by a repair", async () => {
    const job = await newJob(REACHED);
    const { digest } = await finished(job.run(SMALL));
    const file = join(job.folder, NAME);
    const before = readFileSync(file);
    forge(file, ({ sections }) => sections.splice(1));
    replace(file, before.subarray(8, 9));
    expect(job.verify({ repair: true }).map((flaw) => flaw.file)).toEqual([NAME]);
    expect((await finished(job.run(SMALL))).digest).toBe(digest);
    expect(readFileSync(file)).toEqual(before);
  });
});
