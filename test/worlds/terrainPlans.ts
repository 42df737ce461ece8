import { type Fraction, fraction, ONE, ZERO } from "../../src/fractions.js";
import { type Address, type Kernel, within } from "../../src/kernel/index.js";
import { CellSetKind, CHUNK_CELLS, CHUNK_SIDE, ChunkHead, GridKind } from "../../src/kernel/layout.js";
import type { GridSpec } from "../../src/walks/index.js";
import { compileTerrain } from "../../src/worlds/compile.js";
import type { TerrainCells } from "../../src/worlds/stored.js";
import type { ConditionSpec, PlacementSpec, WorldPlan, WorldSpec } from "../../src/worlds/types.js";
import type { TwinVisit } from "../oracle/terrainTwin.js";

/** A rule of a test: the number of the terrain and its condition. */
export type RuleOf = readonly [terrain: number, when?: ConditionSpec | undefined];

/** A plan with the parts that the terrain needs. By default, terrain t has the name `t<t>`. */
export function planOf({
  grid = { kind: "unbounded" },
  rules = [],
  names = Array.from({ length: Math.max(0, ...rules.map(([terrain]) => terrain + 1)) }, (_, t) => `t${t}`),
  placements = [],
}: {
  readonly grid?: GridSpec | undefined;
  readonly names?: readonly string[];
  readonly rules?: readonly RuleOf[];
  readonly placements?: readonly PlacementSpec[];
}): WorldPlan {
  const spec: WorldSpec = {
    name: undefined,
    grid,
    walk: { name: undefined, grid, layers: [], fields: [], ranges: [], layered: true },
    fields: [],
    terrains: names.map((name) => ({ name, color: [0, 0, 0], tags: [] })),
    rules: rules.map(([terrain, when]) => ({ terrain, when })),
    placements,
    realms: [],
    paths: [],
    stamps: [],
    worlds: new Map(),
    sources: { tables: new Map(), drops: new Map(), recipes: new Map(), objects: new Map(), pools: new Map() },
  };
  const walk = { name: "world", grid, layers: [], fields: [], ranges: [] };
  return { name: "world", spec, walk, ...compileTerrain(spec), margin: 0, costs: [] };
}

/** A kind of placement without contents. */
export function kindNamed(
  name: string,
  { terrains = [], density = ONE, distance = 0 }: Partial<Pick<PlacementSpec, "terrains" | "density" | "distance">>,
): PlacementSpec {
  const alone = { near: undefined, apart: undefined, alone: false, where: undefined, at: [] };
  const free = { least: undefined, most: undefined, sizes: undefined, facing: false };
  const leads = { contents: [], enters: undefined, stamps: undefined };
  return { name, terrains, density, distance, ...alone, ...free, ...leads, color: [0, 0, 0] };
}

/** A probability in lowest terms. */
export function share(part: number | bigint, whole: number | bigint): Fraction {
  if (BigInt(part) === 0n) return ZERO;
  return fraction(BigInt(part), BigInt(whole));
}

/**
 * Makes an unbounded map with first visits in a kernel. The cells of `closed` have no visits and are closed. If `ends`
 * is set, walkers end on the cells with an even number of visits. The map has both as sentinels.
 */
export function mapWith(
  kernel: Kernel,
  visits: readonly TwinVisit[],
  {
    closed = [],
    ends = false,
  }: { readonly closed?: readonly (readonly [number, number])[]; readonly ends?: boolean } = {},
): Address {
  const map = kernel.taken(
    kernel.call((exports) => exports.createMap(GridKind.UNBOUNDED, 0, 0, 1, 0, 0, CHUNK_SIDE)),
    "a map",
  );
  markCells(kernel, map, CellSetKind.CLOSED, closed);
  if (ends) {
    const even = visits.filter((one) => one.visits % 2 === 0).map(({ row, col }) => [row, col] as const);
    markCells(kernel, map, CellSetKind.ENDS, even);
  }
  for (const [chunk, cells] of byChunk(visits.map((visit) => [visit.row, visit.col, visit] as const))) {
    const [row, col] = chunk.split(" ").map(Number);
    kernel.write(kernel.window, ChunkHead, { row, col });
    const view = kernel.u32(within(kernel.window, ChunkHead.bytes), 2 * CHUNK_CELLS).fill(0, 0, CHUNK_CELLS);
    view.fill(2 ** 32 - 1, CHUNK_CELLS);
    for (const [i, visit] of cells) {
      view[i] = visit.visits;
      view[CHUNK_CELLS + i] = visit.firstVisit;
    }
    kernel.call((exports) => exports.writeChunk(map));
  }
  return map;
}

function markCells(
  kernel: Kernel,
  map: Address,
  kind: CellSetKind,
  cells: readonly (readonly [number, number])[],
): void {
  for (const [chunk, marked] of byChunk(cells.map(([row, col]) => [row, col, 1] as const))) {
    const [row, col] = chunk.split(" ").map(Number);
    const bits = kernel.u8(kernel.window, CHUNK_CELLS / 8).fill(0);
    for (const [i] of marked) bits[i >> 3] |= 1 << (i & 7);
    kernel.call((exports) => exports.markChunk(map, kind, row, col));
  }
}

/** Sorts cells into chunks: for each chunk, the index of each cell in it and its value. */
function byChunk<T>(cells: readonly (readonly [number, number, T])[]): Map<string, [number, T][]> {
  const chunks = new Map<string, [number, T][]>();
  for (const [row, col, value] of cells) {
    const chunk = `${Math.floor(row / CHUNK_SIDE)} ${Math.floor(col / CHUNK_SIDE)}`;
    const i = (row & (CHUNK_SIDE - 1)) * CHUNK_SIDE + (col & (CHUNK_SIDE - 1));
    chunks.set(chunk, [...(chunks.get(chunk) ?? []), [i, value]]);
  }
  return chunks;
}

/** The terrain of a rectangle of `rows` × `cols` cells, row by row. */
export function codesOf({ cells, at, stride }: TerrainCells, { rows, cols }: { rows: number; cols: number }): number[] {
  return Array.from({ length: rows * cols }, (_, i) => cells[at + Math.floor(i / cols) * stride + (i % cols)]);
}
