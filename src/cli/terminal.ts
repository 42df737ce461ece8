import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { constants, createReadStream } from "node:fs";
import { access, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { SingleBar } from "cli-progress";
import { error, fail, RollmillError } from "../errors/index.js";
import type { Progress } from "../index.js";
import { jsonFlaw } from "./jsonFlaw.js";

/** The most bytes of an input file: 64 MiB. */
const MAX_FILE_BYTES = 2 ** 26;

/** Writes to stdout, and waits where the reader is slower. */
export async function write(data: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(data)) await once(process.stdout, "drain");
}

/** Writes a line to stderr: everything that is not a result. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** A value as one JSON document, bigints as decimal strings. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part))}\n`;
}

/** The seed given, or one made up and told on stderr: a result can always be had again. */
export function seedOr(given: string | undefined): string {
  if (given !== undefined) return given;
  const seed = randomBytes(6).toString("hex");
  note(`seed: ${seed}`);
  return seed;
}

/**
 * Reads a text file; "-" is stdin.
 *
 * @throws RollmillError `file.read`.
 */
export async function readText(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // piece by piece: a device or a pipe may have no end
    for await (const chunk of file === "-" ? process.stdin : createReadStream(file)) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_FILE_BYTES) break;
    }
  } catch (cause) {
    const got = cause instanceof Error ? cause.message : cause;
    const remedy = 'Check the path; "-" reads standard input';
    fail(error("file.read", { problem: "the file cannot be read", got, remedy, where: { file } }), cause);
  }
  if (bytes > MAX_FILE_BYTES) {
    fail(error("file.read", { problem: "the file is too large", expected: "at most 64 MiB", where: { file } }));
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * Reads a JSON file, with or without a byte order mark; "-" is stdin.
 *
 * @throws RollmillError `file.read`, `file.json` with line and column.
 */
export async function readJson(file: string): Promise<unknown> {
  const text = (await readText(file)).replace(/^\ufeff/, "");
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { offset, expected } = jsonFlaw(text) ?? { offset: 0, expected: "JSON" };
    const got = String.fromCodePoint(text.codePointAt(offset) ?? 0);
    const found = offset === text.length ? { problem: "the JSON ends too early" } : { problem: "this is no JSON", got };
    return fail(error("file.json", { ...found, expected, where: { file, ...placeOf(text, offset) } }), cause);
  }
}

/**
 * Judges what a file says: the errors of `judge` are that file's.
 *
 * @throws what `judge` throws, with the file.
 */
export function judgeFile<T>(file: string | undefined, judge: () => T): T {
  try {
    return judge();
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    throw new RollmillError(cause.issues.map((issue) => ({ ...issue, where: { ...issue.where, file } })));
  }
}

/** Line and column from 1 of an offset; a column counts characters (code points). */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const pairs = before.slice(lineStart).match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return { line: before.split("\n").length, column: offset - lineStart - pairs + 1 };
}

/**
 * Makes sure that a file's folder is there to be written to, before any work is done for the file.
 *
 * @throws RollmillError `file.write`.
 */
export async function checkFolderOf(file: string): Promise<void> {
  // (with a dot, for a file is no folder)
  await access(`${dirname(file)}/.`, constants.W_OK).catch((cause) => unwritable(file, cause));
}

/**
 * Writes a file whole or not at all.
 *
 * @throws RollmillError `file.write`.
 */
export async function writeWhole(
  file: string,
  data: string | Uint8Array | Iterable<string | Uint8Array>,
): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  try {
    await writeFile(part, data);
    await rename(part, file);
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined);
    if (cause instanceof RollmillError) throw cause;
    unwritable(file, cause);
  }
}

function unwritable(file: string, cause: unknown): never {
  const got = cause instanceof Error ? cause.message : cause;
  const remedy = "Choose a folder that exists and that you may write to";
  return fail(error("file.write", { problem: "the file cannot be written", got, remedy, where: { file } }), cause);
}

/** What is done, and what is counted. */
interface Job {
  readonly what: string;
  readonly unit: string;
}

/** Does a long job, with a bar, a rate and an ETA on stderr where that is a terminal; elsewhere quietly. */
export function withProgress<T>(job: Job, run: (onProgress: (progress: Progress) => void) => T): T {
  const { onProgress, stop } = progressBar(job);
  try {
    return run(onProgress);
  } finally {
    stop();
  }
}

/** The bar of {@link withProgress}, for a job that waits; whatever becomes of that, it is to be stopped. */
export function progressBar({ what, unit }: Job): {
  readonly onProgress: (progress: Progress) => void;
  readonly stop: () => void;
} {
  if (!process.stderr.isTTY) return { onProgress: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format: `${what} {bar} {percentage}%  {rate} ${unit}/s  ETA {eta_formatted}`,
    stream: process.stderr,
    clearOnComplete: true,
    etaBuffer: 30,
    // the terminal is left as it was, even where the process is stopped
    hideCursor: false,
    linewrap: true,
    gracefulExit: false,
  });
  const startedAt = performance.now();
  const onProgress = ({ done, total }: Progress) => {
    const rate = approximate((done / (performance.now() - startedAt)) * 1000);
    if (bar.isActive) bar.update(done, { rate });
    else bar.start(total, done, { rate });
  };
  // its timer would keep a process alive whose job has failed
  return { onProgress, stop: () => bar.stop() };
}

/** A count in three figures: 12.3M. */
export function approximate(value: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}
