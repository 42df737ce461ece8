import type { Command } from "commander";
import { error, fail, failOnErrors } from "../errors/index.js";
import { isCsvHeader, readCsvEntries } from "../formats/read/csvEntries.js";
import { createMill, formatIssue } from "../index.js";
import { MAX_ITEMS, parseItems } from "../samples/index.js";
import { specOf } from "../spec/index.js";
import { define, type Flags, required } from "./command.js";
import { endingOf, readJson, readText, stemOf } from "./shared/files.js";
import { type Io, note } from "./shared/io.js";
import { countOf, forkOf, range, seedOr, source } from "./shared/options.js";
import { output, putResults, rowsBy } from "./shared/rows.js";

const ITEMS_PER_WRITE = 2 ** 18;

const SIZE = required("--size <items>", "how many items a sample has", countOf(1, MAX_ITEMS));
const TAKES = [
  "<items...>",
  'the items; or one file: a .json list, a .csv with the column item, or a text with an item on each line; "-" is stdin',
] as const;

type Noun = "shuffle" | "sample";

function optionsOf(noun: Noun) {
  return [...range(noun), ...source("results"), ...output(`${noun}s`)] as const;
}

export function addShuffle(shuffle: Command, io: Io): void {
  define(shuffle, io, {
    examples: ["shuffle ann bob cid --seed moria"],
    takes: [TAKES],
    options: optionsOf("shuffle"),
    run: (flags, items) => run(io, { noun: "shuffle", ...flags }, items),
  });
}

export function addSample(sample: Command, io: Io): void {
  define(sample, io, {
    examples: ["sample --size 2 ann bob cid dee --seed moria"],
    takes: [TAKES],
    options: [SIZE, ...optionsOf("sample")],
    run: (flags, items) => run(io, { noun: "sample", ...flags }, items),
  });
}

type SampleFlags = Flags<ReturnType<typeof optionsOf>> & { readonly noun: Noun; readonly size?: number };

async function run(io: Io, flags: SampleFlags, items: readonly string[]): Promise<void> {
  const [file] = items.length === 1 ? items : [];
  const spec = specOf(parseItems(file === undefined ? items : await readItems(io, file), { file }));
  const { noun, size, from, fork, name = file === undefined ? noun : stemOf(file, noun) } = flags;
  const seed = seedOr(io, flags.seed);
  using mill = createMill({ seed });
  const sampler = forkOf(size === undefined ? mill.shuffle(name, spec) : mill.sample(name, spec, { size }), flags);
  await putResults(io, flags, {
    head: { command: noun, seed, name, fork, from },
    unit: `${noun}s`,
    size: Math.max(1, Math.floor(ITEMS_PER_WRITE / sampler.size)),
    make: (count, from) => sampler.drawMany(count, { from }),
    rowsOf: (samples) => rowsBy(samples, lineOf, () => samples.columns()),
  });
}

/** An item that is not a text, such as a number from a JSON list, is written as JSON. */
function lineOf(sample: readonly unknown[]): string {
  return sample.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join("\t");
}

async function readItems(io: Io, file: string): Promise<readonly unknown[]> {
  // the cast is safe: the parser of items checks that it is a list
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
