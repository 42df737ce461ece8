import { failOnErrors, type Issue } from "../errors/index.js";
import { successesOf } from "./resolve/chance.js";
import { readItemOptions, readRequests } from "./resolve/requests.js";
import { resolveSlot, type SlotReading } from "./resolve/slots.js";
import type {
  BonusStepSpec,
  ItemOptions,
  RecipeSource,
  Resolved,
  ResolvedBonus,
  ResolvedSlots,
  ResolvedStep,
  SlotsStepSpec,
} from "./types.js";
import { weightColumn } from "./weights.js";

/**
 * Cost: O(rows of the tables), and O(rows) more for each tier variance.
 *
 * @throws RollmillError `argument.type`, `argument.range`, `recipe.request` (an unknown slot or word), `recipe.tables`,
 * `recipe.word` (a missing special word), `recipe.candidates` (too few active rows of weight above 0), `weights.*`.
 */
export function resolve({ spec, tables }: RecipeSource, options: ItemOptions = {}): Resolved {
  const settings = readItemOptions(options);
  const { choices, requests } = readRequests(spec, tables, settings);
  const issues: Issue[] = [];
  const weight = weightColumn(spec);
  const steps = spec.steps.map((step, index): ResolvedStep => {
    if (step.kind === "bonus") return resolveBonus(step, settings.power);
    if (step.kind === "slots") {
      return resolveSlots(step, { ...settings, tables, weight, choices, issues, path: `steps[${index}]` });
    }
    const doubled = { decision: 1, successes: successesOf(step.doubled, settings.power) };
    const up = { decision: 2, successes: successesOf(step.up, settings.power) };
    return { kind: "condition", spec: step, amount: 0, doubled, up };
  });
  failOnErrors(issues);
  return { spec, tables, steps, requests };
}

function resolveBonus(spec: BonusStepSpec, power: number): ResolvedBonus {
  const chance = { decision: 0, successes: successesOf(spec.chance, power) };
  let above = spec.sides;
  const rungs = spec.ladder.map(({ atLeast = 1 }) => {
    const values = above - (atLeast - 1);
    above = atLeast - 1;
    return values;
  });
  return { kind: "bonus", spec, chance, ladder: 1, rungs };
}

function resolveSlots(spec: SlotsStepSpec, reading: SlotReading): ResolvedSlots {
  const gate = spec.chance && { decision: 0, successes: successesOf(spec.chance, reading.power) };
  const names = spec.slots.map(({ slot }) => slot);
  let next = gate === undefined ? 0 : 1;
  const slots = spec.slots.map((slot, index) => {
    const resolved = resolveSlot(slot, { ...reading, index, names, first: next });
    next = resolved.pick + 1;
    return resolved;
  });
  return { kind: "slots", spec, gate, opened: slots.some(({ requested }) => requested !== undefined), slots };
}
