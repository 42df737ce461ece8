import type { System } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { compileTable } from "./compile.js";
import { parseTable } from "./parse.js";
import { TABLE_OPTIONS, type TableState } from "./rolling.js";
import { Table } from "./table.js";
import type { TablePlan, TableSetup, TableSpec } from "./types.js";

/** How a mill parses, compiles and opens a table. */
export const tables: System<TableSetup, TableSpec, TablePlan, Table, TableState> = {
  noun: "table",
  options: ["file", ...TABLE_OPTIONS],
  parse: parseTable,
  compile: compileTable,
  state: () => (saved, branch) => {
    const own = new Set(idsIn(saved));
    const shared = () => branch.shared("one-shots", (ids) => new SharedOneShots(ids)).ids;
    return {
      next: 0,
      oneShots: () => ({ own, shared: shared() }),
      save: () => (own.size === 0 ? undefined : [...own]),
    };
  },
  open: (setup, { file: _, ...defaults }, { now }) => new Table(setup, { defaults, now }),
};

/** The ids of the shared one-shot scripts that were used. All tables of a mill share this set. */
class SharedOneShots {
  readonly ids: Set<number>;

  constructor(saved: unknown) {
    this.ids = new Set(idsIn(saved));
  }

  save(): readonly number[] {
    return [...this.ids];
  }
}

function idsIn(saved: unknown): readonly number[] {
  if (saved === undefined) return [];
  if (Array.isArray(saved) && saved.every((id) => Number.isInteger(id) && id >= 0)) return saved;
  const problem = "the list of used one-shot scripts in the snapshot is damaged";
  return fail(error("snapshot.invalid", { problem, got: saved, expected: "a list of script ids" }));
}
