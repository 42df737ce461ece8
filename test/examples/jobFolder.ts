import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A temporary folder for the tests of a file, in which a program of `examples/` runs. */
export class JobFolder {
  path = "";
  readonly #program: string;

  constructor(program: string) {
    this.#program = fileURLToPath(new URL(`../../examples/${program}`, import.meta.url));
    beforeAll(async () => {
      this.path = await mkdtemp(join(tmpdir(), "rollmill-example-"));
    });
    afterAll(() => rm(this.path, { recursive: true, force: true }));
  }

  /** Runs the program in the folder. */
  async run(...args: readonly string[]): Promise<Outcome> {
    try {
      return {
        code: 0,
        ...(await promisify(execFile)(process.execPath, [this.#program, ...args], { cwd: this.path })),
      };
    } catch (cause) {
      const { code, stdout, stderr } = cause as Outcome;
      return { code, stdout, stderr };
    }
  }

  /** Starts the program in the folder, and does not wait for its end. */
  start(...args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [this.#program, ...args], { cwd: this.path, stdio: "ignore" });
  }

  /** Reads a file of the folder. */
  output(...path: readonly string[]): Promise<Buffer> {
    return readFile(join(this.path, ...path));
  }
}
