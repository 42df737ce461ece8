import { refuse } from "../resolve.js";
import { MAX_POOLS, MAX_RULE_STEPS } from "../types.js";

/** To apply a rule to a pool takes about as long as to add this many records. */
const STEPS_PER_POOL = 4;

/** Limits pools and the steps of rules: a short text with stars in its paths can multiply them beyond all memory. */
export class Effort {
  #steps = 0;
  /** Whether a limit was exceeded. The other rules would only exceed it again. */
  isSpent = false;

  apply(path: string, { pools = 1, records }: { readonly pools?: number; readonly records: number }): void {
    this.step(path, pools * (STEPS_PER_POOL + records));
  }

  step(path: string, steps: number): void {
    this.#steps += steps;
    if (this.#steps <= MAX_RULE_STEPS) return;
    this.isSpent = true;
    refuse("pool.total", path, {
      problem: "the rules apply to too many pools and records",
      got: this.#steps,
      expected: `at most ${MAX_RULE_STEPS} steps`,
      remedy: "Use fewer rules, or fewer pools that match their stars",
    });
  }

  attach(path: string, pools: number): void {
    if (pools < MAX_POOLS) return;
    this.isSpent = true;
    refuse("pool.total", path, {
      problem: "the family has too many pools",
      expected: `at most ${MAX_POOLS} pools`,
      remedy: "Use fewer subpools, or fewer stars in the paths of rules",
    });
  }
}
