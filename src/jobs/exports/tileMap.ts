import { error, fail } from "../../errors/index.js";
import { checkFlag } from "../../spec/index.js";
import { type CellRectangle, contains, overlap } from "../../walks/rectangles.js";
import { indexIn } from "../../worlds/compose.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import { sectorsIn } from "../plan/phases.js";
import { type ExportSource, type PixelMap, pixelMap, type WriteOptions } from "./source.js";

/** The pixels of tiles. The cells of `window` and of `pixels` are in odd-r coordinates if the map is upright. */
export interface TileMap extends PixelMap {
  readonly window: CellRectangle;
  readonly legend: ExportSource["terrains"];
  readonly coordinates: ExportSource["coordinates"];
}

export function tileMap(source: ExportSource, { upright = false, marks = false }: WriteOptions): TileMap {
  checkFlag("upright", upright);
  checkFlag("marks", marks);
  const { window, terrains, coordinates } = source;
  const plain = { ...pixelMap(source), window, coordinates, legend: terrains };
  const map = marks ? withMarks(source, plain) : plain;
  return upright && coordinates === "axial" ? uprightMap(map) : map;
}

/** Shows the cell of each placement in the colour of its kind. */
function withMarks(source: ExportSource, map: TileMap): TileMap {
  const { colors, window, pixels, legend } = map;
  const kinds = source.job.spec.placements.map(({ name, color }) => ({ name, color, tags: [] }));
  if (colors.length + kinds.length > NO_TERRAIN) {
    const problem = "the map has too many terrains and kinds of placements for marks";
    const expected = `at most ${NO_TERRAIN} together`;
    fail(error("argument.range", { problem, got: colors.length + kinds.length, expected, remedy: 'Remove "marks"' }));
  }
  return {
    ...map,
    colors: [...colors, ...kinds.map(({ color }) => color)],
    legend: [...legend, ...kinds],
    pixels(cells) {
      const shown = pixels(cells);
      const inside = overlap(cells, window);
      const sectors = inside.rows > 0 && inside.cols > 0 ? sectorsIn(inside, "row") : [];
      for (const batch of source.placements(sectors)) {
        for (const [p, row] of batch.rows.entries()) {
          if (!contains(cells, row, batch.cols[p])) continue;
          shown[indexIn({ ...cells, at: 0 }, row, batch.cols[p])] = colors.length + batch.kinds[p];
        }
      }
      return shown;
    },
  };
}

/** Shifts the rows of an axial map, so that columns run straight down: col = q + ⌊row / 2⌋. */
function uprightMap(map: TileMap): TileMap {
  const shift = (row: number) => Math.floor(row / 2);
  const { row0, col0, rows, cols } = map.window;
  const grown = shift(row0 + rows - 1) - shift(row0);
  return {
    ...map,
    coordinates: "odd-r",
    window: { row0, col0: col0 + shift(row0), rows, cols: cols + grown },
    pixels(cells) {
      const q0 = cells.col0 - shift(cells.row0 + cells.rows - 1);
      const width = cells.col0 - shift(cells.row0) + cells.cols - q0;
      const slanted = map.pixels({ ...cells, col0: q0, cols: width });
      const shown = new Uint8Array(cells.rows * cells.cols);
      for (let r = 0; r < cells.rows; r++) {
        const from = r * width + cells.col0 - shift(cells.row0 + r) - q0;
        shown.set(slanted.subarray(from, from + cells.cols), r * cells.cols);
      }
      return shown;
    },
  };
}
