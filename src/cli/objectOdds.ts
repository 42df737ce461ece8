import { type Command, Option } from "commander";
import {
  affixLevelOdds,
  affixNamed,
  affixOdds,
  kindNamed,
  MAX_DEPTH,
  plainName,
  type Quality,
  themeOdds,
} from "../objects/index.js";
import { chanceText, withProbability } from "./chances.js";
import { DIR_CONTENTS, readObjectDir } from "./objectDir.js";
import { integer, jsonOption, repeated } from "./options.js";
import { json, write } from "./terminal.js";

type Files = Awaited<ReturnType<typeof readObjectDir>>;

interface OddsFlags {
  readonly kind: string;
  readonly level: number;
  readonly good?: boolean;
  readonly great?: boolean;
  readonly has?: readonly string[];
  readonly json?: boolean;
}

/** Adds `rollmill object odds`. */
export function addObjectOdds(object: Command): void {
  object
    .command("odds")
    .argument("<dir>", DIR_CONTENTS)
    .description("the exact chance of each affix at a slot, or, with --has, of each theme; no seed changes them")
    .requiredOption("--kind <name>", "name of the kind, or its number")
    .requiredOption("--level <depth>", "depth that it is made for", integer(0, MAX_DEPTH))
    .addOption(new Option("--good", "a good object").conflicts("great"))
    .addOption(new Option("--great", "a great one"))
    .addOption(
      new Option(
        "--has <affix>",
        "an affix that it has, by name or number, repeatable: the odds of themes, good or not",
      )
        .argParser(repeated)
        .conflicts(["good", "great"]),
    )
    .addOption(jsonOption())
    .action(odds);
}

async function odds(folder: string, flags: OddsFlags): Promise<void> {
  const files = await readObjectDir(folder);
  await (flags.has === undefined ? printAffixes(files, flags) : printThemes(files, flags, flags.has));
}

async function printAffixes(files: Files, { kind: name, level, good, great, json: asJson }: OddsFlags): Promise<void> {
  const kind = kindNamed(files, name);
  const quality: Quality = great ? "great" : good ? "good" : "normal";
  const levels = affixLevelOdds(level, quality, files.levels.length).flatMap((chance, affixLevel) =>
    chance.numerator === 0n
      ? []
      : [{ word: files.levels[affixLevel], chance, ...affixOdds(files, { kind, level, affixLevel }) }],
  );
  if (asJson) {
    const affixLevels = levels.map(({ word, chance, affixes, none }) => ({
      affixLevel: word,
      chance: withProbability(chance),
      affixes: [...affixes].map(([affix, share]) => ({ affix: affix.name, ...withProbability(share) })),
      none: withProbability(none),
    }));
    return write(json({ kind: shown(kind), level, quality, affixLevels }));
  }
  const lines = levels.flatMap(({ word, chance, affixes, none }) => [
    `${word}\t(level)\t${chanceText(chance)}\n`,
    ...[...affixes].map(([affix, share]) => `${word}\t${affix.name}\t${chanceText(share)}\n`),
    `${word}\t(none)\t${chanceText(none)}\n`,
  ]);
  await write(lines.join(""));
}

async function printThemes(
  files: Files,
  { kind: name, level, json: asJson }: OddsFlags,
  names: readonly string[],
): Promise<void> {
  const kind = kindNamed(files, name);
  const has = names.map((affix) => affixNamed(files, affix));
  const { themes, none } = themeOdds(files, { kind, level, has });
  if (asJson) {
    const list = [...themes].map(([theme, { halfPercents, chance }]) => ({
      theme: theme.name,
      number: theme.number,
      halfPercents,
      chance: withProbability(chance),
    }));
    const document = { kind: shown(kind), level, has: has.map((affix) => affix.name), themes: list };
    return write(json({ ...document, none: withProbability(none) }));
  }
  const lines = [...themes].map(
    ([theme, { halfPercents, chance }]) => `${theme.name}\t${chanceText(chance)}\t${halfPercents}\n`,
  );
  await write(`${lines.join("")}(none)\t${chanceText(none)}\n`);
}

function shown({ number, name }: ReturnType<typeof kindNamed>): { readonly number: number; readonly name: string } {
  return { number, name: plainName(name) };
}
