// Installs the runtimes of package.json from the npm registry.
import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The folder of the installed runtimes. */
export const PACKAGES = join(here, "node_modules");

/** The command of npm. */
export const NPM = process.platform === "win32" ? "npm.cmd" : "npm";

/** Options of npm. No package needs its install script: the binaries are in the packages. */
export const NPM_FLAGS = ["--ignore-scripts", "--engine-strict=false", "--no-audit", "--no-fund"];

/** Installs the runtimes, unless they are installed already. */
export async function installRuntimes() {
  const installed = join(PACKAGES, ".package-lock.json");
  if (existsSync(installed) && statSync(installed).mtime >= statSync(join(here, "package-lock.json")).mtime) return;
  await promisify(execFile)(NPM, ["ci", ...NPM_FLAGS], { cwd: here, maxBuffer: 2 ** 26 });
}
