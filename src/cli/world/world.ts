import type { Command } from "commander";
import { type Column, gridToNpy } from "../../formats/index.js";
import { cornersOf } from "../../formats/maps/mapSource.js";
import { createMill, type Issue, type Mill, RollmillError } from "../../index.js";
import { type Parsed, specOf } from "../../spec/index.js";
import { type CellRectangle, cellsOfGrid } from "../../walks/rectangles.js";
import { compileWorld } from "../../worlds/compile.js";
import {
  checkWorld,
  type FieldSpec,
  loadWorld,
  type PathSpec,
  type PlacementOdds,
  type PlacementSpec,
  type Placements,
  type WorldPath,
  type WorldSpec,
  type WorldWindow,
} from "../../worlds/index.js";
import { type CellShare, worldOdds } from "../../worlds/odds.js";
import { placementColumns } from "../../worlds/placements.js";
import { define, type Flags, option, required } from "../command.js";
import {
  type Head,
  RAW_CELLS,
  type Rows,
  report,
  reportIssues,
  unknownEnding,
  writeBatches,
  writePieces,
} from "../shared/documents.js";
import { checkOutput, endingOf, readOptionalPart, stemOf, writeOutput } from "../shared/files.js";
import { type Io, note, refuse } from "../shared/io.js";
import { FORK, forkOf, JSON_DOCUMENT, type JsonFlag, SEED, seedOr } from "../shared/options.js";
import { approximate, withProgress } from "../shared/progress.js";
import { FRAME, frameOptions, refuseWithoutOutput, windowOf } from "../walk/map.js";

/** The default window of an unbounded world. */
const DEFAULT_CELLS: CellRectangle = { row0: 0, col0: 0, rows: 256, cols: 256 };

const SPEC = ["<spec>", 'JSON spec; "-" is stdin'] as const;
const CELLS = [
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

/** Reads a world and the files that its spec names. These files must be in the folder of the world's file. */
function loadWorldAt(io: Io, file: string): Promise<Parsed<WorldSpec>> {
  return loadWorld(file, (path) => readOptionalPart(io, file, path));
}

export async function readWorld(io: Io, file: string): Promise<WorldSpec> {
  return specOf(await loadWorldAt(io, file));
}

export function openWorld(mill: Mill, spec: WorldSpec, file: string, flags: CellsFlags = {}) {
  return forkOf(mill.world(flags.name ?? worldName(spec, file), spec, { file }), flags);
}

function worldName({ name }: WorldSpec, file: string): string {
  return name ?? stemOf(file, "world");
}

function cellsOf({ walk: { grid } }: WorldSpec, { window }: CellsFlags): CellRectangle {
  return window ?? (grid.kind === "unbounded" ? DEFAULT_CELLS : cellsOfGrid(grid));
}

const FIRST = "if a pixel has several cells, show the terrain that is first in the spec, not the most common one";

function addWorldPicture(world: Command, io: Io): void {
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
      option("--first", FIRST),
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
      const cells = cellsOf(spec, flags);
      const shading = { darken, lighten, kinds, upright, pool: first ? "first" : "common" } as const;
      const bytes = withProgress(io, { what: "drawing", unit: "cells" }, (onProgress) =>
        world.picture(cells, { ...frameOptions(flags), ...shading, onProgress }),
      );
      await writeOutput(io, output, bytes);
      const window = cornersOf(cells);
      if (!flags.json) return note(io, `${output}: ${cells.rows * cells.cols} cells, ${bytes.length} bytes`);
      const head = { command: "world picture", seed: mill.seed, name: world.name, fork: flags.fork };
      const data = () => ({ window, file: output, bytes: bytes.length });
      await report(io, flags, { head, data, lines: () => [] });
    },
  });
}

function namesOf(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}

const CELLS_PER_BATCH = 2 ** 16;
const MAKING = { what: "making", unit: "cells" } as const;
const WINDOW = [
  ...CELLS,
  option(
    "-o, --output <file>",
    "write the terrain of each cell: .npy (a dense u8 array), .csv, .json, .ndjson or .parquet",
  ),
  option("--layer <name>", "with -o: write this layer's visits instead, as a u32 array (.npy) or a list of cells"),
  option("--field <name>", "with -o: write the values of this field instead, as a u16 array (.npy) or a list of cells"),
  option("--placements", "with -o: write the placements and their contents instead (not as .npy)"),
  option("--paths", "with -o: write the paths instead, each with its ends, cost and cells (not as .npy)"),
  RAW_CELLS,
  option("--digest", "print the SHA-256 of everything in the window"),
  JSON_DOCUMENT,
] as const;
type WindowFlags = Flags<typeof WINDOW>;

function addWorldWindow(world: Command, io: Io): void {
  const making = "world window {examples/coast.json} --seed moria";
  define(world.command("window"), io, {
    examples: [
      `${making} --window 0,0,63,63`,
      `${making} -o terrain.npy`,
      `${making} --placements -o things.csv`,
      `${making} --layer hills -o hills.parquet`,
      `${making} --paths -o roads.csv`,
    ],
    description: "make the cells of a window; print the counts of terrains and placements; with -o, write the cells",
    takes: [SPEC],
    options: WINDOW,
    async run(flags, file) {
      const { output, layer, field, placements, paths, rawCells, fork } = flags;
      const all = { "--layer": layer, "--field": field, "--placements": placements, "--paths": paths };
      const given = Object.entries(all);
      const [first, second] = given.flatMap(([name, value]) => (value === undefined ? [] : [name]));
      if (second !== undefined) refuse(`${first} and ${second} exclude each other`, { expected: "one of them" });
      const ofFile = { ...Object.fromEntries(given), "--raw-cells": rawCells };
      if (output === undefined) refuseWithoutOutput(ofFile);
      const spec = await readWorld(io, file);
      await checkOutput(io, output);
      using mill = createMill({ seed: seedOr(io, flags.seed) });
      const world = openWorld(mill, spec, file, flags);
      const cells = cellsOf(spec, flags);
      const named = (name: string | undefined) => (name === undefined ? [] : [name]);
      const options = { visits: named(layer), fields: named(field), contents: placements === true };
      const made = withProgress(io, MAKING, (onProgress) => world.window(cells, { ...options, onProgress }));
      const digestOf = () => withProgress(io, MAKING, (onProgress) => world.digest(cells, { onProgress }));
      const digest = flags.digest ? digestOf() : undefined;
      const head = { command: "world window", seed: mill.seed, name: world.name, fork };
      const found = paths ? withProgress(io, MAKING, (onProgress) => world.paths(cells, { onProgress })) : undefined;
      if (output !== undefined) await writeWindow(io, made, { ...flags, output, head, found });
      const summary = summaryOf(spec, made, digest);
      await report(io, flags, { head, data: () => summary, lines: () => summaryLines(summary) });
    },
  });
}

function summaryOf({ terrains, placements: kinds }: WorldSpec, window: WorldWindow, digest: string | undefined) {
  const { terrain, placements } = window;
  const counts = new Uint32Array(256);
  for (let i = 0; i < terrain.length; i++) counts[terrain[i]]++;
  const standing = new Uint32Array(kinds.length);
  for (const kind of placements.kinds) standing[kind]++;
  return {
    window: cornersOf(window),
    cells: terrain.length,
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
  { output, layer, field, placements, found, head, rawCells }: WindowFile,
): Promise<void> {
  const isArray = endingOf(output) === "npy";
  if (isArray && (placements || found !== undefined)) unknownEnding(output, ["csv", "ndjson", "json", "parquet"]);
  const [column, values] = columnOf(window, { layer, field });
  if (isArray) return writePieces(io, [gridToNpy(values, window.cols)], { output, n: values.length, unit: "cells" });
  const listed = placements ? placementRows(window.placements) : found && pathRows(found);
  const [batches, n, unit] =
    listed === undefined
      ? [cellBatches(window, column, values), column === "visits" ? visitedIn(values) : values.length, "cells"]
      : [[listed], listed.length, placements ? "placements" : "paths"];
  await writeBatches(io, { n, output, rawCells }, batches, { unit, head });
}

type WindowFile = WindowFlags & {
  readonly output: string;
  readonly head: Head;
  /** The paths, if the file has them. */
  readonly found: readonly WorldPath[] | undefined;
};

type CellColumn = "terrain" | "visits" | "value";
type CellValues = Uint8Array | Uint16Array | Uint32Array;

function columnOf(
  window: WorldWindow,
  { layer, field }: Pick<WindowFlags, "layer" | "field">,
): readonly [CellColumn, CellValues] {
  if (layer !== undefined) return ["visits", window.visits(layer)];
  return field === undefined ? ["terrain", window.terrain] : ["value", window.field(field)];
}

function visitedIn(visits: CellValues): number {
  let count = 0;
  for (const one of visits) count += Number(one > 0);
  return count;
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

/** A path without a way has the length and the cost 0. */
function pathRows(paths: readonly WorldPath[]): Rows {
  const texts = (name: string, textOf: (path: WorldPath) => string): Column => {
    return { kind: "text", name, values: paths.map(textOf) };
  };
  const integers = (name: string, numberOf: (path: WorldPath) => number): Column => {
    return { kind: "integer", name, values: Float64Array.from(paths, numberOf) };
  };
  const columns = [
    texts("name", ({ name }) => name),
    integers("row0", ({ from }) => from[0]),
    integers("col0", ({ from }) => from[1]),
    integers("row1", ({ to }) => to[0]),
    integers("col1", ({ to }) => to[1]),
    integers("length", ({ length = 0 }) => length),
    integers("cost", ({ cost = 0 }) => cost),
    texts("reason", ({ reason = "" }) => reason),
    texts("cells", ({ cells }) => JSON.stringify(cells)),
  ];
  return rowsOf(columns, paths.length, (k) => paths[k]);
}

/** Yields every cell with its value in a column. The column of visits leaves out cells without visits. */
function* cellBatches(window: WorldWindow, column: CellColumn, all: CellValues): Generator<Rows, void> {
  const { row0, col0, cols, terrains } = window;
  const words = terrains.length === 0 ? [null] : terrains.map(({ name }) => name);
  for (let from = 0; from < all.length; from += CELLS_PER_BATCH) {
    const batch = Uint32Array.from({ length: Math.min(CELLS_PER_BATCH, all.length - from) }, (_, k) => from + k);
    const cells = column === "visits" ? batch.filter((cell) => all[cell] > 0) : batch;
    const row = Int32Array.from(cells, (cell) => row0 + Math.floor(cell / cols));
    const col = Int32Array.from(cells, (cell) => col0 + (cell % cols));
    const values = Uint32Array.from(cells, (cell) => all[cell]);
    const columns: Column[] = [
      { kind: "integer", name: "row", values: row },
      { kind: "integer", name: "col", values: col },
      column === "terrain"
        ? { kind: "word", name: column, words, indices: values }
        : { kind: "integer", name: column, values },
    ];
    yield rowsOf(columns, cells.length, (k) => {
      return { row: row[k], col: col[k], [column]: column === "terrain" ? words[values[k]] : values[k] };
    });
  }
}

export function addWorld(world: Command, io: Io): void {
  define(world.command("show"), io, {
    examples: ["world show {examples/coast.json}"],
    takes: [SPEC],
    description: "print the layers with reach and cost, the terrains, and the placements with expected densities",
    options: [JSON_DOCUMENT],
    run: (flags, file) => show(io, flags, file),
  });
  define(world.command("check"), io, {
    examples: ["world check {examples/coast.json}"],
    takes: [SPEC],
    description: "list every error and warning, such as rules that can never hold; exit 2 on an error",
    options: [JSON_DOCUMENT],
    async run(flags, file) {
      const { spec, issues } = await loadWorldAt(io, file);
      const found = spec === undefined ? [] : [...openingIssues(spec, file), ...checkWorld(spec, { file })];
      const name = spec === undefined ? "" : worldName(spec, file);
      await reportIssues(io, flags, { command: "world check", name, issues: [...issues, ...found] });
    },
  });
  addWorldWindow(world, io);
  addWorldPicture(world, io);
}

async function show(io: Io, flags: JsonFlag, file: string): Promise<void> {
  const spec = await readWorld(io, file);
  const name = worldName(spec, file);
  const { costs } = compileWorld(spec, { name });
  const odds = worldOdds(spec);
  const terrains = spec.terrains.map((terrain, i) => terrainLine(terrain, odds.terrains[i].share));
  const placements = spec.placements.map((kind, i) => placementLine(spec, kind, odds.placements[i]));
  await report(io, flags, {
    head: { command: "world show", name },
    data: () => ({
      grid: spec.walk.grid,
      layers: costs,
      fields: spec.fields.map((field) => namedField(spec, field)),
      terrains: spec.terrains.map((terrain, i) => ({ ...terrain, share: odds.terrains[i].share })),
      placements: spec.placements.map((kind, i) => ({
        ...kind,
        terrains: kind.terrains.map((terrain) => spec.terrains[terrain].name),
        ...odds.placements[i],
      })),
      paths: spec.paths.map((path) => namedPath(spec, path)),
    }),
    lines: () => [
      `world ${name}`,
      "layers:",
      ...costs.map(layerLine),
      ...section(
        "fields:",
        spec.fields.map((field) => fieldLine(namedField(spec, field))),
      ),
      ...section("terrain:", terrains),
      ...section("placements:", placements),
      ...section(
        "paths:",
        spec.paths.map((path) => pathLine(namedPath(spec, path))),
      ),
    ],
  });
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

/** Returns a field as written: with names in place of the indices of layers and fields. */
function namedField({ fields, walk: { layers } }: WorldSpec, field: FieldSpec) {
  const nameOf = (index: number) => fields[index].name;
  switch (field.kind) {
    case "distance":
    case "visits":
    case "firstVisit":
      return { ...field, layer: layers[field.layer].name };
    case "sum":
      return { ...field, of: field.of.map((term) => ({ ...term, field: nameOf(term.field) })) };
    case "least":
    case "most":
      return { ...field, of: field.of.map(nameOf) };
    case "curve":
      return { ...field, of: nameOf(field.of) };
    default:
      return field;
  }
}

function fieldLine({ name, kind, ...rest }: ReturnType<typeof namedField>): string {
  const parts = Object.entries(rest).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return `  ${name}: ${[kind, ...parts].join(", ")}`;
}

type Compiled = ReturnType<typeof compileWorld>;

function layerLine({ name, kind, walkers, steps, side, density, reach, region }: Compiled["costs"][number]): string {
  const starts =
    density === undefined
      ? ""
      : `a walker for ${density.numerator}/${density.denominator} of the start cells, at most about `;
  const walking = `${starts}${walkers} walkers of ${steps} steps`;
  const all = `${approximate(region.steps)} steps`;
  if (kind === "finite") return `  ${name}: finite, ${walking}, ${all} in all`;
  const needs = `${region.regions} regions, ${all}, about ${approximate(region.bytes)} bytes`;
  return `  ${name}: ${walking} in each region of ${side} × ${side}; reach ${reach}; 256 × 256 cells need ${needs}`;
}

function terrainLine({ name, color, tags }: WorldSpec["terrains"][number], share: CellShare | undefined): string {
  const digits = color.map((part) => part.toString(16).padStart(2, "0")).join("");
  const expected = share === undefined ? "depends on layers, fields or paths" : `share ${shareText(share)}`;
  return `  ${name}: #${digits}${tags.length === 0 ? "" : `, tags ${tags.join(", ")}`}, ${expected}`;
}

function placementLine(
  { terrains }: WorldSpec,
  { name, terrains: on, density, distance, content }: PlacementSpec,
  { standing, perCell }: PlacementOdds,
): string {
  const place = terrains.length === 0 ? "everywhere" : `on ${on.map((terrain) => terrains[terrain].name).join(", ")}`;
  const candidates = `candidates ${density.numerator}/${density.denominator}`;
  const kept = `${terrains.length === 0 ? "standing" : "standing on large areas"} ${shareText(standing)}`;
  const whole = perCell === undefined || terrains.length === 0 ? [] : [`of all cells ${shareText(perCell)}`];
  const holds = content === undefined ? [] : [`${content.kind} ${content.source}`];
  return `  ${name}: ${[place, candidates, `distance ${distance}`, kept, ...whole, ...holds].join("; ")}`;
}

/** Returns paths with names in place of the indices of kinds and terrains. A closed terrain has the cost null. */
function namedPath({ terrains, placements }: WorldSpec, { kinds, costs, lays, ...path }: PathSpec) {
  const byName = <T>(values: readonly T[]) => Object.fromEntries(values.map((value, t) => [terrains[t].name, value]));
  return {
    ...path,
    between: kinds.map((kind) => placements[kind].name),
    cost: byName(costs.map((cost) => (cost === 0 ? null : cost))),
    lays: byName(lays.map((laid) => terrains[laid].name)),
  };
}

function pathLine({ name, between, graph, within, cost, lays }: ReturnType<typeof namedPath>): string {
  const open = Object.entries(cost).filter(([, one]) => one !== null);
  const closed = Object.keys(cost).filter((terrain) => cost[terrain] === null);
  const parts = [
    `between ${between.join(", ")}`,
    `${graph}, within ${within}`,
    `cost ${open.map(([terrain, one]) => `${terrain} ${one}`).join(", ")}`,
    ...(closed.length === 0 ? [] : [`closed ${closed.join(", ")}`]),
    `lays ${[...new Set(Object.values(lays))].join(", ")}`,
  ];
  return `  ${name}: ${parts.join("; ")}`;
}

const MAX_FRACTION_CHARACTERS = 24;

function shareText({ exact, value }: CellShare): string {
  const text = exact === undefined ? "" : `${exact.numerator}/${exact.denominator}`;
  const decimal = value.toPrecision(6);
  return text === "" || text.length > MAX_FRACTION_CHARACTERS ? decimal : `${text} = ${decimal}`;
}

/** Returns errors that are found only when a world is opened, such as an unknown kind of object in a placement. */
function openingIssues(spec: WorldSpec, file: string): readonly Issue[] {
  try {
    using mill = createMill({ seed: "" });
    openWorld(mill, spec, file);
    return [];
  } catch (cause) {
    if (cause instanceof RollmillError) return cause.issues;
    throw cause;
  }
}
