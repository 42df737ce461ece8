import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JobInput } from "../../src/jobs/index.js";
import { finished, newJob, SMALL, worldDigest } from "./samples.js";

/** A walker that goes straight on reaches more chunks than fit into the least memory. */
const STRAIGHT: JobInput = {
  world: { layers: [{ name: "land", tensor: { relative: { forward: 1 } }, steps: 280_000, heading: "E" }] },
  extent: { row0: 0, col0: 0, rows: 60, cols: 60 },
};

const furtherIn = (folder: string) =>
  readdirSync(join(folder, "parts/walk/0")).filter((name) => /^\d+-\d+-\d+\.part$/.test(name));

test("a walk that outgrows the memory writes further parts; the digest is the same, and repair restores it", async () => {
  const job = await newJob(STRAIGHT);
  const small = await finished(job.run(SMALL));
  expect(furtherIn(job.folder).length).toBeGreaterThan(0);
  expect(small.world).toBe(worldDigest(STRAIGHT, small));
  expect(small.totals.steps).toBe(280_000);

  const big = await newJob(STRAIGHT);
  expect((await finished(big.run({ threads: 1, maxMemory: 2 ** 33 }))).digest).toBe(small.digest);
  expect(furtherIn(big.folder)).toEqual([]);

  const [further] = furtherIn(job.folder).map((name) => `parts/walk/0/${name}`);
  for (const spoil of [() => rmSync(join(job.folder, further)), () => writeFileSync(join(job.folder, further), "no")]) {
    spoil();
    expect(job.verify().map(({ file }) => file)).toEqual([further]);
    job.verify({ repair: true });
    // without this, nobody needs the walkers of the shard
    rmSync(join(job.folder, "parts/layer/0/0_0.part"));
    expect((await finished(job.run(SMALL))).digest).toBe(small.digest);
    expect(job.verify()).toEqual([]);
  }
});
