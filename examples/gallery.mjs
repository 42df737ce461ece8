// Renders the drunken-walk study's eight pictures into docs/gallery: one walker each, hexagon by hexagon.
// Run: npm run gallery

import { mkdir, writeFile } from "node:fs/promises";
import { createMill } from "rollmill";
import { toPng } from "rollmill/formats";

// Steps that bring each pattern to about the same width, by its mean square distance (test/laws/walksEndPoint.test.ts).
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
  await writeFile(new URL(`${file}.png`, folder), png);
  const size = `${(png.length / 1000).toFixed(0)} kB`;
  console.log(`${file.padEnd(12)} ${preset.padEnd(10)} ${steps} steps  ${total.cells} cells  ${size}`);
}
