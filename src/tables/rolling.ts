import type { State } from "../calls/index.js";
import { error, fail, failOnErrors, reading } from "../errors/index.js";
import { checkFunction, checkInteger, readEntries, refuseArgument } from "../spec/index.js";
import type { Payload } from "./payload.js";
import { checkStart, reachableRows, reachableScripts } from "./reach.js";
import { absentScripts } from "./scripts/absent.js";
import {
  createScriptSet,
  hasScript,
  isOneShot,
  isScriptSet,
  type OneShots,
  SCRIPT_SETS,
  type ScriptSet,
} from "./scripts.js";
import type {
  ChosenCallback,
  NamedScript,
  Script,
  ScriptChoice,
  ScriptId,
  ScriptSetArgs,
  TableOptions,
  TablePlan,
} from "./types.js";
import { type FrozenWeights, freeze, type WeightSource } from "./weights.js";

/** The settings of one call. If the call lacks an option, the default of the table is used. */
export interface Rolling {
  readonly start: number;
  readonly maxHops: number;
  readonly onDead: "null" | "throw";
  readonly mode: "frozen" | "live";
  /** Whether rolls from `start` can reach a column whose weight a script returns. */
  readonly scripted: boolean;
  readonly source: WeightSource;
  readonly chosen: ChosenCallback | undefined;
  /** Returns the weights for the whole call. Calls the scripts at the first use. */
  readonly frozen: () => FrozenWeights;
}

/** The defaults of a table, its payload, and the local time of its mill. The table and its forks share them. */
export interface TableOwn {
  readonly defaults: TableOptions;
  readonly payload?: Payload | undefined;
  /** The local time of the mill, as ISO text. */
  readonly now: () => string;
}

/** The state of a table: the index of the next roll, and the used one-shots. */
export interface TableState extends State {
  readonly oneShots: () => OneShots;
  /** Runs a call. If the call throws, the one-shots that this call used become unused again. */
  readonly attempt: <T>(call: () => T) => T;
}

/** The number of a start row, and the script ids that rolls from this row can reach. */
interface Reach {
  readonly start: number;
  readonly scriptIds: readonly ScriptId[];
}

/** Values that a table and its forks compute only once, because they depend only on the plan and the defaults. */
export class RollingCache {
  /** The {@link Reach} of each start that was used, by row number or label. */
  readonly reach = new Map<number | string, Reach>();
  /** The settings of calls without options. Set only if the table has no callback, and rolls can reach no script. */
  plain: Rolling | undefined;
}

interface RollingSetup extends TableOwn {
  /** Returns the used one-shots. Called only if a script set needs them. */
  readonly oneShots: () => OneShots;
  readonly cache: RollingCache;
}

/** Names of the options that decide how a roll is made. They can be set for a table and for each of its calls. */
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

/** Combines the options of a call with the defaults of the table. */
export class Rollings {
  readonly #plan: TablePlan;
  readonly #setup: RollingSetup;
  readonly #overrides: ReadonlyMap<ScriptId, number>;
  readonly #named: ReadonlyMap<string, NamedScript>;
  /**
   * The cached settings of calls without options, for one roll and for many rolls. Not set if the settings can differ
   * from call to call.
   */
  readonly #prepared: { single?: Rolling; bulk?: Rolling } = {};
  /** The scripts of the table's option `script`, created at the first use. */
  #ownSet: ScriptSet | undefined;

  constructor(plan: TablePlan, setup: RollingSetup) {
    this.#plan = plan;
    this.#setup = setup;
    this.#overrides = overridesOf(setup.defaults.weights);
    this.#named = scriptsOf(setup.defaults.scripts);
  }

  /**
   * Returns the settings of a call.
   *
   * @param form - `single` for one roll, `bulk` for many rolls. The default of the option `mode` depends on the form.
   * @param index - The option `at` or `from` of the call; undefined if the call uses the table's next index.
   * @throws RollmillError `table.start`, `table.endless`, `table.live-from`, `table.unknown-script`, `argument.range`.
   */
  prepare(options: TableOptions, form: "single" | "bulk", index?: number): Rolling {
    const own = Object.keys(options).length === 0 || TABLE_OPTIONS.every((key) => options[key] === undefined);
    const { cache } = this.#setup;
    const known = own ? (cache.plain ?? this.#prepared[form]) : undefined;
    const rolling = known ?? this.#resolve(options, form);
    if (own && rolling.mode === "frozen" && !rolling.scripted) cache.plain = rolling;
    if (own && (!rolling.scripted || (form === "single" && rolling.mode === "live"))) this.#prepared[form] = rolling;
    if (rolling.mode === "live" && rolling.chosen !== undefined && index !== undefined) refuseIndex(index);
    return rolling;
  }

  #resolve(options: TableOptions, form: "single" | "bulk"): Rolling {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    const all: TableOptions = { ...this.#setup.defaults, ...Object.fromEntries(given) };
    const { start: from = 0, maxHops = MAX_HOPS, onDead = "null" } = all;
    checkInteger("maxHops", maxHops, 1, 2 ** 31 - 1);
    checkChoices(all);
    const overrides = options.weights === undefined ? this.#overrides : overridesOf(options.weights);
    const { start, scriptIds } = this.#reachFrom(from);
    const scripts = scriptIds.filter((id) => !overrides.has(id));
    const scripted = scripts.length > 0;
    const named = options.scripts === undefined ? this.#named : scriptsOf(options.scripts);
    const isNumbered = scripts.some((id) => typeof id === "number");
    const { script, chosen: own } = this.#scriptSet(options.script, isNumbered);
    const choice = checkChoice(all.script ?? "random_default");
    const set = typeof choice === "function" ? undefined : choice.set;
    const isKnown = (id: ScriptId) =>
      typeof id === "string" ? named.has(id) : set === undefined || hasScript(set, id);
    if (!scripts.every(isKnown)) {
      failOnErrors(absentScripts(this.#plan, { set, named, overrides, rows: reachableRows(this.#plan, start) }));
    }
    const source = { script, scripts: named, context: all.context, overrides };
    const chosen = both(own !== undefined && scripts.some(isOneShot) ? own : undefined, all.chosen);
    const natural = chosen !== undefined || form === "single" ? "live" : "frozen";
    const mode = scripted || all.chosen !== undefined ? (all.mode ?? natural) : "frozen";
    // Frozen rolls cannot call `chosen`. If the call itself sets `mode: "frozen"`, the callback of the table is
    // ignored. A callback in the options of the call is refused.
    const isIgnored = options.chosen !== undefined || (all.chosen !== undefined && options.mode === undefined);
    if (mode === "frozen" && isIgnored) refuseChosen();
    let weights: FrozenWeights | undefined;
    const frozen = () => (weights ??= freeze(this.#plan, start, source));
    return { start, maxHops, onDead, mode, scripted, source, chosen, frozen };
  }

  #reachFrom(row: number | string): Reach {
    const known = this.#setup.cache.reach.get(row);
    if (known !== undefined) return known;
    const start = checkStart(this.#plan, row);
    const scripts = reachableScripts(this.#plan, start);
    const reach = { start, scriptIds: scripts.map((index) => this.#plan.scriptIds[index]) };
    this.#setup.cache.reach.set(row, reach);
    return reach;
  }

  /**
   * Returns the scripts of the call whose ids are numbers. If the call has no scripts, returns the scripts of the table.
   * Creates a built-in set only if a roll can reach such a script, because the default set reads the clock.
   */
  #scriptSet(choice: ScriptChoice | undefined, isNumbered: boolean): ScriptSet {
    const chosen = checkChoice(choice ?? this.#setup.defaults.script ?? "random_default");
    if (typeof chosen === "function") return { script: chosen };
    if (!isNumbered) return NO_SCRIPTS;
    if (choice !== undefined) return this.#createSet(chosen);
    this.#ownSet ??= this.#createSet(chosen);
    return this.#ownSet;
  }

  #createSet(args: ScriptSetArgs): ScriptSet {
    if (args.set === "random_default") return createScriptSet({ now: this.#setup.now(), ...args });
    return createScriptSet(args, { oneShots: this.#setup.oneShots() });
  }
}

const NO_SCRIPTS: ScriptSet = { script: () => 0 };

/**
 * Checks the option `script`. Returns the user's function, or the arguments of a built-in set.
 *
 * @throws RollmillError `table.unknown-script`.
 */
export function checkChoice(choice: ScriptChoice): Script | ScriptSetArgs {
  if (typeof choice === "function") return choice;
  const args = typeof choice === "string" ? { set: choice } : reading("the script set", () => readArgs(choice));
  const { set } = args;
  if (typeof set === "string" && isScriptSet(set)) return args as ScriptSetArgs;
  const expected = `a function, "${SCRIPT_SETS.join('" or "')}"`;
  return fail(error("table.unknown-script", { problem: "unknown script", got: set ?? choice, expected }));
}

/** Copies the arguments of a script set, so that a getter runs once. */
function readArgs(args: ScriptSetArgs): { readonly [name: string]: unknown } {
  if (typeof args !== "object" || args === null) return {};
  const copy: { [name: string]: unknown } = { ...args };
  if (copy.spent !== undefined) copy.spent = readEntries("spent", copy.spent as Iterable<number>, SPENT);
  return copy;
}

const SPENT = { of: "ids of one-shots", most: 100_000 };

/**
 * Copies the option `weights` to a map from script ids to constant weights.
 *
 * @throws RollmillError `argument.type` for anything but an object or a Map of weights.
 */
export function overridesOf(weights: TableOptions["weights"] = {}): ReadonlyMap<ScriptId, number> {
  return reading('the option "weights"', () => {
    if (typeof weights !== "object" || weights === null) refuseArgument("weights", weights, "an object or a Map");
    if (weights instanceof Map) return new Map(weights);
    return new Map(Object.entries(weights).map(([id, weight]) => [/^\d/.test(id) ? Number(id) : id, weight]));
  });
}

/**
 * Copies the option `scripts` to a map.
 *
 * @throws RollmillError `argument.type` for anything but an object of functions.
 */
export function scriptsOf(scripts: TableOptions["scripts"] = {}): ReadonlyMap<string, NamedScript> {
  if (typeof scripts !== "object" || scripts === null) refuseArgument("scripts", scripts, "an object of functions");
  const named = reading('the option "scripts"', () => new Map(Object.entries(scripts)));
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

function refuseChosen(): never {
  const problem = 'rolls with the mode "frozen" cannot call the callback "chosen"';
  return fail(error("argument.option", { problem, remedy: 'Remove "chosen", or set "mode" to "live"' }));
}

function refuseIndex(index: number): never {
  return fail(
    error("table.live-from", {
      problem: `live rolls with one-shots or "chosen" depend on earlier rolls and cannot start at index ${index}`,
      remedy: 'Omit the option "at" or "from", or set "mode" to "frozen"',
    }),
  );
}
