import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { exportJob, openJob, startJob } from "../../src/jobs/index.js";
import { finished, newFolder, SEED, SMALL, worldDigest } from "./samples.js";

/** Kinds that know each other, with sizes and facings, in a job whose extent cuts discs and sectors. */
const INPUT = {
  name: "land",
  world: {
    name: "land",
    layers: [{ name: "paths", steps: 40, scatter: { side: 64, density: "1/3000" } }],
    placements: [
      {
        name: "village",
        density: "1/400",
        distance: 9,
        least: { count: 6, within: 30, of: [-129, 5] },
        most: { count: 1, within: 40, of: [90, 160] },
        sizes: { hamlet: 2, town: 1 },
        facing: true,
      },
      { name: "farm", density: "1/20", near: { kind: "village", within: 6 }, alone: true, facing: true },
      { name: "stone", density: "1/50", apart: { kind: "village", distance: 12 }, where: { paths: { within: 9 } } },
    ],
  },
  extent: { row0: -130, col0: -70, rows: 300, cols: 230 },
} as const;

test("a job has the digest of the world, and its export has sizes and facings", async () => {
  const folder = newFolder();
  const result = await finished(startJob(folder, INPUT, { ...SMALL, seed: SEED }));
  expect(result.world).toBe(worldDigest(INPUT, result));

  const to = join(folder, "placements.csv");
  await exportJob(await openJob(folder), "csv", { to });
  const [head, ...lines] = (await readFile(to, "utf8")).trimEnd().split("\n");
  expect(head).toBe("row,col,kind,size,facing,content");
  using world = createMill({ seed: SEED }).world("land", INPUT.world);
  const wanted = [...world.placements(INPUT.extent)].map(({ row, col, kind, size = "", facing = "" }) =>
    [row, col, kind, size, facing, ""].join(),
  );
  expect(lines.toSorted()).toEqual(wanted.toSorted());
  expect(lines.some((line) => line.includes("farm,,NE"))).toBe(true);
});
