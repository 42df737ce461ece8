import type { Command } from "commander";
import { type Column, gridToNpy } from "../../formats/index.js";
import { cornersOf } from "../../formats/maps/mapSource.js";
import { createMill, type Issue, type Mill, RollmillError } from "../../index.js";
import { type Parsed, specOf } from "../../spec/index.js";
import { type CellRectangle, cellsOfGrid } from "../../walks/rectangles.js";
import { type Reach, reachesOf } from "../../worlds/areas.js";
import { compileWorld } from "../../worlds/compile.js";
import {
  checkWorld,
  type FieldSpec,
  loadWorld,
  type PlacementOdds,
  type PlacementSpec,
  type Placements,
  type WorldSpec,
  type WorldWindow,
} from "../../worlds/index.js";
import { type CellShare, worldOdds } from "../../worlds/odds.js";
import { placementColumns } from "../../worlds/placements.js";
import type { DiscSpec } from "../../worlds/types.js";
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
    ],
    description: "make the cells of a window; print the counts of terrains and placements; with -o, write the cells",
    takes: [SPEC],
    options: WINDOW,
    async run(flags, file) {
      const { output, layer, field, placements, rawCells, fork } = flags;
      const given = Object.entries({ "--layer": layer, "--field": field, "--placements": placements });
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
      if (output !== undefined) await writeWindow(io, made, { ...flags, output, head, kinds: world.kinds });
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

interface WindowFile {
  readonly output: string;
  readonly head: Head;
  readonly kinds: readonly PlacementSpec[];
}

async function writeWindow(
  io: Io,
  window: WorldWindow,
  { output, layer, field, placements, head, rawCells, kinds }: WindowFlags & WindowFile,
): Promise<void> {
  const isArray = endingOf(output) === "npy";
  if (isArray && placements) unknownEnding(output, ["csv", "ndjson", "json", "parquet"]);
  const [column, values] = columnOf(window, { layer, field });
  if (isArray) return writePieces(io, [gridToNpy(values, window.cols)], { output, n: values.length, unit: "cells" });
  const [batches, n, unit] = placements
    ? [[placementRows(kinds, window.placements)], window.placements.length, "placements"]
    : [cellBatches(window, column, values), column === "visits" ? visitedIn(values) : values.length, "cells"];
  await writeBatches(io, { n, output, rawCells }, batches, { unit, head });
}

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

function placementRows(kinds: readonly PlacementSpec[], placements: Placements): Rows {
  const { length } = placements;
  const contents = Array.from({ length }, (_, k) => {
    const { content } = placements.at(k) ?? {};
    return content === undefined ? "" : JSON.stringify(content);
  });
  return rowsOf(placementColumns(placements, kinds, contents), length, (k) => placements.at(k) ?? {});
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
  const reaches = reachesOf(spec.placements);
  const kinds = spec.placements.map((kind, k) => namedKind(spec, kind, reaches[k]));
  const placements = kinds.map((kind, k) => placementLine(spec, kind, odds.placements[k]));
  await report(io, flags, {
    head: { command: "world show", name },
    data: () => ({
      grid: spec.walk.grid,
      layers: costs,
      fields: spec.fields.map((field) => namedField(spec, field)),
      terrains: spec.terrains.map((terrain, i) => ({ ...terrain, share: odds.terrains[i].share })),
      placements: kinds.map((kind, k) => ({ ...kind, ...odds.placements[k] })),
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
  const expected = share === undefined ? "depends on layers or fields" : `share ${shareText(share)}`;
  return `  ${name}: #${digits}${tags.length === 0 ? "" : `, tags ${tags.join(", ")}`}, ${expected}`;
}

function placementLine(
  { terrains }: WorldSpec,
  kind: ReturnType<typeof namedKind>,
  { standing, perCell }: PlacementOdds,
): string {
  const { name, density, distance, content } = kind;
  const place = terrains.length === 0 ? "everywhere" : `on ${kind.terrains.join(", ")}`;
  const candidates = `candidates ${density.numerator}/${density.denominator}`;
  const where = terrains.length === 0 ? "standing" : "standing on large areas";
  const kept = `${where} ${standing === undefined ? "depends on layers, fields or other kinds" : shareText(standing)}`;
  const whole = perCell === undefined || terrains.length === 0 ? [] : [`of all cells ${shareText(perCell)}`];
  const holds = content === undefined ? [] : [`${content.kind} ${content.source}`];
  const parts = [place, candidates, `distance ${distance}`, ...relationParts(kind), kept, ...whole, ...holds];
  return `  ${name}: ${parts.join("; ")}`;
}

/** Returns a text for each field of a kind that refers to other kinds, cells or conditions. */
function* relationParts(kind: ReturnType<typeof namedKind>): Generator<string> {
  const { near, apart, alone, where, at, least, most, sizes, facing, reach } = kind;
  const disc = ({ count, within, of }: DiscSpec) => `${count} within ${within} of ${of.join(" ")}`;
  if (near !== undefined) yield `within ${near.within} of ${near.kind}`;
  if (apart !== undefined) yield `more than ${apart.distance} from ${apart.kind}`;
  if (alone) yield "on no other kind";
  if (where) yield "where a condition holds";
  if (at.length > 0) yield `always on ${at.length} cells`;
  if (most !== undefined) yield `at most ${disc(most)}`;
  if (least !== undefined) yield `at least ${disc(least)}`;
  if (reach.field !== "distance") yield `reach ${reach.steps}, mostly by ${reach.field}`;
  if (sizes !== undefined) yield `sizes ${sizes.map(({ name, weight }) => `${name} ${weight}`).join(", ")}`;
  if (facing) yield "facing one of six directions";
}

/** Returns a kind as written: with names in place of the indices of kinds and terrains. Adds its reach. */
function namedKind({ terrains, placements }: WorldSpec, kind: PlacementSpec, reach: Reach) {
  const { near, apart } = kind;
  return {
    ...kind,
    terrains: kind.terrains.map((terrain) => terrains[terrain].name),
    near: near && { ...near, kind: placements[near.kind].name },
    apart: apart && { ...apart, kind: placements[apart.kind].name },
    where: kind.where !== undefined,
    reach,
  };
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
