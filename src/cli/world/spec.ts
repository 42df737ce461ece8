import type { Mill } from "../../index.js";
import { type Parsed, specOf } from "../../spec/index.js";
import { loadWorld, type World, type WorldSpec } from "../../worlds/index.js";
import { type Flags, option } from "../command.js";
import { readOptionalPart, stemOf } from "../shared/files.js";
import type { Io } from "../shared/io.js";
import { FORK, forkOf, SEED } from "../shared/options.js";
import { windowOf } from "../walk/map.js";

export type Rectangle = readonly [row0: number, col0: number, rows: number, cols: number];

/** Last row, and also last column, of the default window of an unbounded world. */
const DEFAULT_LAST = 255;

export const SPEC = ["<spec>", 'JSON spec; "-" is stdin'] as const;
export const CELLS = [
  SEED,
  option("--name <name>", "the world depends on the seed and this name (default: the spec's name, or the file name)"),
  FORK,
  option(
    "--window <row0,col0,row1,col1>",
    "the cells, corners inclusive (default: the whole grid; 0,0,255,255 if it is unbounded)",
    windowOf,
  ),
] as const;
type CellsFlags = Partial<Flags<typeof CELLS>>;

/** Reads a world, and the files that its spec names, which must be in the folder of the world's file. */
export function loadWorldAt(io: Io, file: string): Promise<Parsed<WorldSpec>> {
  return loadWorld(file, (path) => readOptionalPart(io, file, path));
}

export async function readWorld(io: Io, file: string): Promise<WorldSpec> {
  return specOf(await loadWorldAt(io, file));
}

export function openWorld(mill: Mill, spec: WorldSpec, file: string, flags: CellsFlags = {}): World {
  return forkOf(mill.world(flags.name ?? worldName(spec, file), spec, { file }), flags);
}

export function worldName({ name }: WorldSpec, file: string): string {
  return name ?? stemOf(file, "world");
}

export function cellsOf({ walk: { grid } }: WorldSpec, { window }: CellsFlags): Rectangle {
  const last = grid.kind === "unbounded" ? [DEFAULT_LAST, DEFAULT_LAST] : [grid.rows - 1, grid.cols - 1];
  const [row0, col0, row1, col1] = window ?? [0, 0, last[0], last[1]];
  return [row0, col0, row1 - row0 + 1, col1 - col0 + 1];
}
