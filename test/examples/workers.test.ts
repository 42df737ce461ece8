import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const STEPS = 20_000;

test("1 to 3 threads make the map of one thread, and each prints its time", async () => {
  const args = [join(root, "examples/workers.mjs"), "3", String(STEPS)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const grid = { kind: "torus", rows: 1024, cols: 1024 } as const;
  const spec = { grid, walkers: 24, steps: STEPS, preset: "five-ways" } as const;
  const map = createMill({ seed: "moria" }).walk("land", spec).run().total;
  const [summary, ...lines] = stdout.trimEnd().split("\n");
  expect(summary).toBe(`${map.cells} cells, ${map.visits} visits, sha256 ${map.digest()}`);
  const time = /^threads: (\d), \d+\.\d{3} s, \d+\.\d\d times as fast as one, sha256 (\w{12})$/;
  const found = lines.map((line) => time.exec(line)?.slice(1));
  expect(found).toEqual(["1", "2", "3"].map((threads) => [threads, map.digest().slice(0, 12)]));
});
