import { weightFraction } from "../../decimals.js";
import { type Fraction, ZERO } from "../../fractions.js";
import { type Field, type Shape, type SpecReader, shape } from "../../spec/index.js";

/** Maximum denominator, because a denominator is the bound of one 32-bit random number. */
const MAX_DENOMINATOR = 2n ** 32n - 1n;

const FRACTION = "^\\s*\\d+(?:\\.\\d+)?\\s*(?:/\\s*\\d+\\s*)?$";
/** A probability: a number 0 … 1, or a fraction such as "1/20". */
export const SHARE: Shape<string | number, Fraction> = shape(readShare, {
  anyOf: [
    { type: "number", minimum: 0, maximum: 1 },
    { type: "string", pattern: FRACTION },
  ],
});

function readShare(reader: SpecReader, at: Field): Fraction {
  const share = weightFraction(at.value);
  const isShare = share !== undefined && share.numerator <= share.denominator && share.denominator <= MAX_DENOMINATOR;
  if (isShare) return share;
  const expected = `a number from 0 to 1, or a fraction such as "1/20" with a denominator of at most ${MAX_DENOMINATOR}`;
  const problem = at.value === undefined ? `${at.name} is missing` : `invalid ${at.name}`;
  reader.report(at, { problem, ...(at.value !== undefined && { got: at.value }), expected });
  return ZERO;
}
