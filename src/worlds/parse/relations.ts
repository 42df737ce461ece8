import {
  type Field,
  FLAG,
  type InputOf,
  integer,
  list,
  lookUp,
  namedValues,
  optional,
  REFERENCE,
  record,
  type SpecReader,
  shape,
  TEXT,
  textFlaw,
} from "../../spec/index.js";
import { distanceBetween } from "../../walks/hexes.js";
import type { Cell } from "../../walks/index.js";
import { CELL, refuseOutside } from "../../walks/parse/cells.js";
import { reachesOf } from "../areas.js";
import { type DiscSpec, MAX_REACH, MAX_RELATION, type PlacementSpec, type SizeSpec, type WorldSpec } from "../types.js";
import { CONDITION } from "./conditions.js";

const MAX_CELLS = 4096;
const MAX_LEAST = 256;
const MAX_MOST = 65_536;
/** An index of a size is a byte, and 255 stands for "no size". */
const MAX_SIZES = 255;
const MAX_WEIGHT = 1_000_000;
const STEPS = integer({ least: 0, most: MAX_RELATION });

const DISC = {
  /** All cells at most this many steps from `of`, 0 … 256. */
  within: STEPS,
  /** The cell in the middle. Default [0, 0]. */
  of: optional(CELL, [0, 0]),
};
export const NEAR = record({
  /** The name of an earlier kind. */
  kind: REFERENCE,
  /** The greatest distance to its nearest placement, in steps, 0 … 256. */
  within: STEPS,
});
export const APART = record({
  /** The name of an earlier kind. */
  kind: REFERENCE,
  /** All its placements are more than this many steps away, 0 … 256. */
  distance: STEPS,
});
export const LEAST = record({
  /** The number of placements, 1 … 256. */
  count: integer({ least: 1, most: MAX_LEAST }),
  ...DISC,
});
export const MOST = record({
  /** The number of placements, 0 … 65,536. */
  count: integer({ least: 0, most: MAX_MOST }),
  ...DISC,
});
const WEIGHTS = namedValues(integer({ least: 1, most: MAX_WEIGHT }), { flaw: textFlaw, json: TEXT.json });
/** Names of sizes with integer weights. */
export const SIZES = shape<InputOf<typeof WEIGHTS>, readonly SizeSpec[]>(readSizes, {
  ...WEIGHTS.json,
  minProperties: 1,
  maxProperties: MAX_SIZES,
});

/** The fields of a kind that refer to other placements, to cells and to conditions. */
export const RELATIONS = {
  /** A placement of an earlier kind must stand at most so many steps away. A cell without one is no candidate. */
  near: optional(NEAR),
  /** No placement of an earlier kind stands within a distance. Any other cell is no candidate. */
  apart: optional(APART),
  /** Whether a cell on which an earlier kind stands is no candidate. Default false. */
  alone: FLAG,
  /** A condition, as in a rule of terrain. A cell for which it does not hold is no candidate. */
  where: optional(CONDITION),
  /**
   * At most 4,096 cells on which the kind always stands, on any terrain. No other cell within `distance` of them is a
   * candidate, and they are more than `distance` steps apart.
   */
  at: optional(list(CELL, { most: MAX_CELLS, of: "cells" }), []),
  /**
   * The least number of placements within a distance of a cell. If too few stand there, the cells with the smallest
   * ranks are added, of those that meet all conditions but the density.
   */
  least: optional(LEAST),
  /**
   * The greatest number of placements within a distance of a cell, before `least`. The placements with the smallest
   * priorities remain. Cells of `at` always remain.
   */
  most: optional(MOST),
  /** The sizes of the placements: at most 255 names, each with a weight from 1 to 1,000,000. Default: no sizes. */
  sizes: optional(SIZES),
  /** Whether each placement faces one of the six directions, all equally likely. Default false. */
  facing: FLAG,
};

function readSizes(reader: SpecReader, at: Field): readonly SizeSpec[] {
  const sizes = Array.from(WEIGHTS.read(reader, at), ([name, weight]) => ({ name, weight }));
  if (sizes.length === 0 || sizes.length > MAX_SIZES) {
    const expected = `1 to ${MAX_SIZES} names of sizes with weights`;
    reader.report(at, { problem: `${at.name} has ${sizes.length} names`, expected });
  }
  return sizes;
}

/** Returns the index of the kind that a relation names. It must be one of the earlier kinds. */
export function earlierKind(reader: SpecReader, at: Field, names: readonly string[]): number | undefined {
  const known = new Map(names.map((name, k) => [name, k]));
  const problem = "no earlier kind of placements has this name";
  return lookUp(reader, at, { known, problem, none: "a kind that is listed before this one" });
}

/** Sorts the cells of `at`. Reports cells that are outside the grid or too close to each other. */
export function sortedCells(
  reader: SpecReader,
  at: Field,
  cells: readonly Cell[],
  { grid, distance }: { readonly grid: WorldSpec["grid"]; readonly distance: number },
): readonly Cell[] {
  refuseOutside(reader, at, Int32Array.from(cells.flat()), grid);
  const sorted = [...cells].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  for (const [k, cell] of sorted.entries()) {
    for (let next = k + 1; next < sorted.length && sorted[next][0] - cell[0] <= distance; next++) {
      if (distanceBetween(grid, cell, sorted[next]) > distance) continue;
      const problem = `the cells [${cell.join(", ")}] and [${sorted[next].join(", ")}] are too close to each other`;
      reader.report(at, { problem, expected: `cells that are more than ${distance} steps apart` });
      return sorted;
    }
  }
  return sorted;
}

export function refuseOutsideDisc(
  reader: SpecReader,
  at: Field,
  disc: DiscSpec | undefined,
  grid: WorldSpec["grid"],
): void {
  if (disc !== undefined) refuseOutside(reader, at.part("of"), Int32Array.from(disc.of), grid);
}

/** Reports the first kind that depends on cells too far away. */
export function refuseReach(reader: SpecReader, at: Field, kinds: readonly PlacementSpec[]): void {
  const reaches = reachesOf(kinds);
  const k = reaches.findIndex(({ steps }) => steps > MAX_REACH);
  if (k < 0) return;
  const { steps, field } = reaches[k];
  const problem = `placements of ${JSON.stringify(kinds[k].name)} depend on cells too far away, mostly by "${field}"`;
  const remedy = "Lower the distances of this kind, or those of the kinds that it names";
  reader.report(at.part(k, field), { problem, got: steps, expected: `at most ${MAX_REACH} steps`, remedy });
}
