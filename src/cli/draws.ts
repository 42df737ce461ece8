import type { Command } from "commander";
import { checkRange } from "../calls/index.js";
import { createMillAsync } from "../core/index.js";
import { dice } from "../dice/index.js";
import { error, fail, failOnErrors, formatIssue } from "../errors/index.js";
import { isCsvHeader, numberOrText, readCsvEntries } from "../formats/read/csvEntries.js";
import { MAX_ITEMS, parseItems, samples } from "../samples/index.js";
import { specOf } from "../spec/index.js";
import { type LabelledList, labelled, parseLabels, type Stack } from "../weighted/index.js";
import { define, type Flags, option, required } from "./command.js";
import { lineOf, oddsOption, output, printCounts, printOdds, putResults, rowsBy } from "./shared/documents.js";
import { endingOf, readJson, readText, stemOf } from "./shared/files.js";
import { type Io, note, refuse } from "./shared/io.js";
import { parseListText } from "./shared/listText.js";
import {
  countOf,
  forkOf,
  longCalls,
  openMill,
  range,
  refuseThreads,
  seedOr,
  source,
  THREADS,
} from "./shared/options.js";

const ROLLS_PER_WRITE = 2 ** 18;

export function addDice(command: Command, io: Io): void {
  define(command, io, {
    examples: ["dice 2d6+1 -n 10 --seed moria", "dice 1-100 --odds"],
    takes: [["<dice>", "dice such as 2d6+1 or d20, or a range such as 1-100"]],
    options: [
      ...range("roll"),
      option("--count", "count the values instead of listing the rolls").conflicts("output"),
      THREADS,
      oddsOption("print exact odds; with -n, the odds of at least one in n rolls; independent of the seed", "count"),
      ...source("rolls", "dice"),
      ...output("rolls"),
    ],
    async run(flags, input) {
      const { name = "dice", n, from, fork, json } = flags;
      refuseThreads(flags);
      const seed = flags.odds ? null : seedOr(io, flags.seed);
      using mill = await openMill(createMillAsync, seed ?? "", flags);
      const rolled = forkOf(mill.open(dice, name, input), flags);
      const head = { command: "dice", seed, name, fork };
      if (flags.odds) return printOdds(io, rolled.odds(), { head, json, n });
      checkRange(from, n);
      rolled.next = from;
      if (flags.count) return await printCounts(io, longCalls(mill, rolled), { head: { ...head, from }, json, n });
      await putResults(io, flags, {
        head: { ...head, from },
        unit: "rolls",
        size: ROLLS_PER_WRITE,
        make: (count, from) => rolled.rollMany(count, { from }),
        rowsOf: (values) => rowsBy(values, String, () => [{ kind: "integer", name: "value", values }]),
      });
    },
  });
}

const PICKS_PER_WRITE = 2 ** 18;
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
      oddsOption("print exact odds; with -n, the odds of at least one in n picks; independent of the seed"),
      ...source("picks", "the file name without extension, or pick"),
      ...output("picks"),
    ],
    async run(flags, entries) {
      const { spec, file } = await readList(io, entries);
      const { n, from, fork, json, name = file === undefined ? "pick" : stemOf(file, "pick") } = flags;
      const seed = flags.odds ? null : seedOr(io, flags.seed);
      using mill = await createMillAsync({ seed: seed ?? "" });
      // the labels are texts, so a pick is a label, or a label with a quantity
      const list = forkOf(mill.open(labelled, name, spec), flags) as LabelledList<string | null, string | Stack | null>;
      if (spec.weights.length === 1)
        note(io, 'the only entry always wins. For "once in 50", add an entry such as nothing=49');
      const head = { command: "pick", seed, name, fork };
      if (flags.odds) return printOdds(io, list.odds(), { head, json, n });
      await putResults(io, flags, {
        head: { ...head, from },
        unit: "picks",
        size: PICKS_PER_WRITE,
        make: (count, from) => list.pickMany(count, { from }),
        rowsOf: (picks) => rowsBy(picks, lineOf),
      });
    },
  });
}

/** Reads the entries of a list from arguments such as gold=70, or from one file. */
export async function readList(io: Io, entries: readonly string[]) {
  const [file] = entries;
  if (entries.length > 1 || file.includes("=")) {
    const input: unknown = entries.map(entryOf);
    return { input, file: undefined, csv: undefined, spec: specOf(parseLabels(input)) };
  }
  const { notes, issues, spec, ...given } = parseListText(await readText(io, file), file);
  for (const issue of notes) note(io, formatIssue(issue));
  return { ...given, file, spec: specOf({ spec, issues }) };
}

function entryOf(text: string): object {
  const at = text.lastIndexOf("=");
  if (at > 0) return { result: text.slice(0, at), weight: numberOrText(text.slice(at + 1).trim()) };
  const [expected, remedy] = ["LABEL=WEIGHT, such as gold=70", "To pick from a file, pass the file alone"];
  return refuse("invalid entry", { got: text, expected, remedy });
}

const ITEMS_PER_WRITE = 2 ** 18;

const SIZE = required("--size <items>", "how many items a sample has", countOf(1, MAX_ITEMS));
const TAKES = [
  "<items...>",
  'the items; or one file: a .json list, a .csv with the column item, or a text with an item on each line; "-" is stdin',
] as const;

function optionsOf(unit: "shuffle" | "sample") {
  return [...range(unit), ...source("results"), ...output(`${unit}s`)] as const;
}

export function addShuffle(shuffle: Command, io: Io): void {
  define(shuffle, io, {
    examples: ["shuffle ann bob cid --seed moria"],
    takes: [TAKES],
    options: optionsOf("shuffle"),
    run: (flags, items) => draw(io, "shuffle", flags, items),
  });
}

export function addSample(sample: Command, io: Io): void {
  define(sample, io, {
    examples: ["sample --size 2 ann bob cid dee --seed moria"],
    takes: [TAKES],
    options: [SIZE, ...optionsOf("sample")],
    run: (flags, items) => draw(io, "sample", flags, items),
  });
}

type SampleFlags = Flags<ReturnType<typeof optionsOf>> & { readonly size?: number };

async function draw(io: Io, command: string, flags: SampleFlags, items: readonly string[]): Promise<void> {
  const [file] = items.length === 1 ? items : [];
  const spec = specOf(parseItems(file === undefined ? items : await readItems(io, file), { file }));
  const { size, from, fork, name = file === undefined ? command : stemOf(file, command) } = flags;
  using mill = await createMillAsync({ seed: seedOr(io, flags.seed) });
  const sampler = forkOf(mill.open(samples, name, spec, { size }), flags);
  // an item that is not a text, such as a number from a JSON list, is written as JSON
  const textOf = (item: unknown) => (typeof item === "string" ? item : JSON.stringify(item));
  await putResults(io, flags, {
    head: { command, seed: mill.seed, name, fork, from },
    unit: `${command}s`,
    size: Math.max(1, Math.floor(ITEMS_PER_WRITE / sampler.size)),
    make: (count, from) => sampler.drawMany(count, { from }),
    rowsOf: (samples) => rowsBy(samples, (sample) => sample.map(textOf).join("\t")),
  });
}

async function readItems(io: Io, file: string): Promise<readonly unknown[]> {
  // the cast is safe: the parser of items checks that the value is a list
  if (endingOf(file) === "json") return (await readJson(io, file)) as readonly unknown[];
  const text = (await readText(io, file)).replace(/^\ufeff/, "");
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line !== "");
  return /\.[ct]sv$/i.test(file) && isCsvHeader(lines[0] ?? "") ? csvItems(io, file, text) : lines;
}

/** Returns each item as often as its quantity says. */
function csvItems(io: Io, file: string, text: string): readonly string[] {
  const known = ["result", "quantity"] as const;
  const { entries, issues } = readCsvEntries(text, { file, known, required: ["result"], code: "argument.type" });
  failOnErrors(issues);
  for (const issue of issues) note(io, formatIssue(issue));
  const items: string[] = [];
  for (const { cells, line } of entries) {
    const [item, quantity] = known.map((name) => cells.get(name));
    const copies = Number(quantity?.text ?? 1);
    if (item === undefined || !Number.isInteger(copies) || copies < 0 || items.length + copies > MAX_ITEMS) {
      const expected = `an item and a whole quantity, and at most ${MAX_ITEMS} items in all`;
      const where = { file, line, column: quantity?.column };
      fail(error("argument.type", { problem: "invalid line of items", got: quantity?.text, expected, where }));
    } else for (let i = 0; i < copies; i++) items.push(item.text);
  }
  return items;
}
