import { type Command, InvalidArgumentError } from "commander";
import { createMill } from "../../index.js";
import { type Balanced, balance, type Target } from "../../instruments/index.js";
import type { TableSpec } from "../../tables/index.js";
import { Table } from "../../tables/table.js";
import { define, option, required } from "../command.js";
import { readList } from "../draws.js";
import { withProbability } from "../shared/documents.js";
import { checkOutput, readText, withStdin, writeOutput } from "../shared/files.js";
import { type Io, note, refuse } from "../shared/io.js";
import { countOf } from "../shared/options.js";
import { listWith, tableWith } from "./editWeights.js";
import { fractionOf } from "./fraction.js";
import { exactText, printRows, SHOWN } from "./show.js";
import { openSource, SOURCE } from "./source.js";

const BALANCE = [
  required(
    "--set <result=odds>",
    'wanted odds of a result: crown=1/400, or "crown=95% in 100" for at least one in 100; repeatable',
    target,
  ),
  option("--total <weight>", "maximum total of the new weights (default: 1000000)", countOf(2, 0xffff_ffff)),
  option("-o, --output <file>", "write the file with the new weights; all other characters stay as they are"),
  ...SOURCE,
  ...SHOWN,
] as const;

export function addBalance(command: Command, io: Io): void {
  define(command, io, {
    examples: [
      "balance gold=70,arrow=20,crown=10 --set crown=1/400",
      'balance {examples/loot.csv} --set "crown=50% in 100" -o new.csv',
    ],
    takes: [
      [
        "<file>",
        'a list or a table in a .csv, .tsv, .json or .2da file, or weights such as gold=99,crown=1; "-" is stdin',
      ],
    ],
    options: BALANCE,
    async run(flags, file) {
      const { set: targets, total, output } = flags;
      const isFile = file === "-" || !file.includes("=");
      if (!isFile && output !== undefined) {
        refuse("-o writes the edited file, but the weights come from the command line", { remedy: "Omit -o" });
      }
      await checkOutput(io, output);
      const text = isFile ? await readText(io, file) : "";
      const again = () => (file === "-" ? withStdin(io, text) : io);
      using mill = createMill({ seed: "" });
      const { source, options } = await openSource(again(), mill, file, flags);
      if (source instanceof Table) {
        const { spec } = source.plan;
        const balanced = balance(source, targets, { total, with: options });
        await print(io, flags, file, { ...balanced, nameOf: (row, column) => columnCells(spec, row ?? 0, column) });
        if (output !== undefined) await writeOutput(io, output, tableWith(balanced, spec, { text, file }));
        return;
      }
      const list = await readList(again(), isFile ? [file] : file.split(","));
      const balanced = balance(list.spec, targets, { total });
      await print(io, flags, file, { ...balanced, nameOf: (_, entry) => ({ result: list.spec.labels[entry] ?? "" }) });
      if (output === undefined) return;
      await writeOutput(io, output, listWith(balanced, list, text));
    },
  });
}

type Cells = Readonly<Record<string, string | number>>;

async function print(
  io: Io,
  flags: Parameters<typeof printRows>[1],
  name: string,
  { changed, reached, bound, nameOf }: Balanced & { nameOf(row: number | undefined, column: number): Cells },
): Promise<void> {
  await printRows(io, flags, {
    head: { command: "balance", name },
    rows: changed.map(({ row, column, before, after }) => ({ cells: { ...nameOf(row, column), before, after } })),
    data: () => ({
      changed,
      reached: reached.map(({ wanted, probability, ...rest }) => {
        return { ...rest, wanted: withProbability(wanted), probability: withProbability(probability) };
      }),
      bound,
    }),
  });
  if (flags.json) return;
  for (const { result, wanted, probability } of reached) {
    note(io, `${result}: wanted ${exactText(wanted)}, reached ${exactText(probability)}`);
  }
}

function columnCells({ rows }: TableSpec, row: number, column: number): Cells {
  const { label, columns } = rows[row];
  const target = columns[column];
  return { row: label ?? row, column, result: "result" in target ? (target.result ?? "") : "" };
}

function target(text: string, before: Readonly<Record<string, Target>> = {}): Record<string, Target> {
  const [, result, odds, within] = /^(.+)=([^=]+?)(?: in (\d+))?$/.exec(text) ?? [];
  if (result === undefined)
    throw new InvalidArgumentError('Expected RESULT=ODDS, such as crown=1/400 or "crown=95% in 100".');
  const chance = fractionOf(odds);
  return { ...before, [result]: within === undefined ? chance : { within: Number(within), chance } };
}
