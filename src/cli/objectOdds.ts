import { type Command, Option } from "commander";
import { error, fail } from "../errors/index.js";
import { MAX_DEPTH, type ObjectFiles } from "../objects/index.js";
import { objectOdds } from "../objects/odds.js";
import { affixNamed, kindNamed } from "../objects/parse/lookup.js";
import { plainName } from "../objects/parse/nouns.js";
import { chanceText, withProbability } from "./chances.js";
import { type Head, printDocument } from "./envelope.js";
import { withExamples } from "./examples.js";
import { type Io, print } from "./io.js";
import { DIR_CONTENTS, readObjectDir } from "./objectDir.js";
import { nameOfDir } from "./objectMake.js";
import { oddsLines, oddsOfLevels, statesOption, wholeData } from "./objectWhole.js";
import { integer, jsonOption, repeated } from "./options.js";

interface OddsFlags {
  readonly kind: string;
  readonly level: number;
  readonly good?: boolean;
  readonly great?: boolean;
  readonly has?: readonly string[];
  readonly json?: boolean;
}

interface GivenFlags extends Omit<OddsFlags, "kind"> {
  readonly kind?: string;
  readonly whole?: boolean;
  readonly tval?: string;
  readonly affixLevel?: string;
  /** False with `--no-artifacts`. */
  readonly artifacts: boolean;
  readonly states?: number;
}

export function addObjectOdds(object: Command, io: Io): void {
  const lamp = 'object odds {data/dungeon} --kind "storm lamp" --level 8';
  withExamples(object.command("odds"), io, lamp, `${lamp} --has Keen-Eyed --has Steady`, `${lamp} --whole`)
    .argument("<dir>", DIR_CONTENTS)
    .description(
      "exact chance of each affix in a slot; with --has, of each theme; with --whole, of a whole object. " +
        "A slot is a place for one affix; an object has a random number of slots. The affix level, such as good or " +
        "great, says how good the affixes of an object can be. For the chance that an object has an affix, use --whole",
    )
    .option("--kind <name>", "name or number of the kind; with --whole, the default is any kind")
    .requiredOption("--level <depth>", "depth of the object", integer(0, MAX_DEPTH))
    .addOption(new Option("--good", "a good object").conflicts("great"))
    .addOption(new Option("--great", "a great object"))
    .addOption(
      new Option("--has <affix>", "an affix of the object, by name or number; repeatable; prints the odds of themes")
        .argParser(repeated)
        .conflicts(["good", "great", "whole"]),
    )
    .option("--whole", "print the odds of a whole object: its kind, affixes, theme, artifact and number of affixes")
    .option("--tval <type>", "with --whole: only kinds of this type, such as sword")
    .option("--affix-level <name>", "with --whole: use this affix level instead of rolling one")
    .option("--no-artifacts", "with --whole: an object that is not an artifact")
    .addOption(statesOption())
    .addOption(jsonOption())
    .action((folder: string, flags: GivenFlags) => odds(io, folder, flags));
}

async function odds(io: Io, folder: string, flags: GivenFlags): Promise<void> {
  const files = await readObjectDir(io, folder);
  const head = { command: "object odds", seed: null, name: nameOfDir(io, folder) };
  const { has, kind } = flags;
  if (flags.whole) return printWhole(io, files, { ...flags, head });
  for (const [flag, value] of Object.entries({
    tval: flags.tval,
    "affix-level": flags.affixLevel,
    states: flags.states,
  })) {
    if (value !== undefined) fail(error("cli.usage", { problem: `--${flag} needs --whole`, remedy: "Add --whole" }));
  }
  if (!flags.artifacts) fail(error("cli.usage", { problem: "--no-artifacts needs --whole", remedy: "Add --whole" }));
  if (kind === undefined) {
    const remedy = "Name a kind, or add --whole for any kind";
    return fail(error("cli.usage", { problem: "required option '--kind <name>' not specified", remedy }));
  }
  await (has === undefined
    ? printAffixes(io, files, { ...flags, kind, head })
    : printThemes(io, files, { ...flags, kind, head, has }));
}

/** Prints the odds of whole objects, not of one part such as the kind. */
async function printWhole(
  io: Io,
  files: ObjectFiles,
  {
    head,
    json: asJson,
    level,
    kind,
    tval,
    good,
    great,
    affixLevel,
    artifacts,
    states,
  }: GivenFlags & { readonly head: Head },
): Promise<void> {
  const query = { kind, tval, good, great, affixLevel, artifacts, states };
  const [found] = oddsOfLevels(io, files, { ...query, levels: [level] });
  await (asJson ? printDocument(io, head, wholeData(found.odds)) : print(io, oddsLines(found)));
}

async function printAffixes(
  io: Io,
  files: ObjectFiles,
  { head, kind: name, level, good, great, json: asJson }: OddsFlags & { readonly head: Head },
): Promise<void> {
  const kind = kindNamed(files, name);
  const { number } = kind;
  const levels = objectOdds(files, { of: "affixLevel", level, good, great }).odds.map(({ result, probability }) => {
    const slot = objectOdds(files, { of: "affix", kind: number, level, affixLevel: result });
    return { word: result, chance: probability, ...slot };
  });
  if (asJson) {
    const affixLevels = levels.map(({ word, chance, odds, none }) => ({
      affixLevel: word,
      chance: withProbability(chance),
      affixes: odds.map(({ result, probability }) => ({ affix: result.name, ...withProbability(probability) })),
      none: withProbability(none),
    }));
    const quality = great ? "great" : good ? "good" : "normal";
    return printDocument(io, head, { kind: shown(kind), level, quality, affixLevels });
  }
  const lines = levels.flatMap(({ word, chance, odds, none }) => [
    `${word}\t(level)\t${chanceText(chance)}\n`,
    ...odds.map(({ result, probability }) => `${word}\t${result.name}\t${chanceText(probability)}\n`),
    `${word}\t(none)\t${chanceText(none)}\n`,
  ]);
  await print(io, lines.join(""));
}

async function printThemes(
  io: Io,
  files: ObjectFiles,
  {
    head,
    kind: name,
    level,
    has: names,
    json: asJson,
  }: OddsFlags & Required<Pick<OddsFlags, "has">> & { readonly head: Head },
): Promise<void> {
  const kind = kindNamed(files, name);
  const affixes = names.map((affix) => affixNamed(files, affix));
  const has = affixes.map(({ number }) => number);
  const { odds, none } = objectOdds(files, { of: "theme", kind: kind.number, level, has });
  if (asJson) {
    const themes = odds.map(({ result, halfPercents, probability }) => ({
      theme: result.name,
      number: result.number,
      halfPercents,
      chance: withProbability(probability),
    }));
    const document = { kind: shown(kind), level, has: affixes.map((affix) => affix.name), themes };
    return printDocument(io, head, { ...document, none: withProbability(none) });
  }
  const lines = odds.map(({ result, halfPercents, probability }) => {
    return `${result.name}\t${chanceText(probability)}\t${halfPercents}\n`;
  });
  await print(io, `${lines.join("")}(none)\t${chanceText(none)}\n`);
}

function shown({ number, fullName }: ReturnType<typeof kindNamed>): { readonly number: number; readonly name: string } {
  return { number, name: plainName(fullName) };
}
