import { Option } from "commander";
import type { ForkId } from "../address.js";
import { error, fail } from "../errors/index.js";

export interface ForkFlags {
  readonly fork?: readonly ForkId[] | undefined;
}

export function forkOption(): Option {
  return new Option(
    "--fork <id>",
    "make the results of this fork; the id is an integer, two integers a,b, or a text (text:5 is the text 5); repeatable",
  ).argParser(collectFork);
}

/** Returns the fork of `noun` that the flags select. Without `--fork`, returns `noun` itself. */
export function forkOf<N extends { fork(id: ForkId): N }>(noun: N, { fork: ids = [] }: ForkFlags): N {
  return ids.reduce((parent, id) => parent.fork(id), noun);
}

function collectFork(text: string, before: readonly ForkId[] = []): readonly ForkId[] {
  return [...before, parseFork(text)];
}

/**
 * Reads the id of a fork: an integer, a pair such as `3,5`, or a text. The prefix `text:` makes any id a text, as in
 * `text:5`.
 *
 * @throws RollmillError `argument.range` for an integer that does not fit in 64 bits, or a pair with a number that does
 * not fit in 32 bits.
 */
function parseFork(text: string): ForkId {
  if (text.startsWith("text:")) return text.slice("text:".length);
  if (/^-?\d+$/.test(text)) return integerOf(text);
  const [, a, b] = /^(-?\d+),(-?\d+)$/.exec(text) ?? [];
  return a === undefined ? text : pairOf(text, [BigInt(a), BigInt(b)]);
}

function integerOf(text: string): number | bigint {
  const id = BigInt(text);
  if (BigInt.asIntN(64, id) !== id) refuse(text, "an integer from −2^63 to 2^63 − 1");
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : id;
}

function pairOf(text: string, [a, b]: readonly [bigint, bigint]): readonly [number, number] {
  if (BigInt.asIntN(32, a) !== a || BigInt.asIntN(32, b) !== b) {
    refuse(text, "two integers from −2^31 to 2^31 − 1");
  }
  return [Number(a), Number(b)];
}

function refuse(text: string, expected: string): never {
  const problem = "the id of --fork is out of range";
  const remedy = 'To use the digits as a text, write "text:" before them';
  return fail(error("argument.range", { problem, got: text, expected, remedy }));
}
