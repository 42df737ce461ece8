import type { Command } from "commander";
import { type Column, gridToNpy } from "../../formats/index.js";
import { createMill } from "../../index.js";
import type { Placements, WorldSpec, WorldWindow } from "../../worlds/index.js";
import { placementColumns } from "../../worlds/placements.js";
import { define, type Flags, option } from "../command.js";
import { type Head, report } from "../shared/documents.js";
import { checkOutput, endingOf } from "../shared/files.js";
import { type Io, refuse } from "../shared/io.js";
import { JSON_DOCUMENT, seedOr } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { chosenWriter, RAW_CELLS, type Rows, unknownEnding, writeBatches, writePieces } from "../shared/rows.js";
import { refuseWithoutOutput } from "../walk/map.js";
import { CELLS, cellsOf, openWorld, type Rectangle, readWorld, SPEC } from "./spec.js";

const CELLS_PER_BATCH = 2 ** 16;
const MAKING = { what: "making", unit: "cells" } as const;
const WINDOW = [
  ...CELLS,
  option(
    "-o, --output <file>",
    "write the terrain of each cell: .npy (a dense u8 array), .csv, .json, .ndjson or .parquet",
  ),
  option("--layer <name>", "with -o: write this layer's visits instead; .npy is a u32 array, other types list cells"),
  option("--placements", "with -o: write the placements with their contents instead; does not support .npy"),
  RAW_CELLS,
  option("--digest", "print the SHA-256 of everything in the window"),
  JSON_DOCUMENT,
] as const;
type WindowFlags = Flags<typeof WINDOW>;

export function addWorldWindow(world: Command, io: Io): void {
  const making = "world window {examples/coast.json} --seed moria";
  define(world.command("window"), io, {
    examples: [
      `${making} --window 0,0,63,63`,
      `${making} -o terrain.npy`,
      `${making} --placements -o things.csv`,
      `${making} --layer hills -o hills.parquet`,
    ],
    description: "make the cells of a window; count terrains and placements, and write them to a file",
    takes: [SPEC],
    options: WINDOW,
    async run(flags, file) {
      const { output, layer, fork } = flags;
      refuseFlags(flags);
      const spec = await readWorld(io, file);
      await checkOutput(io, output);
      using mill = createMill({ seed: seedOr(io, flags.seed) });
      const world = openWorld(mill, spec, file, flags);
      const cells = cellsOf(spec, flags);
      const options = { visits: layer === undefined ? [] : [layer], contents: flags.placements === true };
      const made = withProgress(io, MAKING, (onProgress) => world.window(...cells, { ...options, onProgress }));
      const digest = flags.digest
        ? withProgress(io, MAKING, (onProgress) => world.digest(...cells, { onProgress }))
        : undefined;
      const head = { command: "world window", seed: mill.seed, name: world.name, fork };
      if (output !== undefined) await writeWindow(io, made, { ...flags, output, head });
      const summary = summaryOf(spec, made, { cells, digest });
      await report(io, flags, { head, data: () => summary, lines: () => summaryLines(summary) });
    },
  });
}

function refuseFlags({ output, layer, placements, rawCells }: WindowFlags): void {
  if (layer !== undefined && placements) {
    refuse("--layer and --placements exclude each other", { expected: "one of them" });
  }
  const flags = { "--layer": layer, "--placements": placements, "--raw-cells": rawCells };
  if (output === undefined) refuseWithoutOutput(flags);
}

function summaryOf(
  { terrains, placements: kinds }: WorldSpec,
  { terrain, placements }: WorldWindow,
  { cells, digest }: { readonly cells: Rectangle; readonly digest: string | undefined },
) {
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

function summaryLines({ window, cells, terrains, placements, digest }: ReturnType<typeof summaryOf>): string[] {
  return [
    `window\t${window.join(" ")}`,
    `cells\t${cells}`,
    ...terrains.map((one) => `terrain\t${one.terrain}\t${one.cells}\t${(one.cells / cells).toPrecision(6)}`),
    ...placements.map(({ kind, count }) => `placement\t${kind}\t${count}`),
    ...(digest === undefined ? [] : [`digest\t${digest}`]),
  ];
}

async function writeWindow(
  io: Io,
  window: WorldWindow,
  { output, layer, placements, head, rawCells }: WindowFlags & { readonly output: string; readonly head: Head },
): Promise<void> {
  const isArray = endingOf(output) === "npy";
  if (isArray && placements) unknownEnding(output, ["csv", "ndjson", "json", "parquet"]);
  const values = layer === undefined ? window.terrain : window.visits(layer);
  if (isArray) return writePieces(io, [gridToNpy(values, window.cols)], { output, n: values.length, unit: "cells" });
  const [batches, n, unit] = placements
    ? [[placementRows(window.placements)], window.placements.length, "placements"]
    : [cellBatches(window, layer), layer === undefined ? values.length : values.filter((v) => v > 0).length, "cells"];
  const flags = { n, output, rawCells };
  await writeBatches(io, flags, chosenWriter(flags), batches, { unit, head, rowsOf: (rows) => rows });
}

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

/** Yields every cell with its terrain; or, if a layer is given, every cell that it visited with its visits. */
function* cellBatches(window: WorldWindow, layer: string | undefined): Generator<Rows, void> {
  const { row0, col0, cols, terrain, terrains } = window;
  const visits = layer === undefined ? undefined : window.visits(layer);
  const words = terrains.length === 0 ? [null] : terrains.map(({ name }) => name);
  for (let from = 0; from < terrain.length; from += CELLS_PER_BATCH) {
    const all = Uint32Array.from({ length: Math.min(CELLS_PER_BATCH, terrain.length - from) }, (_, k) => from + k);
    const cells = visits === undefined ? all : all.filter((cell) => visits[cell] > 0);
    const row = Int32Array.from(cells, (cell) => row0 + Math.floor(cell / cols));
    const col = Int32Array.from(cells, (cell) => col0 + (cell % cols));
    const values = Uint32Array.from(cells, (cell) => (visits ?? terrain)[cell]);
    const columns: Column[] = [
      { kind: "integer", name: "row", values: row },
      { kind: "integer", name: "col", values: col },
      visits === undefined
        ? { kind: "word", name: "terrain", words, indices: values }
        : { kind: "integer", name: "visits", values },
    ];
    yield rowsOf(columns, cells.length, (k) => {
      const last = visits === undefined ? { terrain: words[values[k]] } : { visits: values[k] };
      return { row: row[k], col: col[k], ...last };
    });
  }
}
