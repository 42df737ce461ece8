import { add, type Fraction, fraction, multiply, toNumber, ZERO } from "../../fractions.js";
import type { Chance } from "../../index.js";
import type { ObjectFiles, WholeObjectOdds, WholeOddsQuery } from "../../objects/index.js";
import { MAX_STATES } from "../../objects/odds/wholeQuery.js";
import { objectOdds } from "../../objects/odds.js";
import { plainName } from "../../objects/parse/nouns.js";
import { option } from "../command.js";
import { withProbability } from "../shared/documents.js";
import type { Io } from "../shared/io.js";
import { countOf } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { type CellFlags, rowsCsv } from "../shared/rows.js";
import type { LevelShares } from "./picture.js";

interface LevelOdds {
  readonly level: number;
  readonly odds: WholeObjectOdds;
}

export const STATES = option(
  "--states <count>",
  "maximum number of states that the computation of exact odds follows for each number of affixes",
  countOf(1, MAX_STATES),
);

/** Computes the odds of each level. Shows the progress of all levels together. */
export function oddsOfLevels(
  io: Io,
  files: ObjectFiles,
  { levels, ...query }: Omit<WholeOddsQuery, "of" | "level"> & { readonly levels: readonly number[] },
): readonly LevelOdds[] {
  // The levels have different amounts of work, but each level takes the same share of the progress bar.
  const total = levels.length * STEPS;
  return withProgress(io, { what: "computing", unit: "steps" }, (onProgress) =>
    levels.map((level, i) => {
      const report = (progress: { readonly done: number; readonly total: number }) =>
        onProgress({ done: i * STEPS + Math.floor((progress.done / progress.total) * STEPS), total });
      return { level, odds: objectOdds(files, { ...query, of: "object", level, onProgress: report }) };
    }),
  );
}

const STEPS = 1000;

interface OddsRow {
  readonly level: number;
  /**
   * "objects": `chance` is the mean number of affixes. "affixes": it is the probability of `name` affixes. Else it is
   * the probability of a record.
   */
  readonly type: "objects" | "kind" | "affix" | "theme" | "artifact" | "affixes";
  readonly number: number | null;
  readonly name: string;
  /** The probability, or its lower bound if the odds are bounds. */
  readonly chance: Fraction;
  readonly most: Fraction;
}

/** Maximum number of affixes of an object. Upper bounds assume this number for all unexplored objects. */
const MOST_AFFIXES = fraction(8n, 1n);

/** Yields the rows of a level, in the order of the rows of a tally. Omits probabilities of 0. */
function* oddsRows({ level, odds }: LevelOdds): Generator<OddsRow, void> {
  const { kinds, affixes, themes, artifacts, affixCounts, unexplored } = odds;
  const row = (type: OddsRow["type"], record: Named, chance: Fraction, distance = unexplored): OddsRow => {
    return { level, type, number: record.number, name: record.name, chance, most: add(chance, distance) };
  };
  const rows = (type: OddsRow["type"], list: readonly Chance<Named>[]) =>
    list.flatMap(({ result, probability }) => (probability.numerator === 0n ? [] : [row(type, result, probability)]));
  const means = affixCounts.odds.map(({ result, probability }) => multiply(fraction(BigInt(result), 1n), probability));
  const mean = means.reduce(add, ZERO);
  yield row("objects", { number: null, name: "affixes" }, mean, multiply(unexplored, MOST_AFFIXES));
  yield* rows(
    "kind",
    kinds.odds.map(({ result, probability }) => {
      return { result: { number: result.number, name: plainName(result.fullName) }, probability };
    }),
  );
  yield* rows("affix", affixes.odds);
  yield* rows("theme", themes.odds);
  yield* rows("artifact", artifacts.odds);
  for (const { result, probability } of affixCounts.odds) {
    yield row("affixes", { number: null, name: String(result) }, probability);
  }
}

interface Named {
  readonly number: number | null;
  readonly name: string;
}

export function oddsCsv(levels: readonly LevelOdds[], flags: CellFlags): string {
  const cells = {
    level: ({ level }: OddsRow) => level,
    type: ({ type }: OddsRow) => type,
    number: ({ number }: OddsRow) => number,
    name: ({ name }: OddsRow) => name,
    share: ({ chance }: OddsRow) => toNumber(chance),
    most: ({ most }: OddsRow) => toNumber(most),
  };
  const rows = levels.flatMap((one) => [...oddsRows(one)]);
  return rowsCsv(rows, cells, flags);
}

export function oddsData(levels: readonly LevelOdds[]) {
  const rows = levels.flatMap((one) => [...oddsRows(one)]);
  return {
    rows: rows.map(({ level, type, number, name, chance, most }) => {
      return { level, type, number, name, share: withProbability(chance), most: toNumber(most) };
    }),
    unexplored: levels.map(({ level, odds }) => ({ level, ...withProbability(odds.unexplored) })),
  };
}

/** Converts the probabilities of a level to doubles, for a picture. */
export function oddsShares({ level, odds }: LevelOdds): LevelShares {
  const shares = <Result>(list: readonly Chance<Result>[]) =>
    new Map(list.map(({ result, probability }) => [result, toNumber(probability)]));
  const counts = shares(odds.affixCounts.odds);
  return {
    level,
    affixCounts: Array.from({ length: Number(MOST_AFFIXES.numerator) + 1 }, (_, count) => counts.get(count) ?? 0),
    affixes: shares(odds.affixes.odds),
    themes: shares(odds.themes.odds),
    artifacts: shares(odds.artifacts.odds),
  };
}

/** Converts the odds of a whole object for a JSON document. Replaces each record by its name. */
export function wholeData({ kinds, affixes, themes, artifacts, affixCounts, unexplored }: WholeObjectOdds) {
  const list = (odds: readonly Chance<Named>[], key: string) =>
    odds.map(({ result, probability }) => {
      return { [key]: result.name, number: result.number, ...withProbability(probability) };
    });
  return {
    kinds: kinds.odds.map(({ result, probability }) => {
      return { kind: plainName(result.fullName), number: result.number, ...withProbability(probability) };
    }),
    affixes: affixes.odds.map(({ result, probability, byTheme, either }) => {
      const ways = { byTheme: withProbability(byTheme), either: withProbability(either) };
      return { affix: result.name, number: result.number, ...withProbability(probability), ...ways };
    }),
    themes: list(themes.odds, "theme"),
    artifacts: list(artifacts.odds, "artifact"),
    affixCounts: affixCounts.odds.map(({ result, probability }) => ({
      affixes: result,
      ...withProbability(probability),
    })),
    none: {
      kind: withProbability(kinds.none),
      affix: withProbability(affixes.none),
      theme: withProbability(themes.none),
      artifact: withProbability(artifacts.none),
    },
    unexplored: withProbability(unexplored),
  };
}

/** Formats odds as lines: type, name and probability, and the upper bound if the odds are only bounds. */
export function wholeLines(level: LevelOdds): string[] {
  const { themes, artifacts, unexplored } = level.odds;
  const isExact = unexplored.numerator === 0n;
  const line = (type: string, name: string, chance: Fraction, most: Fraction) =>
    [type, name, ...(isExact ? [chance] : [chance, most]).map((one) => toNumber(one).toPrecision(DIGITS))].join("\t");
  const nothing = (type: string, none: Fraction) => line(type, "(none)", none, add(none, unexplored));
  const lines = [...oddsRows(level)].map(({ type, name, chance, most }) => line(type, name, chance, most));
  return [...lines, nothing("theme", themes.none), nothing("artifact", artifacts.none)];
}

/** Number of significant digits of a printed probability. The exact fractions have hundreds of digits. */
const DIGITS = 9;
