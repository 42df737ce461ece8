import type { System } from "../calls/index.js";
import { refuseAbsentScripts } from "./check.js";
import { compileTable } from "./compile.js";
import { EXACT_ODDS, type ExactOdds } from "./odds.js";
import { OneShotState } from "./oneShotState.js";
import { parseTable } from "./parse.js";
import { parsePayload } from "./payload.js";
import { TABLE_OPTIONS, type TableState } from "./rolling.js";
import { Table } from "./table.js";
import type { TablePlan, TableSetup, TableSpec } from "./types.js";

function tablesWith(odds?: ExactOdds): System<TableSetup, TableSpec, TablePlan, Table, TableState> {
  return {
    noun: "table",
    options: ["file", "files", "payload", ...TABLE_OPTIONS],
    parse: (input, { file, files }) => parseTable(input, { file, files }),
    compile: (spec, options) => {
      const plan = compileTable(spec, options);
      refuseAbsentScripts(plan, options);
      return plan;
    },
    state: () => (saved, scope) => new OneShotState(saved, scope),
    open: (setup, { file: _, files: __, payload, ...defaults }, { now }) =>
      new Table(setup, { defaults, payload: payload === undefined ? undefined : parsePayload(payload), odds, now }),
  };
}

/** Tells a mill how to parse, compile and open a table. */
export const tables: System<TableSetup, TableSpec, TablePlan, Table, TableState> = tablesWith(EXACT_ODDS);

/**
 * As {@link tables}, but `odds` and `quantityOdds` throw `argument.option`. A bundle with this system is 6 KB smaller.
 */
export const tablesWithoutOdds: System<TableSetup, TableSpec, TablePlan, Table, TableState> = tablesWith();
