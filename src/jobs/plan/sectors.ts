import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import { type CellRectangle, overlap } from "../../walks/rectangles.js";
import type { Sector } from "../types.js";

export function sectorName({ i, j }: Sector): string {
  return `${i}_${j}`;
}

export function sectorNamed(name: string): Sector {
  const [i, j] = name.split("_").map(Number);
  return { i, j };
}

export function cellsOfSector(sector: Sector, extent: CellRectangle): CellRectangle {
  return overlap(wholeSector(sector), extent);
}

export function wholeSector({ i, j }: Sector): CellRectangle {
  return { row0: i * SECTOR_SIDE, col0: j * SECTOR_SIDE, rows: SECTOR_SIDE, cols: SECTOR_SIDE };
}
