// Runs the tests that use SQLite: `npm run test:sqlite`. Node 20 has no SQLite, so they run on Node 24 with node:sqlite,
// and on this Node with better-sqlite3 if it can be installed here. `-- node:sqlite` or `-- better-sqlite3` runs one of
// the two. Needs a finished build and the npm registry.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installRuntimes, NPM, PACKAGES } from "./install.mjs";

const project = fileURLToPath(new URL("../..", import.meta.url));
/** Each test that needs SQLite has it in its name, or in that of its suite. */
const ONLY = ["-t", "SQLite"];
const TESTS = [
  "test/wordstores",
  "test/workbench/forge.test.ts",
  "test/cli/recipeMake.test.ts",
  "test/cli/recipeTables.test.ts",
  ...ONLY,
];
/** The driver does not matter to the command line. */
const DRIVER_TESTS = ["test/wordstores", ...ONLY];
/** The last line of better-sqlite3 that supports Node 20. */
const DRIVER = "better-sqlite3@12.11.1";
/** Time limit in milliseconds for its installation, which compiles it where no binary can be downloaded. */
const INSTALL_MS = 240_000;

const [only] = process.argv.slice(2);
if (only !== "better-sqlite3") {
  await installRuntimes();
  test(join(PACKAGES, "node24/bin/node"), TESTS, {});
}
if (only === "node:sqlite") process.exit();
if (process.getBuiltinModule("node:sqlite") !== undefined) {
  console.log(`Node ${process.versions.node} has node:sqlite, so better-sqlite3 is not tested`);
} else withDriver((folder) => test(process.execPath, DRIVER_TESTS, { NODE_PATH: join(folder, "node_modules") }));

/** Runs the tests. Under CI, a test fails if it has no SQLite. */
function test(node, tests, environment) {
  const { ROLLMILL_TEST_SQLITE_LATER: _, ...inherited } = process.env;
  const { status } = spawnSync(node, [join(project, "node_modules/vitest/vitest.mjs"), "run", ...tests], {
    cwd: project,
    env: { ...inherited, CI: "true", ...environment },
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}

/** Installs better-sqlite3 in a temporary folder for some work. */
function withDriver(work) {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-sqlite-"));
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    const args = ["install", DRIVER, "--no-audit", "--no-fund"];
    // compiled without optimisation, it is ready in a fifth of the time
    const env = { ...process.env, CFLAGS: "-O0", CXXFLAGS: "-O0" };
    const { status, stderr } = spawnSync(NPM, args, { cwd: folder, env, encoding: "utf8", timeout: INSTALL_MS });
    if (status === 0) work(folder);
    else console.log(`${DRIVER} cannot be installed here, so it is not tested:\n${stderr}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
