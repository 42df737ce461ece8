import type { Command } from "commander";
import { error, fail, failOnErrors } from "../errors/index.js";
import { type CsvCell, type CsvEntries, numberOrText, readCsvEntries } from "../formats/read/csvEntries.js";
import { createMill, formatIssue, type Issue, parseLabels } from "../index.js";
import { specOf } from "../spec/index.js";
import type { LabelledList, Stack } from "../weighted/index.js";
import { define } from "./command.js";
import { jsonIn, readText, stemOf } from "./shared/files.js";
import { type Io, note, refuse } from "./shared/io.js";
import { forkOf, range, seedOr, source } from "./shared/options.js";
import { lineOf, oddsOption, output, printOdds, putResults, rowsBy } from "./shared/rows.js";

const PICKS_PER_WRITE = 2 ** 18;
const COLUMNS = ["result", "weight", "quantity"] as const;
const TABLE_COLUMNS = ["table", "jump"];
type Column = (typeof COLUMNS)[number];

type Printed = string | Stack | null;
type List = LabelledList<string | null, Printed>;

export function addPick(pick: Command, io: Io): void {
  define(pick, io, {
    examples: [
      "pick gold=70 gem=5 nothing=25 -n 10 --seed moria",
      "pick gold=70 gem=1/3 --odds",
      "pick crown=1 nothing=49 --odds -n 50",
      "pick gold=70 gem=5 -n 1000 -o picks.csv",
    ],
    takes: [
      ["<entries...>", 'weights by label, such as gold=70 gem=1/3; or one .csv, .tsv or .json file; "-" is stdin'],
    ],
    options: [
      ...range("pick"),
      oddsOption("print the exact odds instead, with -n of at least one in n picks; independent of the seed"),
      ...source("picks", "the file name without extension, or pick"),
      ...output("picks"),
    ],
    async run(flags, entries) {
      const given = await readInput(io, entries);
      const { input, file } = given;
      const { spec: parsed, issues } = parseLabels(input, { file });
      const spec = specOf({ spec: parsed, issues: placed(issues, given) });
      const { n, from, fork, json, name = file === undefined ? "pick" : stemOf(file, "pick") } = flags;
      const seed = flags.odds ? null : seedOr(io, flags.seed);
      using mill = createMill({ seed: seed ?? "" });
      const list: List = forkOf(mill.weighted(name, spec), flags);
      if (spec.weights.length === 1)
        note(io, 'the only entry always wins. For "once in 50", add an entry such as nothing=49');
      const head = { command: "pick", seed, name, fork };
      if (flags.odds) return printOdds(io, list.odds(), { head, json, n });
      await putResults(io, flags, {
        head: { ...head, from },
        unit: "picks",
        size: PICKS_PER_WRITE,
        make: (count, from) => list.pickMany(count, { from }),
        rowsOf: (picks) => rowsBy(picks, lineOf, () => picks.columns()),
      });
    },
  });
}

/** For a CSV file, also its cells, because messages show lines and columns. */
interface PickInput {
  readonly input: unknown;
  readonly file?: string;
  readonly csv?: CsvEntries<Column>;
}

async function readInput(io: Io, entries: readonly string[]): Promise<PickInput> {
  const [file] = entries;
  if (entries.length > 1 || file.includes("=")) return { input: entries.map(entryOf) };
  const text = await readText(io, file);
  const isCsv = /\.[ct]sv$/i.test(file) || !(/\.json$/i.test(file) || /^\ufeff?\s*[[{]/.test(text));
  if (!isCsv) return { input: jsonIn(text, file), file };
  const csv = readCsvEntries(text, { file, known: COLUMNS, required: ["result"], code: "weights.invalid" });
  refuseTable(file, { text, entries: csv.entries });
  failOnErrors(csv.issues);
  for (const issue of csv.issues) note(io, formatIssue(issue));
  return { input: csv.entries.map(({ cells }) => inputOf(cells, csv.columns)), file, csv };
}

function refuseTable(
  file: string,
  { text, entries }: Pick<CsvEntries<Column>, "entries"> & { readonly text: string },
): void {
  const jump = entries.find(({ cells }) => cells.get("result")?.text.startsWith("->"))?.cells.get("result");
  const [header] = text.split(/[\r\n]/, 1);
  const columns = header.split(/[,;\t]/).map((name) => name.replaceAll('"', "").trim().toLowerCase());
  if (jump === undefined && !TABLE_COLUMNS.some((name) => columns.includes(name))) return;
  const where = { file, line: jump?.line ?? 1, column: jump?.column };
  const [expected, remedy] = ["a list, in which no entry leads to a row", `Run "rollmill table roll ${file}"`];
  fail(error("weights.invalid", { problem: "the file is a table with rows, not a list", expected, remedy, where }));
}

function entryOf(text: string): object {
  const at = text.lastIndexOf("=");
  if (at > 0) return { result: text.slice(0, at), weight: numberOrText(text.slice(at + 1).trim()) };
  const [expected, remedy] = ["LABEL=WEIGHT, such as gold=70", "To pick from a file, pass the file alone"];
  return refuse("invalid entry", { got: text, expected, remedy });
}

/** An empty cell for the result means that the entry has no result. Without a column of weights, each weight is 1. */
function inputOf(cells: ReadonlyMap<Column, CsvCell>, columns: ReadonlySet<Column>): object {
  const weight = cells.get("weight")?.text ?? (columns.has("weight") ? undefined : "1");
  return {
    result: cells.get("result")?.text ?? null,
    weight: weight === undefined ? undefined : numberOrText(weight),
    quantity: cells.get("quantity")?.text,
  };
}

function placed(issues: readonly Issue[], { file, csv }: PickInput): readonly Issue[] {
  if (csv === undefined) return issues;
  return issues.map((issue) => {
    const [, index, key] = /^\[(\d+)\](?:\.(\w+))?/.exec(issue.where.path ?? "") ?? [];
    const entry = csv.entries[Number(index ?? 0)];
    const { line, column = 1 } = entry?.cells.get(key as Column) ?? { line: entry?.line };
    return { ...issue, where: { file, line, column } };
  });
}
