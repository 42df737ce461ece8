import { didYouMean, error, type Finding, fail, type Issue } from "../errors/index.js";
import { type LocalTime, parseLocalTime } from "../localTime.js";
import { readOptions } from "../spec/index.js";
import { firstUses } from "./compile.js";
import { nameOf, whereOf } from "./issues.js";
import type { ScriptId } from "./parse/input.js";
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
import type { ChosenCallback, NamedScript, Script, ScriptSetArgs, ScriptSetName, TablePlan } from "./types.js";

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

/** When the script of each id has the weight 100. Source: the DRDT page of NWAngband (docs/formats/tables.md). */
const WEIGHTS = new Map<number, (now: LocalTime) => boolean>([
  [1, ({ weekday }) => weekday === 1],
  [2, ({ hour }) => hour >= 6 && hour < 12],
  [3, ({ month }) => month === 1],
]);

const LOCAL_TIME = "a date or a local time, such as 2026-01-05T08:30";
const RANDOM_DEFAULT_IDS = "1 (Monday), 2 (morning) and 3 (January)";

/**
 * Creates the default script of the DRDT page. Script 1 returns 100 on a Monday, script 2 in the morning (06:00–11:59),
 * and script 3 in January. At other times the scripts return 0. The returned function throws a RollmillError for any
 * other id (`table.unknown-script`) and if `now` is missing (`argument.range`).
 *
 * @param options - `now` is a local time, such as 2026-01-05T08:30.
 * @throws RollmillError `argument.range` if `now` is not a valid date or time; `argument.type`, `argument.option`.
 */
export function randomDefault(options: { readonly now?: string | undefined } = {}): Script {
  const { now } = readOptions("randomDefault", options, ["now"]);
  const time = typeof now === "string" ? parseLocalTime(now) : undefined;
  if (now !== undefined && time === undefined) {
    const [problem, where] = ['"now" is not a valid date or time', { path: "now" }];
    return fail(error("argument.range", { problem, got: now, expected: LOCAL_TIME, where }));
  }
  return (id) => {
    const holds = WEIGHTS.get(id);
    if (holds === undefined) {
      const problem = `the script set random_default has no script ${id}, only ${RANDOM_DEFAULT_IDS}`;
      const remedy = "Pass your own script, or use another built-in set";
      return fail(error("table.unknown-script", { problem, remedy }));
    }
    if (time === undefined) {
      const problem = `script ${id} of random_default needs the option "now"`;
      return fail(error("argument.range", { problem, remedy: 'Pass "now", such as 2026-01-05T08:30' }));
    }
    return holds(time) ? 100 : 0;
  };
}

export const KNOWN_SCRIPTS = {
  random_default: { ids: RANDOM_DEFAULT_IDS, has: (id: number) => WEIGHTS.has(id) },
  nwangband: { ids: NWANGBAND_IDS, has: isNwangbandScript },
};

/**
 * Reads the arguments of a script set from the command line. `spent` lists the ids of used one-shots, separated by
 * commas. A script that needs a missing argument throws when it is called.
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

/** Creates a set. Adds the one-shots in `args.spent` to `oneShots`. Throws `argument.range` for an invalid argument. */
export function createScriptSet(args: ScriptSetArgs, { oneShots }: { readonly oneShots?: OneShots } = {}): ScriptSet {
  if (args.set === "random_default") return { script: randomDefault({ now: args.now }) };
  const { own, shared } = createOneShots({ spent: args.spent ?? [] });
  for (const id of own) oneShots?.own.add(id);
  for (const id of shared) oneShots?.shared.add(id);
  return nwangband({ level: args.level, type: args.type, oneShots: oneShots ?? { own, shared } });
}

/** An argument of a script set, given as text. `read` returns undefined for an invalid text. */
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

interface ScriptsInUse {
  /** If undefined, ids that are numbers are not checked. */
  readonly set: ScriptSetName | undefined;
  /** The scripts with names. If undefined, script ids that are names are not checked. */
  readonly named: ReadonlyMap<string, NamedScript> | undefined;
  readonly overrides: ReadonlyMap<ScriptId, number>;
}

/** Returns an error for each script id in `rows` that the set or the named scripts lack, at its first use. */
export function absentScripts(
  plan: TablePlan,
  rows: Iterable<number>,
  { set, named, overrides }: ScriptsInUse,
): Issue[] {
  if (set === undefined && named === undefined) return [];
  return [...firstUses(plan, rows)].flatMap(({ id, ...place }) => {
    if (overrides.has(id)) return [];
    const refuse = (flaw: string, finding: Pick<Finding, "expected" | "remedy">) => {
      const problem = `${nameOf(plan, place)} gets its weight from a script ${flaw}`;
      return error("table.unknown-script", { problem, got: id, ...finding, where: whereOf(plan.spec, place) });
    };
    if (typeof id === "string") {
      if (named?.has(id) !== false) return [];
      const remedy =
        'Pass the script in the option "scripts" or in the module of --script, or give it a constant weight';
      return refuse("that was not passed", didYouMean(id, named.keys(), remedy));
    }
    if (set === undefined || KNOWN_SCRIPTS[set].has(id)) return [];
    const expected = `one of the ids ${KNOWN_SCRIPTS[set].ids}`;
    const remedy = "Choose another script set, pass your own script, or give the script a constant weight";
    return refuse(`that the script set ${set} lacks`, { expected, remedy });
  });
}
