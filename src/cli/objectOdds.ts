import { type Command, Option } from "commander";
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
import { integer, jsonOption, repeated } from "./options.js";

interface OddsFlags {
  readonly kind: string;
  readonly level: number;
  readonly good?: boolean;
  readonly great?: boolean;
  readonly has?: readonly string[];
  readonly json?: boolean;
}

/** Adds `rollmill object odds`. */
export function addObjectOdds(object: Command, io: Io): void {
  const lamp = 'object odds {data/dungeon} --kind "storm lamp" --level 8';
  withExamples(object.command("odds"), io, lamp, `${lamp} --has Keen-Eyed --has Steady`)
    .argument("<dir>", DIR_CONTENTS)
    .description("exact chance of each affix for a slot or, with --has, of each theme; independent of the seed")
    .requiredOption("--kind <name>", "name or number of the kind")
    .requiredOption("--level <depth>", "depth of the object", integer(0, MAX_DEPTH))
    .addOption(new Option("--good", "a good object").conflicts("great"))
    .addOption(new Option("--great", "a great object"))
    .addOption(
      new Option("--has <affix>", "an affix of the object, by name or number; repeatable; prints the odds of themes")
        .argParser(repeated)
        .conflicts(["good", "great"]),
    )
    .addOption(jsonOption())
    .action((folder: string, flags: OddsFlags) => odds(io, folder, flags));
}

async function odds(io: Io, folder: string, flags: OddsFlags): Promise<void> {
  const files = await readObjectDir(io, folder);
  const head = { command: "object odds", seed: null, name: nameOfDir(io, folder) };
  const { has } = flags;
  await (has === undefined
    ? printAffixes(io, files, { ...flags, head })
    : printThemes(io, files, { ...flags, head, has }));
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
