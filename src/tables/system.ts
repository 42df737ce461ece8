import type { System } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { Caller } from "./caller.js";
import { compileTable } from "./compile.js";
import type { TableSetup } from "./options.js";
import { parseTable } from "./parse.js";
import { Table } from "./table.js";
import type { TablePlan, TableSpec } from "./types.js";

/** Tables, as a mill opens them. */
export const tables: System<TableSetup, TableSpec, TablePlan, Table> = {
  noun: "table",
  options: ["file", "start", "script", "chosen", "context", "weights", "onDead", "mode", "maxHops"],
  parse: (input, { name, file }) => parseTable(input, { name, file }),
  compile: compileTable,
  open: ({ kernel, name, stream, plan }, { file: _, ...options }, scope) => {
    const spent = scope.shared("one-shots", (saved) => new OneShotsSpent(saved));
    const caller = new Caller(plan, options, { now: scope.now, sharedOneShots: spent.ids });
    for (const id of idsIn(scope.saved)) caller.oneShots.own.add(id);
    return new Table(kernel, plan, { name, purpose: stream, caller });
  },
};

/** One-shots spent by any table of a mill. */
class OneShotsSpent {
  readonly ids: Set<number>;

  constructor(saved: unknown) {
    this.ids = new Set(idsIn(saved));
  }

  state(): readonly number[] {
    return [...this.ids];
  }
}

function idsIn(saved: unknown): readonly number[] {
  if (saved === undefined) return [];
  if (Array.isArray(saved) && saved.every((id) => Number.isInteger(id) && id >= 0)) return saved;
  const problem = "the snapshot's one-shots are damaged";
  return fail(error("snapshot.invalid", { problem, got: saved, expected: "a list of script ids" }));
}
