import { dirname, join, parse } from "node:path";
import { writeWhole } from "../../files/index.js";
import { type TiledSector, tiledMap, tiledTileset } from "../../formats/index.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { type ExportSource, progressOf, type WriteOptions } from "./source.js";

/** Writes the picture of the tiles beside the map: `map-tiles.png` for `map.tmj`. */
export async function writeTiled(source: ExportSource, file: string, call: WriteOptions): Promise<void> {
  const { terrains, coordinates, layers, window } = source;
  const image = `${parse(file).name}-tiles.png`;
  await writeWhole(join(dirname(file), image), tiledTileset(terrains, { image }).png);
  const passed = progressOf("the map", window.rows * window.cols * (1 + layers.length), call);
  function* sectors(cellsOf: (cells: CellRectangle) => TiledSector["cells"]): Generator<TiledSector, void> {
    for (const sector of source.sectors) {
      const cells = source.cellsOf(sector);
      yield { ...cells, cells: cellsOf(cells) };
      passed(cells.rows * cells.cols);
    }
  }
  const map = {
    coordinates,
    terrains,
    image,
    layers: [
      { name: "terrain", sectors: sectors((cells) => source.terrain(cells)) },
      ...layers.map(({ name }) => ({ name, sectors: sectors((cells) => source.visits(name, cells)) })),
    ],
    placements: source.job.spec.placements.map(({ name, color }, kind) => ({
      name,
      color,
      cells: placesOf(source, kind),
    })),
  };
  await writeWhole(file, tiledMap(map));
}

function* placesOf(source: ExportSource, kind: number): Generator<{ rows: Int32Array; cols: Int32Array }, void> {
  for (const { kinds, rows, cols } of source.placements()) {
    const isOfKind = (_: number, p: number) => kinds[p] === kind;
    yield { rows: rows.filter(isOfKind), cols: cols.filter(isOfKind) };
  }
}
