import { type Command, InvalidArgumentError } from "commander";
import { fraction } from "../../fractions.js";
import { NONE } from "../../instruments/conditionText.js";
import { balance, type Target } from "../../instruments/index.js";
import { define, option, required } from "../command.js";
import { readList } from "../draws.js";
import { withProbability } from "../shared/documents.js";
import { checkOutput, readText, withStdin, writeOutput } from "../shared/files.js";
import { type Io, note, refuse } from "../shared/io.js";
import { countOf } from "../shared/options.js";
import { type Place, withWeights } from "./editWeights.js";
import { fractionOf } from "./fraction.js";
import { exactText, printRows, SHOWN } from "./show.js";

const BALANCE = [
  required(
    "--set <result=odds>",
    'wanted odds of a result: crown=1/400, or "crown=95% in 100" for at least one in 100; repeatable',
    target,
  ),
  option("--total <weight>", "maximum total of the new weights (default: 1000000)", countOf(2, 0xffff_ffff)),
  option("-o, --output <file>", "write the file with the new weights; all other characters stay as they are"),
  ...SHOWN,
] as const;

export function addBalance(command: Command, io: Io): void {
  define(command, io, {
    examples: [
      "balance loot.csv --set crown=1/400",
      'balance loot.csv --set "crown=95% in 100" --set gem=1/20 --total 10000 -o new.csv',
    ],
    takes: [["<file>", 'a list in a .csv, .tsv or .json file, or weights such as gold=99,crown=1; "-" is stdin']],
    options: BALANCE,
    async run(flags, file) {
      const { set: targets, total, output } = flags;
      const isFile = file === "-" || !file.includes("=");
      if (!isFile && output !== undefined) {
        refuse("-o writes the edited file, but the weights come from the command line", { remedy: "Omit -o" });
      }
      await checkOutput(io, output);
      const text = isFile ? await readText(io, file) : "";
      const given = await readList(file === "-" ? withStdin(io, text) : io, isFile ? [file] : file.split(","));
      const { spec } = given;
      const balanced = balance(spec, targets, { total });
      if (output !== undefined) {
        const edits = balanced.weights.map((weight, i) => ({ place: placeOf(given, i), weight }));
        await writeOutput(io, output, withWeights(text, edits));
      }
      await printRows(io, flags, {
        head: { command: "balance", name: file },
        rows: balanced.weights.map((weight, i) => ({
          cells: { result: spec.labels[i] ?? NONE, before: spec.weights[i], weight },
          probability: fraction(BigInt(weight), BigInt(balanced.total)),
        })),
        data: () => ({
          ...balanced,
          reached: balanced.reached.map(({ wanted, probability, ...rest }) => {
            return { ...rest, wanted: withProbability(wanted), probability: withProbability(probability) };
          }),
        }),
      });
      for (const { result, wanted, probability } of balanced.reached) {
        if (!flags.json) note(io, `${result}: wanted ${exactText(wanted)}, reached ${exactText(probability)}`);
      }
    },
  });
}

type List = Awaited<ReturnType<typeof readList>>;

function placeOf({ csv, input, spec }: List, i: number): Place {
  if (csv === undefined) return { path: Array.isArray(input) ? [i, "weight"] : [spec.labels[i] ?? ""] };
  const { cells, line } = csv.entries[i];
  return cells.get("weight") ?? { line, column: Number.MAX_SAFE_INTEGER };
}

function target(text: string, before: Readonly<Record<string, Target>> = {}): Record<string, Target> {
  const [, result, odds, within] = /^(.+)=([^=]+?)(?: in (\d+))?$/.exec(text) ?? [];
  if (result === undefined)
    throw new InvalidArgumentError('Expected RESULT=ODDS, such as crown=1/400 or "crown=95% in 100".');
  const chance = fractionOf(odds);
  return { ...before, [result]: within === undefined ? chance : { within: Number(within), chance } };
}
