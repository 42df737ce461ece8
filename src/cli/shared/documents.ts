import { type ForkId, plainId, STREAM_VERSION } from "../../address.js";
import { type Fraction, formatIssue, type Issue, toNumber } from "../../index.js";
import { BAD_INPUT, Exit, type Io, json, note, printLines, write } from "./io.js";

/** They show which command made the data, and from which seed and name. */
export interface Head {
  readonly command: string;
  /** Null, the default, if the data do not depend on a seed. */
  readonly seed?: string | null;
  readonly name: string;
  readonly fork?: readonly ForkId[] | undefined;
  readonly from?: number | undefined;
  /** The time that a script read from the clock. */
  readonly now?: string | undefined;
}

/**
 * Yields a JSON document, for `--json` and `-o FILE.json`: the stream version, the head, then `data`, which are pieces
 * of one JSON value. `after` returns fields that are known only after the last piece.
 */
export function* documentOf(
  { command, seed = null, name, fork = [], from, now }: Head,
  data: Iterable<string>,
  after: () => object = () => ({}),
): Generator<string, void> {
  const forks = fork.length === 0 ? undefined : fork.map(plainId);
  const fields = { stream: STREAM_VERSION, command, seed, name, forks, from, now };
  yield `${JSON.stringify(fields).slice(0, -1)},"data":`;
  yield* data;
  const last = JSON.stringify(after()).slice(1);
  yield `${last === "}" ? "" : ","}${last}\n`;
}

export function documentText(head: Head, data: unknown): string {
  return [...documentOf(head, [json(data)])].join("");
}

/** Writes each batch of results before the next one is made. */
export async function printList(
  io: Io,
  head: Head,
  batches: Iterable<Iterable<unknown>>,
  after: () => object,
): Promise<void> {
  for (const piece of documentOf(head, listOf(batches), after)) await write(io, piece);
}

function* listOf(batches: Iterable<Iterable<unknown>>): Generator<string, void> {
  let before = "[";
  for (const batch of batches) {
    const results = JSON.stringify([...batch]).slice(1, -1);
    if (results === "") continue;
    yield before + results;
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

/** Prints `data` as a JSON document if the flag `--json` is set, else the lines. */
export async function report(
  io: Io,
  flags: { readonly json: boolean | undefined },
  { head, data, lines }: { readonly head: Head; readonly data: () => unknown; readonly lines: () => Iterable<string> },
): Promise<void> {
  if (flags.json) await write(io, documentText(head, data()));
  else await printLines(io, lines());
}

/** Prints issues to stdout, and their counts to stderr. Throws Exit with code 2 if an issue is an error. */
export async function reportIssues(
  io: Io,
  flags: { readonly json: boolean | undefined },
  { issues, ...head }: Head & { readonly issues: readonly Issue[] },
): Promise<void> {
  const errors = issues.filter(({ severity }) => severity === "error").length;
  await report(io, flags, { head, data: () => issues, lines: () => issues.map(formatIssue) });
  note(io, `errors: ${errors}, warnings: ${issues.length - errors}`);
  if (errors > 0) throw new Exit(BAD_INPUT);
}

export function withProbability(chance: Fraction): Fraction & { readonly probability: number } {
  const { numerator, denominator } = chance;
  return { numerator, denominator, probability: toNumber(chance) };
}

/** The exact fraction, a tab, and the decimal with six significant digits. */
export function chanceText(chance: Fraction): string {
  return `${chance.numerator}/${chance.denominator}\t${toNumber(chance).toPrecision(6)}`;
}

export function chanceLine(result: unknown, chance: Fraction): string {
  return `${result}\t${chanceText(chance)}`;
}

interface ResultOdds {
  readonly result: unknown;
  readonly probability: Fraction;
}

export function oddsData(odds: readonly ResultOdds[]) {
  return odds.map(({ result, probability }) => ({ result, ...withProbability(probability) }));
}

/** Returns one line for each result, and for each chance of `others` that is not 0. */
export function oddsLines(odds: readonly ResultOdds[], others: Readonly<Record<string, Fraction>> = {}): string[] {
  const rest = Object.entries(others).map(([result, probability]) => ({ result, probability }));
  const shown = [...odds, ...rest.filter(({ probability }) => probability.numerator > 0n)];
  return shown.map(({ result, probability }) => chanceLine(result, probability));
}
