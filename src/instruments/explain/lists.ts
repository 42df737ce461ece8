import { type Amount, stackOf } from "../../amounts/index.js";
import type { Dice } from "../../dice/dice.js";
import type { Sampler } from "../../samples/sampler.js";
import type { LabelledList } from "../../weighted/labelledList.js";
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
