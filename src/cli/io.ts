import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { error, oneLine, RollmillError } from "../errors/index.js";
import { reasonOf } from "../files/problem.js";

/** Exit codes: 0, done; 1, the work failed; 2, the input or the usage is wrong. */
export const DONE = 0;
export const FAILED = 1;
export const BAD_INPUT = 2;

/** Signals that ask a program to end, with the exit codes that shells give them: 128 + the number of the signal. */
export const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type Signal = keyof typeof SIGNAL_CODES;

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Io {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  /** Receives the results. */
  readonly stdout: Output;
  /** Receives notes, errors and the progress. */
  readonly stderr: Output;
  /** Relative paths start in this folder. Default: the current folder of the process. */
  readonly cwd?: string;
  /**
   * Passes the next signal that asks the program to end, such as SIGINT, to `listener`. A second signal ends the
   * program at once. Returns a function that removes the listener. Without a listener, the first signal ends the
   * program.
   */
  readonly onSignal?: (listener: (signal: Signal) => void) => () => void;
  readonly importModule: (url: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** An error that ends the command with an exit code. Throw this error only after everything is printed. */
export class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/**
 * Writes results to stdout, and waits until they are written.
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

/**
 * Prints a text for people to stdout, like {@link write}. Escapes its control characters.
 *
 * @throws The errors of {@link write}.
 */
export async function print(io: Io, text: string): Promise<void> {
  await write(io, printable(text));
}

/** Prints a line for people to stderr. Escapes its control characters. */
export function note({ stderr }: Io, line: string): void {
  stderr.write(printable(`${line}\n`));
}

/**
 * Replaces control characters except tab and line feed by escapes such as \u001b. Otherwise a text from an input, such as the name of a file,
 * could control the terminal. Every text for people passes through this function. Files and JSON documents do not.
 *
 * Cost: O(length).
 */
export function printable(text: string): string {
  return text.replace(/[^\t\n]+/g, oneLine);
}

/** Formats a value as JSON. A bigint becomes a decimal string. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part));
}

/** Resolves a path of the command line against the folder `cwd`. */
export function pathIn({ cwd }: Io, path: string): string {
  return cwd === undefined ? path : resolve(cwd, path);
}
