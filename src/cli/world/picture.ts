import type { Command } from "commander";
import { createMill } from "../../index.js";
import { define, option, required } from "../command.js";
import { documentText } from "../shared/documents.js";
import { checkOutput, endingOf, writeOutput } from "../shared/files.js";
import { type Io, note, write } from "../shared/io.js";
import { JSON_DOCUMENT, seedOr } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { unknownEnding } from "../shared/rows.js";
import { FRAME, frameOptions } from "../walk/picture.js";
import { CELLS, cellsOf, openWorld, readWorld, SPEC } from "./spec.js";

export function addWorldPicture(world: Command, io: Io): void {
  const drawing = "world picture {examples/coast.json} --seed moria -o map.png";
  define(world.command("picture"), io, {
    examples: [`${drawing} --upright --legend`, `${drawing} --window 0,0,99,149 --lighten hills --darken sea`],
    description: "draw the terrain of a window, with a mark for each placement",
    takes: [SPEC],
    options: [
      ...CELLS,
      ...FRAME,
      required("-o, --output <file>", "the .png file to write"),
      option("--lighten <layers>", "visits of these layers make cells lighter; names separated by commas", namesOf),
      option("--darken <layers>", "visits of these layers make cells darker; names separated by commas", namesOf),
      option("--kinds <names>", "mark only these kinds of placements; names separated by commas", namesOf),
      option(
        "--first",
        "if a pixel has several cells, show the terrain that comes first in the spec, not the commonest",
      ),
      option("--upright", "draw an upright rectangle: each second row begins one column earlier"),
      JSON_DOCUMENT,
    ],
    async run(flags, file) {
      const { output, darken, lighten, kinds, first, upright } = flags;
      if (endingOf(output) !== "png") unknownEnding(output, ["png"]);
      const spec = await readWorld(io, file);
      await checkOutput(io, output);
      using mill = createMill({ seed: seedOr(io, flags.seed) });
      const world = openWorld(mill, spec, file, flags);
      const [row0, col0, rows, cols] = cellsOf(spec, flags);
      const shading = { darken, lighten, kinds, upright, pool: first ? "first" : "common" } as const;
      const bytes = withProgress(io, { what: "drawing", unit: "cells" }, (onProgress) =>
        world.picture(row0, col0, rows, cols, { ...frameOptions(flags), ...shading, onProgress }),
      );
      await writeOutput(io, output, bytes);
      const window = [row0, col0, row0 + rows - 1, col0 + cols - 1];
      if (!flags.json) return note(io, `${output}: ${rows * cols} cells, ${bytes.length} bytes`);
      const head = { command: "world picture", seed: mill.seed, name: world.name, fork: flags.fork };
      await write(io, documentText(head, { window, file: output, bytes: bytes.length }));
    },
  });
}

function namesOf(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}
