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
import { type Io, json, write } from "./io.js";
import { DIR_CONTENTS, readObjectDir } from "./objectDir.js";
import { integer, jsonOption, repeated } from "./options.js";

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
export function addObjectOdds(object: Command, io: Io): void {
  object
    .command("odds")
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
  await (flags.has === undefined ? printAffixes(io, files, flags) : printThemes(io, files, flags, flags.has));
}

async function printAffixes(
  io: Io,
  files: Files,
  { kind: name, level, good, great, json: asJson }: OddsFlags,
): Promise<void> {
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
    return write(io, json({ kind: shown(kind), level, quality, affixLevels }));
  }
  const lines = levels.flatMap(({ word, chance, affixes, none }) => [
    `${word}\t(level)\t${chanceText(chance)}\n`,
    ...[...affixes].map(([affix, share]) => `${word}\t${affix.name}\t${chanceText(share)}\n`),
    `${word}\t(none)\t${chanceText(none)}\n`,
  ]);
  await write(io, lines.join(""));
}

async function printThemes(
  io: Io,
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
    return write(io, json({ ...document, none: withProbability(none) }));
  }
  const lines = [...themes].map(
    ([theme, { halfPercents, chance }]) => `${theme.name}\t${chanceText(chance)}\t${halfPercents}\n`,
  );
  await write(io, `${lines.join("")}(none)\t${chanceText(none)}\n`);
}

function shown({ number, name }: ReturnType<typeof kindNamed>): { readonly number: number; readonly name: string } {
  return { number, name: plainName(name) };
}
