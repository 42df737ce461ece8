import type { StampCell, StampSpec } from "./types.js";

export const TURNS = 6;

/** Returns the cells of a stamp in each of the six turns. */
export function turnsOf({ cells }: StampSpec): StampCell[][] {
  const turned = [[...cells]];
  while (turned.length < TURNS) turned.push(turned[turned.length - 1].map(turnedCell));
  return turned;
}

/** Turns a cell clockwise by 60° around the anchor: the step to the east becomes the step to the south-east. */
function turnedCell({ row, q, ...rest }: StampCell): StampCell {
  return { ...rest, row: row + q, q: -row };
}
