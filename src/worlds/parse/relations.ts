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
const NEAR = record({
  /** The name of an earlier kind. */
  kind: REFERENCE,
  /** The greatest distance to its nearest placement, in steps, 0 … 256. */
  within: STEPS,
});
const APART = record({
  /** The name of an earlier kind. */
  kind: REFERENCE,
  /** All its placements are more than this many steps away, 0 … 256. */
  distance: STEPS,
});
const LEAST = record({
  /** The number of placements, 1 … 256. */
  count: integer({ least: 1, most: MAX_LEAST }),
  ...DISC,
});
const MOST = record({
  /** The number of placements, 0 … 65,536. */
  count: integer({ least: 0, most: MAX_MOST }),
  ...DISC,
});
const WEIGHTS = namedValues(integer({ least: 1, most: MAX_WEIGHT }), { flaw: textFlaw, json: TEXT.json });
const SIZES = shape<InputOf<typeof WEIGHTS>, readonly SizeSpec[]>(readSizes, {
  ...WEIGHTS.json,
  minProperties: 1,
  maxProperties: MAX_SIZES,
});

/** The fields of a kind that refer to other placements, to cells and to conditions. */
export const RELATIONS = record({
  /**
   * `{"kind", "within"}`: a cell is a candidate only if a placement of this earlier kind stands at most `within` steps
   * away, 0 to 256.
   */
  near: optional(NEAR),
  /** `{"kind", "distance"}`: all placements of this earlier kind are more than `distance` steps away, 0 to 256. */
  apart: optional(APART),
  /** Whether a cell is a candidate only if no earlier kind stands on it. Default false. */
  alone: FLAG,
  /** A condition as in a rule of terrain. A cell is a candidate only if it holds. */
  where: optional(CONDITION),
  /**
   * 1 to 4,096 cells on which the kind always stands, on any terrain. They are more than `distance` steps apart, and no
   * cell within `distance` of them is a candidate.
   */
  at: optional(list(CELL, { least: 1, most: MAX_CELLS, of: "cells" }), []),
  /**
   * `{"count", "within", "of"}`: at least `count` placements stand at most `within` steps from the cell `of`, as far as
   * there is room. If there are too few, cells are added that meet all conditions except the density. `count` is 1 to
   * 256, `within` 0 to 256, and `of` [0, 0] by default.
   */
  least: optional(LEAST),
  /**
   * `{"count", "within", "of"}`: at most `count` placements stand there, 0 to 65,536. Those with the smallest
   * priorities stay, and cells of `at` always stay. Applies before `least`.
   */
  most: optional(MOST),
  /**
   * 1 to 255 names of sizes with integer weights, 1 to 1,000,000. Each placement has one of the sizes. Default: no
   * sizes.
   */
  sizes: optional(SIZES),
  /** Whether each placement faces one of the six directions, all equally likely. Default false. */
  facing: FLAG,
});

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
