import type { Counts, Odds, Progress } from "../index.js";
import { chanceText, withProbability } from "./chances.js";
import { type Head, printDocument, printList } from "./envelope.js";
import { type Io, print } from "./io.js";
import { withProgress } from "./progress.js";

/** How to print results: as lines or, if `json` is set, as a JSON document. The document begins with `head`. */
interface Printing {
  readonly head: Head;
  readonly json: boolean | undefined;
}

/** Prints results in batches: one line for each result, or one JSON document for all. */
export async function printResults<Result>(
  io: Io,
  batches: Iterable<readonly Result[]>,
  { head, json, lineOf }: Printing & { readonly lineOf: (result: Result) => string },
): Promise<void> {
  if (json) return printList(io, head, batches);
  for (const batch of batches) await print(io, batch.map((result) => `${lineOf(result)}\n`).join(""));
}

/** Counts results with a progress bar, and prints the counts. */
export async function printCounts(
  io: Io,
  count: (onProgress: (progress: Progress) => void) => Counts<unknown>,
  { head, json }: Printing,
): Promise<void> {
  const { total, counts, none } = withProgress(io, { what: "rolling", unit: "rolls" }, count);
  const list = Array.from(counts, ([result, times]) => ({ result, count: times }));
  if (json) return printDocument(io, head, { total, counts: list, none });
  const lines = list.map(({ result, count: times }) => `${times}\t${result}\n`);
  await print(io, [...lines, ...(none > 0 ? [`${none}\t(none)\n`] : [])].join(""));
}

/** Prints exact odds: one line for each result, or one JSON document for all. */
export async function printOdds(io: Io, { odds, none }: Odds<unknown>, { head, json }: Printing): Promise<void> {
  if (json) {
    const list = odds.map(({ result, probability }) => ({ result, ...withProbability(probability) }));
    return printDocument(io, head, { odds: list, none: withProbability(none) });
  }
  const rest = none.numerator > 0n ? [{ result: "(none)", probability: none }] : [];
  await print(io, [...odds, ...rest].map((one) => `${one.result}\t${chanceText(one.probability)}\n`).join(""));
}
