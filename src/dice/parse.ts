import { type AmountInput, isAmount, MAX_SIDES, parseAmount } from "../amounts/index.js";
import { type Field, type InputOf, integer, type Parsed, readOptions, record, SpecReader } from "../spec/index.js";
import type { DiceOptions, DiceSpec } from "./types.js";

const VALUE = integer({ least: -(2 ** 31), most: 2 ** 31 - 1, code: "amount.invalid" });
const INTERVAL = record({ least: VALUE, most: VALUE });
/** A whole number from `least` to `most`, both inclusive. */
export interface Interval extends InputOf<typeof INTERVAL> {}
/** Dice as users write them: "2d6+1", "d20", an integer, an interval, or a range "2-5" with both ends included. */
export type DiceInput = AmountInput | Interval;

/**
 * Reads dice: a text such as "2d6+1" or "2-5", an integer, or an object with `least` and `most`. Spaces and the case of
 * "d" do not matter.
 *
 * Error cases:
 * - `amount.invalid`: a text that is not an amount, a value outside −2^31 … 2^31 − 1, one die with more than 2^32 − 1
 *   sides, or several dice with (number of dice)² × sides > 2^20.
 * - `argument.type`: an unknown key.
 */
export function parseDice(input: unknown, options: DiceOptions = {}): Parsed<DiceSpec> {
  const { file } = readOptions("parseDice", options, ["file"]);
  const reader = new SpecReader({ noun: "dice", code: "argument.type", file });
  return reader.run(input, (root) => {
    if (typeof input === "object" && input !== null) return readInterval(reader, root);
    const parsed = parseAmount(input, MAX_SIDES);
    if (isAmount(parsed)) return parsed;
    reader.report(root, parsed, "amount.invalid");
    return NOTHING;
  });
}

/** Replaces invalid dice. No caller sees this value, because the reader returns no spec after an error. */
const NOTHING: DiceSpec = { count: 0, sides: 1, plus: 0 };

function readInterval(reader: SpecReader, root: Field): DiceSpec {
  const { least, most } = INTERVAL.read(reader, root);
  const sides = most - least + 1;
  if (sides < 1 || sides > MAX_SIDES) {
    const expected = `1 to ${MAX_SIDES} values from "least" to "most"`;
    reader.report(root, { problem: "wrong number of values", got: sides, expected }, "amount.invalid");
  }
  return { count: 1, sides, plus: least - 1 };
}
