// As port.test.ts, for presets, the starts of scattered layers, the JSON of rolls, and the digest of a job. Everything
// that is expected here is written from the page.
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { toParquet } from "../../src/formats/index.js";
import { createMill } from "../../src/index.js";
import { startJob } from "../../src/jobs/index.js";
import type { PresetName } from "../../src/walks/index.js";

const PAGE = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8");
const SEED = "moria";
const TURNS = ["forward", "rightForward", "rightBackward", "backward", "leftBackward", "leftForward"] as const;

const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest("hex");

describe("the page has (audit 6)", () => {
  test("the numbers of every preset", () => {
    const section = PAGE.slice(PAGE.indexOf("| preset |"), PAGE.indexOf("- *Step* t"));
    const rows = [...section.matchAll(/^ {2}\| `([\w-]+)` \|((?: \d \|){6})$/gm)];
    expect(rows.map(([, name]) => name)).toHaveLength(6);
    for (const [, name, cells] of rows) {
      const weights = [...cells.matchAll(/\d/g)].map(([digit]) => Number(digit));
      const tensor = { relative: Object.fromEntries(TURNS.map((turn, t) => [turn, weights[t]])) };
      const run = (walk: { preset: PresetName } | { tensor: typeof tensor }) =>
        createMill({ seed: SEED })
          .walk("land", { ...walk, steps: 500 })
          .run()
          .total.window({ row0: -250, col0: -250, rows: 500, cols: 500 });
      expect(run({ tensor }), name).toEqual(run({ preset: name as PresetName }));
    }
  });

  test("exactly n walkers in each region of a scattered layer", () => {
    const layers = [{ name: "hills", steps: 0, scatter: { side: 64, walkers: 7 } }];
    const window = createMill({ seed: SEED })
      .world("land", { layers })
      .window({ row0: -640, col0: -640, rows: 1280, cols: 1280 }, { visits: ["hills"] });
    const sums = new Map<string, number>();
    for (const [k, visits] of window.visits("hills").entries()) {
      const region = `${Math.floor(k / 1280 / 64)},${Math.floor((k % 1280) / 64)}`;
      sums.set(region, (sums.get(region) ?? 0) + visits);
    }
    expect(sums.size).toBe(400);
    expect(new Set(sums.values())).toEqual(new Set([7]));
  });

  test("the JSON of a roll with a quantity", () => {
    const column = (result: string | null, weight: number, quantity?: string | number) =>
      quantity === undefined ? { result, weight } : { result, weight, quantity };
    const jsonOf = (columns: readonly ReturnType<typeof column>[]) => {
      const table = createMill({ seed: SEED }).table("chest", { rows: [{ columns }] });
      return new Set(Array.from({ length: 60 }, (_, at) => JSON.stringify(table.roll({ at }))));
    };
    expect(jsonOf([column("gold", 1), column(null, 1)])).toEqual(new Set(['"gold"', "null"]));
    const quantities = jsonOf([column("gold", 1, 9), column("egg", 1), column(null, 1)]);
    expect(quantities).toEqual(new Set(['{"result":"gold","quantity":9}', '{"result":"egg","quantity":1}', "null"]));
  });

  test("the digest of a job", async () => {
    const records = [
      { id: "iron", mass: 3, quantity: 9 },
      { id: "gold", mass: 1, quantity: 2 },
    ];
    const world = {
      name: "land",
      layers: [{ name: "hills", steps: 20, scatter: { side: 64, walkers: 3 } }],
      placements: [
        { name: "ore", density: "1/9000", content: { pools: "ores", pool: "i", stock: "world" } },
        { name: "stone", density: "1/5000" },
      ],
      pools: { ores: { roots: { i: { kind: "finite", records } } } },
      tables: {
        loot: {
          rows: [
            {
              columns: [
                { result: "gold", weight: 2, quantity: "1d6" },
                { result: "gem", weight: 1 },
              ],
            },
          ],
        },
      },
    } as const;
    const extent = { row0: -120, col0: 360, rows: 260, cols: 340 };
    const folder = mkdtempSync(join(tmpdir(), "rollmill-port-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const bulk = [{ name: "rolls", table: "loot", count: 1000 }] as const;
    const result = await startJob(join(folder, "job"), { world, extent, bulk }, { seed: SEED, threads: 1 });

    const mill = createMill({ seed: SEED });
    const whole = mill.world("land", world).digest({ row0: -120, col0: 360, rows: 260, cols: 340 });
    // the page has these draws: the regions (-1, 1), (-1, 2) are in sector (-1, 0), the others in sector (0, 0)
    const drawn = PAGE.slice(PAGE.indexOf("A job that makes the rows")).match(/^(?:\|.*\n)+/m)?.[0] ?? "";
    const draws = [...drawn.matchAll(/^\| .* \| \((\S+), \d+\) \| .* \| (\w+) \|$/gm)];
    expect(draws).toHaveLength(7);
    const ordered = createHash("sha256");
    for (const i of [-1, 0]) {
      const lines = draws.filter(([, region]) => region.startsWith("−") === i < 0).map(([, , id]) => `"${id}"\n`);
      ordered.update(Buffer.from(Int32Array.of(i, 0).buffer)).update(lines.join(""));
    }
    const rolls = mill.table("rolls", world.tables.loot).rollMany(1000, { from: 0 });
    const file = Buffer.from(toParquet(rolls.columns()));
    const parts = { world: whole, ordered: ordered.digest("hex"), bulk: { rolls: sha256(sha256(file)) } };
    expect(result).toMatchObject(parts);
    expect(result?.digest).toBe(sha256(JSON.stringify(parts)));
  });
});
