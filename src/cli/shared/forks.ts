import { type Command, Option } from "commander";
import type { ForkId } from "../../address.js";
import { error, fail } from "../../errors/index.js";
import { seedOption } from "./options.js";

export interface ForkFlags {
  readonly fork?: readonly ForkId[] | undefined;
}

/** Flags that choose the seed, the name and the fork that results depend on. */
export interface SourceFlags extends ForkFlags {
  readonly seed?: string;
  readonly name?: string;
}

/** Adds the options of {@link SourceFlags}. `what` is the plural noun for the results. */
export function withSource(command: Command, what: string, name = "the file name without extension"): Command {
  return command
    .addOption(seedOption())
    .option("--name <name>", `${what} depend on the seed and this name (default: ${name})`)
    .addOption(forkOption());
}

export function forkOption(): Option {
  return new Option(
    "--fork <id>",
    "make the results of this fork; the id is an integer, two integers a,b, or a text (text:5 is the text 5); repeatable",
  ).argParser((text: string, before: readonly ForkId[] = []) => [...before, parseFork(text)]);
}

/** Without `--fork`, returns `noun` itself. */
export function forkOf<N extends { fork(id: ForkId): N }>(noun: N, { fork: ids = [] }: ForkFlags): N {
  return ids.reduce((parent, id) => parent.fork(id), noun);
}

/** `text:` makes any id a text, as in `text:5`. */
function parseFork(text: string): ForkId {
  if (text.startsWith("text:")) return text.slice("text:".length);
  const [, first, second] = /^(-?\d+)(?:,(-?\d+))?$/.exec(text) ?? [];
  if (first === undefined) return text;
  const [a, b] = [BigInt(first), BigInt(second ?? 0)];
  if (second === undefined) {
    if (BigInt.asIntN(64, a) !== a) refuse(text, "an integer from −2^63 to 2^63 − 1");
    return Number.isSafeInteger(Number(a)) ? Number(a) : a;
  }
  if (BigInt.asIntN(32, a) !== a || BigInt.asIntN(32, b) !== b) refuse(text, "two integers from −2^31 to 2^31 − 1");
  return [Number(a), Number(b)];
}

function refuse(text: string, expected: string): never {
  const problem = "the id of --fork is out of range";
  const remedy = 'To use the digits as a text, write "text:" before them';
  return fail(error("argument.range", { problem, got: text, expected, remedy }));
}
