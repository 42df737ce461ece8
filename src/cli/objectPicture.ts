import { type LineSeries, svgLines } from "../formats/index.js";
import type { LevelTally, ObjectTally } from "../objects/index.js";

/** Maximum number of affixes or themes that get a line of their own in a chart. */
const TOP = 8;

interface Named {
  readonly number: number;
  readonly name: string;
}

/**
 * Draws a tally as an SVG picture. Three charts show shares of objects by level. The first has a line for each number
 * of affixes. The second has one line for all themes together, one for all artifacts together, and one for each of the
 * most frequent themes. The third has a line for each of the most frequent affixes.
 */
export function tallyPicture({ levels }: ObjectTally, title: string): string {
  const share = (name: string, countOf: (tally: LevelTally) => number): LineSeries => ({
    name,
    points: new Map(levels.map((tally) => [tally.level, countOf(tally) / tally.objects])),
  });
  const counts = levels[0].affixCounts.flatMap((_, count) =>
    levels.some(({ affixCounts }) => affixCounts[count] > 0)
      ? [share(count === 1 ? "1 affix" : `${count} affixes`, ({ affixCounts }) => affixCounts[count])]
      : [],
  );
  const top = <T extends Named>(mapOf: (tally: LevelTally) => ReadonlyMap<T, number>) =>
    mostFrequent(levels.map(mapOf)).map((record) => share(record.name, (tally) => mapOf(tally).get(record) ?? 0));
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

/** Returns the records with the highest counts over all levels. Equal counts keep the order of record numbers. */
function mostFrequent<T extends Named>(tallies: readonly ReadonlyMap<T, number>[]): readonly T[] {
  const totals = new Map<T, number>();
  for (const tally of tallies)
    for (const [record, count] of tally) totals.set(record, (totals.get(record) ?? 0) + count);
  const sorted = [...totals].sort(([a, more], [b, less]) => less - more || a.number - b.number);
  return sorted.slice(0, TOP).map(([record]) => record);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
