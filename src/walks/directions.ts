// Cells have axial coordinates (row, col). The cell (row + 1, col) lies to the south-east of (row, col). The six
// directions are listed clockwise from north-west. The six turns are listed clockwise from straight ahead. Source: the
// class module of the drunken-walk study (GetDirection, CalculateProbabilities).

import { error, fail } from "../errors/index.js";
import * as kernel from "../kernel/layout.js";

/** The six directions, clockwise. The number of a direction is its index here. */
export const DIRECTIONS = ["NW", "NE", "E", "SE", "SW", "W"] as const;
/** The short name of a direction. */
export type Direction = (typeof DIRECTIONS)[number];

/** The six turns relative to the heading, clockwise. The number of a turn is its index here. */
export const TURNS = ["forward", "rightForward", "rightBackward", "backward", "leftBackward", "leftForward"] as const;
/** The short name of a turn. */
export type Turn = (typeof TURNS)[number];

/** The direction of a walker's last step, or "resting" before its first step and after a rest. */
export type Heading = Direction | "resting";
/** The names of the kernel's headings. */
export const HEADINGS: readonly Heading[] = [...DIRECTIONS, "resting"];
export const RESTING = kernel.RESTING;

/** For each direction, the change of row and column by a step. */
export const OFFSETS: readonly (readonly [row: number, col: number])[] = [
  [-1, 0],
  [-1, 1],
  [0, 1],
  [1, 0],
  [1, -1],
  [0, -1],
];

/** The names of directions: the short names and the study's names. */
export type DirectionKey = Direction | "East" | "West";
const STUDY_TURNS = [
  "StraightForward",
  "RightForward",
  "RightBackward",
  "StraightBackward",
  "LeftBackward",
  "LeftForward",
] as const;
const HOURS = ["12:00", "2:00", "4:00", "6:00", "8:00", "10:00"] as const;
/** The names of turns: the short names, the study's names and the hours of a clock. */
export type TurnKey = Turn | (typeof STUDY_TURNS)[number] | (typeof HOURS)[number];
/** The names of headings. */
export type HeadingKey = DirectionKey | "resting" | "rest";

export const DIRECTION_KEYS: ReadonlyMap<DirectionKey, number> = new Map([
  ...DIRECTIONS.map((name, i) => [name, i] as const),
  ["East", 2],
  ["West", 5],
]);

export const TURN_KEYS: ReadonlyMap<TurnKey, number> = new Map(
  [TURNS, STUDY_TURNS, HOURS].flatMap((names) => names.map((name, i) => [name, i] as const)),
);

export const HEADING_KEYS: ReadonlyMap<HeadingKey, number> = new Map<HeadingKey, number>([
  ...DIRECTION_KEYS,
  ["resting", RESTING],
  ["rest", RESTING],
]);

export function directionNumber(name: DirectionKey): number {
  return numberIn(DIRECTION_KEYS, name, "unknown direction");
}

export function headingNumber(name: HeadingKey): number {
  return numberIn(HEADING_KEYS, name, "unknown heading");
}

function numberIn(numbers: ReadonlyMap<string, number>, name: string, problem: string): number {
  const number = numbers.get(name);
  if (number !== undefined) return number;
  return fail(error("argument.range", { problem, got: name, expected: `one of ${[...numbers.keys()].join(", ")}` }));
}
