import type { Command } from "commander";
import { MAX_INDEX } from "../../calls/index.js";
import { createMill, type Mill } from "../../index.js";
import {
  type Explained,
  type Explanation,
  explain,
  explainDiff,
  explainText,
  receipt,
} from "../../instruments/index.js";
import { define, type Flags, option } from "../command.js";
import { documentText } from "../shared/documents.js";
import { readText, withStdin } from "../shared/files.js";
import { type Io, note, print, write } from "../shared/io.js";
import { countOf, FORK, forkOf, JSON_DOCUMENT, SEED, seedOr } from "../shared/options.js";
import { FILE, openSource, SOURCE } from "./source.js";

const EXPLAIN = [
  option("--at <index>", "index of the result (default: 0; of a finite pool, only 0)", countOf(0, MAX_INDEX - 1), 0),
  option("--diff <file>", "print only the first decision in which the same result of this file parts from it"),
  option("--receipt", "print a receipt: a JSON document that examples/check-receipt.mjs checks").conflicts("diff"),
  SEED,
  option("--name <name>", "results depend on the seed and this name (default: the file name without extension)"),
  FORK,
  ...SOURCE,
  JSON_DOCUMENT,
] as const;
type ExplainFlags = Flags<typeof EXPLAIN>;

export function addExplain(command: Command, io: Io): void {
  define(command, io, {
    examples: [
      "explain {examples/loot.csv} --at 17 --seed moria",
      "explain gold=90,crown=10 --at 17 --seed moria --name loot --diff gold=80,crown=20",
    ],
    takes: [FILE],
    options: EXPLAIN,
    async run(flags, file) {
      const { fork, json, diff } = flags;
      using mill = createMill({ seed: seedOr(io, flags.seed) });
      if (flags.receipt) return write(io, `${JSON.stringify(await receiptOf(io, mill, file, flags))}\n`);
      const { name, explanation } = await explained(io, mill, file, flags);
      const head = { command: "explain", seed: mill.seed, name, fork };
      if (diff === undefined) {
        return json ? write(io, documentText(head, explanation)) : print(io, explainText(explanation));
      }
      // another mill, because a mill opens a name once
      using again = createMill({ seed: mill.seed });
      const other = await explained(io, again, diff, { ...flags, name });
      const found = explainDiff(explanation, other.explanation);
      if (json) return write(io, documentText(head, found ?? null));
      if (found === undefined) return note(io, "all decisions led to the same");
      await print(io, only(explanation, found.a) + only(other.explanation, found.b));
    },
  });
}

async function explained(io: Io, mill: Mill, file: string, flags: ExplainFlags) {
  const { source, name, options: given } = await openSource(io, mill, file, flags);
  const { maxWork: _, ...options } = given;
  // `explain` refuses the nouns that it does not know
  const noun = forkOf(source as never, flags) as Explained;
  return { noun, name, options, explanation: explain(noun, { at: flags.at, with: options }) };
}

async function receiptOf(io: Io, mill: Mill, file: string, flags: ExplainFlags) {
  const spec = await readText(io, file);
  const { noun, options } = await explained(file === "-" ? withStdin(io, spec) : io, mill, file, flags);
  return receipt(noun, { at: flags.at, with: options, seed: mill.seed, spec });
}

/** The text of an explanation with only one of its decisions, or with none. */
function only(explanation: Explanation, decision: Explanation["decisions"][number] | undefined): string {
  return explainText({ ...explanation, decisions: decision === undefined ? [] : [decision] });
}
