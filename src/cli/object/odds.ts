import type { Command } from "commander";
import { error, fail } from "../../errors/index.js";
import { type KindSpec, MAX_DEPTH, type ObjectFiles } from "../../objects/index.js";
import { objectOdds } from "../../objects/odds.js";
import { affixNamed, kindNamed } from "../../objects/parse/lookup.js";
import { plainName } from "../../objects/parse/nouns.js";
import { define, type Flags, option, required } from "../command.js";
import { chanceLine, chanceText, report, withProbability } from "../shared/documents.js";
import type { Io } from "../shared/io.js";
import { integer, JSON_DOCUMENT, repeated } from "../shared/options.js";
import { QUALITY } from "./ask.js";
import { DIR, dirHead, readObjectDir } from "./dir.js";
import { oddsOfLevels, STATES, wholeData, wholeLines } from "./whole.js";

const ODDS = [
  option("--kind <name>", "name or number of the kind; with --whole, the default is any kind"),
  required("--level <depth>", "depth of the object", integer(0, MAX_DEPTH)),
  ...QUALITY,
  option(
    "--has <affix>",
    "an affix of the object, by name or number; repeatable; prints the odds of themes",
    repeated,
  ).conflicts(["good", "great", "whole"]),
  option("--whole", "print the odds of a whole object: its kind, affixes, theme, artifact and number of affixes"),
  option("--tval <type>", "with --whole: only kinds of this type, such as sword"),
  option("--affix-level <name>", "with --whole: use this affix level instead of rolling one"),
  option("--no-artifacts", "with --whole: an object that is not an artifact"),
  STATES,
  JSON_DOCUMENT,
] as const;
type OddsFlags = Flags<typeof ODDS>;

/** The odds as the data of a JSON document, and as lines. */
type Report = Pick<Parameters<typeof report>[2], "data" | "lines">;

export function addObjectOdds(object: Command, io: Io): void {
  const lamp = 'object odds {data/dungeon} --kind "storm lamp" --level 8';
  define(object.command("odds"), io, {
    examples: [lamp, `${lamp} --has Keen-Eyed --has Steady`, `${lamp} --whole`],
    takes: [DIR],
    description:
      "exact chance of each affix in a slot; with --has, of each theme; with --whole, of a whole object. " +
      "A slot is a place for one affix; an object has a random number of slots. The affix level, such as good or " +
      "great, says how good the affixes of an object can be. For the chance that an object has an affix, use --whole",
    options: ODDS,
    async run(flags, folder) {
      const files = await readObjectDir(io, folder);
      const found = flags.whole === true ? wholeReport(io, files, flags) : slotReport(files, flags);
      await report(io, flags, { head: dirHead(io, folder, "odds"), ...found });
    },
  });
}

function wholeReport(io: Io, files: ObjectFiles, { level, kind, tval, good, great, ...flags }: OddsFlags): Report {
  const { affixLevel, artifacts, states } = flags;
  const query = { levels: [level], kind, tval, good, great, affixLevel, artifacts, states };
  const [found] = oddsOfLevels(io, files, query);
  return { data: () => wholeData(found.odds), lines: () => wholeLines(found) };
}

function slotReport(files: ObjectFiles, flags: OddsFlags): Report {
  const { tval, affixLevel, states, artifacts, kind, has } = flags;
  const ofWhole = { tval, "affix-level": affixLevel, states, "no-artifacts": artifacts ? undefined : true };
  const extra = Object.entries(ofWhole).find(([, value]) => value !== undefined);
  if (extra !== undefined) fail(error("cli.usage", { problem: `--${extra[0]} needs --whole`, remedy: "Add --whole" }));
  if (kind === undefined) {
    const remedy = "Name a kind, or add --whole for any kind";
    return fail(error("cli.usage", { problem: "required option '--kind <name>' not specified", remedy }));
  }
  const found = kindNamed(files, kind);
  return has === undefined ? affixReport(files, found, flags) : themeReport(files, found, { ...flags, has });
}

function affixReport(files: ObjectFiles, kind: KindSpec, { level, good, great }: OddsFlags): Report {
  const levels = objectOdds(files, { of: "affixLevel", level, good, great }).odds.map(({ result, probability }) => {
    const slot = objectOdds(files, { of: "affix", kind: kind.number, level, affixLevel: result });
    return { word: result, chance: probability, ...slot };
  });
  return {
    data: () => {
      const affixLevels = levels.map(({ word, chance, odds: list, none }) => ({
        affixLevel: word,
        chance: withProbability(chance),
        affixes: list.map(({ result, probability }) => ({ affix: result.name, ...withProbability(probability) })),
        none: withProbability(none),
      }));
      return { kind: shown(kind), level, quality: great ? "great" : good ? "good" : "normal", affixLevels };
    },
    lines: () =>
      levels.flatMap(({ word, chance, odds: list, none }) => [
        chanceLine(`${word}\t(level)`, chance),
        ...list.map(({ result, probability }) => chanceLine(`${word}\t${result.name}`, probability)),
        chanceLine(`${word}\t(none)`, none),
      ]),
  };
}

function themeReport(
  files: ObjectFiles,
  kind: KindSpec,
  { level, has }: OddsFlags & { readonly has: readonly string[] },
): Report {
  const affixes = has.map((affix) => affixNamed(files, affix));
  const numbers = affixes.map(({ number }) => number);
  const found = objectOdds(files, { of: "theme", kind: kind.number, level, has: numbers });
  return {
    data: () => {
      const themes = found.odds.map(({ result, halfPercents, probability }) => {
        return { theme: result.name, number: result.number, halfPercents, chance: withProbability(probability) };
      });
      const names = affixes.map((affix) => affix.name);
      return { kind: shown(kind), level, has: names, themes, none: withProbability(found.none) };
    },
    lines: () => [
      ...found.odds.map(({ result, halfPercents, probability }) => {
        return `${result.name}\t${chanceText(probability)}\t${halfPercents}`;
      }),
      chanceLine("(none)", found.none),
    ],
  };
}

function shown({ number, fullName }: KindSpec) {
  return { number, name: plainName(fullName) };
}
