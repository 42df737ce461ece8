import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { checkedText, FolderStore, putChecked } from "../../src/jobs/folder/store.js";
import { createJob, extendJob, type JobInput, openJob, planJob, startJob } from "../../src/jobs/index.js";
import { KernelScatter } from "../../src/walks/kernel/scatter.js";
import { finished, NOW, SEED, SMALL } from "./samples.js";

const root = mkdtempSync(join(tmpdir(), "rollmill-reuse-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => join(root, `${folders++}`);

afterEach(() => vi.restoreAllMocks());

/** A small world with everything that has a key. The extent has whole regions, so every section can be taken. */
const BASE = {
  name: "isle",
  world: {
    name: "isle",
    layers: [
      { name: "land", preset: "five-ways", walkers: 4, steps: 900 },
      { name: "woods", preset: "uniform", steps: 40, scatter: { side: 128, walkers: 6 } },
      { name: "brooks", preset: "uniform", steps: 30, start: { layer: "woods" }, scatter: { side: 128, walkers: 2 } },
    ],
    fields: [{ name: "height", kind: "noise", scale: 32, octaves: 2 }],
    terrain: [
      { terrain: "hill", when: { height: [40000, null] }, color: "#9a8a6a" },
      { terrain: "land", when: { land: { within: 2 } } },
      { terrain: "wood", when: { woods: { visits: [1, null] }, chance: "9/10" } },
      { terrain: "sea" },
    ],
    placements: [
      { name: "hut", on: ["land", "wood"], density: "1/40", distance: 2, content: { table: "loot" } },
      { name: "well", density: "1/30", near: { kind: "hut", within: 5 }, sizes: { big: 1, small: 2 }, facing: true },
      { name: "ore", on: ["hill"], density: "1/60", content: { pools: "ore", pool: "ore", stock: "region" } },
    ],
    tables: {
      loot: {
        rows: {
          loot: [
            { result: "gold", weight: 3 },
            { result: "gem", weight: 1 },
            { result: null, weight: 1 },
          ],
        },
      },
    },
    pools: { ore: { roots: { ore: { kind: "finite", records: [{ id: "iron", mass: 3, quantity: 9 }, "gold"] } } } },
  },
  extent: { row0: -256, col0: 0, rows: 512, cols: 256 },
  bulk: [{ name: "finds", table: "loot", count: 20 }],
} satisfies JobInput;

/** Everything that the job has pieces of. */
const LAYERS = ["walks land", "visits land", "visits woods", "visits brooks"];
const TERRAIN = ["terrain"];
const KINDS = ["placements hut", "contents hut", "placements well", "placements ore", "contents ore"];
const BULK = ["bulk finds"];
const ALL = [...LAYERS, ...TERRAIN, ...KINDS, ...BULK];

interface Edit {
  readonly name: string;
  /** New values of fields of the job, by path. */
  readonly set: Readonly<Record<string, unknown>>;
  /** The pieces that the changed job makes. */
  readonly made: readonly string[];
  /** Whether scattered layers are walked. */
  readonly walks: boolean;
}

const { world } = BASE;
const FOG = { name: "fog", preset: "uniform", steps: 9, scatter: { walkers: 2 } };

/** The kinds of edit of the table in docs/jobs.md. */
const EDITS: readonly Edit[] = [
  {
    name: "a colour, a tag, an icon, the name of a size",
    set: {
      "world.terrain.0.color": "#123456",
      "world.terrain.3.tags": ["wet"],
      "world.placements.0.icon": "star",
      "world.placements.1.sizes": { huge: 1, small: 2 },
    },
    made: [],
    walks: false,
  },
  {
    name: "the name of the job, the order of fields, exports",
    set: { name: "another", exports: ["csv"], world: Object.fromEntries(Object.entries(world).reverse()) },
    made: [],
    walks: false,
  },
  {
    name: "a weight in a source",
    set: { "world.tables.loot.rows.loot.0.weight": 5 },
    made: ["contents hut", "bulk finds"],
    walks: false,
  },
  {
    name: "the density of a kind",
    set: { "world.placements.0.density": "1/50" },
    made: ["placements hut", "contents hut", "placements well"],
    // the cells outside the extent within the distance of the kind are not stored
    walks: true,
  },
  {
    name: "a new kind",
    set: { "world.placements": [world.placements[0], { name: "tree", density: "1/20" }, ...world.placements.slice(1)] },
    made: ["placements tree"],
    walks: false,
  },
  {
    name: "a new layer that no rule reads",
    set: { "world.layers": [FOG, ...world.layers] },
    made: ["visits fog"],
    walks: true,
  },
  {
    name: "the steps of a layer",
    set: { "world.layers.1.steps": 41 },
    made: ["visits woods", "visits brooks", ...TERRAIN, ...KINDS],
    walks: true,
  },
  {
    name: "a rule of the terrain",
    set: { "world.terrain.1.when.land.within": 3 },
    made: [...TERRAIN, ...KINDS],
    walks: true,
  },
  { name: "the seed", set: { seed: "another" }, made: ALL, walks: true },
  {
    name: "the name of the world",
    set: { "world.name": "other" },
    made: [...LAYERS, ...TERRAIN, ...KINDS],
    walks: true,
  },
];

/** Returns a job with other values of some fields. */
function changed(set: Edit["set"]): JobInput {
  const job = structuredClone({ seed: SEED, ...BASE });
  for (const [path, value] of Object.entries(set)) {
    const steps = path.split(".");
    const last = steps.pop() as string;
    let at = job as unknown as Record<string, never>;
    for (const step of steps) at = at[step];
    Object.assign(at, { [last]: value });
  }
  return job as JobInput;
}

async function made(input: JobInput, from?: string): Promise<{ folder: string; digest: string }> {
  const folder = newFolder();
  const { digest } = await finished(startJob(folder, input, { seed: input.seed ?? SEED, now: NOW, from, ...SMALL }));
  return { folder, digest };
}

/** Returns the names of the parts that a job has not taken as links. */
function ownParts(folder: string): string[] {
  const names = readdirSync(join(folder, "parts"), { recursive: true, encoding: "utf8" });
  const isOwn = (name: string) => name.endsWith(".part") && lstatSync(join(folder, "parts", name)).nlink === 1;
  return names.filter(isOwn).sort();
}

describe("a job with one edit takes from the job before", () => {
  let whole: Awaited<ReturnType<typeof made>> | undefined;

  test.each(EDITS)("what the table says: $name", async ({ set, made: wanted, walks }) => {
    whole ??= await made({ seed: SEED, ...BASE });
    const input = changed(set);
    const { reuse } = await planJob(input, { from: whole.folder });
    const names = (reuse?.pieces ?? [])
      .filter(({ reused }) => !reused)
      .map(({ kind, name }) => `${kind} ${name}`.trim());
    expect(names.sort()).toEqual([...wanted].sort());
    const fresh = await made(input);
    const walk = vi.spyOn(KernelScatter.prototype, "walkRegion");
    const again = await made(input, whole.folder);
    expect(again.digest).toBe(fresh.digest);
    expect(walk.mock.calls.length > 0).toBe(walks);
    if (wanted.length === 0) expect(ownParts(again.folder)).toEqual([]);
    expect((await openJob(again.folder)).verify()).toEqual([]);
  });
});

/** A job whose sectors need no cell outside. */
function alone(grid: object | undefined, chance: string, more: readonly object[] = []): JobInput {
  return {
    world: {
      ...(grid && { grid }),
      layers: [
        { name: "woods", preset: "five-ways", steps: 60, scatter: { side: 128, walkers: 20 }, firstVisit: true },
        { name: "fires", preset: "uniform", steps: 30, start: { layer: "woods" }, scatter: { side: 128, walkers: 2 } },
      ],
      terrain: [
        { terrain: "ash", when: { fires: { visits: [1, null] }, chance } },
        { terrain: "wood", when: { woods: { visits: [1, null], firstVisit: [3, null] } } },
        { terrain: "sea" },
      ],
      placements: [{ name: "tree", on: ["wood"], density: "1/9" }, ...more],
    },
    extent: { row0: 768, col0: -256, rows: 512, cols: 512 },
  } as JobInput;
}

test.each([undefined, { coordinates: "odd-r" }])(
  "another rule reads the stored visits, and walks nothing: %o",
  async (grid) => {
    const before = await made(alone(grid, "1/2"));
    const fresh = await made(alone(grid, "1/3"));
    const walk = vi.spyOn(KernelScatter.prototype, "walkRegion");
    const again = await made(alone(grid, "1/3"), before.folder);
    expect(again.digest).toBe(fresh.digest);
    expect(fresh.digest).not.toBe(before.digest);
    expect(walk).not.toHaveBeenCalled();
  },
);

test.each([
  [5, false],
  [6, true],
])(
  "a new kind with distance %i at the edge of the extent, where the old kinds reach 5 cells further, walks: %o",
  async (distance, walks) => {
    const rock = { name: "rock", density: "1/40", distance: 5 };
    const odd = { coordinates: "odd-r" };
    const before = await made(alone(odd, "1/2", [rock]));
    const after = alone(odd, "1/2", [{ name: "hut", on: ["wood"], density: "1/30", distance }, rock]);
    const fresh = await made(after);
    const walk = vi.spyOn(KernelScatter.prototype, "walkRegion");
    const again = await made(after, before.folder);
    expect(again.digest).toBe(fresh.digest);
    expect(walk.mock.calls.length > 0).toBe(walks);
    walk.mockClear();
    // the job that walked nothing has the terrain around its extent too
    const third = alone(odd, "1/2", [{ name: "hut", on: ["wood"], density: "1/33", distance }, rock]);
    const digest = (await made(third, again.folder)).digest;
    expect([digest, walk.mock.calls.length]).toEqual([(await made(third)).digest, 0]);
  },
);

describe("a damaged or foreign earlier job", () => {
  /** Flips a byte of each part that `isChosen` chooses, in the middle or at the end of the file. */
  function flip(folder: string, isChosen: (n: number) => boolean, place: (size: number) => number): void {
    const names = readdirSync(join(folder, "parts"), { recursive: true, encoding: "utf8" });
    for (const [n, name] of names
      .filter((one) => one.endsWith(".part"))
      .sort()
      .entries()) {
      if (!isChosen(n)) continue;
      const path = join(folder, "parts", name);
      const bytes = readFileSync(path);
      bytes[place(bytes.length)] ^= 1;
      writeFileSync(path, bytes);
    }
  }

  test("its flipped bytes are found before they are used", async () => {
    const before = await made({ seed: SEED, ...BASE });
    const after = changed({ "world.placements": [...world.placements, { name: "tree", density: "1/20" }] });
    const fresh = await made(after);
    const places = [(size: number) => Math.floor(size / 3), (size: number) => size - 40, () => 0];
    for (const [n, place] of places.entries()) {
      const copy = newFolder();
      cpSync(before.folder, copy, { recursive: true });
      flip(copy, (part) => n < 2 || part % 2 === 0, place);
      const again = await made(after, copy);
      expect(again.digest).toBe(fresh.digest);
      expect((await openJob(again.folder)).verify()).toEqual([]);
    }
  });

  test("of another build gives nothing, which the plan says", async () => {
    const before = await made({ seed: SEED, ...BASE });
    const manifest = JSON.parse(readFileSync(join(before.folder, "manifest.json"), "utf8"));
    const { sha256: _, ...other } = { ...manifest, code: "0".repeat(64) };
    putChecked(new FolderStore(before.folder), "manifest.json", other);
    const { reuse } = await planJob(BASE, { from: before.folder });
    expect(reuse).toEqual({ refusal: "another build of Rollmill made the earlier job", pieces: [] });
    const again = await made({ seed: SEED, ...BASE }, before.folder);
    expect(again.digest).toBe(before.digest);
    expect(readFileSync(join(again.folder, "events.ndjson"), "utf8")).toContain('"nothing is reused"');
  });

  test("that is missing is refused, and one that disappears later is not needed", async () => {
    await expect(createJob(newFolder(), BASE, { from: newFolder() })).rejects.toMatchObject({ code: "job.missing" });
    const before = await made({ seed: SEED, ...BASE });
    const folder = newFolder();
    const job = await createJob(folder, BASE, { from: before.folder });
    // the seed of the earlier job is the default
    expect(job.seed).toBe(SEED);
    rmSync(before.folder, { recursive: true });
    expect((await finished((await openJob(folder)).run(SMALL))).digest).toBe(before.digest);
  });

  test("an order to take parts from anywhere else is only a file", async () => {
    const folder = newFolder();
    await createJob(folder, BASE, { seed: SEED, now: NOW });
    const folders = ["/etc", ".", "a\0b", "x".repeat(5000)].map((to) => checkedText({ folder: to }));
    for (const text of ["", "{}", '{"folder": "/etc"}', ...folders]) {
      writeFileSync(join(folder, "from.json"), text);
      expect((await openJob(folder)).state).toBe("stopped");
    }
  });
});

describe("a job that grows", () => {
  const grown = { row0: -256, col0: -300, rows: 2048, cols: 900 };

  test("has the digest of a new job, and keeps its whole sectors", async () => {
    const part = (folder: string, sector: string) => statSync(join(folder, "parts/cells", `${sector}.part`)).ino;
    const { folder } = await made({ seed: SEED, ...BASE, extent: { row0: -10, col0: 0, rows: 1034, cols: 300 } });
    const wide = { row0: -10, col0: 0, rows: 1034, cols: 1024 };
    expect((await finished((await extendJob(folder, { extent: wide })).run(SMALL))).extent).toEqual(wide);
    const kept = part(folder, "0_0");
    const job = await extendJob(folder, { extent: { ...grown, cols: 1324 }, order: "row" });
    expect([job.state, job.result, job.verify()]).toEqual(["stopped", undefined, []]);
    const { digest } = await finished(job.run(SMALL));
    expect(digest).toBe((await made({ seed: SEED, ...BASE, extent: { ...grown, cols: 1324 } })).digest);
    expect(part(folder, "0_0")).toBe(kept);
    expect((await openJob(folder)).verify()).toEqual([]);
  });

  test("refuses fewer cells, other values, and the extent `reached`", async () => {
    const { folder } = await made({ seed: SEED, ...BASE });
    const refusal = (extent: unknown) => extendJob(folder, { extent: extent as typeof grown });
    for (const extent of [{ ...grown, col0: 1 }, { ...grown, rows: 2 ** 40 }, { row0: 0 }, "grid", 7]) {
      await expect(refusal(extent)).rejects.toMatchObject({ code: "job.spec" });
    }
    await expect(extendJob(folder, { order: "spiral" as "row" })).rejects.toMatchObject({ code: "argument.type" });
    const reached = { world: { layers: [world.layers[0]] }, extent: "reached" } as JobInput;
    const other = await createJob(newFolder(), reached, { seed: 1 });
    await expect(extendJob(other.folder, { extent: grown })).rejects.toMatchObject({ code: "job.spec" });
  });
});
