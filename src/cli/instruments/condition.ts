import { InvalidArgumentError } from "commander";
import { Dice } from "../../dice/dice.js";
import type { Fraction } from "../../index.js";
import { readProbability } from "../../instruments/distribution.js";
import type { Condition, Source, ValueCondition } from "../../instruments/index.js";
import { ObjectMaker } from "../../objects/objectMaker.js";
import { Pool } from "../../pools/pool.js";
import { Recipe } from "../../recipes/recipe.js";
import { refuse } from "../shared/io.js";

/** The text that stands for no result, as in the lines of odds. */
export const NONE = "(none)";

/**
 * Reads a condition. Of recipes and objects, each text is a part and its result, such as prefix=burnished, and all must
 * be met. Of other nouns, each text is a result, and one of them is enough.
 */
export function conditionOf(source: Source, texts: readonly string[]): Condition {
  if (source instanceof Recipe || source instanceof ObjectMaker) return Object.fromEntries(texts.map(partOf));
  const values = texts.map((text) => resultOf(source, text));
  // the cast is safe: a value of a list is a result or a range
  return values.length === 1 ? values[0] : { any: values as (string | number | null)[] };
}

function partOf(text: string): readonly [string, ValueCondition] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), wantedOf(text.slice(at + 1), true)];
  const expected = "PART=RESULT, such as prefix=burnished or affix=Speed";
  return refuse("the condition names no part", { got: text, expected });
}

function resultOf(source: Source, text: string): ValueCondition {
  if (!(source instanceof Pool)) return wantedOf(text, source instanceof Dice);
  return source.records.some(({ id }) => id === text) ? text : wantedOf(text, true);
}

/** Reads a result, or a range such as 5..9, 5.. or ..9. */
function wantedOf(text: string, isNumeric: boolean): ValueCondition {
  if (text === NONE) return null;
  const [range, least, most] = /^(-?\d+)?\.\.(-?\d+)?$/.exec(text) ?? [];
  if (isNumeric && range !== undefined && range !== "..") {
    return { ...(least && { atLeast: Number(least) }), ...(most && { atMost: Number(most) }) };
  }
  return isNumeric && /^-?\d+$/.test(text) ? Number(text) : text;
}

/** Reads a number of 0 or more, such as 9/10, 0.9 or 90%. The fraction is exact. */
export function fractionOf(text: string): Fraction {
  const [, number, percent] = /^(\d+\/[1-9]\d*|\d*\.?\d+)\s*(%?)$/.exec(text.trim()) ?? [];
  if (number === undefined || (percent === "%" && number.includes("/"))) {
    throw new InvalidArgumentError("Expected a number of 0 or more, such as 9/10, 0.9 or 90%.");
  }
  return readProbability("number", number.includes("/") ? number : Number(percent === "%" ? `${number}e-2` : number));
}
