import { addressOfCell } from "../../calls/index.js";
import type { Fraction } from "../../fractions.js";
import type { Cell } from "../../walks/index.js";
import type { Tracer } from "./tracer.js";

/** Decides whether a fraction holds at a cell. A fraction of 0 or 1 reads no word. */
export function holdsAt(words: Tracer, what: string, { numerator, denominator }: Fraction, cell: Cell): boolean {
  const asked = { what: `${what} ${numerator}/${denominator}`, ...addressOfCell(cell) };
  const holds = (value: number) => value < numerator;
  if (numerator > 0n && numerator < denominator) {
    return holds(words.below(asked, Number(denominator), (value) => (holds(value) ? "yes" : "no")));
  }
  words.fact(asked.what, numerator > 0n ? "yes" : "no");
  return numerator > 0n;
}
