import type { Watch } from "../../calls/index.js";
import { add, divide, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";

/**
 * A Markov chain. A state jumps to another state with probability weight / total. With the remaining probability, the
 * walk leaves the chain.
 */
export interface Chain {
  /**
   * Maps each state to its jumps: the next states, each with the weight of the jump, which is > 0. Every next state is
   * also a key of `jumps`.
   */
  readonly jumps: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /**
   * Maps each state to its total weight: the sum of the weights of its jumps and the weight of leaving the chain. From
   * a state with a total of 0, the walk always leaves the chain.
   */
  readonly totals: ReadonlyMap<number, number>;
}

/** How often a walk through a chain visits its states. */
interface Visits {
  /** Maps each state to its expected number of visits. The states of a loop without a way out have no entry. */
  readonly visits: ReadonlyMap<number, Fraction>;
  /** The probability that the walk enters a loop without a way out. */
  readonly endless: Fraction;
}

/**
 * Computes the exact expected number of visits to each state of a walk from `start`. The vector v of these numbers
 * solves v = e + Qᵀv. Here e is 1 for `start` and 0 for other states, and Q is the matrix of jump probabilities. States
 * that jump in circles form a group. The groups are taken in topological order, and each is solved by elimination. All
 * states must be reachable from `start`.
 *
 * @param watch - gets the number of solved states after each group, and looks at the signal after each elimination.
 */
export function expectedVisits(chain: Chain, start: number, watch?: Watch): Visits {
  const visits = new Map<number, Fraction>();
  const inflow = new Map([[start, ONE]]);
  let endless = ZERO;
  let solved = 0;
  for (const group of groupsInOrder(chain, start)) {
    watch?.passed(solved);
    solved += group.length;
    const members = new Set(group);
    const jumpsOf = (state: number) => chain.jumps.get(state) ?? new Map<number, number>();
    const isLoop = group.length > 1 || jumpsOf(group[0]).has(group[0]);
    if (isLoop && group.every((state) => staysInside(jumpsOf(state), members, chain.totals.get(state) ?? 0))) {
      for (const state of group) endless = add(endless, inflow.get(state) ?? ZERO);
      continue;
    }
    const found = isLoop
      ? solveLoop(chain, { members, inflow }, watch)
      : new Map([[group[0], inflow.get(group[0]) ?? ZERO]]);
    for (const [state, visited] of found) {
      visits.set(state, visited);
      for (const [next, weight] of jumpsOf(state)) {
        if (members.has(next)) continue;
        inflow.set(next, add(inflow.get(next) ?? ZERO, multiply(visited, chance(chain, state, weight))));
      }
    }
  }
  return { visits, endless };
}

function chance(chain: Chain, state: number, weight: number): Fraction {
  return fraction(BigInt(weight), BigInt(chain.totals.get(state) ?? 1));
}

function staysInside(jumps: ReadonlyMap<number, number>, members: ReadonlySet<number>, total: number): boolean {
  let inside = 0;
  for (const [next, weight] of jumps) if (members.has(next)) inside += weight;
  return inside === total;
}

/**
 * Finds the strongly connected components with Tarjan's algorithm, without recursion. A component precedes the
 * components that it jumps to.
 */
function groupsInOrder(chain: Chain, start: number): number[][] {
  const groups: number[][] = [];
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const open = new Set<number>();
  const path: { state: number; next: Iterator<number> }[] = [];
  const lower = (state: number, value: number) => low.set(state, Math.min(low.get(state) ?? value, value));
  const enter = (state: number) => {
    order.set(state, order.size);
    lower(state, order.size - 1);
    stack.push(state);
    open.add(state);
    path.push({ state, next: (chain.jumps.get(state) ?? new Map<number, number>()).keys() });
  };
  enter(start);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const { state } = top;
    const { value: next, done } = top.next.next();
    if (done !== true) {
      if (!order.has(next)) enter(next);
      else if (open.has(next)) lower(state, order.get(next) ?? 0);
      continue;
    }
    path.pop();
    const above = path.at(-1);
    if (above !== undefined) lower(above.state, low.get(state) ?? 0);
    if (low.get(state) !== order.get(state)) continue;
    const group = stack.splice(stack.lastIndexOf(state));
    for (const member of group) open.delete(member);
    groups.push(group);
  }
  return groups.reverse();
}

/** A group of states that jump in circles, and how often the walk enters each state from earlier groups. */
interface Group {
  readonly members: ReadonlySet<number>;
  readonly inflow: ReadonlyMap<number, Fraction>;
}

/** A group of states during elimination. Elimination removes the jumps to and from a state. */
interface Loop {
  /** Maps each state to its jumps: the next states, each with the probability of the jump. */
  readonly to: Map<number, Map<number, Fraction>>;
  /** Maps each state to the states that jump to it. */
  readonly from: Map<number, Set<number>>;
  /** Maps each state to the expected number of times that the walk enters it from outside the remaining states. */
  readonly inflow: Map<number, Fraction>;
}

/** An eliminated state. Its expected visits are (inflow + Σ visits(i) · p(i)) · stay, summed over its sources i. */
interface Eliminated {
  readonly state: number;
  readonly inflow: Fraction;
  /** The states i that jump to this state and are eliminated later, each with the probability p(i) of the jump. */
  readonly sources: readonly (readonly [number, Fraction])[];
  /** Expected number of visits for each time that the walk enters: 1 / (1 − probability of a jump to itself). */
  readonly stay: Fraction;
}

/**
 * Solves v = inflow + Qᵀv (see {@link expectedVisits}) by elimination, for one strongly connected group with a way out.
 * A state with few paths through it (jumps in × jumps out) is eliminated early, because elimination replaces each path
 * by a jump. A table full of jumps back to its start then costs O(rows).
 */
function solveLoop(chain: Chain, { members, inflow }: Group, watch: Watch | undefined) {
  const loop = loopOf(chain, members, inflow);
  const paths = (state: number) => (loop.to.get(state)?.size ?? 0) * (loop.from.get(state)?.size ?? 0);
  const eliminated: Eliminated[] = [];
  const left = new Set(members);
  for (let limit = 1; left.size > 0; ) {
    let least = Number.POSITIVE_INFINITY;
    for (const state of left) {
      const cost = paths(state);
      least = Math.min(least, cost);
      if (cost > limit) continue;
      eliminated.push(eliminate(loop, state, watch));
      left.delete(state);
    }
    limit = least;
  }
  const visits = new Map<number, Fraction>();
  for (const { state, inflow, sources, stay } of eliminated.reverse()) {
    watch?.look();
    const entered = sources.reduce((sum, [i, part]) => add(sum, multiply(visits.get(i) ?? ZERO, part)), inflow);
    visits.set(state, multiply(entered, stay));
  }
  return visits;
}

function loopOf(chain: Chain, members: ReadonlySet<number>, inflow: ReadonlyMap<number, Fraction>): Loop {
  const loop: Loop = { to: new Map(), from: new Map(), inflow: new Map() };
  for (const state of members) loop.from.set(state, new Set());
  for (const state of members) {
    const inside = [...(chain.jumps.get(state) ?? [])].filter(([next]) => members.has(next));
    loop.to.set(state, new Map(inside.map(([next, weight]) => [next, chance(chain, state, weight)])));
    loop.inflow.set(state, inflow.get(state) ?? ZERO);
    for (const [next] of inside) loop.from.get(next)?.add(state);
  }
  return loop;
}

/** Removes a state from the loop. A state that jumped to it now jumps directly to the targets of its jumps. */
function eliminate({ to, from, inflow }: Loop, state: number, watch: Watch | undefined): Eliminated {
  const jumps = to.get(state) ?? new Map<number, Fraction>();
  const before = from.get(state) ?? new Set<number>();
  const own = inflow.get(state) ?? ZERO;
  // The group has a way out, so a state returns to itself with a probability less than 1: the divisor is not 0.
  const stay = divide(ONE, subtract(ONE, jumps.get(state) ?? ZERO));
  jumps.delete(state);
  before.delete(state);
  const sources = [...before].map((i) => [i, to.get(i)?.get(state) ?? ZERO] as const);
  for (const [next, part] of jumps) {
    watch?.look();
    const onward = multiply(part, stay);
    inflow.set(next, add(inflow.get(next) ?? ZERO, multiply(own, onward)));
    from.get(next)?.delete(state);
    for (const [i, into] of sources) {
      const row = to.get(i);
      row?.set(next, add(row.get(next) ?? ZERO, multiply(into, onward)));
      from.get(next)?.add(i);
    }
  }
  for (const [i] of sources) to.get(i)?.delete(state);
  return { state, inflow: own, sources, stay };
}
