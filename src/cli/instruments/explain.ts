import type { Command } from "commander";
import { MAX_INDEX } from "../../calls/index.js";
import { createMill, type Mill } from "../../index.js";
import {
  type Explained,
  type Explanation,
  type ExplanationDiff,
  explain,
  explainDiff,
  explainText,
  type Place,
  receipt,
} from "../../instruments/index.js";
import { MAX_STEPS, MAX_WALKERS } from "../../walks/types.js";
import { Walk } from "../../walks/walk.js";
import { World } from "../../worlds/world.js";
import { define, type Flags, option } from "../command.js";
import { documentText } from "../shared/documents.js";
import { readText, withStdin } from "../shared/files.js";
import { type Io, note, print, refuse, write } from "../shared/io.js";
import { countOf, FORK, forkOf, JSON_DOCUMENT, pairOf, SEED, seedOr } from "../shared/options.js";
import { FILE, openAny, SOURCE } from "./source.js";

const EXPLAINED = [FILE[0], `${FILE[1]}; a walk or a world in a .json file`] as const;
const EXPLAIN = [
  option("--at <index>", "index of the result (default: 0; of a finite pool, only 0)", countOf(0, MAX_INDEX - 1), 0),
  option("--walker <number>", "walks and worlds: explain a step of this walker", countOf(0, MAX_WALKERS - 1)).conflicts(
    "at",
  ),
  option("--step <number>", "--walker: which step; 0 explains the start cell (default: 0)", countOf(0, MAX_STEPS)),
  option("--layer <name>", "--walker: the layer (default: the only layer)"),
  option("--region <i,j>", "--walker: the region of the walker, if the layer is scattered", pairOf),
  option("--cell <row,col>", "worlds: explain this cell", pairOf).conflicts(["at", "walker"]),
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
      "explain {examples/walk.json} --layer rivers --walker 2 --step 40 --seed moria",
      "explain {examples/coast.json} --cell 12,-1 --seed moria",
      "explain gold=90,crown=10 --at 17 --seed moria --name loot --diff gold=80,crown=20",
    ],
    takes: [EXPLAINED],
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
  const { source, name, options: given } = await openAny(io, mill, file, flags);
  const { maxWork: _, ...options } = given;
  // `explain` refuses the nouns that it does not know
  const noun = forkOf(source as never, flags) as Explained;
  const asked = { at: placeOf(noun, flags), with: options };
  return { noun, name, asked, explanation: explain(noun, asked) };
}

function placeOf(noun: Explained, { at, cell, walker, step = 0, layer, region }: ExplainFlags): Place {
  const [isWalk, isWorld] = [noun instanceof Walk, noun instanceof World];
  if (walker !== undefined && (isWalk || isWorld)) return { layer, region, walker, step };
  if (cell !== undefined && isWorld) return { row: cell[0], col: cell[1] };
  if (isWorld) refuse("a world has no results with an index", { expected: "a cell or a walker", remedy: "Add --cell" });
  if (isWalk) refuse("a walk has no results with an index", { expected: "a walker", remedy: "Add --walker" });
  if (cell !== undefined) refuse("only worlds have cells", { remedy: "Use --at in place of --cell" });
  if (walker !== undefined) refuse("only walks and worlds have walkers", { remedy: "Use --at in place of --walker" });
  return at;
}

async function receiptOf(io: Io, mill: Mill, file: string, flags: ExplainFlags) {
  const spec = await readText(io, file);
  const { noun, asked } = await explained(file === "-" ? withStdin(io, spec) : io, mill, file, flags);
  return receipt(noun, { ...asked, seed: mill.seed, spec });
}

/** The text of an explanation with only one of its decisions and facts, or with none. */
function only(explanation: Explanation, entry: ExplanationDiff["a"]): string {
  if (entry === undefined) return explainText({ ...explanation, decisions: [], facts: [] });
  if ("word" in entry) return explainText({ ...explanation, decisions: [entry], facts: [] });
  return explainText({ ...explanation, decisions: [], facts: [{ ...entry, before: 0 }] });
}
