import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { constants, runInThisContext } from "node:vm";
import { afterAll, expect } from "vitest";
import { main } from "../../src/cli/main.js";
import type { Io, Output } from "../../src/cli/shared/io.js";
import { STREAM_VERSION } from "../../src/index.js";

/** The built command line. */
export const BIN = fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));

/** Result of a command. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as bytes. */
  readonly bytes: Buffer;
}

/** Options of {@link rollmill}. */
export interface Setup {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** Whether stderr is a terminal. */
  readonly terminal?: boolean;
  /** Whether stdout is a terminal. */
  readonly screen?: boolean;
  /** Whether stdin is a terminal. */
  readonly keyboard?: boolean;
  /** Passes signals to the command. Default: the command gets none. */
  readonly signals?: Io["onSignal"];
  /** Error of every write to stdout, such as "EPIPE" for a reader that has closed the pipe. */
  readonly stdoutError?: string;
  /** Called with all of stderr up to now, each time something is written to it. */
  readonly onStderr?: (text: string) => void;
}

/** Runs a command in this process. */
export async function rollmill(args: readonly string[], setup: Setup = {}): Promise<Outcome> {
  const { cwd, input = "", terminal = false, screen = false, keyboard = false, signals, stdoutError, onStderr } = setup;
  const [out, err] = [new Collector({ errorCode: stdoutError }), new Collector({ onText: onStderr })];
  const io: Io = {
    stdin: Object.assign(Readable.from(input.length === 0 ? [] : [Buffer.from(input)]), { isTTY: keyboard }),
    stdout: screen ? Object.assign(out, { isTTY: true, columns: 80 }) : out,
    stderr: terminal ? Object.assign(err, { isTTY: true, columns: 80 }) : err,
    importModule: importFresh,
    ...(cwd === undefined ? {} : { cwd }),
    ...(signals === undefined ? {} : { onSignal: signals }),
  };
  const code = await main(args, io);
  return { code, bytes: out.bytes, stdout: out.bytes.toString(), stderr: err.bytes.toString() };
}

/** Returns the data of a JSON document that a command printed, and checks the fields that every document has. */
export function dataOf(text: string): ReturnType<typeof JSON.parse> {
  const document = JSON.parse(text);
  expect(Object.keys(document).slice(0, 4)).toEqual(["stream", "command", "seed", "name"]);
  expect(document.stream).toBe(STREAM_VERSION);
  return document.data;
}

/** Runs the built command line in a child process, without a terminal. */
export function child(
  args: readonly string[],
  { cwd, input = "" }: Pick<Setup, "cwd" | "input"> = {},
): Promise<Outcome> {
  return outcomeOf(process.execPath, [BIN, ...args], { cwd, input });
}

/** Runs a line of shell, in which `rollmill` is the built command line. */
export function shell(line: string, { cwd }: { readonly cwd: string }): Promise<Outcome> {
  const definition = `rollmill() { "${process.execPath}" "${BIN}" "$@"; }`;
  return outcomeOf("bash", ["-c", `${definition}; ${line}`], { cwd, input: "" });
}

/** Makes a folder with files; it is deleted after the tests of the calling file. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/** Keeps what is written to it, or refuses it with an error. */
class Collector extends Writable implements Output {
  readonly #chunks: Buffer[] = [];
  readonly #errorCode: string | undefined;
  readonly #onText: ((text: string) => void) | undefined;

  constructor({ errorCode, onText }: { errorCode?: string | undefined; onText?: Setup["onStderr"] }) {
    super();
    this.#errorCode = errorCode;
    this.#onText = onText;
    // the caller of `write` gets the error
    this.on("error", () => undefined);
  }

  override _write(chunk: Uint8Array, _: string, done: (error?: Error) => void): void {
    this.#chunks.push(Buffer.from(chunk));
    this.#onText?.(this.bytes.toString());
    done(this.#errorCode === undefined ? undefined : Object.assign(new Error("no"), { code: this.#errorCode }));
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

// Node's own loader, as in a process: the test runner would transform the module
const importModule = runInThisContext("(url) => import(url)", {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}) as Io["importModule"];

let loads = 0;

/** Loads a module without the cache, as every new process does. */
const importFresh: Io["importModule"] = (url) => importModule(`${url}?load=${++loads}`);

function outcomeOf(
  command: string,
  args: readonly string[],
  { cwd, input }: { readonly cwd: string | undefined; readonly input: string | Uint8Array },
): Promise<Outcome> {
  if (!existsSync(BIN)) throw new Error(`${BIN} is missing: run "npm run build" first, or "npm test"`);
  return new Promise((resolve, reject) => {
    // a process that hangs ends before the test times out, and fails by its exit code
    const limit = { timeout: 500_000, killSignal: "SIGKILL" } as const;
    const started = spawn(command, args, cwd === undefined ? limit : { ...limit, cwd });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    started.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    started.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    started.on("error", reject);
    started.on("close", (code) => {
      const bytes = Buffer.concat(out);
      resolve({ code, bytes, stdout: bytes.toString(), stderr: Buffer.concat(err).toString() });
    });
    // a command may end before it has read all input
    started.stdin.on("error", () => undefined);
    started.stdin.end(input);
  });
}
