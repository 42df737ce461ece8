import { add, type Fraction, fraction, multiply, ONE, subtract, toNumber, ZERO } from "../fractions.js";
import type { ConditionSpec, PlacementSpec, WorldSpec } from "./types.js";

/** The probability that a cell has something, and the expected share of cells that have it. */
export interface CellShare {
  /** The exact fraction; undefined if its denominator has more than 1,024 bits. */
  readonly exact: Fraction | undefined;
  /** Exact up to a few units in the last place. */
  readonly value: number;
}

export interface TerrainOdds {
  readonly terrain: string;
  /** Of all cells. Undefined if visits of layers decide. */
  readonly share: CellShare | undefined;
}

export interface PlacementOdds {
  readonly kind: string;
  /** The share of candidates among the cells on the kind's terrains: the kind's density. */
  readonly candidates: Fraction;
  /**
   * The share of cells on which the kind stands, in an area where every cell has one of the kind's terrains. Let p be
   * the density, and m = 3·d·(d + 1) the number of cells within the distance d. Then the share is (1 − (1 − p)^(m + 1))
   * / (m + 1). If the area is only a small patch, fewer candidates compete. So the share is greater there, but at most
   * p.
   *
   * Row and column decide between two equal priorities. This changes the share by a factor that differs from 1 by less
   * than m · 2⁻³².
   *
   * Source: B. Matérn, Spatial Variation (1960); type II thinning, with cells instead of points.
   */
  readonly standing: CellShare;
  /** The share of all cells of the world on which the kind stands. Undefined if visits of layers decide. */
  readonly perCell: CellShare | undefined;
}

/** The odds of a world, which do not depend on the seed. */
export interface WorldOdds {
  /** In the order of the spec. */
  readonly terrains: readonly TerrainOdds[];
  /** In the order of the spec. */
  readonly placements: readonly PlacementOdds[];
}

const MAX_BITS = 1024;

export function worldOdds({ terrains, rules, placements }: WorldSpec): WorldOdds {
  const shares = terrainShares({ terrains, rules });
  return {
    terrains: terrains.map(({ name }, i) => ({ terrain: name, share: shares[i]?.cellShare })),
    placements: placements.map((placement) => placementOdds(placement, shares)),
  };
}

/**
 * Undefined if layers decide. All chances of a cell are independent. So the share of a rule is its own probability,
 * times the probability that no earlier rule holds.
 */
function terrainShares({ terrains, rules }: Pick<WorldSpec, "terrains" | "rules">): (Share | undefined)[] {
  const shares: (Share | undefined)[] = terrains.map(() => Share.of(ZERO));
  let left: Share | undefined = Share.of(ONE);
  for (const { terrain, when } of rules) {
    const holds: Share | undefined = when === undefined ? Share.of(ONE) : probabilityOf(when);
    const applies = both(left, holds);
    shares[terrain] = applies && shares[terrain]?.plus(applies);
    left = both(left, holds?.not());
  }
  return shares;
}

/** Undefined if layers decide. A rule with probability 0 can never hold. */
export function probabilityOf(condition: ConditionSpec): Share | undefined {
  switch (condition.kind) {
    case "chance":
      return Share.of(condition.chance);
    case "visits":
      return condition.least === 0 && condition.most >= MAX_VISITS ? Share.of(ONE) : undefined;
    case "firstVisit":
    case "within":
      return undefined;
    case "not":
      return probabilityOf(condition.of)?.not();
    case "all":
      return condition.of.map(probabilityOf).reduce(both, Share.of(ONE));
    case "any":
      return condition.of
        .map((one) => probabilityOf(one)?.not())
        .reduce(both, Share.of(ONE))
        ?.not();
  }
}

const MAX_VISITS = 2 ** 32 - 1;

/**
 * Returns the probability that two independent events both happen, where undefined is unknown. If one is 0, the result
 * is 0.
 */
function both(a: Share | undefined, b: Share | undefined): Share | undefined {
  if (a?.value === 0) return a;
  return b?.value === 0 ? b : a && b?.times(a);
}

function placementOdds(
  { name, terrains, density, distance }: PlacementSpec,
  shares: readonly (Share | undefined)[],
): PlacementOdds {
  const known = terrains.map((terrain) => shares[terrain]);
  const share = known.reduce((sum, one) => sum && one && sum.plus(one), Share.of(shares.length === 0 ? ONE : ZERO));
  const candidates = share?.times(Share.of(density));
  return {
    kind: name,
    candidates: density,
    standing: thinned(Share.of(density), distance).cellShare,
    // without layers, the terrains of two cells are independent, and so are their candidates
    perCell: candidates && thinned(candidates, distance).cellShare,
  };
}

/** The share of standing placements if each cell is a candidate with the probability p. */
function thinned(p: Share, distance: number): Share {
  const cells = 3 * distance * (distance + 1) + 1;
  if (cells === 1 || p.value === 0) return p;
  const value = -Math.expm1(cells * Math.log1p(-p.value)) / cells;
  const { exact } = p;
  if (exact === undefined || bitsOf(exact.denominator) * cells > MAX_BITS) return new Share(undefined, value);
  const { denominator } = exact;
  const whole = denominator ** BigInt(cells);
  const none = (denominator - exact.numerator) ** BigInt(cells);
  return Share.of(fraction(whole - none, whole * BigInt(cells)));
}

/** Exact if its denominator has at most MAX_BITS bits. */
class Share {
  readonly exact: Fraction | undefined;
  readonly value: number;

  constructor(exact: Fraction | undefined, value: number) {
    this.exact = exact;
    this.value = value;
  }

  static of(exact: Fraction): Share {
    return new Share(bitsOf(exact.denominator) > MAX_BITS ? undefined : exact, toNumber(exact));
  }

  get cellShare(): CellShare {
    return { exact: this.exact, value: this.value };
  }

  times(other: Share): Share {
    if (this.exact === undefined || other.exact === undefined) return new Share(undefined, this.value * other.value);
    return Share.of(multiply(this.exact, other.exact));
  }

  plus(other: Share): Share {
    if (this.exact === undefined || other.exact === undefined) return new Share(undefined, this.value + other.value);
    return Share.of(add(this.exact, other.exact));
  }

  not(): Share {
    return this.exact === undefined ? new Share(undefined, 1 - this.value) : Share.of(subtract(ONE, this.exact));
  }
}

function bitsOf(value: bigint): number {
  return value.toString(2).length;
}
