import type { EditField } from "../../formats/read/editFile.js";
import { DEPTHS } from "../../kernel/layout.js";
import { MAX_M_BONUS } from "../compile/mBonus.js";
import type { DepthRange, RandomValue } from "../types.js";
import { type Place, type Read, reportAt } from "./report.js";

// Readers of fields. They report an invalid field and return undefined.

/** The largest depth, and the largest level of a kind or an artifact. */
export const MAX_DEPTH = DEPTHS - 1;
export const MAX_SVAL = 255;
const MAX_AMOUNT = 32_767;
export const MAX_CHANCE = 65_535;
const MAX_DICE = 255;
/** The number in a file that stands for 'no minimum'. */
const NO_MINIMUM = 255;

/* @__NO_SIDE_EFFECTS__ */
export function integer(
  what: string,
  least: number,
  most: number,
  remedy = "Write a number in this range, in digits",
): (at: Place, field: EditField) => number | undefined {
  return (at, field) => {
    const value = /^-?\d{1,10}$/.test(field.text) ? Number(field.text) : Number.NaN;
    if (value >= least && value <= most) return value + 0;
    const isInteger = /^-?\d+$/.test(field.text);
    return reportAt(at, field, "object.number", {
      problem: isInteger ? `${what} is out of range` : `${what} is not an integer`,
      expected: least === most ? `${least}` : `an integer from ${least} to ${most}`,
      remedy,
    });
  };
}

/* @__NO_SIDE_EFFECTS__ */
export function amount(what: string): Read<number> {
  return integer(what, -MAX_AMOUNT, MAX_AMOUNT);
}

export const armourClass = integer("the armour class", 0, MAX_AMOUNT);
export const level = integer("the level", 0, MAX_DEPTH);
/** In tenths of a pound. */
export const weight = integer("the weight", 0, 65_535);
export const cost = integer("the cost", 0, 2 ** 31 - 1);
export const breakage = integer("the breakage", 0, 100);
export const readSval = integer("the sval", 0, MAX_SVAL);

/** Reads a minimum. In the result, undefined stands for 'no minimum'. */
/* @__NO_SIDE_EFFECTS__ */
export function minimum(what: string): Read<{ readonly least: number | undefined }> {
  const read = integer(what, -NO_MINIMUM, NO_MINIMUM);
  return (at, field) => {
    const least = read(at, field);
    return least === undefined ? undefined : { least: least === NO_MINIMUM ? undefined : least };
  };
}

/** Reads a name of 1 to 80 characters. */
export function readName(at: Place, field: EditField): string | undefined {
  const { text } = field;
  if (text !== "" && text.length <= 80 && !/[\p{Control}\p{Surrogate}]/u.test(text)) return text;
  return reportAt(at, field, "object.line", {
    problem: "invalid name",
    expected: "1 to 80 characters, without control characters",
    remedy: "Write a name",
  });
}

export function dice(at: Place, field: EditField): { dice: number; sides: number } | undefined {
  const [, count = Number.NaN, sides = Number.NaN] = (/^(\d{1,3})d(\d{1,3})$/.exec(field.text) ?? []).map(Number);
  if (count <= MAX_DICE && sides <= MAX_DICE) return { dice: count, sides };
  return reportAt(at, field, "object.number", {
    problem: "invalid dice",
    expected: `dice such as 2d5, both numbers from 0 to ${MAX_DICE}`,
    remedy: "Write 0d0 for no dice",
  });
}

/** Reads `B+NdSMm`: a base, N dice with S sides and a bonus, each optional. A minus in front negates the sum. */
export function readRandomValue(at: Place, field: EditField, what: string): RandomValue | undefined {
  const found = /^(-)?(?=[\ddM])(?:(\d{1,5})(?:\+(?=[\ddM])|$))?(?:(\d{0,3})d(\d{1,5}))?(?:M(\d{1,5}))?$/.exec(
    field.text,
  );
  const value = found === null ? undefined : randomValueOf(found);
  if (value !== undefined) return value;
  const limits = `at most ${MAX_DICE} dice, at most M${MAX_M_BONUS} and a total of at most ${MAX_AMOUNT}`;
  return reportAt(at, field, "object.number", {
    problem: `${what} is not a valid random value`,
    expected: `a random value such as 10, d4, 3+2d6, M5 or -1+d3M2, with ${limits}`,
    remedy:
      "Write a base, dice and a bonus, as in 3+2d6M5; each part is optional, and a minus in front negates the sum",
  });
}

/* @__NO_SIDE_EFFECTS__ */
export function randomValue(what: string): Read<RandomValue> {
  return (at, field) => readRandomValue(at, field, what);
}

function randomValueOf([, minus, base = "0", count, sides = "0", bonus = "0"]: RegExpExecArray):
  | RandomValue
  | undefined {
  const value = {
    base: Number(base),
    // "d4" is one die
    dice: count === undefined ? 0 : Number(count === "" ? "1" : count),
    sides: Number(sides),
    bonus: Number(bonus),
    negated: minus !== undefined,
  };
  const most = value.base + value.dice * value.sides + value.bonus;
  const isSmall = most <= MAX_AMOUNT && value.dice <= MAX_DICE && value.bonus <= MAX_M_BONUS;
  return isSmall && (value.dice === 0 || value.sides > 0) ? value : undefined;
}

export function constant(base: number): RandomValue {
  return { base, dice: 0, sides: 0, bonus: 0, negated: false };
}

export function rangeOf({ base, dice: count, sides, bonus, negated }: RandomValue): DepthRange {
  const [least, most] = [base + count, base + count * sides + bonus];
  // 0 − x instead of −x, because −0 and 0 differ in deep comparisons
  return negated ? { least: 0 - most, most: 0 - least } : { least, most };
}

/** Reads depths, written `a to b`. */
export const depths: Read<DepthRange> = (at, field) => {
  const range = anyDepths(at, field);
  return range === undefined || range.least <= range.most ? range : reportDepths(at, field, "the depths are reversed");
};

/** Like {@link depths}, but b may be less than a. The range is then empty. */
export const anyDepths: Read<DepthRange> = (at, field) => {
  const found = /^(\d{1,3}) +to +(\d{1,3})$/.exec(field.text);
  const [least, most] = [Number(found?.[1] ?? Number.NaN), Number(found?.[2] ?? Number.NaN)];
  return least <= MAX_DEPTH && most <= MAX_DEPTH ? { least, most } : reportDepths(at, field, "invalid depths");
};

function reportDepths(at: Place, field: EditField, problem: string): undefined {
  return reportAt(at, field, "object.number", {
    problem,
    expected: `two depths from 0 to ${MAX_DEPTH}, as in "1 to 40"`,
    remedy: 'Write the lesser depth, the word "to", and the greater depth',
  });
}

export const leastSval = integer("the least sval", 0, MAX_SVAL);
export const mostSval = integer("the greatest sval", 0, MAX_SVAL);

/** Reports reversed svals at the second, which is the given field. */
export function areInOrder(at: Place, field: EditField, least: number, most: number): boolean {
  if (least <= most) return true;
  reportAt(at, field, "object.number", {
    problem: "the svals are reversed",
    got: `${least}:${most}`,
    expected: "the lesser sval first",
    remedy: "Swap the two svals",
  });
  return false;
}
