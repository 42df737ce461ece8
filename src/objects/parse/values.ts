import type { EditField } from "../../formats/editFile.js";
import { DEPTHS } from "../../kernel/layout.js";
import { MAX_M_BONUS } from "../compile/mBonus.js";
import type { DepthRange, RandomValue } from "../types.js";
import { type Place, reportAt } from "./report.js";

/** Depths and levels are 0 … 255. */
export const MAX_DEPTH = DEPTHS - 1;
/** Stands for 'no minimum'. */
const NO_MINIMUM = 255;
/** The largest random value, positive or negative. */
const MAX_VALUE = 32_767;
const MAX_DICE = 255;

/** The integers that are allowed, both ends inclusive, and their name in messages. */
export interface IntegerRange {
  readonly what: string;
  readonly least: number;
  readonly most: number;
}

/** Reads an integer in a range. Reports anything else and returns undefined. */
export function readInteger(at: Place, field: EditField, { what, least, most }: IntegerRange): number | undefined {
  const value = /^-?\d{1,10}$/.test(field.text) ? Number(field.text) : Number.NaN;
  if (value >= least && value <= most) return value + 0;
  reportAt(at, field, "object.number", {
    problem: `invalid value for ${what}`,
    got: field.text,
    expected: `an integer from ${least} to ${most}`,
    remedy: "Write a number in this range, in digits",
  });
  return undefined;
}

/** Reads the minimum of a total: an integer, or 255 for 'no minimum'. */
export function readLeast(at: Place, field: EditField, what: string): { least: number | undefined } | undefined {
  const value = readInteger(at, field, { what, least: -NO_MINIMUM, most: NO_MINIMUM });
  return value === undefined ? undefined : { least: value === NO_MINIMUM ? undefined : value };
}

/** Reads dice, written `NdS`. Reports invalid dice and returns undefined. */
export function readDice(at: Place, field: EditField): { dice: number; sides: number } | undefined {
  const found = /^(\d{1,3})d(\d{1,3})$/.exec(field.text);
  const [dice, sides] = [Number(found?.[1] ?? Number.NaN), Number(found?.[2] ?? Number.NaN)];
  if (dice <= MAX_DICE && sides <= MAX_DICE) return { dice, sides };
  reportAt(at, field, "object.number", {
    problem: "invalid dice",
    got: field.text,
    expected: `dice such as 2d5, both numbers from 0 to ${MAX_DICE}`,
    remedy: "Write 0d0 for no dice",
  });
  return undefined;
}

/** Reads `B+NdSMm`. Each part is optional, and a minus in front negates the sum. */
export function readRandomValue(at: Place, field: EditField, what: string): RandomValue | undefined {
  const found = /^(-)?(?=[\ddM])(?:(\d{1,5})(?:\+(?=[\ddM])|$))?(?:(\d{0,3})d(\d{1,5}))?(?:M(\d{1,5}))?$/.exec(
    field.text,
  );
  const value = found === null ? undefined : randomValueOf(found);
  if (value !== undefined) return value;
  reportAt(at, field, "object.number", {
    problem: `invalid value for ${what}`,
    got: field.text,
    expected: `a random value such as 10, d4, 3+2d6, M5 or -1+d3M2, with a sum of at most ${MAX_VALUE}, at most ${MAX_DICE} dice and at most M${MAX_M_BONUS}`,
    remedy: "Write base+dice, the sides after a d, a bonus after an M; a minus in front negates the sum",
  });
  return undefined;
}

function randomValueOf([, minus, base = "0", dice, sides = "0", bonus = "0"]: RegExpExecArray):
  | RandomValue
  | undefined {
  const value = {
    base: Number(base),
    // "d4" is one die
    dice: dice === undefined ? 0 : Number(dice === "" ? "1" : dice),
    sides: Number(sides),
    bonus: Number(bonus),
    negated: minus !== undefined,
  };
  const most = value.base + value.dice * value.sides + value.bonus;
  const isSmall = most <= MAX_VALUE && value.dice <= MAX_DICE && value.bonus <= MAX_M_BONUS;
  return isSmall && (value.dice === 0 || value.sides > 0) ? value : undefined;
}

/** A random value that is always `base`. */
export function constant(base: number): RandomValue {
  return { base, dice: 0, sides: 0, bonus: 0, negated: false };
}

/** Reads a range of depths, written `a to b`. Reports invalid depths, and reversed depths unless `mayBeEmpty`. */
export function readDepths(
  at: Place,
  field: EditField,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): DepthRange | undefined {
  const found = /^(\d{1,3}) +to +(\d{1,3})$/.exec(field.text);
  const [least, most] = [Number(found?.[1] ?? Number.NaN), Number(found?.[2] ?? Number.NaN)];
  if (least <= MAX_DEPTH && most <= MAX_DEPTH && (mayBeEmpty || least <= most)) return { least, most };
  reportAt(at, field, "object.number", {
    problem: least > most ? "the depths are reversed" : "invalid depths",
    got: field.text,
    expected: `two depths from 0 to ${MAX_DEPTH}, as in "1 to 40"`,
    remedy: "Write the lesser depth, the word to, and the greater depth",
  });
  return undefined;
}

/** Reads a range of svals, both ends inclusive. Reports invalid or reversed svals and returns undefined. */
export function readSvals(
  at: Place,
  [low, high]: readonly EditField[],
): { leastSval: number; mostSval: number } | undefined {
  const leastSval = readInteger(at, low, { what: "the least sval", least: 0, most: MAX_SVAL });
  const mostSval = readInteger(at, high, { what: "the greatest sval", least: 0, most: MAX_SVAL });
  if (leastSval === undefined || mostSval === undefined) return undefined;
  if (leastSval <= mostSval) return { leastSval, mostSval };
  reportAt(at, high, "object.number", {
    problem: "the svals are reversed",
    got: `${leastSval}:${mostSval}`,
    expected: "the lesser sval first",
    remedy: "Swap the two svals",
  });
  return undefined;
}

/** Svals are 0 … 255. */
export const MAX_SVAL = 255;
