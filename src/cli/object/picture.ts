import { type LineSeries, svgLines } from "../../formats/index.js";
import type { LevelTally } from "../../objects/index.js";

/** Maximum number of affixes, or of themes, that have a line in a chart. */
const TOP = 8;

interface Named {
  readonly number: number;
  readonly name: string;
}

/** How frequent affixes, themes and artifacts are at a level. Each number is a share of all objects, 0 … 1. */
export interface LevelShares {
  readonly level: number;
  /** Element i is the share of objects with i affixes. */
  readonly affixCounts: readonly number[];
  readonly affixes: ReadonlyMap<Named, number>;
  readonly themes: ReadonlyMap<Named, number>;
  readonly artifacts: ReadonlyMap<Named, number>;
}

export function tallyShares({ level, objects, affixCounts, affixes, themes, artifacts }: LevelTally): LevelShares {
  const shares = (counts: ReadonlyMap<Named, number>) =>
    new Map([...counts].map(([record, count]) => [record, count / objects]));
  return {
    level,
    affixCounts: affixCounts.map((count) => count / objects),
    affixes: shares(affixes),
    themes: shares(themes),
    artifacts: shares(artifacts),
  };
}

/** Draws charts of the numbers of affixes, of themes and artifacts, and of affixes, by level, as one SVG picture. */
export function sharesPicture(levels: readonly LevelShares[], title: string): string {
  const share = (name: string, shareOf: (own: LevelShares) => number): LineSeries => ({
    name,
    points: new Map(levels.map((own) => [own.level, shareOf(own)])),
  });
  const counts = levels[0].affixCounts.flatMap((_, count) =>
    levels.some(({ affixCounts }) => affixCounts[count] > 0)
      ? [share(count === 1 ? "1 affix" : `${count} affixes`, ({ affixCounts }) => affixCounts[count])]
      : [],
  );
  const top = (mapOf: (own: LevelShares) => ReadonlyMap<Named, number>) =>
    mostFrequent(levels.map(mapOf)).map((record) => share(record.name, (own) => mapOf(own).get(record) ?? 0));
  const heights = "share of objects";
  const special = [
    share("any theme", ({ themes }) => sum(themes.values())),
    share("an artifact", ({ artifacts }) => sum(artifacts.values())),
  ];
  return svgLines(
    [
      { title: "Number of affixes", heights, series: counts },
      { title: "Themes and artifacts", heights, series: [...special, ...top(({ themes }) => themes)] },
      { title: "The most frequent affixes", heights, series: top(({ affixes }) => affixes) },
    ],
    { title, values: "level" },
  );
}

/** Returns the records with the highest shares, summed over all levels. Equal shares are sorted by number. */
function mostFrequent(levels: readonly ReadonlyMap<Named, number>[]): readonly Named[] {
  const totals = new Map<Named, number>();
  for (const shares of levels)
    for (const [record, share] of shares) totals.set(record, (totals.get(record) ?? 0) + share);
  const sorted = [...totals].sort(([a, more], [b, less]) => less - more || a.number - b.number);
  return sorted.slice(0, TOP).map(([record]) => record);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
