import type { System } from "../../calls/index.js";
import { refuseAbsentScripts } from "../check.js";
import { EXACT_ODDS } from "../odds.js";
import { OneShotState } from "../oneShotState.js";
import { TABLE_OPTIONS, type TableState } from "../rolling.js";
import { Table } from "../table.js";
import { Drops } from "./drops.js";
import { compileDrops, type DropsPlan, parseDrops } from "./parse.js";
import type { DropsOptions, DropsSpec } from "./types.js";

/** Tells a mill how to parse, compile and open drops. */
export const drops: System<DropsOptions, DropsSpec, DropsPlan, Drops<string, unknown>, TableState> = {
  noun: "drops",
  options: ["file", "files", ...TABLE_OPTIONS.filter((option) => option !== "chosen" && option !== "mode")],
  parse: (input, { file, files }) => parseDrops(input, { file, files }),
  compile: (spec, options) => {
    const plan = compileDrops(spec, options);
    refuseAbsentScripts(plan.table, options);
    return plan;
  },
  state: () => (saved, scope) => new OneShotState(saved, scope),
  open: (setup, { file: _, files: __, ...defaults }, { now }) => {
    const table = new Table({ ...setup, plan: setup.plan.table }, { defaults, odds: EXACT_ODDS, now });
    return new Drops(setup, table);
  },
};
