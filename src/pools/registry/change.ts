import { type Code, type Finding, failOnErrors, IssueList, RollmillError } from "../../errors/index.js";
import { refuse } from "../resolve.js";
import { MAX_POOLS, MAX_RULE_STEPS } from "../types.js";

/** To apply a rule to a pool takes about as long as to add this many records. */
const STEPS_PER_POOL = 4;

/**
 * One change of a family: its errors, the functions that revert it, and its effort. Pools and the steps of rules are
 * limited, because a short text with stars in its paths can multiply them beyond all memory.
 */
export class Change {
  readonly undo: (() => void)[] = [];
  /** Whether a limit was exceeded. Other rules would only exceed it again. */
  isSpent = false;
  readonly #issues = new IssueList({ code: "pool.spec" });
  readonly #file: string | undefined;
  #steps = 0;

  constructor(file?: string) {
    this.#file = file;
  }

  report(code: Code, path: string, finding: Finding): void {
    this.#issues.report(code, { ...finding, where: { path, file: this.#file } });
  }

  /** Adds the issues that a job throws. Their place in the spec is `path`. */
  collect(path: string, job: () => void): void {
    try {
      job();
    } catch (cause) {
      if (!(cause instanceof RollmillError)) throw cause;
      for (const issue of cause.issues) this.#issues.add({ ...issue, where: { path, file: this.#file } });
    }
  }

  get isFull(): boolean {
    return this.#issues.isFull;
  }

  check(): void {
    failOnErrors(this.#issues.list());
  }

  revert(): void {
    for (const undo of this.undo.reverse()) undo();
  }

  /** Counts a rule that adds records to pools. */
  apply(path: string, records: number, pools = 1): void {
    this.step(path, pools * (STEPS_PER_POOL + records));
  }

  step(path: string, steps: number): void {
    this.#steps += steps;
    if (this.#steps <= MAX_RULE_STEPS) return;
    this.isSpent = true;
    const problem = "the rules apply to too many pools and records";
    const remedy = "Use fewer rules, or fewer pools that match their stars";
    refuse("pool.total", path, { problem, got: this.#steps, expected: `at most ${MAX_RULE_STEPS} steps`, remedy });
  }

  /** Counts a new pool of a family with this many pools. */
  attach(path: string, pools: number): void {
    if (pools < MAX_POOLS) return;
    this.isSpent = true;
    const remedy = "Use fewer subpools, or fewer stars in the paths of rules";
    const expected = `at most ${MAX_POOLS} pools`;
    refuse("pool.total", path, { problem: "the family has too many pools", expected, remedy });
  }
}
