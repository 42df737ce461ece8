import { dirname, extname, join, parse } from "node:path";
import { writeWhole } from "../../files/index.js";
import { checkChoice } from "../../formats/checks.js";
import {
  type TiledMap,
  type TiledPoints,
  type TiledSector,
  tiledMap,
  tiledTileset,
  tiledWorld,
} from "../../formats/index.js";
import { isFiniteMap, type TiledChunks, tiledChunks, tiledText } from "../../formats/maps/tiled.js";
import { TILED_ENCODINGS } from "../../formats/maps/tiledTiles.js";
import { checkFlag, isObject, refuseArgument } from "../../spec/index.js";
import { type CellRectangle, contains } from "../../walks/rectangles.js";
import { traitsOf } from "../../worlds/placements.js";
import type { OpenedJob } from "../folder/manifest.js";
import { sectorName } from "../plan/sectors.js";
import { failOddContent, placementsOf } from "../tasks/placements.js";
import type { MakePieces, Pieces } from "./pieces.js";
import { type ExportSource, exportSource, progressOf, type WriteOptions } from "./source.js";

/** The ending of a file that lists several maps. */
const WORLD = ".world";
/** Objects inside more objects than this become a text. */
const MAX_DEPTH = 8;

/**
 * Writes a map, or a world with a map for each sector. Writes the picture of the tiles beside it: `map-tiles.png` for
 * `map.tmj`.
 */
export async function writeTiled(
  source: ExportSource,
  file: string,
  options: WriteOptions,
  make: MakePieces,
): Promise<void> {
  const { terrains, layers, coordinates, window } = source;
  const { encoding, infinite, ...call } = options;
  if (infinite !== undefined) checkFlag("infinite", infinite);
  if (encoding !== undefined) checkChoice('option "encoding"', encoding, TILED_ENCODINGS);
  const isWorld = extname(file) === WORLD;
  if (isWorld && infinite === true) {
    refuseArgument("infinite", infinite, `false, because the maps of a ${WORLD} file are finite`);
  }
  const image = `${parse(file).name}-tiles.png`;
  await writeWhole(join(dirname(file), image), tiledTileset(terrains, { image }).png);
  const passed = progressOf("the map", window.rows * window.cols * (1 + layers.length), call);
  const drawing = { image, encoding, passed };
  if (isWorld) return writeWorld(source, file, drawing);
  const isInfinite = infinite ?? !isFiniteMap(window, coordinates === "odd-r");
  if (!isInfinite) return writeWhole(file, tiledMap(mapOf(source, { ...drawing, window })));
  const pieces = make(tiledPieces(source, options));
  try {
    await writeWhole(file, tiledText(mapOf(source, drawing), readyChunks));
  } finally {
    // ends the work of the threads
    await pieces.return();
  }

  /** Yields the chunks of the next layer. */
  async function* readyChunks() {
    for (const sector of source.sectors) {
      const { value } = await pieces.next();
      if (value !== undefined) yield* value;
      const { rows, cols } = source.cellsOf(sector);
      passed(rows * cols);
    }
  }
}

/** The chunks of each sector of an infinite map, layer by layer. */
export function tiledPieces(source: ExportSource, { encoding }: WriteOptions): Pieces<readonly TiledChunks[]> {
  const { sectors, layers, terrains, coordinates } = source;
  const make = (k: number) => {
    const cells = source.cellsOf(sectors[k % sectors.length]);
    const layer = Math.floor(k / sectors.length) - 1;
    const numbers = layer < 0 ? source.terrain(cells) : source.visits(layers[layer].name, cells);
    return tiledChunks({ coordinates, terrains, encoding }, { ...cells, cells: numbers });
  };
  return { count: sectors.length * (1 + layers.length), make };
}

async function writeWorld(source: ExportSource, file: string, drawing: Drawing): Promise<void> {
  const { job, result, sectors, coordinates } = source;
  const maps = sectors.map((sector) => ({
    fileName: `${parse(file).name}-${sectorName(sector)}.tmj`,
    window: source.cellsOf(sector),
  }));
  for (const { fileName, window } of maps) {
    const part = exportSource(job, result, { window });
    await writeWhole(join(dirname(file), fileName), tiledMap(mapOf(part, { ...drawing, window })));
  }
  await writeWhole(file, tiledWorld(maps, { coordinates }));
}

type Drawing = Pick<TiledMap, "image" | "encoding" | "window"> & { readonly passed: (cells: number) => void };

function mapOf(source: ExportSource, { passed, ...drawing }: Drawing): TiledMap {
  const { terrains, coordinates, layers, job } = source;
  function* sectors(cellsOf: (cells: CellRectangle) => TiledSector["cells"]): Generator<TiledSector, void> {
    for (const sector of source.sectors) {
      const cells = source.cellsOf(sector);
      yield { ...cells, cells: cellsOf(cells) };
      passed(cells.rows * cells.cols);
    }
  }
  return {
    ...drawing,
    coordinates,
    terrains,
    layers: [
      { name: "terrain", sectors: sectors((cells) => source.terrain(cells)) },
      ...layers.map(({ name }) => ({ name, sectors: sectors((cells) => source.visits(name, cells)) })),
    ],
    placements: job.spec.placements.map(({ name, color }, kind) => ({ name, color, cells: pointsOf(source, kind) })),
  };
}

/** Yields the points of a kind. Their properties are the cell, the size, the facing and the parts of the content. */
function* pointsOf(source: ExportSource, kind: number): Generator<TiledPoints, void> {
  const { job, sectors, window } = source;
  const spec = job.spec.placements[kind];
  const batches = spec.contents.length === 0 ? withoutContents(source) : placementsOf(job, sectors);
  for (const { rows, cols, kinds, sizes, facings, next } of batches) {
    const places: number[] = [];
    const properties: Properties[] = [];
    for (let p = 0; p < rows.length; p++) {
      const content = next();
      if (kinds[p] !== kind || !contains(window, rows[p], cols[p])) continue;
      places.push(p);
      const traits = traitsOf(spec, sizes[p], facings[p]);
      properties.push({ row: rows[p], col: cols[p], ...traits, ...partsOf(content, job) });
    }
    yield { rows: Int32Array.from(places, (p) => rows[p]), cols: Int32Array.from(places, (p) => cols[p]), properties };
  }
}

function* withoutContents(source: ExportSource) {
  for (const places of source.placements()) yield { ...places, next: () => "" };
}

type Properties = NonNullable<TiledPoints["properties"]>[number];

function partsOf(content: string, job: OpenedJob): Properties {
  if (content === "") return {};
  try {
    return Object.fromEntries(leavesOf("content", JSON.parse(content)));
  } catch {
    return failOddContent(job);
  }
}

/** Yields the values of nested objects by their paths, such as `content.name`. Lists become JSON; null is left out. */
function* leavesOf(path: string, value: unknown, depth = 0): Generator<[string, string | number | boolean], void> {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") yield [path, value];
  else if (isObject(value) && depth < MAX_DEPTH) {
    for (const [key, part] of Object.entries(value)) yield* leavesOf(`${path}.${key}`, part, depth + 1);
  } else if (value !== null) yield [path, JSON.stringify(value)];
}
