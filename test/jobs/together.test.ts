import { expect, test } from "vitest";
import { togetherWorld } from "../worlds/togetherWorlds.js";
import { built } from "./jobFolder.js";
import { finished, newFolder } from "./samples.js";

const { createMill } = await built<typeof import("../../src/index.js")>("index.js");
const { startJob } = await built<typeof import("../../src/jobs/index.js")>("jobs/index.js");

/** Cells of two sectors. */
const EXTENT = { row0: 3, col0: -20, rows: 30, cols: 40 };

test("a job with all parts has the digest of its world, in 1, 2 and 4 threads and in both orders", async () => {
  const { input, seed } = togetherWorld(1);
  const hoard = {
    name: "hoard",
    on: ["road", "grass"],
    density: "1/50",
    content: { pools: "ore", pool: "ore", stock: "world" },
  } as const;
  const world = {
    ...input,
    name: "land",
    placements: [...input.placements, hoard],
    pools: {
      ore: {
        roots: {
          ore: {
            kind: "finite",
            records: [
              { id: "iron", quantity: 9 },
              { id: "gold", quantity: 2 },
            ],
          },
        },
      },
    },
  } as const;
  const ends = [];
  for (const [threads, order] of [
    [1, "row"],
    [2, "concentric"],
    [4, "row"],
  ] as const) {
    const options = { seed, threads, order, maxMemory: 2 ** 28 };
    const { digest, ordered, ...result } = await finished(startJob(newFolder(), { world, extent: EXTENT }, options));
    ends.push({ digest, ordered, world: result.world });
    expect(result.totals.terrain.road).toBeGreaterThan(0);
  }
  const { digest, ordered } = ends[0];
  const whole = createMill({ seed }).world("land", world).digest(EXTENT);
  expect(ordered).toBeDefined();
  expect(ends).toEqual(ends.map(() => ({ digest, ordered, world: whole })));
});
