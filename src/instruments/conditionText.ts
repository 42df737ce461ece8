import { Dice } from "../dice/dice.js";
import { ObjectMaker } from "../objects/objectMaker.js";
import { Pool } from "../pools/pool.js";
import { Recipe } from "../recipes/recipe.js";
import { refuseArgument } from "../spec/index.js";
import type { Condition, ValueCondition } from "./condition.js";
import type { Source } from "./law.js";

/** The text that stands for no result, as in the lines of odds. */
export const NONE = "(none)";

/**
 * Reads a condition. For recipes and objects, each text is a part and its result, such as prefix=burnished. All must be
 * met. For other nouns, each text is a result, and one of them is enough. A number can be a range: 5..9, 5.. or ..9.
 */
export function parseCondition(source: Source, texts: readonly string[]): Condition {
  if (source instanceof Recipe || source instanceof ObjectMaker) return Object.fromEntries(texts.map(parsePart));
  const values = texts.map((text) => parseResult(source, text));
  return values.length === 1 ? values[0] : { any: values };
}

function parsePart(text: string): readonly [part: string, value: ValueCondition] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), parseValue(text.slice(at + 1), true)];
  return refuseArgument("condition", text, "PART=RESULT, such as prefix=burnished or affix=Speed");
}

function parseResult(source: Source, text: string) {
  if (!(source instanceof Pool)) return parseValue(text, source instanceof Dice);
  return parseValue(
    text,
    source.records.every(({ id }) => id !== text),
  );
}

function parseValue(text: string, canBeNumber: boolean) {
  if (text === NONE) return null;
  const [range, least, most] = /^(-?\d+)?\.\.(-?\d+)?$/.exec(text) ?? [];
  if (canBeNumber && range !== undefined && range !== "..") {
    return { ...(least && { atLeast: Number(least) }), ...(most && { atMost: Number(most) }) };
  }
  return canBeNumber && /^-?\d+$/.test(text) ? Number(text) : text;
}
