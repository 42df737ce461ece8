import { add, type Fraction, fraction, multiply, ONE, subtract, toNumber, ZERO } from "../fractions.js";
import { type ConditionSpec, FIELD_MOST, type PlacementSpec, type WorldSpec } from "./types.js";

/** The probability that a cell has something. It is also the expected share of the cells that have it. */
export interface CellShare {
  /** The exact fraction; undefined if its denominator has more than 1,024 bits. */
  readonly exact: Fraction | undefined;
  /** The share as a number, exact up to a few units in the last place. */
  readonly value: number;
}

/** The odds of one terrain. */
export interface TerrainOdds {
  readonly terrain: string;
  /** The share of all cells that have the terrain. Undefined if visits of layers, paths or stamps decide. */
  readonly share: CellShare | undefined;
}

/** The odds of one kind of placement. */
export interface PlacementOdds {
  readonly kind: string;
  /** The kind's density: the share of candidates among the cells on which the kind can stand. */
  readonly candidates: Fraction;
  /**
   * The share of cells on which the kind stands, in an area where every cell has one of the kind's terrains. Undefined
   * if it depends on layers, fields or earlier kinds: in `where`, `near`, `apart` or `alone`. Cells of `at`, and discs
   * of `least` and `most`, do not count. Let p be the density, times the probability of `where`, and m = 3·d·(d + 1)
   * the number of cells within the distance d. Then the share is (1 − (1 − p)^(m + 1)) / (m + 1). If the area is only a
   * small patch, fewer candidates compete. So the share is greater there, but at most p.
   *
   * If two priorities are equal, the row and the column decide. This changes the share by a factor that differs from 1
   * by less than m · 2⁻³².
   *
   * Source: B. Matérn, Spatial Variation (1960); type II thinning, with cells instead of points.
   */
  readonly standing: CellShare | undefined;
  /**
   * The share of all cells of the world on which the kind stands. Undefined if `standing` is, if layers decide, or if
   * stamps place the kind.
   */
  readonly perCell: CellShare | undefined;
}

/** The odds of a world, which do not depend on the seed. */
export interface WorldOdds {
  /** The odds of each terrain, in the order of the spec. */
  readonly terrains: readonly TerrainOdds[];
  /** The odds of each kind of placement, in the order of the spec. */
  readonly placements: readonly PlacementOdds[];
}

const MAX_BITS = 1024;
const NONE: CellShare = { exact: ZERO, value: 0 };
const ALL: CellShare = { exact: ONE, value: 1 };

export function worldOdds(spec: WorldSpec): WorldOdds {
  const shares = terrainShares(spec);
  const isChanged = spec.paths.length > 0 || spec.placements.some(({ stamps }) => stamps !== undefined);
  const terrains = spec.terrains.map(({ name }, i) => ({ terrain: name, share: isChanged ? undefined : shares[i] }));
  const stamped = stampedKinds(spec);
  const placements = spec.placements.map((placement, kind) => {
    const odds = placementOdds(placement, shares);
    return stamped.has(kind) ? { ...odds, perCell: undefined } : odds;
  });
  return { terrains, placements };
}

/** Returns the kinds that stamps place. */
export function stampedKinds({ placements, stamps }: WorldSpec): ReadonlySet<number> {
  const used = placements.flatMap((kind) => kind.stamps?.picks ?? []).map(({ stamp }) => stamps[stamp]);
  return new Set(used.flatMap(({ cells }) => cells.flatMap(({ kinds }) => kinds)));
}

/**
 * Returns each terrain's share: the sum over its rules; undefined if visits of layers decide. All chances of a cell are
 * independent. So a rule's share is its own probability, times the probability that no earlier rule holds.
 */
function terrainShares({ terrains, rules }: WorldSpec): (CellShare | undefined)[] {
  const shares: (CellShare | undefined)[] = terrains.map(() => NONE);
  let remaining: CellShare | undefined = ALL;
  for (const { terrain, when } of rules) {
    const holds: CellShare | undefined = when === undefined ? ALL : probabilityOf(when);
    shares[terrain] = sum(shares[terrain], both(remaining, holds));
    remaining = both(remaining, not(holds));
  }
  return shares;
}

/** Returns the probability of a condition: undefined if layers or fields decide, and 0 only if it can never hold. */
export function probabilityOf(condition: ConditionSpec): CellShare | undefined {
  switch (condition.kind) {
    case "chance":
      return shareOf(condition.chance);
    case "visits":
      return condition.least === 0 && condition.most >= MAX_VISITS ? ALL : undefined;
    case "field":
      if (condition.least > FIELD_MOST) return NONE;
      return condition.least === 0 && condition.most >= FIELD_MOST ? ALL : undefined;
    case "firstVisit":
    case "within":
      return undefined;
    case "not":
      return not(probabilityOf(condition.of));
    case "all":
      return condition.of.map(probabilityOf).reduce(both, ALL);
    case "any":
      return not(condition.of.map((one) => not(probabilityOf(one))).reduce(both, ALL));
  }
}

const MAX_VISITS = 2 ** 32 - 1;

/** Returns the probability that two independent events both happen. Undefined means unknown; 0 times unknown is 0. */
function both(a: CellShare | undefined, b: CellShare | undefined): CellShare | undefined {
  if (a?.value === 0) return a;
  if (b?.value === 0) return b;
  return a && b && combined(multiply, a, b, a.value * b.value);
}

function sum(a: CellShare | undefined, b: CellShare | undefined): CellShare | undefined {
  return a && b && combined(add, a, b, a.value + b.value);
}

function not(share: CellShare | undefined): CellShare | undefined {
  return share && combined(subtract, ALL, share, 1 - share.value);
}

/** Computes with exact fractions. `value` is the result if `a` or `b` has no exact fraction. */
function combined(
  calculate: (a: Fraction, b: Fraction) => Fraction,
  { exact: a }: CellShare,
  { exact: b }: CellShare,
  value: number,
): CellShare {
  return a === undefined || b === undefined ? { exact: undefined, value } : shareOf(calculate(a, b));
}

function placementOdds(kind: PlacementSpec, shares: readonly (CellShare | undefined)[]): PlacementOdds {
  const { name, terrains, density, distance } = kind;
  const share = terrains.map((terrain) => shares[terrain]).reduce(sum, shares.length === 0 ? ALL : NONE);
  const candidates = candidateShare(kind);
  // without layers, the terrains of two cells are independent, and so are their candidates
  const [standing, perCell] = [candidates, both(share, candidates)].map((one) => one && thinned(one, distance));
  return { kind: name, candidates: density, standing, perCell };
}

/** Returns the share of candidates on the terrains of a kind. */
function candidateShare({ density, near, apart, alone, where }: PlacementSpec): CellShare | undefined {
  const allowed = where === undefined ? ALL : probabilityOf(where);
  const isKnown = near === undefined && apart === undefined && !alone;
  return both(shareOf(density), isKnown ? allowed : undefined);
}

/** Returns the share of cells with a placement, if each cell is a candidate with the probability p. */
function thinned(p: CellShare, distance: number): CellShare {
  const cells = 3 * distance * (distance + 1) + 1;
  if (cells === 1 || p.value === 0) return p;
  const value = -Math.expm1(cells * Math.log1p(-p.value)) / cells;
  const { exact } = p;
  if (exact === undefined || bitsOf(exact.denominator) * cells > MAX_BITS) return { exact: undefined, value };
  const { denominator } = exact;
  const whole = denominator ** BigInt(cells);
  const none = (denominator - exact.numerator) ** BigInt(cells);
  return shareOf(fraction(whole - none, whole * BigInt(cells)));
}

/** Returns a share, with the exact fraction if its denominator has at most MAX_BITS bits. */
function shareOf(exact: Fraction): CellShare {
  return { exact: bitsOf(exact.denominator) > MAX_BITS ? undefined : exact, value: toNumber(exact) };
}

function bitsOf(value: bigint): number {
  return value.toString(2).length;
}
