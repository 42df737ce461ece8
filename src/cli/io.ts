import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { error, RollmillError } from "../errors/index.js";

/** Exit codes: done; the work failed; the input or the usage is wrong. */
export const DONE = 0;
export const FAILED = 1;
export const BAD_INPUT = 2;

/** A stream of output, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The inputs and outputs of a command. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Receives the results. */
  readonly stdout: Output;
  /** Receives everything else: notes, errors, progress. */
  readonly stderr: Output;
  /** The base of relative paths. Default: the current folder of the process. */
  readonly cwd?: string;
  /** Loads a JavaScript module by its URL. */
  readonly importModule: (url: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** Ends a command with an exit code after it has printed everything. */
export class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/**
 * Writes results to stdout and waits until the reader has taken them.
 *
 * @throws Exit with code 0 if the reader has closed the pipe, as the program `head` does.
 * @throws RollmillError `file.write` if stdout cannot be written.
 */
export async function write({ stdout }: Io, data: string | Uint8Array): Promise<void> {
  const failure = await new Promise<NodeJS.ErrnoException | null | undefined>((done) => {
    stdout.write(data, done);
  });
  if (!failure) return;
  if (failure.code === "EPIPE") throw new Exit(DONE);
  const issue = error("file.write", { problem: `cannot write the results to stdout (${reasonOf(failure)})` });
  throw new RollmillError([issue], { cause: failure });
}

/** Writes a line to stderr. */
export function note({ stderr }: Io, line: string): void {
  stderr.write(`${line}\n`);
}

/** Formats a value as one JSON document. A bigint becomes a decimal string. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part))}\n`;
}

/** Returns the message of an error. Omits the path that Node appends to the message of a file error. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/, \w+ '.*$/s, "") : String(cause);
}

/** Resolves a path of the command line. */
export function pathIn({ cwd }: Io, path: string): string {
  return cwd === undefined ? path : resolve(cwd, path);
}
