import type { Finding } from "../errors/index.js";
import { type Field, type Shape, type SpecReader, shape } from "../spec/index.js";

/** An amount as users write it: "2d6+1", "d20", an integer, or a range "2-5" with both ends included. */
export type AmountInput = number | string;

/** The sum of `count` dice, each with the faces 1 … `sides`, plus `plus`. With count 0, the constant `plus`. */
export interface Amount {
  readonly count: number;
  readonly sides: number;
  readonly plus: number;
}

/** Maximum of (number of dice)² × sides. The cost of the exact odds grows with this number. */
const MAX_COST = 2 ** 20;
/** The kernel stores the number of sides in 32 bits. */
export const MAX_SIDES = 2 ** 32 - 1;
const MIN_VALUE = -(2 ** 31);
const MAX_VALUE = 2 ** 31 - 1;

export function boundsOf({ count, sides, plus }: Amount): readonly [least: number, most: number] {
  return [count + plus, count * sides + plus];
}

/**
 * Reads an amount, or returns the problem. A single die may have `mostSides` sides, because its odds cost little.
 */
export function parseAmount(input: unknown, mostSides = MAX_COST): Amount | Finding {
  const read = typeof input === "string" ? readText(input.replace(/ /g, "")) : readNumber(input);
  if (read === undefined) {
    const expected = 'dice such as "2d6+1", a range such as "2-5", or an integer';
    return { problem: "invalid amount", got: input, expected };
  }
  const { count, sides } = read;
  const [least, most] = boundsOf(read);
  if (sides < 1)
    return { problem: "no value is possible", got: input, expected: 'dice with sides, or a range such as "2-5"' };
  if (count * count * sides > (count === 1 ? mostSides : MAX_COST)) {
    const expected = count === 1 ? `at most ${mostSides} sides` : `at most ${MAX_COST} for (number of dice)² × sides`;
    return { problem: "too many dice or sides", got: input, expected };
  }
  if (least >= MIN_VALUE && most <= MAX_VALUE) return read;
  return { problem: "the amount is out of range", got: input, expected: `values from ${MIN_VALUE} to ${MAX_VALUE}` };
}

export function isAmount(parsed: Amount | Finding): parsed is Amount {
  return "count" in parsed;
}

export const NO_RESULT: Finding = {
  problem: "an entry without a result has a quantity",
  remedy: "Remove the quantity",
};

/* @__NO_SIDE_EFFECTS__ */
export function quantity(most: number): Shape<AmountInput, Amount | undefined> {
  const read = (reader: SpecReader, at: Field) => {
    const report = (finding: Finding) => reader.report(at, finding, "amount.invalid");
    return readQuantity(at.value, report, most);
  };
  const text = { type: "string", pattern: "^[ 0-9dD+-]+$" };
  return shape(read, { oneOf: [{ type: "integer", minimum: 0, maximum: most }, text] });
}

export const QUANTITY = quantity(MAX_VALUE);

/** Reads an amount from 0 to `most`. Reports what is wrong. */
export function readQuantity(
  value: unknown,
  report: (finding: Finding) => void,
  most: number = MAX_VALUE,
): Amount | undefined {
  const parsed = parseAmount(value);
  if (!isAmount(parsed)) {
    report(parsed);
    return undefined;
  }
  const [least, greatest] = boundsOf(parsed);
  if (least < 0 || greatest > most) {
    const problem = least < 0 ? "some values are negative" : "some values are too large";
    report({ problem, got: value, expected: `values from 0 to ${most}` });
  }
  return parsed;
}

function readNumber(input: unknown): Amount | undefined {
  return typeof input === "number" && Number.isInteger(input) ? { count: 0, sides: 1, plus: input + 0 } : undefined;
}

function readText(text: string): Amount | undefined {
  const dice = /^(\d{0,9})d(\d{1,10})([+-]\d{1,10})?$/i.exec(text);
  if (dice !== null) {
    const [, count, sides, plus = "0"] = dice;
    return { count: count === "" ? 1 : Number(count), sides: Number(sides), plus: Number(plus) + 0 };
  }
  const range = /^(-?\d{1,10})-(-?\d{1,10})$/.exec(text);
  if (range !== null) {
    const [least, most] = [Number(range[1]), Number(range[2])];
    return { count: 1, sides: most - least + 1, plus: least - 1 };
  }
  return /^[+-]?\d{1,10}$/.test(text) ? readNumber(Number(text)) : undefined;
}

/** A result and its quantity. A list or a table returns stacks if one of its entries has a quantity. */
export interface Stack<Label extends string = string> {
  readonly result: Label;
  readonly quantity: number;
}

/** Returns the stack of a label and a quantity. Without a quantity, or for the label null, returns only the label. */
export function stackOf(label: string | null, quantity: number | undefined): string | Stack | null {
  return quantity === undefined || label === null ? label : { result: label, quantity };
}

export type StackOf<Label> = Label extends string ? Stack<Label> : Label;

export type QuantityIn<Entry> = Entry extends { readonly quantity: number | string }
  ? "yes"
  : "quantity" extends keyof Entry
    ? "perhaps"
    : "no";

/** The type of results. `Quantity` is the union of {@link QuantityIn} of all entries. "yes": all results are stacks. */
export type FormOf<Label, Quantity> = "yes" extends Quantity
  ? StackOf<Label>
  : "perhaps" extends Quantity
    ? Label | StackOf<Label>
    : Label;
