import { error, type Issue } from "../errors/index.js";
import { parseLocalTime } from "../localTime.js";
import {
  createOneShots,
  FIRST_ONE_SHOT,
  isNwangbandScript,
  LAST_ONE_SHOT,
  MAX_LEVEL,
  MAX_TYPE,
  NWANGBAND_IDS,
  nwangband,
  type OneShots,
} from "./scripts/nwangband.js";
import { isRandomDefaultScript, LOCAL_TIME, RANDOM_DEFAULT_IDS, randomDefault } from "./scripts/randomDefault.js";
import type { ChosenCallback, Script, ScriptSetArgs, ScriptSetName } from "./types.js";

export { isOneShot, type OneShots } from "./scripts/nwangband.js";

/** The names of the built-in script sets. */
export const SCRIPT_SETS = ["random_default", "nwangband"] as const satisfies readonly ScriptSetName[];

export interface ScriptSet {
  readonly script: Script;
  readonly chosen?: ChosenCallback;
}

export function isScriptSet(name: unknown): name is ScriptSetName {
  return SCRIPT_SETS.some((known) => known === name);
}

export const KNOWN_SCRIPTS: Readonly<
  Record<ScriptSetName, { readonly ids: string; readonly has: (id: number) => boolean }>
> = {
  random_default: { ids: RANDOM_DEFAULT_IDS, has: isRandomDefaultScript },
  nwangband: { ids: NWANGBAND_IDS, has: isNwangbandScript },
};

/**
 * Reads the arguments of a set from the command line. `spent` lists the ids of used one-shots, separated by commas. A
 * script that needs a missing argument throws when it is called.
 */
export function parseScriptArgs(
  set: string,
  args: Readonly<Record<string, string>>,
): { readonly args: ScriptSetArgs | undefined; readonly issues: readonly Issue[] } {
  if (!isScriptSet(set)) {
    const remedy = "Pass your own script as a function, or as a module on the command line";
    const finding = { problem: "unknown script set", got: set, expected: SCRIPT_SETS.join(" or "), remedy };
    return { args: undefined, issues: [error("table.unknown-script", finding)] };
  }
  const known = ARGUMENTS[set];
  const issues: Issue[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(args)) {
    const where = { path: `script-arg ${name}` };
    const argument = Object.hasOwn(known, name) ? known[name] : undefined;
    read[name] = argument?.read(text);
    if (argument === undefined) {
      const problem = `${set} has no argument ${JSON.stringify(name)}, only ${Object.keys(known).join(", ")}`;
      issues.push(error("argument.range", { problem, where }));
    } else if (read[name] === undefined) {
      const problem = `invalid argument ${JSON.stringify(name)}`;
      issues.push(error("argument.range", { problem, got: text, expected: argument.expected, where }));
    }
  }
  return { args: issues.length > 0 ? undefined : { set, ...read }, issues };
}

/**
 * Adds the one-shots in `args.spent` to `oneShots`.
 *
 * @throws RollmillError `argument.range` if an argument is out of range.
 */
export function createScriptSet(args: ScriptSetArgs, { oneShots }: { readonly oneShots?: OneShots } = {}): ScriptSet {
  if (args.set === "random_default") return { script: randomDefault({ now: args.now }) };
  const { own, shared } = createOneShots({ spent: args.spent ?? [] });
  for (const id of own) oneShots?.own.add(id);
  for (const id of shared) oneShots?.shared.add(id);
  return nwangband({ level: args.level, type: args.type, oneShots: oneShots ?? { own, shared } });
}

/** `read` returns undefined for an invalid text. */
interface Argument {
  readonly expected: string;
  readonly read: (text: string) => unknown;
}

const ARGUMENTS: Readonly<Record<ScriptSetName, Readonly<Record<string, Argument>>>> = {
  random_default: {
    now: { expected: LOCAL_TIME, read: (text) => (parseLocalTime(text) === undefined ? undefined : text) },
  },
  nwangband: {
    level: { expected: `an integer from 0 to ${MAX_LEVEL}`, read: (text) => readInteger(text, 0, MAX_LEVEL) },
    type: { expected: `an integer from 0 to ${MAX_TYPE}`, read: (text) => readInteger(text, 0, MAX_TYPE) },
    spent: {
      expected: `ids from ${FIRST_ONE_SHOT} to ${LAST_ONE_SHOT}, separated by commas`,
      read: (text) => {
        const ids = text.split(",").map((id) => readInteger(id.trim(), FIRST_ONE_SHOT, LAST_ONE_SHOT));
        return text.trim() === "" ? [] : ids.includes(undefined) ? undefined : ids;
      },
    },
  },
};

function readInteger(text: string, min: number, max: number): number | undefined {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
