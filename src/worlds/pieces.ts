import type { LongCall } from "../calls/index.js";
import { type CellRectangle, cellsOf, divided, overlap, type RegionRange, regionsNear } from "../walks/rectangles.js";
import { Composition, type VisitsTarget, type WorldWindow } from "./compose.js";
import { RealmSeats } from "./realms.js";
import { cellsOfRegion, type MadeRegion } from "./regions.js";
import { REGION_SIDE, type WindowOptions, type WorldPlan } from "./types.js";
import { Workspace } from "./workspace.js";
import { partsOf, type World } from "./world.js";

type Counts = Uint32Array<ArrayBuffer>;

/** A part of a window as a message to another thread. */
export interface WindowPiece {
  /** The cells of the window in this part; `rows` or `cols` is below 1 if only realms need the part. */
  readonly cells: CellRectangle;
  /** For each named layer, the visits and the first visits of the cells. Empty if the part has none of them. */
  readonly visits: readonly { readonly visits: Counts; readonly firstVisits: Counts | undefined }[];
  /** For each named field, its values on the cells. */
  readonly fields: readonly Uint16Array<ArrayBuffer>[];
  /** Without contents, and each with an array of its own for its terrain. */
  readonly regions: readonly MadeRegion[];
}

type Names = Required<{ readonly [List in "visits" | "fields"]: readonly string[] }>;

/** Returns the parts of a window, of at most `across` × `across` regions, with the seats of its realms. */
export function windowParts(
  { plan }: World,
  cells: CellRectangle,
  { realms = [] }: WindowOptions,
  across: number,
): RegionRange[] {
  const { area } = seatsOf(plan, cells, realms);
  return [...divided(regionsNear(area, { side: REGION_SIDE }), across)];
}

function seatsOf(plan: WorldPlan, cells: CellRectangle, realms: readonly string[]): RealmSeats {
  return new RealmSeats(plan, indicesIn(plan.spec.realms, realms), cells);
}

function indicesIn(list: readonly { readonly name: string }[], names: readonly string[]): number[] {
  return names.map((name) => list.findIndex((one) => one.name === name));
}

/** Makes a part of a window, for {@link joinPieces} in another thread. */
export function makePiece(
  world: World,
  range: RegionRange,
  window: CellRectangle,
  { visits, fields, signal }: Names & Pick<LongCall, "signal">,
): WindowPiece {
  const cells = overlap(cellsOf(range, REGION_SIDE), window);
  const isShown = cells.rows > 0 && cells.cols > 0 && visits.length + fields.length > 0;
  const shown = isShown ? world.window(cells, { visits, fields, contents: false, signal }) : undefined;
  return {
    cells,
    visits: shown === undefined ? [] : visits.map((name) => shown.countsOf(name)),
    fields: shown === undefined ? [] : fields.map((name) => shown.field(name)),
    regions: world.regionsIn(range, { signal }).map(packed),
  };
}

function packed({ terrain: { cells: all, at, stride }, ...region }: MadeRegion): MadeRegion {
  const cells = new Uint8Array(REGION_SIDE ** 2);
  for (let r = 0; r < REGION_SIDE; r++) {
    cells.set(all.subarray(at + r * stride, at + r * stride + REGION_SIDE), r * REGION_SIDE);
  }
  return { ...region, terrain: { cells, at: 0, stride: REGION_SIDE }, contents: undefined };
}

/** Joins the pieces of a window, as {@link World.window} returns it. Makes the contents of its placements. */
export function joinPieces(
  world: World,
  rectangle: CellRectangle,
  { visits = [], fields = [], realms = [], contents = true }: WindowOptions,
  pieces: readonly WindowPiece[],
): WorldWindow {
  const { plan } = world;
  const layers = indicesIn(plan.walk.layers, visits);
  const seats = seatsOf(plan, rectangle, realms);
  const composition = new Composition(rectangle, plan, [{ ...rectangle, at: 0 }], new Workspace());
  for (const layer of layers) composition.addLayer(layer);
  const takes = indicesIn(plan.fields, fields).map((field) => composition.addField(field));
  for (const piece of pieces) {
    for (const [l, layer] of layers.entries()) putVisits(piece, l, composition.targets(layer, piece.cells));
    for (const [f, take] of takes.entries()) putField(piece, f, take);
    for (const region of piece.regions) {
      const made = { cells: cellsOfRegion(region), terrain: region.terrain, regions: [region] };
      world.compose(made, { rectangle, composition, seats }, contents);
    }
  }
  return composition.window(seats.realms(rectangle, partsOf(rectangle)));
}

/** Copies the visits of a layer, by its index among the named layers. */
function putVisits({ cells, visits }: WindowPiece, layer: number, targets: readonly VisitsTarget[]): void {
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
function putField(
  { cells: { row0, col0, rows, cols }, fields }: WindowPiece,
  field: number,
  take: (values: Uint16Array, row: number, col0: number) => void,
): void {
  const values = fields[field];
  if (values === undefined) return;
  for (let r = 0; r < rows; r++) take(values.subarray(r * cols, (r + 1) * cols), row0 + r, col0);
}
