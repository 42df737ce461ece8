// Cells are axial (row, col); the next row is to the south-east. The six directions run clockwise from north-west, the six
// turns clockwise from straight ahead. Source: the drunken-walk study's class module (GetDirection, CalculateProbabilities).

import { error, fail } from "../errors/index.js";
import * as kernel from "../kernel/layout.js";

/** The six directions, in the order of every six-number list: 0 NW … 5 W. */
export const DIRECTIONS = ["NW", "NE", "E", "SE", "SW", "W"] as const;
/** A direction's short name. */
export type Direction = (typeof DIRECTIONS)[number];

/** The six turns relative to the heading, in the order of every six-number list: 0 forward … 5 left forward. */
export const TURNS = ["forward", "rightForward", "rightBackward", "backward", "leftBackward", "leftForward"] as const;
/** A turn's short name. */
export type Turn = (typeof TURNS)[number];

/** The direction of a walker's last step; "resting" before the first step and after a rest. */
export type Heading = Direction | "resting";
/** The number of the heading "resting"; directions are 0 … 5. */
export const RESTING = kernel.RESTING;

/** By how many rows and columns each direction moves. */
export const OFFSETS: readonly (readonly [row: number, col: number])[] = [
  [-1, 0],
  [-1, 1],
  [0, 1],
  [1, 0],
  [1, -1],
  [0, -1],
];

/** Every spelling of a direction: the short names and the study's. */
export type DirectionKey = Direction | "East" | "West";
/** Every spelling of a turn: the short names, the study's and those of a clock. */
export type TurnKey =
  | Turn
  | "StraightForward"
  | "RightForward"
  | "RightBackward"
  | "StraightBackward"
  | "LeftBackward"
  | "LeftForward"
  | "12:00"
  | "2:00"
  | "4:00"
  | "6:00"
  | "8:00"
  | "10:00";
/** Every spelling of a heading. */
export type HeadingKey = DirectionKey | "resting" | "rest";

/** The number of a direction, 0 … 5, by its spelling. */
export const DIRECTION_KEYS: ReadonlyMap<string, number> = new Map<DirectionKey, number>([
  ...DIRECTIONS.map((name, i) => [name, i] as const),
  ["East", 2],
  ["West", 5],
]);

/** The number of a turn, 0 … 5, by its spelling. */
export const TURN_KEYS: ReadonlyMap<string, number> = new Map<TurnKey, number>([
  ...TURNS.map((name, i) => [name, i] as const),
  ["StraightForward", 0],
  ["RightForward", 1],
  ["RightBackward", 2],
  ["StraightBackward", 3],
  ["LeftBackward", 4],
  ["LeftForward", 5],
  ["12:00", 0],
  ["2:00", 1],
  ["4:00", 2],
  ["6:00", 3],
  ["8:00", 4],
  ["10:00", 5],
]);

/** The number of a heading, 0 … 6, by its spelling. */
export const HEADING_KEYS: ReadonlyMap<string, number> = new Map([
  ...DIRECTION_KEYS,
  ["resting", RESTING],
  ["rest", RESTING],
]);

/**
 * The number of a direction, 0 … 5.
 *
 * @throws RollmillError `argument.range` for an unknown name.
 */
export function directionNumber(name: DirectionKey): number {
  return numberIn(DIRECTION_KEYS, name, "unknown direction");
}

/**
 * The number of a heading, 0 … 6.
 *
 * @throws RollmillError `argument.range` for an unknown name.
 */
export function headingNumber(name: HeadingKey): number {
  return numberIn(HEADING_KEYS, name, "unknown heading");
}

function numberIn(numbers: ReadonlyMap<string, number>, name: string, problem: string): number {
  const number = numbers.get(name);
  if (number !== undefined) return number;
  return fail(error("argument.range", { problem, got: name, expected: `one of ${[...numbers.keys()].join(", ")}` }));
}
