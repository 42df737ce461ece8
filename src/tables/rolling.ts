import { ignoreRejection, reasonOf, type State } from "../calls/index.js";
import { error, type Finding, fail, failOnErrors, type Issue } from "../errors/index.js";
import { checkFunction, checkInteger, refuseArgument } from "../spec/index.js";
import { checkStart, reachableRows, reachableScripts } from "./compile.js";
import { nameOf, totalIssue, whereOf } from "./issues.js";
import { MAX_WEIGHT, type ScriptId } from "./parse/input.js";
import {
  absentScripts,
  createScriptSet,
  isOneShot,
  isScriptSet,
  KNOWN_SCRIPTS,
  type OneShots,
  SCRIPT_SETS,
  type ScriptSet,
} from "./scripts.js";
import type {
  ChosenCallback,
  NamedScript,
  Script,
  ScriptChoice,
  ScriptSetArgs,
  TableOptions,
  TablePlan,
} from "./types.js";

/** The settings of one call: its options or, where an option is missing, the table's default. */
export interface Rolling {
  readonly start: number;
  readonly maxHops: number;
  readonly onDead: "null" | "throw";
  readonly mode: "frozen" | "live";
  readonly scripted: boolean;
  readonly source: WeightSource;
  readonly chosen: ChosenCallback | undefined;
  /** Returns the weights of frozen rolls. Only the first call of this function calls the scripts. */
  readonly frozen: () => FrozenWeights;
}

export interface TableOwn {
  readonly defaults: TableOptions;
  readonly now: () => string;
}

export interface TableState extends State {
  readonly oneShots: () => OneShots;
  /** If `call` throws, the one-shots that `call` used become unused again. */
  readonly attempt: <T>(call: () => T) => T;
}

/** Shared by a table and its forks: values that depend only on the plan and the defaults. */
export interface RollingCache {
  readonly reach: Map<number | string, { readonly start: number; readonly scriptIds: readonly ScriptId[] }>;
  /** The settings of calls without options. Set only for a table without callbacks and without reachable scripts. */
  plain?: Rolling;
}

export const TABLE_OPTIONS = [
  "start",
  "script",
  "scripts",
  "chosen",
  "context",
  "weights",
  "onDead",
  "mode",
  "maxHops",
] as const satisfies readonly (keyof TableOptions)[];

const MAX_HOPS = 10_000;
const NO_SCRIPTS: ScriptSet = { script: () => 0 };

/**
 * Returns the settings of a call. The default of the option `mode` depends on `form`; `index` is the option `at` or
 * `from`. Throws `table.start`, `table.endless`, `table.live-from`, `table.unknown-script`, `argument.range`.
 */
export type Prepare = (options: TableOptions, form: "single" | "bulk", index?: number) => Rolling;

/** Returns a function that caches the settings of calls without options, unless they can change between calls. */
export function preparer(plan: TablePlan, own: TableOwn, cache: RollingCache, oneShots: () => OneShots): Prepare {
  const overrides = overridesOf(own.defaults.weights);
  const named = scriptsOf(own.defaults.scripts);
  const prepared: { single?: Rolling; bulk?: Rolling } = {};
  let ownSet: ScriptSet | undefined;

  const prepare: Prepare = (options, form, index) => {
    const isOwn = Object.keys(options).length === 0 || TABLE_OPTIONS.every((key) => options[key] === undefined);
    const known = isOwn ? (cache.plain ?? prepared[form]) : undefined;
    const rolling = known ?? resolve(options, form);
    const { mode, scripted } = rolling;
    if (isOwn && mode === "frozen" && !scripted) cache.plain = rolling;
    if (isOwn && (!scripted || (form === "single" && mode === "live"))) prepared[form] = rolling;
    if (mode === "live" && rolling.chosen !== undefined && index !== undefined) {
      const problem = `live rolls with one-shots or "chosen" depend on earlier rolls and cannot start at index ${index}`;
      fail(error("table.live-from", { problem, remedy: 'Omit the option "at" or "from", or set "mode" to "frozen"' }));
    }
    return rolling;
  };

  function resolve(options: TableOptions, form: "single" | "bulk"): Rolling {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    const all: TableOptions = { ...own.defaults, ...Object.fromEntries(given) };
    const { start: from = 0, maxHops = MAX_HOPS, onDead = "null" } = all;
    checkInteger("maxHops", maxHops, 1, 2 ** 31 - 1);
    checkChoices(all);
    const choice = checkChoice(all.script ?? "random_default");
    const set = typeof choice === "function" ? undefined : choice.set;
    const fixed = options.weights === undefined ? overrides : overridesOf(options.weights);
    const functions = options.scripts === undefined ? named : scriptsOf(options.scripts);
    const { start, scriptIds } = reachFrom(from);
    const scripts = scriptIds.filter((id) => !fixed.has(id));
    const scripted = scripts.length > 0;
    const isKnown = (id: ScriptId) =>
      typeof id === "string" ? functions.has(id) : set === undefined || KNOWN_SCRIPTS[set].has(id);
    if (!scripts.every(isKnown)) {
      failOnErrors(absentScripts(plan, reachableRows(plan, start), { set, named: functions, overrides: fixed }));
    }
    // the default set reads the clock, so it is created only if a roll can reach a script whose id is a number
    const isNumbered = scripts.some((id) => typeof id === "number");
    const { script, chosen: ofSet } =
      typeof choice === "function"
        ? { script: choice, chosen: undefined }
        : isNumbered
          ? setOf(choice, options.script === undefined)
          : NO_SCRIPTS;
    const source = { script, scripts: functions, context: all.context, overrides: fixed };
    const chosen = both(ofSet !== undefined && scripts.some(isOneShot) ? ofSet : undefined, all.chosen);
    const natural = chosen !== undefined || form === "single" ? "live" : "frozen";
    const mode = scripted || all.chosen !== undefined ? (all.mode ?? natural) : "frozen";
    // frozen rolls cannot call `chosen`. If the call sets `mode: "frozen"`, the table's callback is ignored, but a
    // callback in the options of the call is an error
    if (mode === "frozen" && (options.chosen ?? (options.mode === undefined ? all.chosen : undefined)) !== undefined) {
      const problem = 'rolls with the mode "frozen" cannot call the callback "chosen"';
      fail(error("argument.option", { problem, remedy: 'Remove "chosen", or set "mode" to "live"' }));
    }
    let weights: FrozenWeights | undefined;
    const frozen = () => (weights ??= freeze(plan, start, source));
    return { start, maxHops, onDead, mode, scripted, source, chosen, frozen };
  }

  function reachFrom(row: number | string) {
    const known = cache.reach.get(row);
    if (known !== undefined) return known;
    const start = checkStart(plan, row);
    const scripts = reachableScripts(plan, start);
    const reach = { start, scriptIds: scripts.map((index) => plan.scriptIds[index]) };
    cache.reach.set(row, reach);
    return reach;
  }

  function setOf(args: ScriptSetArgs, isOwn: boolean): ScriptSet {
    if (isOwn && ownSet !== undefined) return ownSet;
    const set =
      args.set === "random_default"
        ? createScriptSet({ now: own.now(), ...args })
        : createScriptSet(args, { oneShots: oneShots() });
    if (isOwn) ownSet = set;
    return set;
  }

  return prepare;
}

/** @throws RollmillError `table.unknown-script`. */
export function checkChoice(choice: ScriptChoice): Script | ScriptSetArgs {
  if (typeof choice === "function") return choice;
  const args = typeof choice === "string" ? { set: choice } : choice;
  const set: unknown = args?.set;
  if (isScriptSet(set)) return args;
  const expected = `a function, "${SCRIPT_SETS.join('" or "')}"`;
  return fail(error("table.unknown-script", { problem: "unknown script", got: set ?? choice, expected }));
}

/** @throws RollmillError `argument.type` for anything but an object or a Map of weights. */
export function overridesOf(weights: TableOptions["weights"] = {}): ReadonlyMap<ScriptId, number> {
  if (typeof weights !== "object" || weights === null) refuseArgument("weights", weights, "an object or a Map");
  if (weights instanceof Map) return new Map(weights);
  return new Map(Object.entries(weights).map(([id, weight]) => [/^\d/.test(id) ? Number(id) : id, weight]));
}

/** @throws RollmillError `argument.type` for anything but an object of functions. */
export function scriptsOf(scripts: TableOptions["scripts"] = {}): ReadonlyMap<string, NamedScript> {
  if (typeof scripts !== "object" || scripts === null) refuseArgument("scripts", scripts, "an object of functions");
  const named = new Map(Object.entries(scripts));
  for (const [name, script] of named) checkFunction(`scripts.${name}`, script);
  return named;
}

function both(first: ChosenCallback | undefined, second: ChosenCallback | undefined): ChosenCallback | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (id, context) => {
    first(id, context);
    return second(id, context);
  };
}

function checkChoices({ onDead = "null", mode = "live", chosen }: TableOptions): void {
  if (onDead !== "null" && onDead !== "throw") refuseArgument("onDead", onDead, '"null" or "throw"');
  if (mode !== "frozen" && mode !== "live") refuseArgument("mode", mode, '"frozen" or "live"');
  if (chosen !== undefined) checkFunction("chosen", chosen);
}

interface WeightSource {
  readonly script: Script;
  readonly scripts?: ReadonlyMap<string, NamedScript> | undefined;
  readonly context: unknown;
  readonly overrides?: ReadonlyMap<ScriptId, number> | undefined;
}

/** The weight that a script returned, or a finding whose problem continues the text "script 7 in row 1". */
type Answer = number | { readonly finding: Finding; readonly cause?: unknown };

function askScript({ script, scripts, context, overrides }: WeightSource, id: ScriptId): Answer {
  let returned: unknown;
  try {
    if (overrides?.has(id)) returned = overrides.get(id);
    else returned = typeof id === "string" ? scripts?.get(id)?.(context) : script(id, context);
  } catch (cause) {
    return { finding: { problem: `failed (${reasonOf(cause)})` }, cause };
  }
  if (typeof returned === "number" && Number.isInteger(returned) && returned >= 0 && returned <= MAX_WEIGHT) {
    return returned + 0;
  }
  const isPromise = ignoreRejection(returned);
  const problem = isPromise ? "returned a promise, which a roll cannot await" : "returned an invalid weight";
  return { finding: { problem, got: returned, expected: `an integer from 0 to ${MAX_WEIGHT}` } };
}

function scriptIssue(plan: TablePlan, row: number, column: number, finding: Finding): Issue {
  const place = { row, column: column - plan.rowStart[row] };
  const problem = `script ${plan.scriptIds[plan.script[column]]} in ${nameOf(plan, place)} ${finding.problem}`;
  return error("table.script", { ...finding, problem, where: whereOf(plan.spec, place) });
}

/** Calls the script of the column at `place`. Returns an issue if the weight is invalid. */
export function scriptFlaw(
  plan: TablePlan,
  place: { readonly row: number; readonly column: number },
  source: WeightSource,
): Issue | undefined {
  const column = plan.rowStart[place.row] + place.column;
  const answer = askScript(source, plan.scriptIds[plan.script[column]]);
  return typeof answer === "number" ? undefined : scriptIssue(plan, place.row, column, answer.finding);
}

/** Calls the scripts of a row, in order, up to the first that fails. Throws `table.script`, `weights.overflow`. */
export function weighRow(
  plan: TablePlan,
  row: number,
  source: WeightSource,
  ask = (script: number): Answer => askScript(source, plan.scriptIds[script]),
): { readonly weights: readonly number[]; readonly total: number } {
  const start = plan.rowStart[row];
  const end = plan.rowStart[row + 1];
  const weights: number[] = new Array(end - start);
  let total = 0;
  for (let column = start; column < end; column++) {
    const answer = plan.script[column] < 0 ? plan.weight[column] : ask(plan.script[column]);
    if (typeof answer !== "number") return fail(scriptIssue(plan, row, column, answer.finding), answer.cause);
    weights[column - start] = answer;
    total += answer;
  }
  return total > MAX_WEIGHT ? fail(totalIssue(plan, row, total)) : { weights, total };
}

/** The weights of a table for a whole call, in which each script is called only once. */
export interface FrozenWeights {
  /** The weight of each column of the plan. Scripts have 0 in a row that no roll reaches, or where a script failed. */
  readonly weights: Uint32Array;
  /** For each row whose scripts failed, the error that a roll throws when it visits the row. */
  readonly failed: ReadonlyMap<number, unknown>;
}

/** Calls once each script that a roll can reach. A failed script is reported only if a roll visits its row. */
export function freeze(plan: TablePlan, start: number, source: WeightSource): FrozenWeights {
  const failed = new Map<number, unknown>();
  const scripts = reachableScripts(plan, start);
  if (scripts.length === 0) return { weights: plan.weight, failed };
  const answers = new Map(scripts.map((script) => [script, askScript(source, plan.scriptIds[script])]));
  const weights = plan.weight.slice();
  for (const row of reachableRows(plan, start)) {
    try {
      weights.set(weighRow(plan, row, source, (script) => answers.get(script) ?? 0).weights, plan.rowStart[row]);
    } catch (cause) {
      failed.set(row, cause);
    }
  }
  return { weights, failed };
}
