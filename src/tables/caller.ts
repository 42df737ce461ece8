import { checkInteger } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { createOneShots, type OneShots } from "./nwangband.js";
import type { RollOptions, ScriptChoice, TableOptions } from "./options.js";
import { checkStart, reachableScripts } from "./reachability.js";
import { createScriptSet, isScriptSet, SCRIPT_SETS, type ScriptSet, type ScriptSetArgs } from "./scripts.js";
import type { ChosenCallback, Script, TablePlan } from "./types.js";
import { type FrozenWeights, freeze, type WeightSource } from "./weigh.js";

/** Everything a call decides before it rolls. */
export interface Rolling {
  readonly start: number;
  readonly maxHops: number;
  readonly onDead: "null" | "throw";
  readonly mode: "frozen" | "live";
  /** Whether a script weight is in reach of the start. */
  readonly scripted: boolean;
  readonly source: WeightSource;
  readonly chosen: ChosenCallback | undefined;
  /** The weights for the whole call: the scripts are asked when this is called first, and once. */
  readonly frozen: () => FrozenWeights;
}

/** What the mill gives every table. */
export interface CallerSetup {
  /** The mill's clock, as local time text. */
  readonly now: () => string;
  /** One-shots spent by any table of the mill. */
  readonly sharedOneShots: Set<number>;
}

const MAX_HOPS = 10_000;
const FIRST_ONE_SHOT = 1600;
const LAST_ONE_SHOT = 1799;

/** One table's callbacks and defaults, and the one-shots that it has spent: it turns a call's options into {@link Rolling}. */
export class Caller {
  readonly oneShots: OneShots;
  readonly #plan: TablePlan;
  readonly #defaults: TableOptions;
  readonly #overrides: ReadonlyMap<number, number>;
  readonly #now: () => string;
  /** The script ids in reach of each start that was asked for. */
  readonly #reach = new Map<number, readonly number[]>();
  /** What the table's own options come to, where that is the same for every call. */
  readonly #prepared: { single?: Rolling; bulk?: Rolling } = {};
  #ownSet: ScriptSet | undefined;

  constructor(plan: TablePlan, defaults: TableOptions, { now, sharedOneShots }: CallerSetup) {
    this.#plan = plan;
    this.#defaults = defaults;
    this.#overrides = overridesOf(defaults.weights);
    this.#now = now;
    this.oneShots = { own: createOneShots().own, shared: sharedOneShots };
  }

  /**
   * @param single - one roll only: its scripts are asked as it visits them, unless the caller wants them frozen.
   * @throws RollmillError `table.start`, `table.endless`, `table.live-from`, `table.unknown-script`, `argument.range`.
   */
  prepare(options: RollOptions, { single }: { readonly single: boolean }): Rolling {
    const form = single ? "single" : "bulk";
    const own = options === NO_OPTIONS || DECIDING.every((key) => options[key] === undefined);
    const rolling = (own ? this.#prepared[form] : undefined) ?? this.#resolve(options, single);
    if (own && (!rolling.scripted || (single && rolling.mode === "live"))) this.#prepared[form] = rolling;
    if (rolling.mode === "live" && rolling.chosen !== undefined && options.from !== undefined) refuseFrom(options.from);
    return rolling;
  }

  #resolve(options: RollOptions, single: boolean): Rolling {
    const all = { ...this.#defaults, ...options };
    const { start = 0, maxHops = MAX_HOPS, onDead = "null" } = all;
    checkInteger("maxHops", maxHops, 1, 2 ** 31 - 1);
    const overrides = options.weights === undefined ? this.#overrides : overridesOf(options.weights);
    const scripts = this.#scriptsInReach(start).filter((id) => !overrides.has(id));
    const scripted = scripts.length > 0;
    const { script, chosen: own } = this.#scriptSet(options.script, scripted);
    const source = { script, context: all.context, overrides };
    const chosen = both(own !== undefined && scripts.some(isOneShot) ? own : undefined, all.chosen);
    const natural = chosen !== undefined || single ? "live" : "frozen";
    const mode = scripted || all.chosen !== undefined ? (all.mode ?? natural) : "frozen";
    let weights: FrozenWeights | undefined;
    const frozen = () => (weights ??= freeze(this.#plan, start, source));
    return { start, maxHops, onDead, mode, scripted, source, chosen, frozen };
  }

  #scriptsInReach(start: number): readonly number[] {
    const known = this.#reach.get(start);
    if (known !== undefined) return known;
    checkStart(this.#plan, start);
    const scripts = reachableScripts(this.#plan, start).map((index) => this.#plan.scriptIds[index]);
    this.#reach.set(start, scripts);
    return scripts;
  }

  /** The scripts of a call, or the table's; made only where one is in reach, for the default one reads the clock. */
  #scriptSet(choice: ScriptChoice | undefined, scripted: boolean): ScriptSet {
    const chosen = checkChoice(choice ?? this.#defaults.script ?? "random_default");
    if (typeof chosen === "function") return { script: chosen };
    if (!scripted) return NO_SCRIPTS;
    if (choice !== undefined) return this.#createSet(chosen);
    this.#ownSet ??= this.#createSet(chosen);
    return this.#ownSet;
  }

  #createSet(args: ScriptSetArgs): ScriptSet {
    if (args.set === "random_default") return createScriptSet({ now: this.#now(), ...args });
    return createScriptSet(args, { oneShots: this.oneShots });
  }
}

/** No options: what a call without any passes, so that it costs nothing to see. */
export const NO_OPTIONS: RollOptions = Object.freeze({});

/** The options that decide how a roll is made; the others say only which rolls. */
const DECIDING = ["start", "script", "chosen", "context", "weights", "onDead", "mode", "maxHops"] as const;

const NO_SCRIPTS: ScriptSet = { script: () => 0 };

function checkChoice(choice: ScriptChoice): Script | ScriptSetArgs {
  if (typeof choice === "function") return choice;
  const args: unknown = typeof choice === "string" ? { set: choice } : choice;
  const set: unknown = typeof args === "object" && args !== null && "set" in args ? args.set : undefined;
  if (typeof set === "string" && isScriptSet(set)) return args as ScriptSetArgs;
  const expected = `a function, ${SCRIPT_SETS.join(" or ")}`;
  return fail(error("table.unknown-script", { problem: "no such script", got: set ?? choice, expected }));
}

function isOneShot(id: number): boolean {
  return id >= FIRST_ONE_SHOT && id <= LAST_ONE_SHOT;
}

function overridesOf(weights: TableOptions["weights"] = {}): ReadonlyMap<number, number> {
  if (weights instanceof Map) return new Map(weights);
  return new Map(Object.entries(weights).map(([id, weight]) => [Number(id), weight]));
}

function both(first: ChosenCallback | undefined, second: ChosenCallback | undefined): ChosenCallback | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (id, context) => {
    first(id, context);
    second(id, context);
  };
}

function refuseFrom(from: number): never {
  return fail(
    error("table.live-from", {
      problem: "live rolls with a chosen callback depend on all rolls before them, so they cannot start in the middle",
      got: `from ${from}`,
      remedy: 'Roll from the table\'s own cursor, or use mode: "frozen"',
    }),
  );
}
