import { extname } from "node:path";
import type { Command } from "commander";
import { error, fail } from "../errors/index.js";
import { type Column, gridToNpy } from "../formats/index.js";
import { createMill } from "../index.js";
import type { Placements, WorldSpec, WorldWindow } from "../worlds/index.js";
import { placementColumns } from "../worlds/placements.js";
import { documentText, type Head } from "./envelope.js";
import { withExamples } from "./examples.js";
import { type Io, print, write } from "./io.js";
import { jsonOption, seedOr } from "./options.js";
import { checkOutput } from "./outputFile.js";
import { withProgress } from "./progress.js";
import { type Rows, rawCellsOption, unknownEnding, writePieces, writerFor } from "./rowWriters.js";
import { refuseWithoutOutput } from "./walkMap.js";
import { addCells, type CellsFlags, cellsOf, openWorld, type Rectangle, readWorld } from "./worldSpec.js";

const CELLS_PER_BATCH = 2 ** 16;
const MAKING = { what: "making", unit: "cells" } as const;

interface WindowFlags extends CellsFlags {
  readonly output?: string;
  readonly layer?: string;
  readonly placements?: boolean;
  readonly digest?: boolean;
  readonly rawCells?: boolean;
  readonly json?: boolean;
}

/** Adds `rollmill world window`. */
export function addWorldWindow(world: Command, io: Io): void {
  const making = "world window {examples/coast.json} --seed moria";
  const command = withExamples(
    world.command("window"),
    io,
    `${making} --window 0,0,63,63`,
    `${making} -o terrain.npy`,
    `${making} --placements -o things.csv`,
    `${making} --layer hills -o hills.parquet`,
  ).description("make the cells of a window; count terrains and placements, and write them to a file");
  addCells(command)
    .option(
      "-o, --output <file>",
      "write the terrain of each cell: .npy (a dense u8 array), .csv, .json, .ndjson or .parquet",
    )
    .option("--layer <name>", "with -o: write this layer's visits instead; .npy is a u32 array, other types list cells")
    .option("--placements", "with -o: write the placements with their contents instead; does not support .npy")
    .addOption(rawCellsOption())
    .option("--digest", "print the SHA-256 of everything in the window")
    .addOption(jsonOption())
    .action((file: string, flags: WindowFlags) => makeWindow(io, file, flags));
}

async function makeWindow(io: Io, file: string, flags: WindowFlags): Promise<void> {
  const { output, layer, json: asJson, fork } = flags;
  refuseFlags(flags);
  const spec = await readWorld(io, file);
  if (output !== undefined) await checkOutput(io, output);
  using mill = createMill({ seed: seedOr(io, flags.seed) });
  const world = openWorld(mill, spec, { ...flags, file });
  const cells = cellsOf(spec, flags);
  const options = { visits: layer === undefined ? [] : [layer], contents: flags.placements === true };
  const made = withProgress(io, MAKING, (onProgress) => world.window(...cells, { ...options, onProgress }));
  const digest = flags.digest
    ? withProgress(io, MAKING, (onProgress) => world.digest(...cells, { onProgress }))
    : undefined;
  const head = { command: "world window", seed: mill.seed, name: world.name, fork };
  if (output !== undefined) await writeWindow(io, made, { ...flags, output, head });
  const summary = summaryOf(spec, made, { cells, digest });
  await (asJson ? write(io, documentText(head, summary)) : print(io, summaryText(summary)));
}

function refuseFlags({ output, layer, placements, rawCells }: WindowFlags): void {
  if (layer !== undefined && placements) {
    fail(error("cli.usage", { problem: "--layer and --placements exclude each other", expected: "one of them" }));
  }
  const flags = { "--layer": layer, "--placements": placements, "--raw-cells": rawCells };
  if (output === undefined) refuseWithoutOutput(flags);
}

interface Summary {
  readonly window: readonly number[];
  readonly cells: number;
  readonly terrains: readonly { readonly terrain: string; readonly cells: number }[];
  readonly placements: readonly { readonly kind: string; readonly count: number }[];
  readonly digest?: string | undefined;
}

function summaryOf(
  { terrains, placements: kinds }: WorldSpec,
  { terrain, placements }: WorldWindow,
  { cells, digest }: { readonly cells: Rectangle; readonly digest: string | undefined },
): Summary {
  const [row0, col0, rows, cols] = cells;
  const counts = new Uint32Array(256);
  for (let i = 0; i < terrain.length; i++) counts[terrain[i]]++;
  const standing = new Uint32Array(kinds.length);
  for (const kind of placements.kinds) standing[kind]++;
  return {
    window: [row0, col0, row0 + rows - 1, col0 + cols - 1],
    cells: rows * cols,
    terrains: terrains.map(({ name }, i) => ({ terrain: name, cells: counts[i] })),
    placements: kinds.map(({ name }, i) => ({ kind: name, count: standing[i] })),
    digest,
  };
}

function summaryText({ window, cells, terrains, placements, digest }: Summary): string {
  const lines = [
    `window\t${window.join(" ")}`,
    `cells\t${cells}`,
    ...terrains.map((one) => `terrain\t${one.terrain}\t${one.cells}\t${(one.cells / cells).toPrecision(6)}`),
    ...placements.map(({ kind, count }) => `placement\t${kind}\t${count}`),
    ...(digest === undefined ? [] : [`digest\t${digest}`]),
  ];
  return `${lines.join("\n")}\n`;
}

async function writeWindow(
  io: Io,
  window: WorldWindow,
  { output, layer, placements, head, rawCells }: WindowFlags & { readonly output: string; readonly head: Head },
): Promise<void> {
  const stop = () => undefined;
  const isArray = extname(output).toLowerCase() === ".npy";
  if (isArray && placements) unknownEnding(output, ["csv", "ndjson", "json", "parquet"]);
  if (isArray) {
    const values = layer === undefined ? window.terrain : window.visits(layer);
    return writePieces(io, [gridToNpy(values, window.cols)], { output, n: values.length, unit: "cells", stop });
  }
  const write = writerFor(output);
  const options = rawCells === undefined ? { head } : { head, rawCells };
  if (placements) {
    const things = window.placements;
    return writePieces(io, write([placementRows(things)], options), {
      output,
      n: things.length,
      unit: "placements",
      stop,
    });
  }
  const cells = layer === undefined ? terrainBatches(window) : visitedBatches(window, layer);
  const n = layer === undefined ? window.terrain.length : window.visits(layer).filter((count) => count > 0).length;
  await writePieces(io, write(cells, options), { output, n, unit: "cells", stop });
}

/** Converts columns to rows for the writers. `rowOf` returns row k as an object. */
function rowsOf(columns: readonly Column[], length: number, rowOf: (k: number) => object): Rows {
  return { length, text: (k) => JSON.stringify(rowOf(k)), row: rowOf, columns: () => columns };
}

function placementRows(placements: Placements): Rows {
  const { length } = placements;
  const contents = Array.from({ length }, (_, k) => {
    const { content } = placements.at(k) ?? {};
    return content === undefined ? "" : JSON.stringify(content);
  });
  return rowsOf(placementColumns(placements, contents), length, (k) => placements.at(k) ?? {});
}

/** Yields every cell with its terrain. */
function* terrainBatches({ row0, col0, rows, cols, terrain, terrains }: WorldWindow): Generator<Rows, void> {
  const words = terrains.length === 0 ? [null] : terrains.map(({ name }) => name);
  const perBatch = Math.max(1, Math.floor(CELLS_PER_BATCH / cols));
  for (let first = 0; first < rows; first += perBatch) {
    const length = (Math.min(rows, first + perBatch) - first) * cols;
    const cellRows = Int32Array.from({ length }, (_, k) => row0 + first + Math.floor(k / cols));
    const cellCols = Int32Array.from({ length }, (_, k) => col0 + (k % cols));
    const indices = terrain.subarray(first * cols, first * cols + length);
    const columns: Column[] = [
      { kind: "integer", name: "row", values: cellRows },
      { kind: "integer", name: "col", values: cellCols },
      { kind: "word", name: "terrain", words, indices },
    ];
    yield rowsOf(columns, length, (k) => ({ row: cellRows[k], col: cellCols[k], terrain: words[indices[k]] }));
  }
}

/** Yields the cells that the walkers of a layer visited, with the numbers of visits. */
function* visitedBatches(window: WorldWindow, layer: string): Generator<Rows, void> {
  const { row0, col0, cols } = window;
  const visits = window.visits(layer);
  for (let from = 0; from < visits.length; from += CELLS_PER_BATCH) {
    const part = visits.subarray(from, from + CELLS_PER_BATCH);
    const visited = Uint32Array.from(part.keys()).filter((k) => part[k] > 0);
    const cellRows = Int32Array.from(visited, (k) => row0 + Math.floor((from + k) / cols));
    const cellCols = Int32Array.from(visited, (k) => col0 + ((from + k) % cols));
    const counts = Uint32Array.from(visited, (k) => part[k]);
    const columns: Column[] = [
      { kind: "integer", name: "row", values: cellRows },
      { kind: "integer", name: "col", values: cellCols },
      { kind: "integer", name: "visits", values: counts },
    ];
    yield rowsOf(columns, counts.length, (k) => ({ row: cellRows[k], col: cellCols[k], visits: counts[k] }));
  }
}
