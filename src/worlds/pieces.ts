import type { CellRectangle } from "../walks/rectangles.js";
import type { VisitsTarget, WorldWindow } from "./compose.js";
import type { MadeRegion } from "./regions.js";
import type { StandingCells } from "./standing.js";
import { REGION_SIDE } from "./types.js";

type Counts = Uint32Array<ArrayBuffer>;

/** A part of a window as a message to another thread. */
export interface WindowPiece {
  /** The cells of the window in this part; `rows` or `cols` is below 1 if only realms need the part. */
  readonly cells: CellRectangle;
  /** For each named layer, the visits and the first visits of the cells. Empty if the part has none of them. */
  readonly visits: readonly { readonly visits: Counts; readonly firstVisits: Counts | undefined }[];
  /** For each named field, its values on the cells. */
  readonly fields: readonly Uint16Array<ArrayBuffer>[];
  readonly regions: readonly PackedRegion[];
}

/** A region with an array of its own for its terrain. */
interface PackedRegion {
  readonly i: number;
  readonly j: number;
  readonly terrain: Uint8Array<ArrayBuffer>;
  readonly placements: readonly StandingCells[];
}

interface Made {
  readonly cells: CellRectangle;
  /** The window of the cells; undefined if it is not needed. */
  readonly shown: WorldWindow | undefined;
  readonly regions: readonly MadeRegion[];
}

export function pieceOf(
  { cells, shown, regions }: Made,
  names: { readonly visits: readonly string[]; readonly fields: readonly string[] },
): WindowPiece {
  return {
    cells,
    visits: shown === undefined ? [] : names.visits.map((name) => shown.countsOf(name)),
    fields: shown === undefined ? [] : names.fields.map((name) => shown.field(name)),
    regions: regions.map(({ i, j, terrain: { cells: source, at, stride }, placements }) => {
      const terrain = new Uint8Array(REGION_SIDE ** 2);
      for (let r = 0; r < REGION_SIDE; r++) {
        terrain.set(source.subarray(at + r * stride, at + r * stride + REGION_SIDE), r * REGION_SIDE);
      }
      return { i, j, terrain, placements };
    }),
  };
}

/** Returns the regions of a piece, without contents. */
export function regionsOf({ regions }: WindowPiece): MadeRegion[] {
  return regions.map(({ terrain, ...region }) => {
    return { ...region, terrain: { cells: terrain, at: 0, stride: REGION_SIDE }, contents: undefined };
  });
}

/** Copies the visits of a layer, by its index among the named layers. */
export function putVisits({ cells, visits }: WindowPiece, layer: number, targets: readonly VisitsTarget[]): void {
  const from = visits[layer];
  for (const to of from === undefined ? [] : targets) {
    for (let r = 0; r < cells.rows; r++) {
      const [start, end] = [r * cells.cols, (r + 1) * cells.cols];
      // a window keeps visits in 32 bits
      (to.visits as Counts).set(from.visits.subarray(start, end), to.at + r * to.stride);
      if (from.firstVisits) to.firstVisits?.set(from.firstVisits.subarray(start, end), to.at + r * to.stride);
    }
  }
}

/** Gives the rows of a field, by its index among the named fields, to `take`. */
export function putField(
  { cells: { row0, col0, rows, cols }, fields }: WindowPiece,
  field: number,
  take: (values: Uint16Array, row: number, col0: number) => void,
): void {
  const values = fields[field];
  if (values === undefined) return;
  for (let r = 0; r < rows; r++) take(values.subarray(r * cols, (r + 1) * cols), row0 + r, col0);
}
