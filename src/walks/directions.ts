/**
 * Hexagonal vocabulary. Cells are axial (row, col), rows pointing south-east of the one above; the six directions run
 * clockwise from north-west, the six turns clockwise from straight ahead.
 * Source: the drunken-walk study's class module (GetDirection, CalculateProbabilities).
 */

/** The six directions, in the order of every six-number list: 0 NW … 5 W. */
export const DIRECTIONS = ["NW", "NE", "E", "SE", "SW", "W"] as const;
/** A direction's short name. */
export type Direction = (typeof DIRECTIONS)[number];

/** The six turns relative to the heading, in the order of every six-number list: 0 forward … 5 left forward. */
export const TURNS = ["forward", "rightForward", "rightBackward", "backward", "leftBackward", "leftForward"] as const;
/** A turn's short name. */
export type Turn = (typeof TURNS)[number];

/** What a walker's last step was: a direction, or none. */
export type Heading = Direction | "resting";
/** The number of the heading "resting"; directions are 0 … 5. */
export const RESTING = 6;

/** (row, col) shift of each direction. */
export const OFFSETS: readonly (readonly [row: number, col: number])[] = [
  [-1, 0],
  [-1, 1],
  [0, 1],
  [1, 0],
  [1, -1],
  [0, -1],
];

/** Every accepted spelling of a direction: the short names and the study's. */
export type DirectionKey = Direction | "East" | "West";
/** Every accepted spelling of a turn: the short names, the study's and the clock's. */
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
/** Every accepted spelling of a heading. */
export type HeadingKey = DirectionKey | "resting" | "rest";

/** Spelling → number of the direction, 0 … 5. */
export const DIRECTION_KEYS: ReadonlyMap<string, number> = new Map<DirectionKey, number>([
  ...DIRECTIONS.map((name, i) => [name, i] as const),
  ["East", 2],
  ["West", 5],
]);

/** Spelling → number of the turn, 0 … 5. */
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

/** Spelling → number of the heading, 0 … 6. */
export const HEADING_KEYS: ReadonlyMap<string, number> = new Map([
  ...DIRECTION_KEYS,
  ["resting", RESTING],
  ["rest", RESTING],
]);
