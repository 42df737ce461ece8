// A function that is compiled for one recipe. Its literals have the names of the fields in the source, so V8 creates a
// whole row at once. An item takes less than half the time that it takes with a line for each field (fields.ts).

import type { NameSegment } from "./names.js";
import type { RequestReport } from "./types.js";

/** Makes the row of item k from the columns of the plan and of its stats, in their order. */
type MakeRow = (
  items: { readonly requests: RequestReport; readonly from: number; readonly seed: string },
  columns: readonly Uint16Array[],
  stats: readonly (Int16Array | Int32Array)[],
  k: number,
) => object;

/** The parts of a recipe's plan that its rows depend on. */
interface RowPlan {
  readonly columns: ReadonlyMap<string, number>;
  readonly names: readonly NameSegment[];
  readonly stats: readonly { readonly name: string; readonly decimals: number }[];
  readonly words: Readonly<Record<string, readonly unknown[]>>;
  readonly ids: Readonly<Record<string, readonly unknown[]>>;
  readonly outcomes: Readonly<Record<string, readonly unknown[]>>;
}

/** Compiles the function that makes the rows. Returns undefined where no text may become code. */
export function compileRow(plan: RowPlan): MakeRow | undefined {
  // a page that forbids this reports each attempt, so no page tries
  if (globalThis.process?.getBuiltinModule === undefined) return undefined;
  try {
    return new Function("plan", codeOf(plan))(plan) as MakeRow;
  } catch {
    return undefined;
  }
}

/** Of the recipe's texts, only the names of fields enter the code, and only as {@link field} quotes them. */
function codeOf({ columns, names, stats, words, outcomes }: RowPlan): string {
  const slots = Object.keys(words);
  const steps = Object.keys(outcomes);
  const value = (column: string) => `value${columns.get(column)}`;
  const isTrimmed = names.every(({ texts }) => texts.every((text) => text === text.trimStart()));
  return `"use strict";
    const [${list(names, (_, i) => `texts${i}`)}] = plan.names.map(({ texts }) => texts);
    const [${list(names, (_, i) => `ends${i}`)}] = plan.names.map(({ ends }) => ends);
    const [${list(slots, (_, i) => `word${i}`)}] = Object.values(plan.words);
    const [${list(slots, (_, i) => `id${i}`)}] = Object.values(plan.ids);
    const [${list(steps, (_, i) => `outcome${i}`)}] = Object.values(plan.outcomes);
    return (items, columns, stats, k) => {
      ${[...columns.values()].map((i) => `const value${i} = columns[${i}][k];`).join("\n")}
      let name = "";
      let text;
      ${names
        .map(({ column }, i) => prepend(i, value(column)))
        .reverse()
        .join("\n")}
      return {
        name${isTrimmed ? "" : ": name.trimStart()"},
        ${list(stats, ({ name, decimals }, i) => `${field(name)}: stats[${i}][k] / ${10 ** decimals}`)},
        requests: items.requests,
        words: { ${list(slots, (slot, i) => `${field(slot)}: word${i}[${value(slot)}]`)} },
        ids: { ${list(slots, (slot, i) => `${field(slot)}: id${i}[${value(slot)}]`)} },
        outcomes: { ${list(steps, (step, i) => `${field(step)}: outcome${i}[${value(step)}]`)} },
        index: items.from + k,
        seed: items.seed,
      };
    };`;
}

/** Puts part i in front of the name, as `nameOf` does. */
function prepend(i: number, value: string): string {
  return `text = (name === "" ? ends${i} : texts${i})[${value}]; if (text !== "") name = text + name;`;
}

/** In a literal, "__proto__" is a field only if it is computed. */
function field(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : JSON.stringify(name);
}

function list<T>(entries: readonly T[], code: (entry: T, i: number) => string): string {
  return entries.map(code).join(",\n");
}
