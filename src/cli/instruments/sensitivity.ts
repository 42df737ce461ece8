import type { Command } from "commander";
import { createMill, toNumber } from "../../index.js";
import type { ValueCondition } from "../../instruments/condition.js";
import { parseCondition } from "../../instruments/conditionText.js";
import { type Influence, type SensitivitySource, sensitivity } from "../../instruments/index.js";
import { Pool } from "../../pools/pool.js";
import { Drops } from "../../tables/drops/drops.js";
import { Table } from "../../tables/table.js";
import { LabelledList } from "../../weighted/labelledList.js";
import { define, option } from "../command.js";
import { valued, withProbability } from "../shared/documents.js";
import { type Io, note, refuse } from "../shared/io.js";
import { countOf } from "../shared/options.js";
import { exactText, printRows, rounded, SHOWN } from "./show.js";
import { FILE, openSource, SOURCE } from "./source.js";

const SENSITIVITY = [
  option("--top <weights>", "print so many weights, those that matter most first", countOf(1, 1_000_000), 20),
  ...SOURCE,
  ...SHOWN,
] as const;

export function addSensitivity(command: Command, io: Io): void {
  define(command, io, {
    examples: ["sensitivity {examples/loot.csv} crown"],
    takes: [FILE, ["<results...>", "results, of which one is enough"]],
    options: SENSITIVITY,
    async run(flags, file, texts) {
      using mill = createMill({ seed: "" });
      const { source, name, options } = await openSource(io, mill, file, flags);
      if (!NOUNS.some((noun) => source instanceof noun)) {
        return refuse("sensitivity needs weights", { got: file, expected: "a list, a table, drops or pools" });
      }
      // the casts are safe: for these nouns, a condition is one or several results
      const condition = parseCondition(source, texts) as ValueCondition;
      const { probability, weights } = sensitivity(source as SensitivitySource, condition, { with: options });
      const shown = weights.slice(0, flags.top);
      const table = source instanceof Drops ? source.tableOf(0) : source;
      const labelOf = table instanceof Table ? rowLabels(table) : () => undefined;
      await printRows(io, flags, {
        head: { command: "sensitivity", name },
        rows: shown.map(({ row, column, weight, script, derivative, withOneMore }) => ({
          cells: {
            ...(row === undefined ? {} : { row: labelOf(row) ?? row }),
            column,
            weight: script === undefined ? weight : `${weight} (script ${script})`,
            derivative: derivative === null ? "jumps" : rounded(toNumber(derivative)),
          },
          probability: withOneMore,
        })),
        data: () => ({ probability: withProbability(probability), weights: shown.map(dataOf) }),
      });
      if (flags.json || flags.csv) return;
      const row = table instanceof Table ? "row, " : "";
      note(io, `probability: ${exactText(probability)}`);
      note(io, `columns: ${row}column, weight, change with each unit of weight, probability with one unit more`);
    },
  });
}

const NOUNS = [LabelledList, Table, Drops, Pool] as const;

function rowLabels(table: Table<string, unknown>): (row: number) => string | undefined {
  return (row) => table.plan.spec.rows[row].label;
}

function dataOf({ derivative, withOneMore, ...rest }: Influence) {
  return { ...rest, derivative: derivative && valued(derivative), withOneMore: withProbability(withOneMore) };
}
