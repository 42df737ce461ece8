import { expect, test } from "vitest";
import { type JobInput, planJob } from "../../src/jobs/index.js";
import type { WorldInput } from "../../src/worlds/index.js";
import { IS_SOAK } from "../soak.js";
import { finished, newJob, SMALL } from "./samples.js";

/** A world like examples/continent.json: most kinds stand on few cells, and keep a distance. */
const worldOf = (n: number): WorldInput => ({
  name: `world ${n}`,
  layers: [
    { name: "land", preset: "five-ways", steps: 40 * (1 + (n % 7)), scatter: { side: 128, walkers: 1 + (n % 5) } },
  ],
  terrain: [
    { terrain: "land", when: { land: { visits: [1 + (n % 2), null] } } },
    { terrain: "reef", when: { chance: "1/1000" } },
    { terrain: "sea" },
  ],
  placements: [
    { name: "wreck", on: ["reef"], density: "1/2", content: { table: "loot" } },
    { name: "hut", on: ["land"], density: "1/2", distance: 9 },
    { name: "shoal", on: ["sea"], density: `1/${50 + n}`, content: { table: "loot" } },
  ],
  tables: {
    loot: {
      rows: {
        loot: [
          { result: "a long piece of rope", weight: 1 },
          { result: null, weight: n },
        ],
      },
    },
  },
});

test("the disk that a job needs is known within a factor of 1.5 from a few regions", async () => {
  for (let n = 1; n <= (IS_SOAK ? 40 : 4); n++) {
    const side = 300 + 150 * (n % 4);
    const extent = { row0: -side, col0: 40 * n, rows: side, cols: 2 * side };
    const input: JobInput = { world: worldOf(n), extent, visits: n % 3 === 0 ? ["land"] : [] };
    const { needs } = await planJob(input);
    const job = await newJob(input);
    await finished(job.run(SMALL));
    const { store } = job.opened;
    const disk = store.list("parts").reduce((sum, name) => sum + (store.sizeOf(name) ?? 0), 0);
    expect(needs.disk / disk, `world ${n}`).toBeGreaterThan(1 / 1.5);
    expect(needs.disk / disk, `world ${n}`).toBeLessThan(1.5);
    expect(needs.seconds).toBeGreaterThan(0);
  }
});

test("a world that cannot be made, or whose samples would take long, has an upper bound", async () => {
  const far = { name: "far", preset: "uniform", steps: 100_000, scatter: { side: 2048, walkers: 65_536 } } as const;
  const hut = { name: "hut", density: "1/10" } as const;
  const extent = { row0: 0, col0: 0, rows: 1024, cols: 1024 };
  const terrain = [{ terrain: "land", when: { far: { visits: [1, null] } } }, { terrain: "sea" }] as const;
  for (const [visits, firstVisit, bytes] of [
    [[], true, 0],
    [["far"], false, 1],
    [["far"], true, 1 + 4],
  ] as const) {
    const layers = [{ ...far, firstVisit }];
    const { needs } = await planJob({ world: { layers, terrain, placements: [hut] }, extent, visits });
    expect(needs.disk).toBe(2 ** 20 * (1 + bytes + 150 / 10));
  }
  const hill = { layers: [{ name: "hill" }, { name: "far", walkers: 8, steps: 9, closed: { layers: ["hill"] } }] };
  expect((await planJob({ world: { ...hill, placements: [hut] }, extent, visits: [] })).needs.disk).toBeGreaterThan(
    2 ** 24,
  );
});
