import { type Counts, type Odds, type Progress, STREAM_VERSION } from "../index.js";
import { chanceText, withProbability } from "./chances.js";
import { type ForkFlags, forksField } from "./forks.js";
import { type Io, json, print, write } from "./io.js";
import { withProgress } from "./progress.js";

/** The flags that decide how results are printed. */
interface PrintingFlags extends ForkFlags {
  readonly name: string;
  readonly json?: boolean;
}

/** Prints batches of results: a line each, or one JSON document with the seed, which is written batch by batch. */
export async function printResults<Result>(
  io: Io,
  batches: Iterable<readonly Result[]>,
  flags: PrintingFlags & { readonly seed: string; readonly lineOf: (result: Result) => string },
): Promise<void> {
  const { seed, name, lineOf, json: asJson } = flags;
  if (!asJson) {
    for (const batch of batches) await print(io, batch.map((result) => `${lineOf(result)}\n`).join(""));
    return;
  }
  const head = JSON.stringify({ seed, name, ...forksField(flags), stream: STREAM_VERSION });
  let before = `${head.slice(0, -1)},"results":[`;
  for (const batch of batches) {
    await write(io, before + JSON.stringify(batch).slice(1, -1));
    before = ",";
  }
  await write(io, `${before === "," ? "" : before}]}\n`);
}

/** Counts results with a progress bar, and prints the counts. */
export async function printCounts(
  io: Io,
  count: (onProgress: (progress: Progress) => void) => Counts<unknown>,
  { json: asJson }: Pick<PrintingFlags, "json">,
): Promise<void> {
  const { total, counts, none } = withProgress(io, { what: "rolling", unit: "rolls" }, count);
  const list = Array.from(counts, ([result, times]) => ({ result, count: times }));
  if (asJson) return write(io, json({ total, counts: list, none }));
  const lines = list.map(({ result, count: times }) => `${times}\t${result}\n`);
  await print(io, [...lines, ...(none > 0 ? [`${none}\t(none)\n`] : [])].join(""));
}

/** Prints exact odds: a line for each result, or a JSON document. */
export async function printOdds(
  io: Io,
  { odds, none }: Odds<unknown>,
  { json: asJson }: Pick<PrintingFlags, "json">,
): Promise<void> {
  if (asJson) {
    const list = odds.map(({ result, probability }) => ({ result, ...withProbability(probability) }));
    return write(io, json({ odds: list, none: withProbability(none) }));
  }
  const rest = none.numerator > 0n ? [{ result: "(none)", probability: none }] : [];
  await print(io, [...odds, ...rest].map((one) => `${one.result}\t${chanceText(one.probability)}\n`).join(""));
}
