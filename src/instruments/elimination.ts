import type { Work } from "../calls/index.js";
import { columnsOf, reachableRows } from "../tables/compile.js";
import { groupsInOrder } from "../tables/groups.js";
import type { TablePlan } from "../tables/types.js";

/** A table, the row from which rolls start, and the class of each end of a roll. */
interface Chain {
  readonly plan: TablePlan;
  readonly start: number;
  /** Returns the class, 0 … classes − 1, of a result; for null, of an end on a row of total 0. Endless rolls have 0. */
  readonly classOf: (outcome: number | null) => number;
  readonly classes: number;
}

/** Unit roundoff of doubles. */
const UNIT_ROUNDOFF = 2 ** -53;
/** A positive product below this limit, or a factor of it, may have lost precision by underflow. */
const LEAST = 2 ** -960;
const STEPS_PER_UPDATE = 16;
/** The slot for jumps from a row to itself. It is written, but never read. */
const UNUSED = 0;

/**
 * Computes in doubles, for any weights of the columns, the probability that a roll ends in each class.
 *
 * Eliminates one row after another, as Grassmann, Taksar and Heyman do: a jump to the eliminated row is replaced by
 * jumps to its targets. The total of a row leaves out the jump to itself. It is a sum, not a difference, so only
 * positive numbers are added, multiplied and divided. The constructor computes the order and the slots for all weights.
 *
 * **Bound of the error.** Let a row with m other targets be eliminated from r rows. Each new entry of these r rows has
 * at most m + 2 roundings: m − 1 in the row's total, one each in the quotient, the product and the addition. So it is
 * the exact entry times m + 2 factors (1 + δ)^±1, |δ| ≤ u = 2^−53. The probability of a class is N / D with sums N and
 * D of products that have one entry of each row (the matrix-tree theorem), all with the sign +. So N and D change by at
 * most r · (m + 2) factors each. Let e be the sum of 2 · r · (m + 2) over all rows, plus the roundings of the last
 * quotient. The relative error is at most e · u / (1 − e · u). Weights are integers below 2^53, so sums of weights are
 * exact.
 *
 * Sources: W. K. Grassmann, M. I. Taksar, D. P. Heyman, "Regenerative analysis and steady state distributions for
 * Markov chains", Operations Research 33 (1985), 1107–1116; C. A. O'Cinneide, "Entrywise perturbation theory and error
 * analysis for Markov chains", Numerische Mathematik 65 (1993), 109–120.
 */
export class Elimination {
  /** A bound of the relative error of each probability. */
  readonly errorBound: number;
  /** The rows that a roll from the start could reach. */
  readonly rows: readonly number[];
  readonly #chain: Chain;
  readonly #steps: Int32Array;
  readonly #order: readonly number[];
  /** For each class, its slot in the start row. */
  readonly #ends: readonly number[];
  /** Pairs: a column of the plan, and its slot. */
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
   * Returns the probability of each class. If `isExact` is false, underflow may have broken {@link errorBound}.
   *
   * @param weights - The weight of each column of the plan, ≥ 0.
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
      // 0 if rolls leave this row. Otherwise the offset of their class: 1 for endless rolls, 2 for a row of total 0
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

/** The slots of the matrix entries (row, target) that can be positive. A target is a row, or ~class. */
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

  /** Appends to `steps`: how many targets and sources, the slots of the targets, and the slots to change per source. */
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

/** Eliminates all rows but the start. A group follows the groups that it jumps to; its cheapest row comes first. */
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
