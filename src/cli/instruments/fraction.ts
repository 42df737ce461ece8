import { InvalidArgumentError } from "commander";
import type { Fraction } from "../../index.js";
import { readProbability } from "../../instruments/distribution.js";

/** Reads a number of 0 or more, such as 9/10, 0.9 or 90%. The fraction is exact. */
export function fractionOf(text: string): Fraction {
  const [, number, percent] = /^(\d+\/[1-9]\d*|\d*\.?\d+)\s*(%?)$/.exec(text.trim()) ?? [];
  if (number === undefined || (percent === "%" && number.includes("/"))) {
    throw new InvalidArgumentError("Expected a number of 0 or more, such as 9/10, 0.9 or 90%.");
  }
  return readProbability("number", number.includes("/") ? number : Number(percent === "%" ? `${number}e-2` : number));
}
