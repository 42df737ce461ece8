import { reading } from "../errors/index.js";
import { readEntries, refuseArgument } from "../spec/index.js";

/** No picture is that many pixels wide. */
const MAX_VALUES = 2 ** 16;

export function readHeights(name: string, given: Iterable<readonly [number, number]>): ReadonlyMap<number, number> {
  const pairs = readEntries(name, given, { of: "pairs of a value and a height", most: MAX_VALUES });
  return new Map(pairs.map((pair, i) => reading(`pair ${i} of ${JSON.stringify(name)}`, () => readPair(name, pair))));
}

function readPair(name: string, pair: readonly [number, number]): readonly [number, number] {
  const [value, height] = pair;
  if (typeof value !== "number" || typeof height !== "number") refuseArgument(name, pair, "pairs of numbers");
  return [value, height];
}
