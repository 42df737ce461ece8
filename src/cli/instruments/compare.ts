import type { Command } from "commander";
import { svgHistogram } from "../../formats/index.js";
import { type Fraction, multiply, subtract } from "../../fractions.js";
import { createMill, toNumber } from "../../index.js";
import { distance } from "../../instruments/compare.js";
import { NONE } from "../../instruments/conditionText.js";
import { boundsOf, compare as order } from "../../instruments/distribution.js";
import { type Certified, type Change, compare, numberOf } from "../../instruments/index.js";
import { define, option } from "../command.js";
import { withProbability } from "../shared/documents.js";
import { checkOutput, writeOutput } from "../shared/files.js";
import { Exit, FAILED, type Io, note, printLines } from "../shared/io.js";
import { fractionOf } from "./fraction.js";
import { certified, chanceTexts, exactText, printRows, rounded, SHOWN } from "./show.js";
import { FILE, openSource, SOURCE } from "./source.js";

const COMPARE = [
  option("--svg <file>", "draw the 20 largest changes as an SVG picture, before and after"),
  option("--markdown", "print patch notes: a Markdown table").conflicts(["json", "csv"]),
  option("--fail-above <points>", "exit 1 if a probability changes by more, such as 1/100 or 1%", fractionOf),
  option(
    "--fail-ratio <ratio>",
    "exit 1 if a probability grows or falls by more than this factor, such as 1.5",
    fractionOf,
  ),
  ...SOURCE,
  ...SHOWN,
] as const;

export function addCompare(command: Command, io: Io): void {
  define(command, io, {
    examples: [
      "compare gold=90,crown=10 gold=85,crown=15",
      "compare gold=90,crown=10 gold=85,crown=15 --markdown --fail-above 10% --fail-ratio 2",
    ],
    takes: [FILE, ["<after>", "the new version of the file"]],
    options: COMPARE,
    async run(flags, before, after) {
      using mill = createMill({ seed: "" });
      const old = await openSource(io, mill, before, { ...flags, name: "before" });
      const now = await openSource(io, mill, after, { ...flags, name: "after" });
      await checkOutput(io, flags.svg);
      const { changes, same, unknown } = compare(old.source, now.source, { with: { ...old.options, ...now.options } });
      if (flags.markdown) await printLines(io, markdown(changes));
      else {
        await printRows(io, flags, {
          head: { command: "compare", name: after },
          rows: changes.map((change) => ({ cells: cellsOf(change), probability: change.after })),
          data: () => ({
            changes: changes.map(({ before: was, after: is, ...change }) => {
              return { ...change, before: dataOf(was), after: dataOf(is) };
            }),
            same,
            ...(unknown > 0 && { unknown }),
          }),
        });
      }
      if (flags.svg !== undefined) await writeOutput(io, flags.svg, changePicture(changes));
      if (!flags.json)
        note(io, `changed: ${changes.length}, unchanged: ${same}${unknown > 0 ? `, unknown: ${unknown}` : ""}`);
      const failing = changes.filter((change) => isTooLarge(change, flags));
      for (const change of failing) note(io, `too large a change: ${nameOf(change)}: ${shownChange(change)}`);
      if (failing.length > 0) throw new Exit(FAILED);
    },
  });
}

function isTooLarge(
  { before, after }: Change,
  { failAbove, failRatio }: { readonly failAbove?: Fraction | undefined; readonly failRatio?: Fraction | undefined },
): boolean {
  if (failAbove !== undefined && order(distance(before, after), failAbove) > 0) return true;
  const [a, b] = [boundsOf(before), boundsOf(after)];
  const [less, more] = order(a.most, b.least) < 0 ? [a.most, b.least] : [b.most, a.least];
  return failRatio !== undefined && order(more, multiply(less, failRatio)) > 0;
}

function dataOf(value: Certified) {
  return "least" in value ? certified(value) : withProbability(value);
}

function pointsOf({ before, after }: Change): string {
  const [a, b] = [boundsOf(before), boundsOf(after)];
  const [least, most] = [subtract(b.least, a.most), subtract(b.most, a.least)].map((by) => signed(toNumber(by) * 100));
  return least === most ? least : `${least} … ${most}`;
}

function cellsOf(change: Change): Record<string, string> {
  const [exact, percent] = chanceTexts(change.before);
  const part = change.part === undefined ? {} : { part: change.part };
  return {
    ...part,
    result: change.result === null ? NONE : String(change.result),
    before: exact,
    "before, %": percent,
    points: pointsOf(change),
  };
}

function signed(points: number): string {
  return `${points < 0 ? "−" : "+"}${rounded(Math.abs(points))}`;
}

function nameOf({ part, result }: Change): string {
  return `${part === undefined ? "" : `${part} `}${result ?? NONE}`;
}

function shownChange({ before, after }: Change): string {
  return `${exactText(before)} → ${exactText(after)}`;
}

function* markdown(changes: readonly Change[]): Generator<string, void> {
  yield "| result | before | after | change |";
  yield "|---|---:|---:|---:|";
  for (const change of changes) {
    const [before, after] = [change.before, change.after].map((chance) => {
      const [, percent, oneIn] = chanceTexts(chance);
      return `${percent} (${oneIn})`;
    });
    yield `| ${cell(nameOf(change))} | ${before} | ${after} | ${pointsOf(change)} points |`;
  }
}

const MAX_DRAWN = 20;

function changePicture(changes: readonly Change[]): string {
  const drawn = [...changes.slice(0, MAX_DRAWN).entries()];
  const heights = (side: "before" | "after") => new Map(drawn.map(([i, change]) => [i, numberOf(change[side])]));
  return svgHistogram(heights("after"), {
    title: "Probabilities before and after",
    values: "results, the largest change first",
    heights: "probability",
    marks: heights("before"),
    legend: { bars: "after", marks: "before" },
    scale: "log",
    labels: new Map(drawn.map(([i, change]) => [i, nameOf(change)])),
  });
}

/** Escapes what Markdown would read as markup or as the end of a cell. */
function cell(text: string): string {
  return text.replace(/[\\|`*_[\]<>]/g, "\\$&");
}
