import type { Work } from "../calls/index.js";
import { columnsOf, reachableRows } from "../tables/compile.js";
import { groupsInOrder } from "../tables/groups.js";
import type { TablePlan } from "../tables/types.js";

/** The rows of a table that rolls from a start could reach, and the class of each end of a roll. */
interface Chain {
  readonly plan: TablePlan;
  readonly start: number;
  /** Returns a class, 0 … classes − 1, of a result or, for null, of a dead row. Loops without an exit have class 0. */
  readonly classOf: (outcome: number | null) => number;
  readonly classes: number;
}

/** Unit roundoff of doubles. */
const UNIT_ROUNDOFF = 2 ** -53;
/** A positive number below this limit may have lost precision, or a factor of it may have. Weights are below 2^53. */
const LEAST = 2 ** -960;
const STEPS_PER_UPDATE = 16;
/** Updates of diagonal entries go to this slot. The elimination reads no diagonal. */
const UNUSED = 0;

/**
 * Computes the probabilities of the classes of ends in doubles, for any weights of the columns.
 *
 * Eliminates one row after another, as Grassmann, Taksar and Heyman do: a jump to the eliminated row is replaced by
 * jumps to its targets. The total without the diagonal is a sum, not a difference, so that only positive numbers are
 * added, multiplied and divided. The order, and the place of each number, are found once for all weights.
 *
 * **Bound of the error.** Let a row with m other targets be eliminated from r rows. Each new entry of these r rows has
 * at most m + 2 roundings: m − 1 in the sum, one each in the quotient, the product and the sum. So it is the exact
 * entry times a product of m + 2 factors (1 + δ)^±1, |δ| ≤ u = 2^−53. The probability of a class is N / D with sums N
 * and D of products that have one entry of each row (the matrix-tree theorem), all with the sign +. So N and D change
 * by at most r · (m + 2) factors each. The sum e of 2 · r · (m + 2) over all rows, and of the roundings of the last
 * quotient, bounds the relative error by e · u / (1 − e · u). Weights are integers below 2^53, and their sums are
 * exact.
 *
 * Sources: W. K. Grassmann, M. I. Taksar, D. P. Heyman, "Regenerative analysis and steady state distributions for
 * Markov chains", Operations Research 33 (1985), 1107–1116; C. A. O'Cinneide, "Entrywise perturbation theory and error
 * analysis for Markov chains", Numerische Mathematik 65 (1993), 109–120.
 */
export class Elimination {
  /** A bound of the relative error of each probability. */
  readonly errorBound: number;
  /** The rows in reach. */
  readonly rows: readonly number[];
  readonly #chain: Chain;
  readonly #steps: Int32Array;
  readonly #order: readonly number[];
  /** By class: the slot in the start row. */
  readonly #ends: readonly number[];
  /** Pairs of a plan's column and its slot. */
  readonly #columns: Int32Array;
  readonly #values: Float64Array;

  constructor(chain: Chain, work: Work) {
    this.#chain = chain;
    this.rows = reachableRows(chain.plan, chain.start);
    const lines = new Lines(chain, this.rows);
    this.#columns = Int32Array.from(lines.columns);
    const steps: number[] = [];
    let roundings = chain.classes;
    this.#order = eliminationOrder(chain, this.rows, lines, (row) => {
      const { targets, incoming } = lines.eliminate(row, steps);
      work.spend(STEPS_PER_UPDATE * (targets + 1) * (incoming + 1));
      roundings += 2 * incoming * (targets + 2);
    });
    this.#steps = Int32Array.from(steps);
    this.#ends = Array.from({ length: chain.classes }, (_, k) => lines.slot(chain.start, ~k));
    this.#values = new Float64Array(lines.slots);
    this.errorBound = (roundings * UNIT_ROUNDOFF) / (1 - roundings * UNIT_ROUNDOFF);
  }

  /**
   * Returns the probability of each class. `isExact` is false if a number was too small for {@link errorBound}.
   *
   * @param weights - By column of the plan, ≥ 0.
   */
  run(weights: ArrayLike<number>): { readonly odds: readonly number[]; readonly isExact: boolean } {
    const { plan, start, classOf } = this.#chain;
    const values = this.#values.fill(0);
    const columns = this.#columns;
    for (let i = 0; i < columns.length; i += 2) values[columns[i + 1]] += weights[columns[i]];
    const isDead = (row: number) => {
      for (let c = plan.rowStart[row]; c < plan.rowStart[row + 1]; c++) if (weights[c] > 0) return false;
      return true;
    };
    const isExact = this.#eliminate(isDead);
    const ends = this.#ends.map((slot) => values[slot]);
    const total = ends.reduce((sum, value) => sum + value, 0);
    if (total > 0) return { odds: ends.map((value) => value / total), isExact };
    const end = isDead(start) ? classOf(null) : 0;
    return { odds: ends.map((_, k) => Number(k === end)), isExact };
  }

  #eliminate(isDead: (row: number) => boolean): boolean {
    const [steps, values] = [this.#steps, this.#values];
    let isExact = true;
    let at = 0;
    for (const row of this.#order) {
      const first = at + 2;
      const [targets, incoming] = [steps[at], steps[at + 1]];
      at = first + targets;
      let total = 0;
      for (let k = first; k < at; k++) total += values[steps[k]];
      // a roll that stays on this row ends in the class of dead rows or of endless loops
      const end = total > 0 ? 0 : isDead(row) ? 2 : 1;
      for (let i = 0; i < incoming; i++, at += 3 + targets) {
        const entering = values[steps[at]];
        if (entering === 0) continue;
        if (end > 0) {
          values[steps[at + end]] += entering;
          continue;
        }
        const factor = entering / total;
        for (let k = 0; k < targets; k++) {
          const value = values[steps[first + k]];
          const more = factor * value;
          if (more < LEAST && value > 0) isExact = false;
          values[steps[at + 3 + k]] += more;
        }
      }
    }
    return isExact;
  }
}

/** The places of the entries that can be positive. A target is a row, or ~class. */
class Lines {
  slots = UNUSED + 1;
  readonly columns: number[] = [];
  readonly #slots = new Map<number, Map<number, number>>();
  /** By row: the rows that jump to it. */
  readonly #sources = new Map<number, Set<number>>();
  readonly #dead: number;

  constructor({ plan, start, classOf, classes }: Chain, rows: readonly number[]) {
    this.#dead = ~classOf(null);
    for (const row of rows) this.#slots.set(row, new Map());
    for (const row of rows) this.#sources.set(row, new Set());
    for (const row of rows) {
      for (const column of columnsOf(plan, row)) {
        const target = plan.target[column];
        const canWin = plan.weight[column] > 0 || plan.script[column] >= 0;
        if (canWin) this.columns.push(column, this.slot(row, target < 0 ? ~target : ~classOf(target)));
      }
      this.slot(row, ~0);
      this.slot(row, this.#dead);
    }
    for (let k = 0; k < classes; k++) this.slot(start, ~k);
  }

  slot(row: number, target: number): number {
    if (row === target) return UNUSED;
    const line = this.#slots.get(row) as Map<number, number>;
    const slot = line.get(target) ?? this.slots++;
    line.set(target, slot);
    this.#sources.get(target)?.add(row);
    return slot;
  }

  /** The number of entries that the elimination of the row would change. */
  cost(row: number): number {
    return (this.#slots.get(row)?.size ?? 0) * (this.#sources.get(row)?.size ?? 0);
  }

  /** Appends: the numbers of targets and sources, the slots of the targets, and for each source the slots to change. */
  eliminate(row: number, steps: number[]) {
    const line = [...(this.#slots.get(row) ?? [])];
    const sources = [...(this.#sources.get(row) ?? [])];
    steps.push(line.length, sources.length);
    for (const [, slot] of line) steps.push(slot);
    for (const source of sources) {
      steps.push(this.slot(source, row), this.slot(source, ~0), this.slot(source, this.#dead));
      for (const [target] of line) steps.push(this.slot(source, target));
      this.#slots.get(source)?.delete(row);
    }
    for (const [target] of line) this.#sources.get(target)?.delete(row);
    return { targets: line.length, incoming: sources.length };
  }
}

/** Eliminates all rows but the start: groups that others jump to first, and in each group the cheapest row. */
function eliminationOrder(
  { plan, start }: Chain,
  rows: readonly number[],
  lines: Lines,
  eliminate: (row: number) => void,
): number[] {
  const jumpsOf = (row: number) =>
    Array.from(columnsOf(plan, row), (c) => ~plan.target[c]).filter((to) => inReach.has(to));
  const inReach = new Set(rows);
  const order: number[] = [];
  for (const group of groupsInOrder([start], jumpsOf).reverse()) {
    const left = new Set(group);
    left.delete(start);
    while (left.size > 0) {
      let [cheapest, least] = [-1, Infinity];
      for (const row of left) {
        const cost = lines.cost(row);
        if (cost < least) [cheapest, least] = [row, cost];
      }
      left.delete(cheapest);
      eliminate(cheapest);
      order.push(cheapest);
    }
  }
  return order;
}
