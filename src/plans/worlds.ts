import { TERRAIN_CODES } from "../kernel/layout.js";
import type { LayerPlan, Walk, WalkPlan } from "../walks/index.js";
import { coordinatesOf } from "../walks/rectangles.js";
import type { World } from "../worlds/index.js";
import type { DiscSpec, PlacementSpec, StepData, TerrainProgram, WorldSpec } from "../worlds/types.js";
import { NO_TERRAIN } from "../worlds/types.js";
import { padded, refuse, type Section } from "./sections.js";
import { MAX_WORK, workOf } from "./work.js";

type Words = readonly number[];
type Grid = WorldSpec["grid"];

/** The kinds of grids and of layers by their codes. */
const GRIDS = ["unbounded", "bounded", "torus"];
const [FINITE, SCATTERED, STUCK] = [0, 1, 2];
/** Greatest number of cells of a grid with layers, and of steps of a program. */
const MAX_GRID_CELLS = 2 ** 24;
const MAX_PROGRAM = 2 ** 13;
const WORD_BITS = 32;
const NO_SLOPE = { source: -1, down: 0, level: 0, up: 0, steepness: 0, stuck: "rest" };

/** Writes the layers of a walk. A host reads their visits. */
export function walkSection(noun: Walk): Section {
  const { name, plan } = noun;
  checkLayers(name, plan, plan.grid);
  const data = [...headOf(plan.grid, { layers: plan.layers.length }), ...plan.layers.flatMap(layerOf)];
  checkWork(name, workOf({ walk: plan, fields: [], placements: [] }));
  return { kind: "walk", labels: { grid: plan.grid, layers: plan.layers.map((layer) => layer.name) }, data };
}

/** Writes the layers, the terrain and the placements of a world. */
export function worldSection(noun: World): Section {
  const { name, plan } = noun;
  const { spec, walk, fields } = plan;
  const { grid, terrains, placements } = spec;
  const parts = {
    paths: spec.paths,
    realms: spec.realms,
    stamps: placements.filter(({ stamps }) => stamps !== undefined),
  };
  for (const [part, { length }] of Object.entries(parts)) {
    const remedy = "Make regions in advance with rollmill job, or leave this part out of the world";
    if (length > 0) refuse(name, `has ${part}, which a plan file cannot contain`, remedy);
  }
  checkLayers(name, walk, grid);
  checkWork(name, workOf({ ...plan, placements }));
  const tables = new Map<Uint16Array, number>();
  const programOf = (program: TerrainProgram) => {
    const many = program.steps.length > MAX_PROGRAM;
    if (many) refuse(name, `has a program of more than ${MAX_PROGRAM} steps`, "Use fewer conditions");
    return programWords(program, { tables, spec });
  };
  const sections = [
    ...walk.ranges.map(({ field, least, most }) => [field, least, most]),
    ...walk.layers.flatMap(layerOf),
    ...terrains.map((terrain) => textOf(terrain.name)),
    ...fields.flatMap((field) => [textOf(field.name), programOf(field.program)]),
    programOf(plan.program),
    ...placements.flatMap((kind, k) => {
      const limit = plan.limits[k];
      return [...kindOf(kind, { spec, hasLimit: limit !== undefined }), ...(limit ? [programOf(limit)] : [])];
    }),
  ];
  const counts = { layers: walk.layers.length, fields: fields.length, ranges: walk.ranges.length };
  const head = headOf(grid, { ...counts, tables: tables.size, terrains: terrains.length, kinds: placements.length });
  const labels = {
    grid,
    layers: walk.layers.map((layer) => layer.name),
    terrains: terrains.map(({ name: terrain, color, tags }) => ({ name: terrain, color, tags })),
    kinds: placements.map((kind) => ({ name: kind.name, sizes: kind.sizes?.map((size) => size.name) ?? [] })),
  };
  return { kind: "world", labels, data: [...head, ...Array.from(tables.keys(), tableOf), ...sections] };
}

function headOf(
  grid: Grid,
  counts: Partial<Record<"tables" | "ranges" | "layers" | "terrains" | "fields" | "kinds", number>>,
): Words[] {
  const { tables = 0, ranges = 0, layers = 0, terrains = 0, fields = 0, kinds = 0 } = counts;
  const [rows, cols] = grid.kind === "unbounded" ? [0, 0] : [grid.rows, grid.cols];
  const oddR = Number(coordinatesOf(grid) === "odd-r");
  return [[GRIDS.indexOf(grid.kind), rows, cols, oddR, tables, ranges, layers, terrains, fields, kinds]];
}

function textOf(text: string): Words {
  const bytes = new TextEncoder().encode(text);
  return [bytes.length, ...new Uint32Array(padded(bytes).buffer)];
}

/** A table has two values in each word. */
function tableOf(values: Uint16Array): Words {
  const words = Array.from({ length: Math.ceil(values.length / 2) }, (_, w) => {
    return values[2 * w] + (values[2 * w + 1] ?? 0) * 2 ** 16;
  });
  return [values.length, ...words];
}

// ── layers ──

function checkLayers(name: string, { layers }: WalkPlan, grid: Grid): void {
  if (layers.length > 0 && grid.kind !== "unbounded" && grid.rows * grid.cols > MAX_GRID_CELLS) {
    refuse(
      name,
      `has layers on a grid of more than ${MAX_GRID_CELLS} cells`,
      "Use a smaller grid, or an unbounded one",
    );
  }
  for (const { name: layer, scatter, start, ...sets } of layers) {
    if (scatter !== undefined) continue;
    const closes = sets.closedCells.length + sets.closedLayers.length;
    const own = `has a layer ${JSON.stringify(layer)} without "scatter"`;
    if (sets.openLayers.length > 0 && closes > 0) {
      refuse(name, `${own} that has both "open" and "closed"`, 'Use one of the two, or add "scatter"');
    }
    if (start.kind === "rect" && closes + sets.openLayers.length > 0 && start.rows * start.cols > MAX_GRID_CELLS) {
      refuse(name, `${own} that starts in more than ${MAX_GRID_CELLS} cells`, "Use a smaller rectangle");
    }
  }
}

function checkWork(name: string, work: number): void {
  if (work <= MAX_WORK) return;
  const problem = `needs up to ${work.toPrecision(3)} steps of walkers, or what takes as long, in one call; the limit is ${MAX_WORK}`;
  refuse(name, problem, "Use fewer walkers or steps, or make regions in advance with rollmill job");
}

function layerOf(layer: LayerPlan): (Words | Uint8Array | Int32Array | Uint32Array)[] {
  const { scatter, start, until, slope, stuckOf, headings, closedCells, closedLayers, openLayers } = layer;
  const kind = stuckOf !== undefined ? STUCK : scatter === undefined ? FINITE : SCATTERED;
  const cells = start.kind === "cells" ? start.cells : new Int32Array(0);
  const rect = start.kind === "rect" ? start : { row0: 0, col0: 0, rows: 0, cols: 0 };
  const density = scatter?.density ?? { numerator: 0n, denominator: 0n };
  const { source, down, level, up, steepness, stuck } = slope ?? NO_SLOPE;
  // in the order of LayerSpec in assembly/plans/worldParts.ts
  const numbers = {
    kind,
    firstVisits: Number(layer.firstVisit),
    walkers: layer.walkers,
    steps: layer.steps,
    side: scatter?.side ?? 0,
    part: Number(density.numerator),
    whole: Number(density.denominator),
    start: start.kind === "layer" ? start.layer + 1 : 0,
    until: until === undefined ? 0 : until.layer + 1,
    outside: Number(until?.kind === "outside"),
    slope: source + 1,
    down,
    level,
    up,
    steepness,
    ends: Number(stuck === "end"),
    stuckOf: stuckOf ?? 0,
    row: rect.row0,
    col: rect.col0,
    rows: rect.rows,
    cols: rect.cols,
    headingCount: headings.length,
    closedCellCount: closedCells.length / 2,
    startCellCount: cells.length / 2,
    closedCount: closedLayers.length,
    openCount: openLayers.length,
  };
  const words = [textOf(layer.streamName), Object.values(numbers)];
  if (kind === STUCK) return words;
  return [...words, layer.tensor.combined, headings, closedCells, cells, closedLayers, openLayers];
}

// ── programs ──

interface Means {
  /** The tables of all programs, with their numbers. */
  readonly tables: Map<Uint16Array, number>;
  readonly spec: WorldSpec;
}

function programWords({ steps, rows, chances, reaches }: TerrainProgram, means: Means): Words {
  return [
    steps.length,
    rows,
    chances,
    reaches.size,
    ...[...reaches].flat(),
    ...steps.flatMap(({ code, slot, layer = 0, least, span, value, data }) => {
      return [code, slot, layer, least, span, value, ...dataOf(data, means)];
    }),
  ];
}

function dataOf(data: StepData | undefined, { tables, spec }: Means): Words {
  switch (data?.kind) {
    case "chance": {
      const [list, name] = data.ids;
      const terrain = list === "terrain" ? spec.terrains.findIndex((one) => one.name === name) : 0;
      const { numerator, denominator } = data.share;
      return [terrain, Number(data.ids.at(-1)), Number(numerator), Number(denominator)];
    }
    case "noise":
      return [spec.fields.findIndex(({ name }) => name === data.name), Math.log2(data.scale), data.octaves, 0];
    case "position":
      return [...data.from, 0, 0];
    case "table":
      if (!tables.has(data.values)) tables.set(data.values, tables.size);
      return [tables.get(data.values) as number, 0, 0, 0];
    default:
      return [0, 0, 0, 0];
  }
}

// ── placements ──

function kindOf(kind: PlacementSpec, own: { spec: WorldSpec; hasLimit: boolean }): Words[] {
  const { name, density, distance, near, apart, alone, at, sizes = [], facing, least, most } = kind;
  const relation = (other: { kind: number } | undefined) => (other === undefined ? 0 : other.kind + 1);
  // in the order of KindSpec in assembly/plans/worldParts.ts
  const numbers = {
    part: Number(density.numerator),
    whole: Number(density.denominator),
    distance,
    near: relation(near),
    within: near?.within ?? 0,
    apart: relation(apart),
    apartBy: apart?.distance ?? 0,
    alone: Number(alone),
    facing: Number(facing),
    atCount: at.length,
    sizeCount: sizes.length,
    hasLimit: Number(own.hasLimit),
  };
  const words = [...Object.values(numbers), ...terrainBits(kind, own.spec), ...discOf(least), ...discOf(most)];
  return [textOf(name), words, at.flatMap(([row, col]) => [row, col, 0]), sizes.map(({ weight }) => weight)];
}

/** Returns a bit for each terrain: 1 if the kind can stand on it. Without rules, it can stand on all cells. */
function terrainBits({ terrains }: PlacementSpec, { rules }: WorldSpec): Words {
  const stands = (terrain: number) => terrain !== NO_TERRAIN && (rules.length === 0 || terrains.includes(terrain));
  return Array.from({ length: TERRAIN_CODES / WORD_BITS }, (_, w) => {
    const bits = Array.from({ length: WORD_BITS }, (_, b) => Number(stands(WORD_BITS * w + b)) * 2 ** b);
    return bits.reduce((sum, bit) => sum + bit, 0);
  });
}

function discOf(disc: DiscSpec | undefined): Words {
  return disc === undefined ? [0, 0, 0, 0] : [disc.count + 1, disc.within, ...disc.of];
}
