import type { Counts } from "../calls/index.js";
import type { KernelRecipe } from "./kernel.js";
import { CONDITION_OUTCOMES } from "./odds/probability.js";
import { subjectOf } from "./subject.js";
import type { RecipePlan, StepSpec } from "./types.js";

interface ItemCounter {
  /** Counts the `count` items that the last kernel call made. */
  readonly add: (count: number) => void;
  readonly counts: (total: number) => Counts<string> | Counts<number>;
}

/** @throws RollmillError `recipe.request` for an unknown name. */
export function itemCounter(plan: RecipePlan, loops: KernelRecipe, of: unknown): ItemCounter {
  const { name, step } = subjectOf(plan.spec, of);
  if (step === undefined) return strengthCounter(plan, loops);
  const results = resultsOf(plan, name, step);
  const totals = new Float64Array(1 + results.reduce((most, [, value]) => Math.max(most, value), 0));
  return {
    add: (count) => {
      for (const value of loops.words(name, count)) totals[value]++;
    },
    counts: (total) => {
      const counts = new Map<string, number>();
      for (const [result, value] of results) counts.set(result, (counts.get(result) ?? 0) + totals[value]);
      return { total, none: step.kind === "condition" ? 0 : totals[0], counts };
    },
  };
}

function strengthCounter({ spec, stats }: RecipePlan, loops: KernelRecipe): ItemCounter {
  const unit = 10 ** (stats.find(({ name }) => name === spec.strength)?.decimals ?? 0);
  const totals = new Map<number, number>();
  return {
    add: (count) => {
      for (const value of loops.stat(spec.strength, count)) totals.set(value, (totals.get(value) ?? 0) + 1);
    },
    counts: (total) => {
      const sorted = [...totals].sort(([a], [b]) => a - b);
      return { total, none: 0, counts: new Map(sorted.map(([value, times]) => [value / unit, times])) };
    },
  };
}

/** In the order of `odds`. A special word has two values: as a random word, and as the slot's special. */
function resultsOf({ vocabulary, outcomes }: RecipePlan, name: string, step: StepSpec): (readonly [string, number])[] {
  if (step.kind === "slots") return vocabulary[name].slice(1).map((word, i) => [word, i + 1] as const);
  if (step.kind === "bonus") return step.ladder.map(({ text }, i) => [text, i + 1] as const);
  return CONDITION_OUTCOMES.map((outcome) => [outcome, outcomes[name].indexOf(outcome)] as const);
}
