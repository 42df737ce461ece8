import { error, fail, failOnErrors, type Issue } from "../errors/index.js";
import { didYouMean, listed } from "./report.js";
import type { Choice } from "./resolve.js";
import { rowOf, tableOf } from "./rows.js";
import type { ItemOptions, RecipeSpec, SlotSpec, WordTables } from "./types.js";

/** Options, checked, with their defaults. */
export interface Settings {
  /** 0 is any. */
  readonly tier: number;
  readonly varies: boolean;
  readonly power: number;
  /** Words by slot. */
  readonly request: ReadonlyMap<string, string>;
  readonly throwUnknown: boolean;
}

/** What came of the requests. */
export interface Requests {
  /** The words found, by slot. */
  readonly choices: ReadonlyMap<string, Choice>;
  /** Slots whose word exists, in the recipe's order. */
  readonly met: readonly string[];
  /** Slots whose word does not, in the recipe's order. */
  readonly unknown: readonly string[];
}

/**
 * Checks options, and fills in their defaults; keys that are no item option are not looked at.
 *
 * @throws RollmillError `argument.type`, `argument.range`.
 */
export function readOptions(options: ItemOptions): Settings {
  const { tier = 0, tierVariance = 0, power = 1, request = {}, onUnknownRequest = "roll" } = options;
  if (!Number.isInteger(tier) || tier < 0 || tier > 255) refuse("tier", tier, "an integer from 0 (any) to 255");
  if (typeof tierVariance !== "number" || Number.isNaN(tierVariance)) {
    refuse("tierVariance", tierVariance, "a number; above 0 the tier varies");
  }
  if (typeof power !== "number" || !Number.isFinite(power) || power < 0) {
    refuse("power", power, "a finite number, 0 or more");
  }
  if (onUnknownRequest !== "roll" && onUnknownRequest !== "throw") {
    refuse("onUnknownRequest", onUnknownRequest, '"roll" or "throw"');
  }
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    refuse("request", request, "an object with words by slot");
  }
  const words = new Map(Object.entries(request));
  for (const [slot, word] of words) {
    if (word === undefined) words.delete(slot);
    else if (typeof word !== "string") refuse(`request.${slot}`, word, "a word");
  }
  return { tier, varies: tierVariance > 0, power, request: words, throwUnknown: onUnknownRequest === "throw" };
}

function refuse(path: string, got: unknown, expected: string): never {
  const isNumber = typeof got === "number" && !path.startsWith("request");
  const code = isNumber ? "argument.range" : "argument.type";
  return fail(error(code, { problem: `${path} is not usable`, got, expected, where: { path } }));
}

/** The slots that can be asked for: those that do not follow another, in the recipe's order. */
export function requestable(spec: RecipeSpec): readonly SlotSpec[] {
  return allSlots(spec).filter(({ after }) => after === undefined);
}

/** All slots, in the recipe's order. */
export function allSlots(spec: RecipeSpec): readonly SlotSpec[] {
  return spec.steps.flatMap((step) => (step.kind === "slots" ? step.slots : []));
}

/** The issue of a request for a slot that cannot be asked for. */
export function unknownSlot(spec: RecipeSpec, slot: string, path = `request.${slot}`): Issue {
  const names = requestable(spec).map((known) => known.slot);
  const follows = allSlots(spec).find((known) => known.slot === slot);
  const problem = follows === undefined ? "there is no such slot" : `this slot only follows ${follows.after}`;
  const expected = `one of ${listed(names)}`;
  return error("recipe.request", { problem, got: slot, expected, ...didYouMean(slot, names), where: { path } });
}

/**
 * Looks up the words that are asked for, among all rows, active or not. The special's word comes as the special.
 *
 * @throws RollmillError `recipe.request`.
 */
export function readRequests(spec: RecipeSpec, tables: WordTables, { request, throwUnknown }: Settings): Requests {
  const slots = requestable(spec);
  const names = new Set(slots.map(({ slot }) => slot));
  failOnErrors([...request.keys()].filter((slot) => !names.has(slot)).map((slot) => unknownSlot(spec, slot)));
  const choices = new Map<string, Choice>();
  const unknown: string[] = [];
  const issues: Issue[] = [];
  for (const slot of slots) {
    const word = request.get(slot.slot);
    if (word === undefined) continue;
    const table = tableOf(tables, slot);
    const row = rowOf(table, word);
    if (row !== undefined) {
      choices.set(slot.slot, { row, special: slot.special?.word === word });
      continue;
    }
    unknown.push(slot.slot);
    const words = table.rows.map((known) => known.word);
    const where = { path: `request.${slot.slot}` };
    const expected = `a word of the table ${JSON.stringify(table.name)}`;
    const problem = "there is no such word";
    if (throwUnknown) {
      issues.push(error("recipe.request", { problem, got: word, expected, ...didYouMean(word, words), where }));
    }
  }
  failOnErrors(issues);
  return { choices, met: [...choices.keys()], unknown };
}
