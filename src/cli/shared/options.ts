import { randomBytes } from "node:crypto";
import { InvalidArgumentError } from "commander";
import type { ForkId } from "../../address.js";
import { MAX_INDEX, type Noun } from "../../calls/index.js";
import type { CoreMill, MillOptions } from "../../core/mill.js";
import { error, fail } from "../../errors/index.js";
import { MAX_THREADS } from "../../spec/index.js";
import type { InThreads, ThreadedMill } from "../../threads/index.js";
import { type Flags, option } from "../command.js";
import { type Io, note, refuse } from "./io.js";

export function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected an integer from ${least} to ${most}.`);
  };
}

/** The power of ten for each suffix. */
const SUFFIXES: Readonly<Record<string, number>> = { "": 0, k: 3, M: 6, G: 9 };

/** Returns a parser of integers such as 250, 1e6, 1.5e6, 10_000, 10k, 2M and 1G. Both limits are inclusive. */
export function countOf(least: number, most: number): (text: string) => number {
  return (text) => {
    const found = /^\+?(\d+(?:_\d+)*)(?:\.(\d+))?(?:e\+?(\d{1,2})|([kMG]?))$/.exec(text.trim());
    const [, whole = "", part = "", exponent = "", suffix = ""] = found ?? [];
    const shift = (exponent === "" ? SUFFIXES[suffix] : Number(exponent)) - part.length;
    const value = found === null || shift < 0 ? Number.NaN : Number(`${whole.replaceAll("_", "")}${part}e${shift}`);
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected an integer from ${least} to ${most}, such as 250, 1e6 or 10k.`);
  };
}

/** The suffix at index i multiplies a number by 1024 to the power of i. */
const BYTE_SUFFIXES = ["", "k", "m", "g", "t"];

/** Returns a parser of numbers of bytes such as 268435456, 256m, 1.5g and 2GiB. */
export function bytesOf(least: number): (text: string) => number {
  return (text) => {
    const [, number = "", suffix = ""] = /^\+?(\d+(?:\.\d+)?) ?([kmgt]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
    const value = number === "" ? Number.NaN : Number(number) * 1024 ** BYTE_SUFFIXES.indexOf(suffix.toLowerCase());
    if (value >= least && Number.isSafeInteger(value)) return value;
    throw new InvalidArgumentError(`Expected a size of at least ${bytesText(least)}, such as 256m or 2g.`);
  };
}

export function bytesText(bytes: number): string {
  const power = Math.min(BYTE_SUFFIXES.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** power;
  return power === 0 ? `${Math.ceil(bytes)} bytes` : `${Number(value.toPrecision(3))} ${"KMGT"[power - 1]}iB`;
}

/** Adds one `KEY=VALUE` of a repeatable option to a record. */
export function keyValue(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Expected KEY=VALUE.");
  return Object.fromEntries([...Object.entries(before), [text.slice(0, at), text.slice(at + 1)]]);
}

/** If no seed is given, chooses one and prints it, so that the user can repeat the run. */
export function seedOr(io: Io, given: string | undefined): string {
  const { seed, announce } = chooseSeed(io, given);
  announce();
  return seed;
}

/** Chooses a seed if none is given. `announce` prints it: call it after all options are checked. */
export function chooseSeed(io: Io, given: string | undefined) {
  const seed = given ?? randomBytes(6).toString("hex");
  return { seed, announce: () => (given === undefined ? note(io, `seed: ${seed}`) : undefined) };
}

export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

export const JSON_DOCUMENT = option("--json", "print one JSON document");
export type JsonFlag = Flags<readonly [typeof JSON_DOCUMENT]>;

export const SEED = option("--seed <text>", "seed of all results (default: a random seed, printed to stderr)");
export const MAX_WORK = option(
  "--max-work <steps>",
  "maximum number of steps to compute the exact odds (default: 250M)",
  countOf(1, Number.MAX_SAFE_INTEGER),
);
export const FORK = option(
  "--fork <id>",
  "make the results of a fork, which has its own random words, for example for one player; " +
    "the id is an integer, two integers a,b, or a text (text:5 is the text 5); repeatable, for a fork of a fork",
  (text, before: readonly ForkId[] = []) => [...before, parseFork(text)],
);

/** Returns the options on which results depend. `what` is the plural noun for the results. */
export function source(what: string, name = "the file name without extension") {
  return [SEED, option("--name <name>", `${what} depend on the seed and this name (default: ${name})`), FORK] as const;
}

/** Returns the options that choose results by index. `unit` is the noun for one result. */
export function range(unit: string, from = `index of the first ${unit}`) {
  return [
    option(`-n <${unit}s>` as "-n <results>", `how many ${unit}s`, countOf(0, MAX_INDEX), 1),
    option("--from <index>", from, countOf(0, MAX_INDEX - 1), 0),
  ] as const;
}

/** Reads two integers, such as the row and the column of a cell. */
export function pairOf(text: string): readonly [number, number] {
  const pair = pairIn(text);
  if (pair === undefined) throw new InvalidArgumentError("Expected two integers, such as 12,-7.");
  return pair;
}

/** Returns undefined if the text is not a pair of integers. */
export function pairIn(text: string): readonly [number, number] | undefined {
  const [, first, second] = /^(-?\d{1,10}),(-?\d{1,10})$/.exec(text) ?? [];
  return second === undefined ? undefined : [Number(first), Number(second)];
}

/** Returns the option that sets the number of threads. */
export function threadsOption(fallback: string) {
  const about = `number of threads, which does not change the results (default: ${fallback})`;
  return option("--threads <n>", about, countOf(1, MAX_THREADS));
}

export const THREADS = threadsOption("1");
type ThreadsFlag = Flags<readonly [typeof THREADS]>;

/** Opens a mill, which has threads if the option asks for more than one. Only then is their code loaded. */
export async function openMill<M extends CoreMill>(
  create: (options: MillOptions) => M | Promise<M>,
  seed: string,
  { threads = 1 }: ThreadsFlag,
): Promise<M | ThreadedMill> {
  if (threads === 1) return create({ seed });
  const { openThreads } = await import("../../threads/index.js");
  return openThreads({ seed, threads });
}

/** Returns the long calls of a noun, which run in the threads of its mill if it has any. */
export function longCalls<N extends object>(mill: CoreMill | ThreadedMill, noun: N): N | InThreads<N> {
  // the mill refuses anything but a noun
  return "inThreads" in mill ? mill.inThreads(noun as N & Noun) : noun;
}

/** Refuses threads for a list of results: to write a result takes ten times as long as to make it. */
export function refuseThreads({ threads, count }: ThreadsFlag & { readonly count: boolean | undefined }): void {
  if (threads === undefined || count) return;
  refuse("--threads needs --count", { remedy: "Add --count, or omit --threads" });
}

type ForkFlags = Partial<Flags<readonly [typeof FORK]>>;

export function forkOf<N extends { fork(id: ForkId): N }>(noun: N, { fork: ids = [] }: ForkFlags): N {
  return ids.reduce((parent, id) => parent.fork(id), noun);
}

/** Reads `text:5` as the text "5", and `5` as an integer. */
function parseFork(text: string): ForkId {
  if (text.startsWith("text:")) return text.slice("text:".length);
  const [, first, second] = /^(-?\d+)(?:,(-?\d+))?$/.exec(text) ?? [];
  if (first === undefined) return text;
  const [a, b] = [BigInt(first), BigInt(second ?? 0)];
  const remedy = 'To use the digits as a text, write "text:" before them';
  const refuse = (expected: string) =>
    fail(error("argument.range", { problem: "the id of --fork is out of range", got: text, expected, remedy }));
  if (second === undefined) {
    if (BigInt.asIntN(64, a) !== a) refuse("an integer from −2^63 to 2^63 − 1");
    return Number.isSafeInteger(Number(a)) ? Number(a) : a;
  }
  if (BigInt.asIntN(32, a) !== a || BigInt.asIntN(32, b) !== b) refuse("two integers from −2^31 to 2^31 − 1");
  return [Number(a), Number(b)];
}
