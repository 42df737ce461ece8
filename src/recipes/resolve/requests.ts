import { error, fail, failOnErrors, type Issue } from "../../errors/index.js";
import { MAX_TIER } from "../parse/rows.js";
import type { Choice, ItemOptions, RecipeSpec, RequestReport, SlotSpec, WordTable, WordTables } from "../types.js";
import { unknownName } from "../unknownName.js";
import { rowOf, tableOf } from "./rows.js";

export interface Settings {
  readonly tier: number;
  readonly varies: boolean;
  readonly power: number;
  readonly request: ReadonlyMap<string, string>;
  readonly throwUnknown: boolean;
}

export function readItemOptions(options: ItemOptions): Settings {
  const { tier = 0, tierVariance = 0, power = 1, request = {}, onUnknownRequest = "roll" } = options;
  if (!Number.isInteger(tier) || tier < 0 || tier > MAX_TIER) {
    refuse("tier", tier, `an integer from 0 (any tier) to ${MAX_TIER}`);
  }
  if (typeof tierVariance !== "number" || Number.isNaN(tierVariance)) {
    refuse("tierVariance", tierVariance, "a number; a number above 0 lets the tier of a word vary");
  }
  if (typeof power !== "number" || !Number.isFinite(power) || power < 0) {
    refuse("power", power, "a finite number of at least 0");
  }
  if (onUnknownRequest !== "roll" && onUnknownRequest !== "throw") {
    refuse("onUnknownRequest", onUnknownRequest, '"roll" or "throw"');
  }
  if (Object.prototype.toString.call(request) !== "[object Object]") {
    refuse("request", request, "an object that maps slots to words");
  }
  const words = new Map(Object.entries(request));
  for (const [slot, word] of words) {
    if (word === undefined) words.delete(slot);
    else if (typeof word !== "string") refuse(`request.${slot}`, word, "a string");
  }
  return { tier, varies: tierVariance > 0, power, request: words, throwUnknown: onUnknownRequest === "throw" };
}

function refuse(path: string, got: unknown, expected: string): never {
  const isNumber = typeof got === "number" && !path.startsWith("request");
  const code = isNumber ? "argument.range" : "argument.type";
  const problem = `invalid ${path.startsWith("request.") ? "word" : `option "${path}"`}`;
  return fail(error(code, { problem, got, expected, where: { path } }));
}

export function requestable(spec: RecipeSpec): readonly SlotSpec[] {
  return allSlots(spec).filter(({ after }) => after === undefined);
}

export function allSlots(spec: RecipeSpec): readonly SlotSpec[] {
  return spec.steps.flatMap((step) => (step.kind === "slots" ? step.slots : []));
}

export function unknownSlot(spec: RecipeSpec, slot: string, path = `request.${slot}`): Issue {
  const names = requestable(spec).map((known) => known.slot);
  const follows = allSlots(spec).find((known) => known.slot === slot);
  const problem =
    follows === undefined
      ? "the recipe has no such slot"
      : `this slot cannot be requested, because it depends on the slot ${JSON.stringify(follows.after)}`;
  return error("recipe.request", { ...unknownName(problem, slot, names), where: { path } });
}

export function unknownWord({ name, rows }: WordTable, word: unknown, path: string): Issue {
  const problem = `the table ${JSON.stringify(name)} has no such word`;
  const words = rows.map((row) => row.word);
  return error("recipe.request", { ...unknownName(problem, word, words), where: { path } });
}

/** @throws RollmillError `recipe.request`. */
export function readRequests(spec: RecipeSpec, tables: WordTables, { request, throwUnknown }: Settings) {
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
    if (row !== undefined) choices.set(slot.slot, { row, special: slot.special?.word === word });
    else {
      unknown.push(slot.slot);
      if (throwUnknown) issues.push(unknownWord(table, word, `request.${slot.slot}`));
    }
  }
  failOnErrors(issues);
  const requests: RequestReport = { met: [...choices.keys()], unknown };
  return { choices, requests };
}
