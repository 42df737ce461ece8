import type { Command } from "commander";
import { add, type Fraction, fraction, multiply, toNumber, ZERO } from "../../fractions.js";
import type { Chance } from "../../index.js";
import {
  type KindSpec,
  MAX_DEPTH,
  type ObjectFiles,
  type TallyRow,
  type WholeObjectOdds,
  type WholeOddsQuery,
} from "../../objects/index.js";
import { MAX_STATES } from "../../objects/odds/whole.js";
import { objectOdds } from "../../objects/odds.js";
import { affixNamed, kindNamed, plainName } from "../../objects/parse/names.js";
import { define, type Flags, option, required } from "../command.js";
import { type CellFlags, chanceLine, chanceText, report, rowsCsv, withProbability } from "../shared/documents.js";
import { type Io, refuse } from "../shared/io.js";
import { countOf, integer, JSON_DOCUMENT, repeated } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { DIR, dirHead, QUALITY, readObjectDir } from "./source.js";

export const STATES = option(
  "--states <count>",
  "for odds of whole objects: maximum number of groups of similar objects for each number of affixes " +
    "(default: 262144); if there are more groups, the odds are only bounds, from the most probable groups",
  countOf(1, MAX_STATES),
);
const ODDS = [
  option("--kind <name>", "name or number of the kind; with --whole, the default is any kind"),
  required("--level <depth>", "depth of the object", integer(0, MAX_DEPTH)),
  ...QUALITY,
  option(
    "--has <affix>",
    "print the odds of themes for an object with this affix, by name or number; repeatable",
    repeated,
  ).conflicts(["good", "great", "whole"]),
  option("--whole", "print the odds of a whole object: its kind, affixes, theme, artifact and number of affixes"),
  option("--tval <type>", "with --whole: only kinds of this type, such as sword"),
  option("--affix-level <name>", "with --whole: use this affix level instead of rolling one"),
  option("--no-artifacts", "with --whole: the odds of an object that is not an artifact"),
  STATES,
  JSON_DOCUMENT,
] as const;
type OddsFlags = Flags<typeof ODDS>;

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
      const { level, kind, tval, good, great, affixLevel, artifacts, states } = flags;
      const whole = async () => {
        const query = { levels: [level], kind, tval, good, great, affixLevel, artifacts, states };
        const [found] = await oddsOfLevels(io, files, query);
        return { data: () => wholeData(found.odds), lines: () => wholeLines(found) };
      };
      const found = flags.whole === true ? await whole() : slotReport(files, flags);
      await report(io, flags, { head: dirHead(io, folder, "odds"), ...found });
    },
  });
}

function slotReport(files: ObjectFiles, flags: OddsFlags): Report {
  const { tval, affixLevel, states, artifacts, kind, has } = flags;
  const ofWhole = { tval, "affix-level": affixLevel, states, "no-artifacts": artifacts ? undefined : true };
  const extra = Object.entries(ofWhole).find(([, value]) => value !== undefined);
  if (extra !== undefined) refuse(`--${extra[0]} needs --whole`, { remedy: "Add --whole" });
  if (kind === undefined) {
    const remedy = "Name a kind, or add --whole for any kind";
    return refuse("required option '--kind <name>' not specified", { remedy });
  }
  const found = kindNamed(files, kind);
  return has === undefined ? affixReport(files, found, flags) : themeReport(files, found, flags.level, has);
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

function themeReport(files: ObjectFiles, kind: KindSpec, level: number, has: readonly string[]): Report {
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
      ...found.odds.map((one) => `${one.result.name}\t${chanceText(one.probability)}\t${one.halfPercents}`),
      chanceLine("(none)", found.none),
    ],
  };
}

function shown({ number, fullName }: KindSpec) {
  return { number, name: plainName(fullName) };
}

/** Each level counts as this many steps of the progress bar, though levels have different amounts of work. */
const STEPS = 1000;

type LevelOdds = Awaited<ReturnType<typeof oddsOfLevels>>[number];

export function oddsOfLevels(
  io: Io,
  files: ObjectFiles,
  { levels, ...query }: Omit<WholeOddsQuery, "of" | "level"> & { readonly levels: readonly number[] },
) {
  const total = levels.length * STEPS;
  return withProgress(io, { what: "computing", unit: "steps" }, (onProgress) =>
    levels.map((level, i) => {
      const report = (progress: { readonly done: number; readonly total: number }) =>
        onProgress({ done: i * STEPS + Math.floor((progress.done / progress.total) * STEPS), total });
      return { level, odds: objectOdds(files, { ...query, of: "object", level, onProgress: report }) };
    }),
  );
}

/** Maximum number of affixes of an object. Upper bounds assume this number for all unexplored objects. */
const MOST_AFFIXES = fraction(8n, 1n);

type Named = Pick<TallyRow, "number" | "name">;

/** Returns the odds of a level as tally rows. Skips records that cannot occur. `most` is the upper bound of `share`. */
export function oddsRows({ level, odds }: LevelOdds) {
  const { kinds, affixes, themes, artifacts, affixCounts, unexplored } = odds;
  const row = (type: TallyRow["type"], { number, name }: Named, share: Fraction, distance = unexplored) => {
    return { level, type, number, name, share, most: add(share, distance) };
  };
  const rows = (type: TallyRow["type"], list: readonly Chance<Named>[]) =>
    list.flatMap(({ result, probability }) => (probability.numerator === 0n ? [] : [row(type, result, probability)]));
  const named = (name: string) => ({ number: null, name });
  const means = affixCounts.odds.map(({ result, probability }) => multiply(fraction(BigInt(result), 1n), probability));
  const mean = means.reduce(add, ZERO);
  return [
    row("objects", named("affixes"), mean, multiply(unexplored, MOST_AFFIXES)),
    ...rows("kind", namedKinds(kinds.odds)),
    ...rows("affix", affixes.odds),
    ...rows("theme", themes.odds),
    ...rows("artifact", artifacts.odds),
    ...affixCounts.odds.map(({ result: count, probability }) => row("affixes", named(String(count)), probability)),
  ];
}

function namedKinds(odds: readonly Chance<KindSpec>[]): Chance<Named>[] {
  return odds.map(({ result, probability }) => ({ result: shown(result), probability }));
}

export function oddsCsv(levels: readonly LevelOdds[], flags: CellFlags): string {
  const rows = levels.flatMap(oddsRows).map(({ level, type, number, name, share, most }) => {
    return [level, type, number, name, toNumber(share), toNumber(most)];
  });
  return rowsCsv(["level", "type", "number", "name", "share", "most"], rows, flags);
}

export function oddsData(levels: readonly LevelOdds[]) {
  return {
    rows: levels.flatMap(oddsRows).map(({ share, most, ...row }) => {
      return { ...row, share: withProbability(share), most: toNumber(most) };
    }),
    unexplored: levels.map(({ level, odds }) => ({ level, ...withProbability(odds.unexplored) })),
  };
}

function wholeData({ kinds, affixes, themes, artifacts, affixCounts, unexplored }: WholeObjectOdds) {
  const list = (key: string, odds: readonly Chance<Named>[]) =>
    odds.map(({ result, probability }) => {
      return { [key]: result.name, number: result.number, ...withProbability(probability) };
    });
  return {
    kinds: list("kind", namedKinds(kinds.odds)),
    affixes: affixes.odds.map(({ byTheme, either, ...chance }) => {
      return { ...list("affix", [chance])[0], byTheme: withProbability(byTheme), either: withProbability(either) };
    }),
    themes: list("theme", themes.odds),
    artifacts: list("artifact", artifacts.odds),
    affixCounts: affixCounts.odds.map(({ result: count, probability }) => {
      return { affixes: count, ...withProbability(probability) };
    }),
    none: {
      kind: withProbability(kinds.none),
      affix: withProbability(affixes.none),
      theme: withProbability(themes.none),
      artifact: withProbability(artifacts.none),
    },
    unexplored: withProbability(unexplored),
  };
}

/** Formats odds as lines: type, name and probability, and also its upper bound if the probability is a lower bound. */
function wholeLines(level: LevelOdds): string[] {
  const { themes, artifacts, unexplored } = level.odds;
  const isExact = unexplored.numerator === 0n;
  const line = (type: string, name: string, chance: Fraction, most: Fraction) =>
    [type, name, ...(isExact ? [chance] : [chance, most]).map((one) => toNumber(one).toPrecision(DIGITS))].join("\t");
  const nothing = (type: string, none: Fraction) => line(type, "(none)", none, add(none, unexplored));
  const lines = oddsRows(level).map(({ type, name, share, most }) => line(type, name, share, most));
  return [...lines, nothing("theme", themes.none), nothing("artifact", artifacts.none)];
}

/** Number of significant digits of a printed probability. The exact fractions have hundreds of digits. */
const DIGITS = 9;
