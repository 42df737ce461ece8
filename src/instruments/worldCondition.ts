import { didYouMean, error, fail } from "../errors/index.js";
import { fraction, ONE, ZERO } from "../fractions.js";
import { checkInteger, readOptions, refuseArgument } from "../spec/index.js";
import { distanceBetween } from "../walks/hexes.js";
import { type CellRectangle, cellsOfGrid, grown, overlap, readPlace, readRectangle } from "../walks/rectangles.js";
import type { World } from "../worlds/world.js";
import { compare, type ProbabilityInput, readProbability } from "./distribution.js";

/** Placements of a kind near a cell. Their contents do not matter. */
export interface NearCondition {
  /** The name of the kind of placements. */
  readonly kind: string;
  /** The cell. */
  readonly near: readonly [row: number, col: number];
  /** Greatest distance of a placement from the cell, in steps, 0 … 2,048. */
  readonly within: number;
  /** How many placements there must be. Default 1. */
  readonly atLeast?: number | undefined;
  /** Default: any number. */
  readonly atMost?: number | undefined;
}

/** The share of a terrain among the cells of a window. */
export interface ShareCondition {
  /** The name of the terrain. */
  readonly terrain: string;
  readonly window: CellRectangle;
  /** The least share, inclusive. Default 0. */
  readonly atLeast?: ProbabilityInput | undefined;
  /** The greatest share, inclusive. Default 1. */
  readonly atMost?: ProbabilityInput | undefined;
}

/** A condition for a world. All conditions of a list must be met. Plain data, which another thread can get. */
export type WorldCondition = NearCondition | ShareCondition | readonly (NearCondition | ShareCondition)[];

const MAX_WITHIN = 2048;
/** Maximum number of cells of the window of a share. */
const MAX_CELLS = 2 ** 24;
const MAX_CONDITIONS = 100;

type Meets = (world: World) => boolean;

/** Returns a test of a condition for worlds that differ from `world` only in their seeds. */
export function worldMatcher(world: World, condition: WorldCondition): Meets {
  const list: readonly unknown[] = Array.isArray(condition) ? condition : [condition];
  if (list.length === 0 || list.length > MAX_CONDITIONS) refuseArgument("condition", condition, EXPECTED);
  const all = list.map((one) => matcherOf(world, one));
  return (other) => all.every((meets) => meets(other));
}

const EXPECTED = "{ kind, near, within }, { terrain, window }, or a list of 1 to 100 of them";

function matcherOf(world: World, one: unknown): Meets {
  if (typeof one === "object" && one !== null) {
    // the casts are safe: the functions check the fields
    if ("near" in one) return nearMatcher(world, one as NearCondition);
    if ("window" in one) return shareMatcher(world, one as ShareCondition);
  }
  return refuseArgument("condition", one, EXPECTED);
}

function nearMatcher(world: World, condition: NearCondition): Meets {
  const known = ["kind", "near", "within", "atLeast", "atMost"];
  const { kind, near, within, ...counts } = readOptions("condition", condition, known);
  const { atLeast = 1, atMost = Number.MAX_SAFE_INTEGER } = counts;
  const number = indexOf("kind of placement", kind, world.kinds);
  const cell = readPlace("near", near, 1);
  checkInteger("within", within, 0, MAX_WITHIN);
  checkInteger("atLeast", atLeast, 0, Number.MAX_SAFE_INTEGER);
  checkInteger("atMost", atMost, atLeast, Number.MAX_SAFE_INTEGER);
  const { grid } = world.plan.spec;
  const square = grown({ row0: cell[0], col0: cell[1], rows: 1, cols: 1 }, within);
  const cells = overlap(square, cellsOfGrid(grid));
  if (cells.rows < 1 || cells.cols < 1) refuseArgument("near", near, "a cell that is near the grid of the world");
  return (other) => {
    const { rows, cols, kinds } = other.placements(cells, { contents: false });
    let count = 0;
    for (let k = 0; k < kinds.length; k++) {
      if (kinds[k] === number && distanceBetween(grid, cell, [rows[k], cols[k]]) <= within) count++;
    }
    return count >= atLeast && count <= atMost;
  };
}

function shareMatcher(world: World, condition: ShareCondition): Meets {
  const { terrain, window, ...shares } = readOptions("condition", condition, [
    "terrain",
    "window",
    "atLeast",
    "atMost",
  ]);
  const { atLeast = ZERO, atMost = ONE } = shares;
  const number = indexOf("terrain", terrain, world.terrains);
  const cells = readRectangle(window, MAX_CELLS);
  const least = readProbability("atLeast", atLeast);
  const most = readProbability("atMost", atMost);
  if (compare(least, most) > 0) refuseArgument("atLeast", atLeast, "at most as much as atMost");
  const total = BigInt(cells.rows * cells.cols);
  return (other) => {
    const { terrain: found } = other.window(cells, { contents: false });
    let count = 0;
    for (let k = 0; k < found.length; k++) count += Number(found[k] === number);
    const share = fraction(BigInt(count), total);
    return compare(share, least) >= 0 && compare(share, most) <= 0;
  };
}

function indexOf(what: string, name: unknown, known: readonly { readonly name: string }[]): number {
  const index = known.findIndex((one) => one.name === name);
  if (index >= 0) return index;
  const names = known.map((one) => one.name);
  const hint = typeof name === "string" ? didYouMean(name, names) : {};
  return fail(error("argument.range", { problem: `the world has no such ${what}`, got: name, ...hint }));
}
