import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { createJob, loadJob, startJob } from "../../src/jobs/index.js";
import { specOf } from "../../src/spec/index.js";
import { loadWorld, parseWorld } from "../../src/worlds/index.js";
import { rejectionOf } from "../refusal.js";
import { newFolder } from "./samples.js";

const FILES: Readonly<Record<string, string>> = {
  "maps/land.json": JSON.stringify({
    layers: [{ name: "hills", steps: 20, scatter: { side: 64, walkers: 3 } }],
    terrain: [{ terrain: "hill", when: { hills: { within: 1 } } }, { terrain: "plain" }],
    placements: [{ name: "chest", density: "1/90", content: { table: "loot" } }],
    tables: { loot: { file: "more/loot.csv" } },
  }),
  "maps/more/loot.csv": "result,weight\ngold,2/3\ngem,1/3\n",
};
const EXTENT = { row0: -30, col0: 10, rows: 70, cols: 90 };

test("a job takes the spec that loadWorld returned, and stores its texts (audit 5)", async () => {
  const world = specOf(await loadWorld("maps/land.json", (file) => FILES[file]));
  const result = await startJob(newFolder(), { world, extent: EXTENT }, { seed: "moria", threads: 1 });
  const { row0, col0, rows, cols } = EXTENT;
  expect(result?.world).toBe(createMill({ seed: "moria" }).world("land", world).digest({ row0, col0, rows, cols }));
});

test("a job refuses a parsed world whose texts are unknown (audit 5)", async () => {
  const world = specOf(parseWorld({ layers: [{ name: "hills", steps: 20 }] }));
  const refused = await rejectionOf(createJob(newFolder(), { world }, { seed: 1 }));
  expect(refused.issues).toMatchObject([{ code: "job.spec", where: { path: "world" } }]);
});

test("a world inside a job that is nested 90,000 deep is an error with its place (audit 20)", async () => {
  const deep = `${"[".repeat(90_000)}${"]".repeat(90_000)}`;
  const { issues } = await loadJob("job.json", () => `{"world":{"layers":${deep}}}`);
  expect(issues).toMatchObject([{ code: "job.spec", where: { file: "job.json", path: "world" } }]);
});
