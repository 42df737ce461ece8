// Writes the pictures of docs/gallery: the eight of the drunken-walk study, each with one walker; a map of
// examples/world.json; the lands of README.md and docs/guide/lands.md; the endless world of examples/endless.json, also in
// the steps of docs/worlds.md; and two charts of docs/guide/odds.md.
// Run: npm run gallery [-- FOLDER]. Default: docs/gallery. Equal on every platform: test/examples/gallery.test.ts compares.

import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMill, RollmillError } from "rollmill";
import { writeWhole } from "rollmill/files";
import { svgHistogram, svgLines, toPng } from "rollmill/formats";
import { compare, numberOf, wait } from "rollmill/instruments";
import { loadWorld } from "rollmill/worlds";
import { readOptionalText } from "./program.mjs";

// The numbers of steps give all patterns about the same width. A pattern with a larger mean square distance from the
// start needs fewer steps (test/walks/endPoint.test.ts).
const PICTURES = [
  { file: "rb50-lb50", preset: "rb50-lb50", steps: 20_000 },
  { file: "rb66-lb33", preset: "rb66-lb33", steps: 20_000 },
  { file: "sf66-rf33", preset: "sf66-rf33", steps: 4_000 },
  { file: "rf50-lf50-1", preset: "rf50-lf50", steps: 4_000 },
  { file: "rf50-lf50-2", preset: "rf50-lf50", steps: 4_000 },
  { file: "five-ways-1", preset: "five-ways", steps: 6_000 },
  { file: "five-ways-2", preset: "five-ways", steps: 6_000 },
  { file: "five-ways-3", preset: "five-ways", steps: 6_000 },
];

// The steps of docs/worlds.md: the layers and the rules of examples/endless.json that each step has.
const SEA = ["deep sea", "sea", "beach"];
const STEPS = {
  "endless-1": { layers: ["deeps"], terrain: [], darken: ["deeps"] },
  "endless-2": { layers: ["deeps", "sea"], terrain: SEA },
  "endless-3": { layers: ["deeps", "sea", "ridges", "rivers"], terrain: [...SEA, "peak", "river", "mountain"] },
};
const STEP_CELLS = { row0: -240, col0: -400, rows: 280, cols: 450 };
const ATLAS = { theme: "atlas", light: "height", border: true };

const { 2: folder = fileURLToPath(new URL("../docs/gallery", import.meta.url)) } = process.argv;
await mkdir(folder, { recursive: true });

const mill = createMill({ seed: "gallery" });
for (const { file, preset, steps } of PICTURES) {
  const { total } = mill.walk(file, { preset, steps }).run();
  const png = toPng(total, { maxSide: 720, pixelsPerCell: 16 });
  await save(file, png, `${preset.padEnd(10)} ${steps} steps  ${total.cells} cells`);
}

const study = JSON.parse(await readExample("world.json"));
const { layers } = createMill({ seed: study.seed }).walk("world", study.walk).run();
const { background, colors } = study.picture;
const pictured = layers.map(({ name, map }) => ({ map, colorMap: colors[name] }));
await save("world", toPng(pictured, { maxSide: 900, background }), `${layers.length} layers`);

const highlands = createMill({ seed: "moria" }).world("highlands", await loadExample("highlands.json"));
await saveCells("highlands", highlands, {
  cells: { row0: 60, col0: 1130, rows: 250, cols: 350 },
  pixelsPerCell: 2,
  ...ATLAS,
  kinds: ["castle", "village", "ruin", "dragon"],
  labels: [
    { kind: "castle", text: "name.name", size: 2 },
    { kind: "village", text: "name.name", size: 1 },
    { kind: "dragon", text: "name", size: 3 },
  ],
  scaleBar: true,
});
const vault = highlands.enter(201, 1382);
const whole = { row0: 0, col0: 0, rows: 60, cols: 90 };
const found = ["chest", "altar", "beast"];
await saveCells("vault", vault, { cells: whole, theme: "atlas", border: true, kinds: found, pixelsPerCell: 6 });
const archipelago = createMill({ seed: "moria" }).world("archipelago", await loadExample("archipelago.json"));
await saveCells("archipelago", archipelago, {
  cells: { row0: 0, col0: 0, rows: 200, cols: 300 },
  pixelsPerCell: 2,
  ...ATLAS,
  depth: { field: "height", deepest: 20_000, shallowest: 35_000 },
  labels: [
    { kind: "stronghold", text: "name.name", size: 2 },
    { kind: "harbour", text: "name.name", size: 1 },
  ],
  scaleBar: true,
});

const endless = JSON.parse(await readExample("endless.json"));
const spec = await loadExample("endless.json");
const shading = { darken: ["sea"], lighten: ["ridges"] };
await saveEndless("endless", spec, { cells: STEP_CELLS, width: STEP_CELLS.cols, ...shading, legend: true });
const close = { row0: 100, col0: -60, rows: 100, cols: 150 };
await saveEndless("endless-close", spec, { cells: close, pixelsPerCell: 4, ...shading, legend: true });
for (const [file, names] of Object.entries(STEPS)) {
  const own = endless.layers.filter(({ name }) => names.layers.includes(name));
  const rules = endless.terrain.filter(({ terrain }) => names.terrain.includes(terrain));
  const terrain = [...rules, { terrain: "land", color: "#a8b062" }];
  const step = { grid: endless.grid, layers: own, terrain };
  await saveEndless(file, step, { cells: STEP_CELLS, width: STEP_CELLS.cols, darken: names.darken });
}

const loot = mill.weighted("loot", { gold: 900, gem: 60, crown: 25, relic: 15 });
const patched = mill.weighted("patched", { gold: 850, gem: 60, crown: 50, relic: 40 });
const series = ["gem", "crown", "relic"].map((name) => {
  const law = wait(loot, name);
  const points = Array.from({ length: 76 }, (_, i) => [4 * i, numberOf(law.upTo(4 * i))]);
  return { name, points: new Map(points) };
});
const panel = { title: "Chance to have it within n rolls", heights: "probability", series };
await save("waiting", svgLines([panel], { title: "How long until I have it?", values: "rolls" }), "3 lines", "svg");
const changes = [...compare(loot, patched).changes.entries()];
const heights = (side) => new Map(changes.map(([i, change]) => [i, numberOf(change[side])]));
const chart = svgHistogram(heights("after"), {
  title: "What did the patch change?",
  values: "results, the largest change first",
  heights: "probability",
  marks: heights("before"),
  legend: { bars: "after", marks: "before" },
  labels: new Map(changes.map(([i, { result }]) => [i, result ?? "(none)"])),
  scale: "log",
  width: 600,
});
await save("patch", chart, `${changes.length} changes`, "svg");

function readExample(path) {
  return readFile(new URL(path, import.meta.url), "utf8");
}

async function loadExample(path) {
  const { spec, issues } = await loadWorld(fileURLToPath(new URL(path, import.meta.url)), readOptionalText);
  if (spec === undefined) throw new RollmillError(issues);
  return spec;
}

function saveEndless(file, spec, options) {
  return saveCells(file, createMill({ seed: study.seed }).world("endless", spec), options);
}

async function saveCells(file, world, { cells, ...options }) {
  await save(file, world.picture(cells, options), `${cells.rows} × ${cells.cols} cells`);
}

async function save(file, picture, what, type = "png") {
  await writeWhole(join(folder, `${file}.${type}`), picture);
  console.log(`${file.padEnd(12)} ${what}  ${(picture.length / 1000).toFixed(0)} kB`);
}
