import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

test.each([1, 4, 7])("%i threads make the map of one thread", async (threads) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, "examples/workers.mjs"), String(threads)]);
  const spec = { walkers: 24, steps: 100_000, preset: "five-ways" } as const;
  const map = createMill({ seed: "moria" }).walk("land", spec).run().total;
  expect(stdout).toBe(`${map.cells} cells, ${map.visits} visits, sha256 ${map.digest()}\n`);
});
