import { type Command, InvalidArgumentError } from "commander";
import { issueWithin } from "../../errors/index.js";
import { type Column, gridToNpy } from "../../formats/index.js";
import { cornersOf } from "../../formats/maps/mapSource.js";
import { THEME_NAMES } from "../../formats/pictures/themes.js";
import { createMill, type Issue, type Mill, RollmillError } from "../../index.js";
import { explain, explainText } from "../../instruments/index.js";
import { type Parsed, specOf } from "../../spec/index.js";
import { sourceAt } from "../../walks/compile.js";
import type { LayerSpec } from "../../walks/index.js";
import { type CellRectangle, cellsOfGrid } from "../../walks/rectangles.js";
import { type Reach, reachesOf } from "../../worlds/areas.js";
import { compileWorld } from "../../worlds/compile.js";
import { withReferences } from "../../worlds/fields.js";
import {
  checkWorld,
  type EntranceSpec,
  type FieldSpec,
  loadWorld,
  type PathSpec,
  type PictureDepth,
  type PictureLabels,
  type PlacementOdds,
  type PlacementSpec,
  type Placements,
  type StampSpec,
  type World,
  type WorldPath,
  type WorldSpec,
  type WorldWindow,
} from "../../worlds/index.js";
import { type CellShare, worldOdds } from "../../worlds/odds.js";
import { placementColumns } from "../../worlds/placements.js";
import type { DiscSpec } from "../../worlds/types.js";
import { choice, define, type Flags, option, required } from "../command.js";
import {
  documentText,
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
import { type Io, note, print, refuse, write } from "../shared/io.js";
import { FORK, forkOf, integer, JSON_DOCUMENT, type JsonFlag, pairIn, SEED, seedOr } from "../shared/options.js";
import { approximate, withProgress } from "../shared/progress.js";
import { FRAME, frameOptions, refuseWithoutOutput, windowOf } from "../walk/map.js";

/** The default window of an unbounded world. */
const DEFAULT_CELLS: CellRectangle = { row0: 0, col0: 0, rows: 256, cols: 256 };

const SPEC = ["<spec>", 'JSON spec; "-" is stdin'] as const;
const WORLD = [
  SEED,
  option("--name <name>", "the world depends on the seed and this name (default: the spec's name, or the file name)"),
  FORK,
] as const;
const CELLS = [
  ...WORLD,
  option(
    "--window <row0,col0,row1,col1>",
    "the cells, corners inclusive (default: the whole grid; 0,0,255,255 if it is unbounded)",
    windowOf,
  ),
  option(
    "--enter <row,col[,level]>",
    'make the child world to which the placement on this cell leads; "/" between cells enters worlds in worlds',
    entrancesOf,
  ),
] as const;
type CellsFlags = Partial<Flags<typeof CELLS>>;

/** Reads `row,col` or `row,col,level`, several with `/` between them. */
function entrancesOf(text: string): readonly (readonly [row: number, col: number, level: number | undefined])[] {
  return text.split("/").map((one) => {
    const [, row, col, level] = /^(-?\d{1,10}),(-?\d{1,10})(?:,(\d{1,3}))?$/.exec(one.trim()) ?? [];
    if (col === undefined) throw new InvalidArgumentError("Expected row,col or row,col,level.");
    return [Number(row), Number(col), level === undefined ? undefined : Number(level)];
  });
}

/** Reads a world and the files that its spec names. These files must be in the folder of the world's file. */
function loadWorldAt(io: Io, file: string): Promise<Parsed<WorldSpec>> {
  return loadWorld(file, (path) => readOptionalPart(io, file, path));
}

export async function readWorld(io: Io, file: string): Promise<WorldSpec> {
  return specOf(await loadWorldAt(io, file));
}

export function openWorld(mill: Mill, spec: WorldSpec, file: string, flags: CellsFlags = {}): World {
  const outer = forkOf(mill.world(flags.name ?? worldName(spec, file), spec, { file }), flags);
  return (flags.enter ?? []).reduce((world, [row, col, level]) => world.enter(row, col, { level }), outer);
}

function worldName({ name }: WorldSpec, file: string): string {
  return name ?? stemOf(file, "world");
}

function cellsOf({ plan }: World, { window }: CellsFlags): CellRectangle {
  const { grid } = plan.spec;
  return window ?? (grid.kind === "unbounded" ? DEFAULT_CELLS : cellsOfGrid(grid));
}

const FIRST = "if a pixel has several cells, show the terrain that is first in the spec, not the most common one";

function addWorldPicture(world: Command, io: Io): void {
  const drawing = "world picture {examples/coast.json} --seed moria -o map.png";
  define(world.command("picture"), io, {
    examples: [`${drawing} --legend`, `${drawing} --window 0,0,99,149 --lighten hills --darken sea`],
    description: "draw the terrain of a window, with a mark for each placement",
    takes: [SPEC],
    options: [
      ...CELLS,
      ...FRAME,
      required("-o, --output <file>", "the .png file to write"),
      option("--lighten <layers>", "visits of these layers make cells lighter; names separated by commas", namesOf),
      option("--darken <layers>", "visits of these layers make cells darker; names separated by commas", namesOf),
      choice("--theme <name>", "style (default: plain, which shows the colours of the spec)", THEME_NAMES),
      option("--light <field>", "with a theme: light on the slopes of this field of heights"),
      option(
        "--relief <percent>",
        "with a theme: strength of the light, 1 to 10000 (default: 100)",
        integer(1, 10_000),
      ),
      option(
        "--depth <field>",
        "with a theme: darkness of water by this field; HEIGHT,0,27000 names the deepest and the shallowest value",
        depthOf,
      ),
      option("--realms <name>", "with a theme: draw the borders of these realms, on land"),
      option(
        "--labels <kinds>",
        "with a theme: names beside placements; KIND, KIND:FIELD of the content, or KIND:FIELD:SIZE, 1 to 4; " +
          "village=1/town=3 as SIZE names only placements of these sizes; commas between",
        labelsOf,
      ),
      option("--border", "with a theme: draw a frame around the map"),
      option("--scale-bar", "with a theme: draw a bar that shows the length of a number of cells"),
      option("--title <text>", "with a theme: a title on a plate at an edge of the map"),
      option("--compass", "with a theme: draw a compass rose"),
      option("--kinds <names>", "mark only these kinds of placements; names separated by commas", namesOf),
      option("--first", FIRST),
      option("--upright", "draw an upright rectangle: each second row begins one column earlier"),
      JSON_DOCUMENT,
    ],
    async run(flags, file) {
      const { output, darken, lighten, kinds, first, upright } = flags;
      const { theme, light, relief, depth, realms, labels, border, scaleBar, title, compass } = flags;
      if (endingOf(output) !== "png") unknownEnding(output, ["png"]);
      const spec = await readWorld(io, file);
      await checkOutput(io, output);
      using mill = createMill({ seed: seedOr(io, flags.seed) });
      const world = openWorld(mill, spec, file, flags);
      const cells = cellsOf(world, flags);
      const shading = { darken, lighten, kinds, upright, pool: first ? "first" : "common" } as const;
      const themed = { theme, light, relief, depth, realms, labels, border, scaleBar, title, compass };
      const bytes = await withProgress(io, { what: "drawing", unit: "cells" }, (onProgress) =>
        world.picture(cells, { ...frameOptions(flags), ...shading, ...themed, onProgress }),
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

function addWorldAt(world: Command, io: Io): void {
  // otherwise a cell such as -3,7 is an unknown option
  define(world.command("at").allowUnknownOption(), io, {
    examples: ["world at {examples/coast.json} 12,-1 --seed moria"],
    description: "why a cell is what it is: the tests of its rules, its placements and their contents",
    takes: [SPEC, ["<row,col>", "the cell, such as 12,-7"]],
    options: [...WORLD, JSON_DOCUMENT],
    async run(flags, file, cell) {
      const { fork } = flags;
      const place = pairIn(cell);
      if (place === undefined) refuse("not a cell", { got: cell, expected: "two integers, such as 12,-7" });
      const spec = await readWorld(io, file);
      using mill = createMill({ seed: seedOr(io, flags.seed) });
      const opened = openWorld(mill, spec, file, flags);
      const explanation = explain(opened, { at: { row: place[0], col: place[1] } });
      const head = { command: "world at", seed: mill.seed, name: opened.name, fork };
      await (flags.json ? write(io, documentText(head, explanation)) : print(io, explainText(explanation)));
    },
  });
}

function namesOf(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}

function depthOf(text: string): PictureDepth {
  const [field, ...values] = namesOf(text);
  const isValue = (value: string) => /^\d{1,5}$/.test(value);
  if (![0, 2].includes(values.length) || !values.every(isValue)) {
    throw new InvalidArgumentError("Expected FIELD, or FIELD,DEEPEST,SHALLOWEST with values from 0 to 65535.");
  }
  const [deepest, shallowest] = values.map(Number);
  return { field, deepest, shallowest };
}

/** Reads `kind`, `kind:field` or `kind:field:size`; the size is a number, or `village=1/town=3`. */
function labelsOf(text: string): PictureLabels[] {
  return namesOf(text).map((one) => {
    const [kind, field, size = "1", ...rest] = one.split(":");
    const sizes = size.split("/").map((part) => /^(?:(.+)=)?([1-4])$/.exec(part));
    const isNamed = sizes.every((part) => part?.[1] !== undefined);
    if (rest.length === 0 && isNamed) {
      return { kind, text: field, size: Object.fromEntries(sizes.map((part) => [part?.[1], Number(part?.[2])])) };
    }
    if (rest.length === 0 && /^[1-4]$/.test(size)) return { kind, text: field, size: Number(size) };
    const expected = "KIND, KIND:FIELD or KIND:FIELD:SIZE, with a size from 1 to 4 or sizes such as village=1/town=3";
    throw new InvalidArgumentError(`Expected ${expected}.`);
  });
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
  option(
    "--realm <name>",
    "with -o: write the seat of each cell in these realms instead: as a u32 array (.npy) or a list of cells",
  ),
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
      const { output, layer, field, realm, placements, paths, rawCells, fork } = flags;
      const given = Object.entries({
        "--layer": layer,
        "--field": field,
        "--realm": realm,
        "--placements": placements,
        "--paths": paths,
      });
      const [first, second] = given.flatMap(([name, value]) => (value === undefined ? [] : [name]));
      if (second !== undefined) refuse(`${first} and ${second} exclude each other`, { expected: "one of them" });
      const ofFile = { ...Object.fromEntries(given), "--raw-cells": rawCells };
      if (output === undefined) refuseWithoutOutput(ofFile);
      const spec = await readWorld(io, file);
      await checkOutput(io, output);
      using mill = createMill({ seed: seedOr(io, flags.seed) });
      const world = openWorld(mill, spec, file, flags);
      const cells = cellsOf(world, flags);
      const named = (name: string | undefined) => (name === undefined ? [] : [name]);
      const shown = { visits: named(layer), fields: named(field), realms: named(realm) };
      const options = { ...shown, contents: placements === true };
      const made = await withProgress(io, MAKING, (onProgress) => world.window(cells, { ...options, onProgress }));
      const digestOf = () => withProgress(io, MAKING, (onProgress) => world.digest(cells, { onProgress }));
      const digest = flags.digest ? await digestOf() : undefined;
      const head = { command: "world window", seed: mill.seed, name: world.name, fork };
      const found = paths
        ? await withProgress(io, MAKING, (onProgress) => world.paths(cells, { onProgress }))
        : undefined;
      if (output !== undefined) await writeWindow(io, made, { ...flags, output, head, kinds: world.kinds, found });
      const summary = summaryOf(world.plan.spec, made, digest);
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
  /** The paths, if the file has them. */
  readonly found: readonly WorldPath[] | undefined;
  readonly output: string;
  readonly head: Head;
  readonly kinds: readonly PlacementSpec[];
}

async function writeWindow(
  io: Io,
  window: WorldWindow,
  { output, placements, found, head, rawCells, kinds, ...flags }: WindowFlags & WindowFile,
): Promise<void> {
  const isArray = endingOf(output) === "npy";
  if (isArray && (placements || found !== undefined)) unknownEnding(output, ["csv", "ndjson", "json", "parquet"]);
  const shown = shownOf(window, flags);
  const { values } = shown;
  if (isArray) return writePieces(io, [gridToNpy(values, window.cols)], { output, n: values.length, unit: "cells" });
  const listed = placements ? placementRows(kinds, window.placements) : found && pathRows(found);
  const [batches, n, unit] =
    listed === undefined
      ? [cellBatches(window, shown), countIn(shown), "cells"]
      : [[listed], listed.length, placements ? "placements" : "paths"];
  await writeBatches(io, { n, output, rawCells }, batches, { unit, head });
}

/** What a file says of each cell. */
interface Shown {
  readonly values: Uint8Array | Uint16Array | Uint32Array;
  /** Whether the list has a cell with this value. */
  readonly has: (value: number) => boolean;
  readonly columns: (values: Uint32Array) => readonly CellColumn[];
}
type CellColumn = Extract<Column, { readonly kind: "integer" | "word" }>;

function shownOf(window: WorldWindow, { layer, field, realm }: Pick<WindowFlags, "layer" | "field" | "realm">): Shown {
  const numbers = (name: string) => (values: Uint32Array) => [{ kind: "integer", name, values }] as const;
  const isAlways = () => true;
  if (layer !== undefined)
    return { values: window.visits(layer), has: (visits) => visits > 0, columns: numbers("visits") };
  if (field !== undefined) return { values: window.field(field), has: isAlways, columns: numbers("value") };
  if (realm !== undefined) {
    const { seats, cells } = window.realms(realm);
    const of = (numbers: Int32Array, indices: Uint32Array) => Int32Array.from(indices, (seat) => numbers[seat]);
    const columns = (indices: Uint32Array): CellColumn[] => [
      { kind: "integer", name: "seatRow", values: of(seats.rows, indices) },
      { kind: "integer", name: "seatCol", values: of(seats.cols, indices) },
    ];
    return { values: cells, has: (seat) => seat < seats.length, columns };
  }
  const words = window.terrains.length === 0 ? [null] : window.terrains.map(({ name }) => name);
  return {
    values: window.terrain,
    has: isAlways,
    columns: (indices) => [{ kind: "word", name: "terrain", words, indices }],
  };
}

function countIn({ values, has }: Shown): number {
  let count = 0;
  for (const one of values) count += Number(has(one));
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

/** Yields the cells that the list has, row by row. */
function* cellBatches(
  { row0, col0, cols }: WorldWindow,
  { values: all, has, columns: columnsOf }: Shown,
): Generator<Rows, void> {
  for (let from = 0; from < all.length; from += CELLS_PER_BATCH) {
    const batch = Uint32Array.from({ length: Math.min(CELLS_PER_BATCH, all.length - from) }, (_, k) => from + k);
    const cells = batch.filter((cell) => has(all[cell]));
    const columns: readonly CellColumn[] = [
      { kind: "integer", name: "row", values: Int32Array.from(cells, (cell) => row0 + Math.floor(cell / cols)) },
      { kind: "integer", name: "col", values: Int32Array.from(cells, (cell) => col0 + (cell % cols)) },
      ...columnsOf(Uint32Array.from(cells, (cell) => all[cell])),
    ];
    yield rowsOf(columns, cells.length, (k) =>
      Object.fromEntries(columns.map((column) => [column.name, valueAt(column, k)])),
    );
  }
}

function valueAt(column: CellColumn, k: number): unknown {
  return column.kind === "word" ? column.words[column.indices[k]] : column.values[k];
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
  addWorldAt(world, io);
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
  const worlds = [...spec.worlds].map(([inner, { grid }]) => `  ${inner}: ${gridText(grid)}`);
  await report(io, flags, {
    head: { command: "world show", name },
    data: () => ({
      grid: spec.grid,
      layers: costs,
      fields: spec.fields.map((field) => namedField(spec, field)),
      terrains: spec.terrains.map((terrain, i) => ({ ...terrain, share: odds.terrains[i].share })),
      placements: kinds.map((kind, k) => ({ ...kind, ...odds.placements[k] })),
      realms: spec.realms,
      stamps: spec.stamps.map(({ name, cells, fits }) => ({
        name,
        cells: cells.length,
        fits: fits && namesIn(spec, fits),
      })),
      paths: spec.paths.map((path) => namedPath(spec, path)),
      worlds: [...spec.worlds].map(([inner, { grid }]) => ({ name: inner, grid })),
    }),
    lines: () => [
      `world ${name}`,
      "layers:",
      ...costs.map((cost, l) => layerLine(cost, spec.walk.layers[l], spec.walk)),
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
      ...section(
        "realms:",
        spec.realms.map(({ name, of, within }) => `  ${name}: the nearest ${of}, at most ${within} steps away`),
      ),
      ...section(
        "stamps:",
        spec.stamps.map((stamp) => stampLine(spec, stamp)),
      ),
      ...section("worlds:", worlds),
    ],
  });
}

/** Returns the stamps of a kind by their names. */
function picksOf({ stamps }: WorldSpec, kind: PlacementSpec) {
  return (kind.stamps?.picks ?? []).map(({ stamp, weight }) => ({ stamp: stamps[stamp].name, weight }));
}

function namesIn({ terrains }: WorldSpec, indices: readonly number[]): string[] {
  return indices.map((terrain) => terrains[terrain].name);
}

function stampLine(spec: WorldSpec, { name, cells, fits }: StampSpec): string {
  return `  ${name}: ${cells.length} ${cells.length === 1 ? "cell" : "cells"}; fits ${fits === undefined ? "everywhere" : namesIn(spec, fits).join(", ")}`;
}

function gridText(grid: WorldSpec["walk"]["grid"]): string {
  return grid.kind === "unbounded" ? grid.kind : `${grid.rows} × ${grid.cols} cells`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

/** Returns a field as written: with names in place of the indices of layers and fields. */
function namedField({ fields, walk: { layers } }: WorldSpec, { name, ...form }: FieldSpec) {
  const written = withReferences(
    form,
    (layer) => layers[layer].name,
    (field) => fields[field].name,
  );
  return { name, ...written };
}

function fieldLine({ name, kind, ...rest }: ReturnType<typeof namedField>): string {
  const parts = Object.entries(rest).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return `  ${name}: ${[kind, ...parts].join(", ")}`;
}

type Compiled = ReturnType<typeof compileWorld>;

function layerLine(
  { name, kind, walkers, steps, side, density, reach, region }: Compiled["costs"][number],
  { slope, stuckOf }: LayerSpec,
  walk: WorldSpec["walk"],
): string {
  if (stuckOf !== undefined) return `  ${name}: the stuck walkers of ${walk.layers[stuckOf].name}; reach ${reach}`;
  const starts =
    density === undefined
      ? ""
      : `a walker for ${density.numerator}/${density.denominator} of the start cells, at most about `;
  const walking = `${starts}${walkers} walkers of ${steps} steps`;
  const all = `${approximate(region.steps)} steps`;
  if (kind === "finite") return `  ${name}: finite, ${walking}, ${all} in all`;
  const needs = `${region.regions} regions, ${all}, about ${approximate(region.bytes)} bytes`;
  const { field = 0 } = slope === undefined ? {} : sourceAt(walk, slope.source);
  const felt = slope === undefined ? "" : ` on a slope of ${walk.fields[field]}`;
  return `  ${name}: ${walking}${felt} in each region of ${side} × ${side}; reach ${reach}; 256 × 256 cells need ${needs}`;
}

function terrainLine({ name, color, tags }: WorldSpec["terrains"][number], share: CellShare | undefined): string {
  const digits = color.map((part) => part.toString(16).padStart(2, "0")).join("");
  const expected = share === undefined ? "depends on layers, fields, paths or stamps" : `share ${shareText(share)}`;
  return `  ${name}: #${digits}${tags.length === 0 ? "" : `, tags ${tags.join(", ")}`}, ${expected}`;
}

function placementLine(
  { terrains }: WorldSpec,
  kind: ReturnType<typeof namedKind>,
  { standing, perCell }: PlacementOdds,
): string {
  const { name, density, distance, contents } = kind;
  const place = terrains.length === 0 ? "everywhere" : `on ${kind.terrains.join(", ")}`;
  const candidates = `candidates ${density.numerator}/${density.denominator}`;
  const where = terrains.length === 0 ? "standing" : "standing on large areas";
  const kept = `${where} ${standing === undefined ? "depends on layers, fields or other kinds" : shareText(standing)}`;
  const whole = perCell === undefined || terrains.length === 0 ? [] : [`of all cells ${shareText(perCell)}`];
  const holds = contents.map(contentText);
  const parts = [
    place,
    candidates,
    `distance ${distance}`,
    ...relationParts(kind),
    kept,
    ...whole,
    ...holds,
    ...leadParts(kind),
  ];
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
function namedKind(spec: WorldSpec, kind: PlacementSpec, reach: Reach) {
  const { placements } = spec;
  const { near, apart } = kind;
  return {
    ...kind,
    stamps: kind.stamps && { ...kind.stamps, picks: picksOf(spec, kind) },
    terrains: namesIn(spec, kind.terrains),
    near: near && { ...near, kind: placements[near.kind].name },
    apart: apart && { ...apart, kind: placements[apart.kind].name },
    where: kind.where !== undefined,
    reach,
  };
}

function contentText({ name, kind, groups }: PlacementSpec["contents"][number]): string {
  const sources = [...new Set(groups.map(({ source, pool }) => (pool === undefined ? source : `${source} ${pool}`)))];
  return `${name === undefined ? "" : `${name}: `}${kind} ${sources.join(", ")}`;
}

/** Returns texts for the child world and the stamps of a kind. */
function* leadParts({ enters, stamps }: ReturnType<typeof namedKind>): Generator<string> {
  if (enters !== undefined) yield `enters ${enters.world}, ${levelsText(enters)}`;
  if (stamps !== undefined) yield `stamps ${stamps.picks.map(({ stamp, weight }) => `${stamp} ${weight}`).join(", ")}`;
}

function levelsText({ levels: [least, most] }: EntranceSpec): string {
  return least === most ? `levels ${least}` : `levels ${least} to ${most}`;
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
  const inner = [...spec.worlds].flatMap(([name, child]) =>
    openingIssues(child, file).map((issue) => issueWithin(`worlds.${name}`, issue)),
  );
  try {
    using mill = createMill({ seed: "" });
    openWorld(mill, spec, file);
    return inner;
  } catch (cause) {
    if (cause instanceof RollmillError) return [...cause.issues, ...inner];
    throw cause;
  }
}
