// Copies the project to a temporary folder, so that a script can change the copy's kernel and run tests on it. Tests
// that need files from outside the project are skipped in the copy.

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const COPIED = ["assembly", "data", "docs", "examples", "scripts", "src", "test"];
const COPIED_FILES = ["README.md", "asconfig.json", "package.json", "tsconfig.json", "vitest.config.ts"];

/** The names of the systems: every folder of assembly/ except those that all systems share. */
export const SYSTEMS = readdirSync(join(ROOT, "assembly"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["core", "scalar"].includes(entry.name))
  .map(({ name }) => name);

/** Whether a path belongs to the project, not to a package that test/runtimes installed. */
const isOwn = (path) => basename(path) !== "node_modules";

/** Copies the project. Returns the folder of the copy; the caller removes its parent folder. */
export function copyProject(name) {
  const copy = join(mkdtempSync(join(tmpdir(), `rollmill-${name}-`)), "project");
  mkdirSync(join(copy, "build"), { recursive: true });
  for (const path of [...COPIED, ...COPIED_FILES])
    cpSync(join(ROOT, path), join(copy, path), { recursive: true, filter: isOwn });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/**
 * Runs tests in a copy and stops at the first failure.
 *
 * @param paths - filters of vitest, such as "test/golden".
 * @param timeout - in milliseconds; then all processes of the run are killed.
 * @returns `code`, the exit code or "timeout", and `output`, stdout and stderr together.
 */
export function runTests(copy, paths, timeout) {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  return run(copy, [vitest, "run", "--bail=1", "--reporter=dot", ...paths], timeout);
}

/** Runs node in a folder, as {@link runTests} describes. */
export function run(cwd, args, timeout) {
  return new Promise((resolve) => {
    const env = { ...process.env, CI: undefined, NO_COLOR: "1" };
    // a separate process group, so that killing the group also ends vitest's workers
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"], detached: true, env });
    const parts = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => parts.push(part));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      process.kill(-child.pid, "SIGKILL");
    }, timeout);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code: isLate ? "timeout" : (code ?? 1), output: Buffer.concat(parts).toString() });
    });
  });
}
