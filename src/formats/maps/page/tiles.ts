import { type MapContent, type MapPiece, type MapView, type Point, range } from "./mapCanvas.js";

/** A map of tiles. In the zoom `deepest`, a pixel is a cell. The first cell is (row0, col0). */
export type ShownTiles = Readonly<Record<"rows" | "cols" | "side" | "deepest" | "row0" | "col0", number>>;

/** Returns the address of the picture of a tile; undefined if the map has no such tile. */
export type TileAddress = (z: number, x: number, y: number) => Promise<string | undefined>;

/** A unit of the map is a cell. `tell` gets the cell under the pointer. */
export function tiles(map: ShownTiles, addressOf: TileAddress, tell: (cell: string) => void): MapContent {
  const { rows, cols, side, deepest, row0, col0 } = map;
  const cellsOf = (z: number) => side * 2 ** (deepest - z);
  return {
    size: { width: cols, height: rows },
    mostScale: 64,
    mostLoading: 16,
    piecesIn({ left, top, width, height, scale }: MapView) {
      const best = Math.max(0, Math.min(deepest, Math.ceil(deepest + Math.log2(scale))));
      // two coarser zooms remain visible until the best tiles are loaded
      return [...new Set([0, Math.max(0, best - 2), best])].flatMap((z) => {
        const cells = cellsOf(z);
        const numbers = (start: number, pixels: number, count: number) =>
          range(Math.max(0, Math.floor(start / cells)), Math.ceil(Math.min(count, start + pixels / scale) / cells) - 1);
        return numbers(top, height, rows).flatMap((y) => numbers(left, width, cols).map((x) => [z, x, y]));
      });
    },
    async load(z, x, y): Promise<MapPiece | undefined> {
      const [picture, src, cells] = [new Image(), await addressOf(z, x, y), cellsOf(z)];
      if (src === undefined) return undefined;
      await Object.assign(picture, { src }).decode();
      URL.revokeObjectURL(src);
      return { picture, x: x * cells, y: y * cells, width: cells, height: cells };
    },
    point(at: Point = { x: -1, y: -1 }) {
      const [row, col] = [Math.floor(at.y), Math.floor(at.x)];
      const isInside = row >= 0 && row < rows && col >= 0 && col < cols;
      tell(isInside ? `row ${row0 + row}, col ${col0 + col}` : "");
    },
  };
}
