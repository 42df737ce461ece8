import type { Odds, Work } from "../calls/index.js";
import { divide, fraction, ZERO } from "../fractions.js";
import { bonusChance, CONDITION_OUTCOMES, conditionChance } from "./odds/probability.js";
import { stepDistribution } from "./odds/stepLaw.js";
import { strengthOdds } from "./odds/strength.js";
import { subjectOf } from "./subject.js";
import type { Resolved, ResolvedSlot, ResolvedSlots } from "./types.js";

/**
 * Cost for a slot: O(rows), and O(kinds of rows) operations on fractions for each slot of the step.
 *
 * @throws RollmillError `recipe.request` for an unknown name; the errors of {@link strengthOdds}.
 */
export function itemOdds(resolved: Resolved, of: unknown, work?: Work): Odds<string> | Odds<number> {
  const { name, step } = subjectOf(resolved.spec, of);
  const found = resolved.steps.find(({ spec }) => spec === step);
  if (found === undefined) return strengthOdds(resolved, work);
  if (found.kind === "slots") return wordOdds(found, name, work);
  if (found.kind === "bonus") {
    const odds = found.spec.ladder.map(({ text }) => ({ result: text, probability: bonusChance(found, text) }));
    return { odds, none: bonusChance(found, null) };
  }
  const odds = CONDITION_OUTCOMES.map((result) => ({ result, probability: conditionChance(found, result) }));
  return { odds, none: ZERO };
}

/** Rows of one kind have the same probability, so only the distribution of the kinds is computed. */
function wordOdds(step: ResolvedSlots, name: string, work: Work | undefined): Odds<string> {
  const at = step.slots.findIndex(({ spec }) => spec.slot === name);
  const slot = step.slots[at];
  const slots = step.slots.slice(0, at + 1);
  const { kinds, sizes } = kindsOfRows(slots, slot);
  const distribution = stepDistribution(
    { ...step, slots },
    {
      // The value 0 stands for an empty slot. The class 0 stands for the rows of every table except this slot's table.
      classOf: ({ table }, row) => (table === slot.table ? 1 + kinds[row] : 0),
      next: (value, { index }, outcome) => {
        if (index !== at) return value;
        return outcome.from === "empty" ? 0 : outcome.rowClass;
      },
    },
    work,
  );
  const each = sizes.map((size, kind) => divide(distribution.get(1 + kind) ?? ZERO, fraction(BigInt(size), 1n)));
  const odds = slot.table.rows.map(({ word }, row) => ({ result: word, probability: each[kinds[row]] }));
  return { odds, none: distribution.get(0) ?? ZERO };
}

/** Rows of one kind have the same weight and variances. A requested row or a special is a kind by itself. */
function kindsOfRows(slots: readonly ResolvedSlot[], { table, weights }: ResolvedSlot) {
  const same = slots.filter((other) => other.table === table);
  const members = same.flatMap(({ variants }) => variants.map(({ candidates }) => new Set(candidates)));
  const numbers = new Map<string, number>();
  const sizes: number[] = [];
  const kinds = table.rows.map((_, row) => {
    const key = JSON.stringify([
      weights[row],
      members.map((candidates) => candidates.has(row)),
      same.map(({ requested, special }) => [requested?.row === row, special?.row === row]),
    ]);
    const kind = numbers.get(key) ?? numbers.size;
    numbers.set(key, kind);
    sizes[kind] = (sizes[kind] ?? 0) + 1;
    return kind;
  });
  return { kinds, sizes };
}
