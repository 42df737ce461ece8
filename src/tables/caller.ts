import { checkInteger } from "../address.js";
import { error, fail } from "../errors/index.js";
import { createOneShots, type OneShots } from "./nwangband.js";
import type { RollOptions, ScriptChoice, TableOptions } from "./options.js";
import { checkStart, reachableScripts } from "./reachability.js";
import { createScriptSet, isScriptSet, SCRIPT_SETS, type ScriptSet } from "./scripts.js";
import type { ChosenCallback, TablePlan } from "./types.js";
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
  readonly #now: () => string;
  /** What holds for a start, whatever the scripts. */
  readonly #starts = new Map<number, { readonly scripts: readonly number[]; fixed: FrozenWeights | undefined }>();

  constructor(plan: TablePlan, defaults: TableOptions, { now, sharedOneShots }: CallerSetup) {
    this.#plan = plan;
    this.#defaults = defaults;
    this.#now = now;
    this.oneShots = { own: createOneShots().own, shared: sharedOneShots };
  }

  /**
   * @param single - one roll only: its scripts are asked as it visits them, unless the caller wants them frozen.
   * @throws RollmillError `table.start`, `table.endless`, `table.live-from`, `argument.range`, `argument.type`.
   */
  prepare(options: RollOptions, { single }: { readonly single: boolean }): Rolling {
    const all = { ...this.#defaults, ...options };
    const { start = 0, maxHops = MAX_HOPS, onDead = "null" } = all;
    checkInteger("maxHops", maxHops, 1, 2 ** 31 - 1);
    const reach = this.#reach(start);
    const scripted = reach.scripts.length > 0;
    const { script, chosen: own } = this.#scriptSet(all.script ?? "random_default");
    const source = { script, context: all.context, overrides: overridesOf(all.weights) };
    const chosen = both(own !== undefined && reach.scripts.some(isOneShot) ? own : undefined, all.chosen);
    const natural = chosen !== undefined || single ? "live" : "frozen";
    const mode = scripted ? (all.mode ?? natural) : "frozen";
    if (mode === "live" && chosen !== undefined && options.from !== undefined) refuseFrom(options.from);
    return { start, maxHops, onDead, mode, scripted, source, chosen, frozen: this.#freezer(start, source) };
  }

  #reach(start: number) {
    const known = this.#starts.get(start);
    if (known !== undefined) return known;
    checkStart(this.#plan, start);
    const scripts = reachableScripts(this.#plan, start).map((index) => this.#plan.scriptIds[index]);
    const reach = { scripts, fixed: undefined };
    this.#starts.set(start, reach);
    return reach;
  }

  /** Asks the scripts once a call; a start without scripts in reach has the same weights for ever. */
  #freezer(start: number, source: WeightSource): () => FrozenWeights {
    const reach = this.#reach(start);
    let weights = reach.fixed;
    return () => {
      weights ??= freeze(this.#plan, start, source);
      if (reach.scripts.length === 0) reach.fixed = weights;
      return weights;
    };
  }

  #scriptSet(choice: ScriptChoice): ScriptSet {
    if (typeof choice === "function") return { script: choice };
    const args = typeof choice === "string" ? { set: choice } : choice;
    if (typeof args !== "object" || args === null || !isScriptSet(args.set)) {
      const expected = `a function, ${SCRIPT_SETS.join(" or ")}`;
      const got = typeof choice === "object" ? args?.set : choice;
      return fail(error("table.unknown-script", { problem: "no such script", got, expected }));
    }
    if (args.set === "random_default") return createScriptSet({ now: this.#now(), ...args });
    return createScriptSet(args, { oneShots: this.oneShots });
  }
}

function isOneShot(id: number): boolean {
  return id >= FIRST_ONE_SHOT && id <= LAST_ONE_SHOT;
}

function overridesOf(weights: TableOptions["weights"]): ReadonlyMap<number, number> | undefined {
  if (weights === undefined || weights instanceof Map) return weights;
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
