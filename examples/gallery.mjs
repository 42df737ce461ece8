// Writes nine pictures to docs/gallery: the eight of the drunken-walk study, each with one walker, and a map of
// examples/world.json that is small enough for the README.
// Run: npm run gallery

import { mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createMill } from "rollmill";
import { writeWhole } from "rollmill/files";
import { toPng } from "rollmill/formats";

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

const folder = new URL("../docs/gallery/", import.meta.url);
await mkdir(folder, { recursive: true });

const mill = createMill({ seed: "gallery" });
for (const { file, preset, steps } of PICTURES) {
  const { total } = mill.walk(file, { preset, steps }).run();
  const png = toPng(total, { maxSide: 1000, pixelsPerCell: 16 });
  await save(file, png, `${preset.padEnd(10)} ${steps} steps  ${total.cells} cells`);
}

const world = JSON.parse(await readFile(new URL("world.json", import.meta.url), "utf8"));
const { layers } = createMill({ seed: world.seed }).walk("world", world.walk).run();
const { background, colors } = world.picture;
const pictured = layers.map(({ name, map }) => ({ map, colorMap: colors[name] }));
await save("world", toPng(pictured, { maxSide: 900, background }), `${layers.length} layers`);

async function save(file, png, what) {
  await writeWhole(fileURLToPath(new URL(`${file}.png`, folder)), png);
  console.log(`${file.padEnd(12)} ${what}  ${(png.length / 1000).toFixed(0)} kB`);
}
