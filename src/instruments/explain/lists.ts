import { type Amount, stackOf } from "../../amounts/index.js";
import type { Dice } from "../../dice/dice.js";
import type { Sampler } from "../../samples/sampler.js";
import type { EntryGroup } from "../../weighted/entryGroup.js";
import type { LabelledList } from "../../weighted/labelledList.js";
import type { NoRepeats } from "../../weighted/noRepeats/noRepeats.js";
import { FEATURED, HIT, MISS } from "../../weighted/pity/compile.js";
import type { Pity } from "../../weighted/pity/pity.js";
import type { WeightedList } from "../../weighted/weightedList.js";
import type { Tracer } from "./tracer.js";

export function tracePick({ plan }: WeightedList, tracer: Tracer, index: number): number {
  const entries = Array.from(plan.weights, (weight, name) => ({ name, weight }));
  return tracer.alias({ what: "entry", plane: 0, index }, entries);
}

export function traceLabel(list: LabelledList<string | null, unknown>, tracer: Tracer, index: number) {
  const { weights, labels, quantities } = list.plan;
  const entries = Array.from(weights, (weight, i) => ({ name: labels[i], weight }));
  const entry = tracer.alias({ what: "entry", plane: 0, index }, entries);
  // the words of plane 0 pick the entries
  return stackOf(labels[entry], quantities && traceAmount(tracer, quantities[entry], { plane: 1, index }));
}

type AnyPity = Pity<string | null, unknown>;
type AnyNoRepeats = NoRepeats<string | null, unknown>;

/** The next pull. */
export function tracePity({ plan, standing }: AnyPity, tracer: Tracer, index: number) {
  const { since, guaranteed } = standing;
  const { rule, groups, shares, denominator } = plan;
  const answer = (share: number) => (value: number) => (value < share ? "yes" : "no");
  const decide = (what: string, plane: number, m: number, share: number) =>
    tracer.below({ what: `${what}: below ${share} of ${m}`, plane, index }, m, answer(share)) < share;
  const isHit = decide(`hit after ${since} pulls without`, 0, denominator, shares[since]);
  let group = isHit ? HIT : MISS;
  if (isHit && rule.featured !== undefined) {
    if (guaranteed) tracer.fact("featured", "yes, because the last hit was not");
    const total = groups[HIT].total + groups[FEATURED].total;
    if (guaranteed || decide("featured", 1, total, groups[FEATURED].total)) group = FEATURED;
  }
  return traceEntry(plan, tracer, index, { ...groups[group], plane: 2 });
}

/** The next pick. */
export function traceNoRepeats({ plan, recent }: AnyNoRepeats, tracer: Tracer, index: number) {
  const { group, labels } = plan;
  const isRecent = (entry: number) => recent.includes(labels[entry]);
  return traceEntry(plan, tracer, index, { ...group, plane: 0, isLeftOut: isRecent });
}

/** A prefix pick among some entries of a list. The quantity reads the planes after that of the pick. */
function traceEntry(
  { labels, quantities }: AnyPity["plan"] | AnyNoRepeats["plan"],
  tracer: Tracer,
  index: number,
  { entries, ends, plane, isLeftOut = () => false }: EntryGroup & { plane: number; isLeftOut?(entry: number): boolean },
) {
  const weighed = Array.from(entries, (entry, i) => {
    return { entry, name: labels[entry], weight: ends[i] - (ends[i - 1] ?? 0) };
  }).filter(({ entry }) => !isLeftOut(entry));
  const { entry } = weighed[tracer.pick({ what: "entry", plane, index }, weighed)];
  return stackOf(labels[entry], quantities && traceAmount(tracer, quantities[entry], { plane: plane + 1, index }));
}

export function traceDice({ plan }: Dice, tracer: Tracer, index: number): number {
  return traceAmount(tracer, plan.amount, { plane: 0, index });
}

/** Die j reads a word of the plane `plane` + j. */
export function traceAmount(
  tracer: Tracer,
  { count, sides, plus }: Amount,
  { plane, index }: { readonly plane: number; readonly index: number },
): number {
  let sum = plus;
  for (let die = 0; die < count; die++) {
    const asked = { what: `die ${die + 1} of ${count}`, plane: plane + die, index };
    sum += 1 + tracer.below(asked, sides, (value) => String(1 + value));
  }
  return sum;
}

export function traceSample({ items, size }: Sampler<unknown>, tracer: Tracer, index: number): unknown[] {
  const order = [...items];
  for (let i = 0; i < size; i++) {
    const left = items.length - i;
    const asked = { what: `item ${i + 1} of ${size}`, plane: index, index: i };
    const j = i + tracer.below(asked, left, (value) => `item ${value + 1} of the ${left} that are left`);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order.slice(0, size);
}
