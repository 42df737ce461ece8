import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { SingleBar } from "cli-progress";
import { error, fail } from "../errors/index.js";
import type { Progress } from "../index.js";

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
  const bytes = file === "-" ? await readStdin() : await readFile(file).catch((cause) => unreadable(file, cause));
  if (bytes.length > MAX_FILE_BYTES) {
    const problem = "the file is too large";
    fail(error("file.read", { problem, got: `${bytes.length} bytes`, expected: "at most 64 MiB", where: { file } }));
  }
  return bytes.toString("utf8");
}

/**
 * Reads a JSON file; "-" is stdin.
 *
 * @throws RollmillError `file.read`, `file.json` with line and column.
 */
export async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
    const before = text.slice(0, position).split("\n");
    const where = { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    return fail(error("file.json", { problem: `this is no JSON: ${message}`, where }), cause);
  }
}

/**
 * Writes a file whole or not at all.
 *
 * @throws RollmillError `file.write`.
 */
export async function writeWhole(file: string, data: string | Uint8Array | Iterable<string>): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  try {
    await writeFile(part, data);
    await rename(part, file);
  } catch (cause) {
    await rm(part, { force: true });
    const got = cause instanceof Error ? cause.message : String(cause);
    const remedy = "Choose a folder that exists and that you may write to";
    fail(error("file.write", { problem: "the file cannot be written", got, remedy, where: { file } }), cause);
  }
}

/** A progress bar with rate and ETA on stderr, where that is a terminal; elsewhere nothing. */
export function progressBar(
  what: string,
  unit: string,
): { readonly onProgress: (progress: Progress) => void; stop(): void } {
  if (!process.stderr.isTTY) return { onProgress: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format: `${what} {bar} {percentage}%  {rate} ${unit}/s  ETA {eta_formatted}`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 30,
  });
  const startedAt = performance.now();
  return {
    onProgress({ done, total }) {
      const rate = approximate((done / (performance.now() - startedAt)) * 1000);
      if (bar.isActive) bar.update(done, { rate });
      else bar.start(total, done, { rate });
    },
    stop: () => bar.stop(),
  };
}

/** A count in three figures: 12.3 M. */
export function approximate(value: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES) break;
  }
  return Buffer.concat(chunks);
}

function unreadable(file: string, cause: unknown): never {
  const got = cause instanceof Error ? cause.message : String(cause);
  const remedy = 'Check the path; "-" reads standard input';
  return fail(error("file.read", { problem: "the file cannot be read", got, remedy, where: { file } }), cause);
}
