import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

/** The command line as built. */
export const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run "npm run build" first, or "npm test"`);

/** What a run left behind. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as it came. */
  readonly bytes: Buffer;
}

/** How to run it. */
export interface Setup {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
}

/** Runs `rollmill` in a process of its own, without a terminal. */
export function rollmill(args: readonly string[], { cwd, input = "" }: Setup = {}): Promise<Outcome> {
  return outcomeOf(process.execPath, [MAIN, ...args], { cwd, input });
}

/** Runs a line of shell in which `rollmill` is a command. */
export function shell(line: string, { cwd }: { readonly cwd: string }): Promise<Outcome> {
  const definition = `rollmill() { "${process.execPath}" "${MAIN}" "$@"; }`;
  return outcomeOf("bash", ["-c", `${definition}; ${line}`], { cwd, input: "" });
}

/** A new folder with files in it, which is gone after the tests of the file that asks for it. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

function outcomeOf(
  command: string,
  args: readonly string[],
  { cwd, input }: { readonly cwd: string | undefined; readonly input: string | Uint8Array },
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // whatever hangs is ended before the test's own time is over, and fails by its exit code
    const limit = { timeout: 50_000, killSignal: "SIGKILL" } as const;
    const child = spawn(command, args, cwd === undefined ? limit : { ...limit, cwd });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      const bytes = Buffer.concat(out);
      resolve({ code, bytes, stdout: bytes.toString(), stderr: Buffer.concat(err).toString() });
    });
    // the command may end before it has read everything
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
