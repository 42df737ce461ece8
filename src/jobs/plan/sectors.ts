import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import type { CellRectangle } from "../../walks/map/openCells.js";
import { countOf, regionsNear } from "../../worlds/costs.js";

/** Maximum number of sectors, because their list must fit into memory. Together they have about 10¹² cells. */
const MOST_SECTORS = 2 ** 20;
export const MANY_SECTORS = `at most ${MOST_SECTORS} sectors of ${SECTOR_SIDE} × ${SECTOR_SIDE} cells`;

export function hasManySectors(extent: CellRectangle): boolean {
  return countOf(regionsNear(extent, { side: SECTOR_SIDE })) > MOST_SECTORS;
}
