import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { error, type Finding, fail, RollmillError, safeLines } from "../../errors/index.js";
import { reasonOf } from "../../files/problem.js";

/** Exit codes. FAILED: the work failed. BAD_INPUT: the input or the usage is wrong. */
export const DONE = 0;
export const FAILED = 1;
export const BAD_INPUT = 2;

/** Exit codes after signals, as in shells: 128 + the number of the signal. */
export const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type Signal = keyof typeof SIGNAL_CODES;

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Io {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: Output;
  /** Receives notes, errors and the progress. */
  readonly stderr: Output;
  /** Relative paths start here. Default: the current folder of the process. */
  readonly cwd?: string;
  /**
   * Passes the next signal to `listener`; a second signal ends the program. Returns a function that removes `listener`.
   */
  readonly onSignal?: (listener: (signal: Signal) => void) => () => void;
  readonly importModule: (url: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** Ends the command with an exit code. Throw this error only after everything has been printed. */
export class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** Waits until the results are written. Throws Exit 0 if the reader has closed the pipe, as `head` does. */
export async function write({ stdout }: Io, data: string | Uint8Array): Promise<void> {
  const failure = await new Promise<NodeJS.ErrnoException | null | undefined>((done) => {
    stdout.write(data, done);
  });
  if (!failure) return;
  if (failure.code === "EPIPE") throw new Exit(DONE);
  const issue = error("file.write", { problem: `cannot write the results to stdout (${reasonOf(failure)})` });
  throw new RollmillError([issue], { cause: failure });
}

export async function print(io: Io, text: string): Promise<void> {
  await write(io, safeLines(text));
}

export async function printLines(io: Io, lines: Iterable<string>): Promise<void> {
  await print(io, Array.from(lines, (line) => `${line}\n`).join(""));
}

export function note({ stderr }: Io, line: string): void {
  stderr.write(safeLines(`${line}\n`));
}

/** Throws `cli.usage`. */
export function refuse(problem: string, finding: Omit<Finding, "problem"> = {}): never {
  return fail(error("cli.usage", { problem, ...finding }));
}

/** Returns a value as JSON. A bigint becomes a decimal string. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part));
}

export function pathIn({ cwd }: Io, path: string): string {
  return cwd === undefined ? path : resolve(cwd, path);
}
