import { InvalidArgumentError } from "commander";
import type { Fraction } from "../../index.js";
import { readProbability } from "../../instruments/distribution.js";

/** Reads a number of 0 or more, such as 9/10, 0.9 or 90%. The fraction is exact. */
export function fractionOf(text: string): Fraction {
  const [, fraction, decimal, percent] = /^(?:(\d+\/[1-9]\d*)|(\d+(?:\.\d+)?|\.\d+) ?(%?))$/.exec(text.trim()) ?? [];
  if (fraction === undefined && decimal === undefined) {
    throw new InvalidArgumentError("Expected a number of 0 or more, such as 9/10, 0.9 or 90%.");
  }
  // "e-2" moves the point by two places, so 0.6% is exactly 6/1000
  return readProbability("number", fraction ?? Number(percent === "%" ? `${decimal}e-2` : decimal));
}
