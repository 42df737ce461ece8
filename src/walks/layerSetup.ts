import type { StreamKey } from "../address.js";
import type { KernelLayer } from "./kernel.js";
import { type CellSet, closedCells, endCells } from "./map/cellSet.js";
import type { LayerMap } from "./map/layerMap.js";
import type { CellRectangle } from "./map/openCells.js";
import type { WalkerRange } from "./moves.js";
import { earlierMap, startCells } from "./starts.js";
import type { Cell, GridSpec, LayerPlan } from "./types.js";

/** The walkers of one layer, and the cells on which they walk. */
export interface LayerSetup {
  readonly grid: GridSpec;
  /**
   * The maps of earlier layers, by layer index. Needed for each layer that the plan's `closedLayers`, `openLayers`,
   * `start` or `until` names.
   */
  readonly earlier: readonly (LayerMap | undefined)[];
  readonly walkers: WalkerRange;
  /** The region of the walkers; undefined if the layer is not scattered. */
  readonly region: CellRectangle | undefined;
  /** Selects the random words that draw start cells. */
  readonly startStream: StreamKey;
}

/** The closed cells of a layer, and the cells on which its walkers end. */
interface MarkedCells {
  readonly closed: CellSet;
  /** The cells on which walkers end early; undefined if all walkers take all their steps. */
  readonly ends: CellSet | undefined;
}

/**
 * Returns the closed cells of a layer, and the cells on which walkers end.
 *
 * @throws The errors of {@link earlierMap}.
 */
export function markedCells(plan: LayerPlan, { grid, earlier }: Pick<LayerSetup, "grid" | "earlier">): MarkedCells {
  const mapOf = (index: number) => earlierMap(earlier, { index, grid });
  const { closedCells: cells, closedLayers, openLayers, until } = plan;
  return {
    closed: closedCells(cells, closedLayers.map(mapOf), openLayers.map(mapOf)),
    ends: until && endCells(mapOf(until.layer), until.kind),
  };
}

/**
 * Like {@link startCells}, returns a function that maps a walker's number to its start cell. The result of `loops`
 * draws the random numbers.
 */
export function startsIn(
  plan: LayerPlan,
  {
    startStream,
    loops,
    ...sources
  }: Omit<LayerSetup, "walkers"> & Pick<MarkedCells, "closed"> & { readonly loops: () => KernelLayer },
): ((walker: number) => Cell) | undefined {
  return startCells(plan, { ...sources, draw: (place) => loops().drawBelow(startStream, place) });
}
