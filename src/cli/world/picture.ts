import { extname } from "node:path";
import type { Command } from "commander";
import { cornersOf } from "../../formats/maps/mapSource.js";
import { createMill } from "../../index.js";
import { withExamples } from "../examples.js";
import { documentText } from "../shared/envelope.js";
import { type Io, note, write } from "../shared/io.js";
import { jsonOption, seedOr } from "../shared/options.js";
import { checkOutput, writeOutput } from "../shared/outputFile.js";
import { withProgress } from "../shared/progress.js";
import { unknownEnding } from "../shared/rowWriters.js";
import { addFrameOptions, type FrameFlags, frameOptions } from "../walk/picture.js";
import { addCells, type CellsFlags, cellsOf, openWorld, readWorld } from "./spec.js";

interface PictureFlags extends CellsFlags, FrameFlags {
  readonly output: string;
  readonly darken?: readonly string[];
  readonly lighten?: readonly string[];
  readonly kinds?: readonly string[];
  readonly first?: boolean;
  readonly upright?: boolean;
  readonly json?: boolean;
}

export function addWorldPicture(world: Command, io: Io): void {
  const drawing = "world picture {examples/coast.json} --seed moria -o map.png";
  const command = withExamples(
    world.command("picture"),
    io,
    `${drawing} --upright --legend`,
    `${drawing} --window 0,0,99,149 --lighten hills --darken sea`,
  ).description("draw the terrain of a window, with a mark for each placement");
  addFrameOptions(addCells(command))
    .requiredOption("-o, --output <file>", "the .png file to write")
    .option("--lighten <layers>", "visits of these layers make cells lighter; names separated by commas", namesOf)
    .option("--darken <layers>", "visits of these layers make cells darker; names separated by commas", namesOf)
    .option("--kinds <names>", "mark only these kinds of placements; names separated by commas", namesOf)
    .option("--first", "if a pixel has several cells, show the terrain that comes first in the spec, not the commonest")
    .option("--upright", "draw an upright rectangle: each second row begins one column earlier")
    .addOption(jsonOption())
    .action((file: string, flags: PictureFlags) => picture(io, file, flags));
}

async function picture(io: Io, file: string, flags: PictureFlags): Promise<void> {
  const { output, darken, lighten, kinds, first, upright } = flags;
  if (extname(output).toLowerCase() !== ".png") unknownEnding(output, ["png"]);
  const spec = await readWorld(io, file);
  await checkOutput(io, output);
  using mill = createMill({ seed: seedOr(io, flags.seed) });
  const world = openWorld(mill, spec, { ...flags, file });
  const cells = cellsOf(spec, flags);
  const options = {
    ...frameOptions(flags),
    darken,
    lighten,
    kinds,
    upright,
    pool: first ? "first" : "common",
  } as const;
  const bytes = withProgress(io, { what: "drawing", unit: "cells" }, (onProgress) =>
    world.picture(cells, { ...options, onProgress }),
  );
  await writeOutput(io, output, bytes);
  const window = cornersOf(cells);
  if (!flags.json) return note(io, `${output}: ${cells.rows * cells.cols} cells, ${bytes.length} bytes`);
  const head = { command: "world picture", seed: mill.seed, name: world.name, fork: flags.fork };
  await write(io, documentText(head, { window, file: output, bytes: bytes.length }));
}

function namesOf(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}
