import { error, type Issue } from "../errors/index.js";
import { createOneShots, MAX_LEVEL, MAX_TYPE, nwangband, type OneShots } from "./nwangband.js";
import { parseLocalTime, randomDefault } from "./randomDefault.js";
import type { ChosenCallback, Script } from "./types.js";

/** The built-in script sets, a closed list. */
export const SCRIPT_SETS = ["random_default", "nwangband"] as const;

/** The name of a built-in script set. */
export type ScriptSetName = (typeof SCRIPT_SETS)[number];

/** A built-in set with its arguments, as plain data: what a manifest records. */
export type ScriptSetArgs =
  | { readonly set: "random_default"; readonly now?: string }
  | { readonly set: "nwangband"; readonly level?: number; readonly type?: number; readonly spent?: readonly number[] };

/** Scripts ready to be called. `chosen` is there where the set has state to keep. */
export interface ScriptSet {
  readonly script: Script;
  readonly chosen?: ChosenCallback;
}

/** Whether a name is that of a built-in script set. */
export function isScriptSet(name: string): name is ScriptSetName {
  return SCRIPT_SETS.some((known) => known === name);
}

/**
 * Reads a set's arguments as they come from a command line, each a string: `now` for `random_default`; `level`, `type`
 * and `spent` (ids with commas between them) for `nwangband`. None is required here: a script that misses its argument
 * says so when it is asked.
 */
export function parseScriptArgs(
  set: string,
  args: Readonly<Record<string, string>>,
): { readonly args: ScriptSetArgs | undefined; readonly issues: readonly Issue[] } {
  if (!isScriptSet(set)) {
    const remedy = "A script of your own is passed as a function, or as a module on the command line";
    const expected = SCRIPT_SETS.join(" or ");
    return {
      args: undefined,
      issues: [error("table.unknown-script", { problem: "no such script set", got: set, expected, remedy })],
    };
  }
  const readers = ARGUMENTS[set];
  const issues: Issue[] = [];
  const read: [string, unknown][] = [];
  for (const [name, text] of Object.entries(args)) {
    const where = { path: `script-arg ${name}` };
    const argument = readers.get(name);
    const value = argument?.read(text);
    if (argument === undefined) {
      const known = [...readers.keys()].join(", ");
      issues.push(error("argument.range", { problem: `${set} takes no argument ${name}, only ${known}`, where }));
    } else if (value === undefined) {
      const problem = `${name} is not usable`;
      issues.push(error("argument.range", { problem, got: text, expected: argument.expected, where }));
    } else read.push([name, value]);
  }
  if (issues.length > 0) return { args: undefined, issues };
  return { args: { set, ...Object.fromEntries(read) }, issues };
}

/**
 * Makes a set's scripts. One-shots begin with the `spent` of the arguments; pass `oneShots` to keep their state outside
 * (the `spent` ids are then added to it).
 *
 * @throws RollmillError `argument.range` where an argument is out of range.
 */
export function createScriptSet(args: ScriptSetArgs, { oneShots }: { readonly oneShots?: OneShots } = {}): ScriptSet {
  if (args.set === "random_default") return { script: randomDefault(args) };
  const { own, shared } = createOneShots({ spent: args.spent ?? [] });
  for (const id of own) oneShots?.own.add(id);
  for (const id of shared) oneShots?.shared.add(id);
  return nwangband({ level: args.level, type: args.type, oneShots: oneShots ?? { own, shared } });
}

/** How an argument is read: undefined where the text is not as expected. */
interface Argument {
  readonly expected: string;
  readonly read: (text: string) => unknown;
}

const ARGUMENTS: Readonly<Record<ScriptSetName, ReadonlyMap<string, Argument>>> = {
  random_default: new Map([
    [
      "now",
      {
        expected: "a date or a local time, such as 2026-01-05T08:30",
        read: (text) => (parseLocalTime(text) === undefined ? undefined : text),
      },
    ],
  ]),
  nwangband: new Map<string, Argument>([
    ["level", { expected: `an integer from 0 to ${MAX_LEVEL}`, read: (text) => readInteger(text, 0, MAX_LEVEL) }],
    ["type", { expected: `an integer from 0 to ${MAX_TYPE}`, read: (text) => readInteger(text, 0, MAX_TYPE) }],
    ["spent", { expected: "ids from 1600 to 1799 with commas between them", read: readIds }],
  ]),
};

function readIds(text: string): number[] | undefined {
  const ids = text.split(",").map((id) => readInteger(id.trim(), 1600, 1799));
  return text.trim() === "" ? [] : ids.every((id) => id !== undefined) ? ids : undefined;
}

function readInteger(text: string, min: number, max: number): number | undefined {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
