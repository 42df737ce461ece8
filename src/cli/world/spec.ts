import { existsSync } from "node:fs";
import type { Command } from "commander";
import type { Mill } from "../../index.js";
import { type Parsed, specOf } from "../../spec/index.js";
import type { Bounds } from "../../walks/index.js";
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
  readonly window?: Bounds;
}

export type Rectangle = readonly [row0: number, col0: number, rows: number, cols: number];

/** Last row, and also last column, of the default window of an unbounded world. */
const DEFAULT_LAST = 255;

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

export function cellsOf({ walk: { grid } }: WorldSpec, { window }: CellsFlags): Rectangle {
  const last = grid.kind === "unbounded" ? [DEFAULT_LAST, DEFAULT_LAST] : [grid.rows - 1, grid.cols - 1];
  const [row0, col0, row1, col1] = window ?? [0, 0, last[0], last[1]];
  return [row0, col0, row1 - row0 + 1, col1 - col0 + 1];
}
