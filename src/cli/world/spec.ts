import { existsSync } from "node:fs";
import type { Command } from "commander";
import type { Mill } from "../../index.js";
import { type Parsed, specOf } from "../../spec/index.js";
import { type CellRectangle, cellsOfGrid } from "../../walks/rectangles.js";
import { loadWorld, type World, type WorldSpec } from "../../worlds/index.js";
import { type ForkFlags, forkOf, forkOption } from "../shared/forks.js";
import { readText, stemOf } from "../shared/inputFile.js";
import { type Io, pathIn } from "../shared/io.js";
import { seedOption } from "../shared/options.js";
import { readPart } from "../table/part.js";
import { windowOf } from "../walk/map.js";

export interface CellsFlags extends ForkFlags {
  readonly seed?: string;
  readonly name?: string;
  readonly window?: CellRectangle;
}

/** The default window of an unbounded world. */
const DEFAULT_CELLS: CellRectangle = { row0: 0, col0: 0, rows: 256, cols: 256 };

export function addCells(command: Command): Command {
  return command
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .addOption(seedOption())
    .option("--name <name>", "the world depends on the seed and this name (default: the spec's name, or the file name)")
    .addOption(forkOption())
    .option(
      "--window <row0,col0,row1,col1>",
      "the cells, corners inclusive (default: the whole grid; 0,0,255,255 if it is unbounded)",
      windowOf,
    );
}

/** Reads a world, and the files that its spec names, which must be in the folder of the world's file. */
export async function loadWorldAt(io: Io, file: string): Promise<Parsed<WorldSpec>> {
  return await loadWorld(file, async (path) => {
    if (path === file) return readText(io, file);
    return existsSync(pathIn(io, path)) ? readPart(io, file, path) : undefined;
  });
}

export async function readWorld(io: Io, file: string): Promise<WorldSpec> {
  return specOf(await loadWorldAt(io, file));
}

export function openWorld(mill: Mill, spec: WorldSpec, { file, ...flags }: CellsFlags & { file: string }): World {
  return forkOf(mill.world(worldName(spec, { file, name: flags.name }), spec, { file }), flags);
}

export function worldName(
  { name: own }: WorldSpec,
  { file, name }: { readonly file: string; readonly name?: string | undefined },
): string {
  return name ?? own ?? stemOf(file, "world");
}

export function cellsOf({ walk: { grid } }: WorldSpec, { window }: CellsFlags): CellRectangle {
  return window ?? (grid.kind === "unbounded" ? DEFAULT_CELLS : cellsOfGrid(grid));
}
