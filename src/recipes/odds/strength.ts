import { type Odds, Work } from "../../calls/index.js";
import { decimalFraction } from "../../decimals.js";
import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import { inUnits, statDecimals } from "../compile.js";
import type { Resolved, ResolvedBonus, ResolvedCondition, ResolvedSlots } from "../resolve.js";
import { chanceOf, MAX_VALUES, type Question, refuseWidth, stepDistribution } from "./stepLaw.js";

const CHANGES_PER_LOOK = 256;
const STEPS_PER_CHANGE = 500;

/** The chance of each value, in units of the last decimal place. */
type Distribution = Map<number, Fraction>;

type Unit = ReturnType<typeof unitOf>;

function unitOf({ spec, tables }: Resolved) {
  const index = spec.stats.findIndex(({ name }) => name === spec.strength);
  const decimals = statDecimals(spec, tables)[index];
  const units = (value = 0) => Number(inUnits(value, decimals));
  return { stat: spec.strength, decimals, units, clamp: spec.stats[index].clamp?.map(units) };
}

/**
 * Returns the distribution of the strength, by convolution over the steps. Cost: O(rows), and O(values before the
 * step · values that it adds) operations on fractions for each step. A condition on the stat costs O(sum of its
 * amounts) operations. Throws `recipe.overflow` for more than 65,536 values, or values beyond 2⁵³ units; `odds.work`.
 */
export function strengthOdds(resolved: Resolved, work = new Work()): Odds<number> {
  const unit = unitOf(resolved);
  let soFar: Distribution = new Map([[0, ONE]]);
  for (const step of resolved.steps) {
    if (step.kind === "condition") {
      if (step.spec.stat === unit.stat) soFar = conditioned(soFar, step, unit, work);
    } else {
      const added = step.kind === "bonus" ? bonusDistribution(step, unit) : slotsDistribution(step, unit, work);
      soFar = spread(soFar, () => [...added], work);
    }
    work.finish();
  }
  const [least, most] = unit.clamp ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const clamped: Distribution = new Map();
  for (const [value, chance] of soFar) count(clamped, Math.min(most, Math.max(least, value)), chance);
  const sorted = [...clamped].sort(([a], [b]) => a - b);
  const odds = sorted.map(([value, probability]) => ({ result: value / 10 ** unit.decimals, probability }));
  return { odds, none: ZERO };
}

function slotsDistribution(step: ResolvedSlots, { stat, units }: Unit, work: Work): Distribution {
  const question: Question = {
    classOf: ({ table }, row) => units(table.rows[row].stats[stat]),
    next: (value, { spec }, outcome) => {
      if (outcome.from === "empty") return value;
      const own = outcome.special ? spec.special?.strength : spec.strength;
      return value + units(own) + outcome.rowClass;
    },
  };
  return stepDistribution(step, question, work);
}

function bonusDistribution({ spec, chance, rungs }: ResolvedBonus, { stat, units }: Unit): Distribution {
  const some = chanceOf(chance);
  const distribution: Distribution = new Map();
  count(distribution, 0, subtract(ONE, some));
  spec.ladder.forEach(({ add: adds }, i) => {
    count(distribution, units(adds[stat]), multiply(some, fraction(BigInt(rungs[i]), BigInt(spec.sides))));
  });
  return distribution;
}

function conditioned(
  soFar: Distribution,
  { spec, doubled, up }: ResolvedCondition,
  unit: Unit,
  work: Work,
): Distribution {
  const twice = chanceOf(doubled);
  const raised = multiply(subtract(ONE, twice), chanceOf(up));
  const lowered = subtract(subtract(ONE, twice), raised);
  const one = 10 ** unit.decimals;
  function* changesOf(value: number): Generator<readonly [number, Fraction]> {
    const most = amount(value, spec.share, unit);
    const each = fraction(1n, BigInt(Math.abs(most) + 1));
    yield [value, twice];
    for (let k = 0; k <= Math.abs(most); k++) {
      const c = Math.sign(most) * k * one;
      yield [c, multiply(raised, each)];
      yield [-c, multiply(lowered, each)];
    }
  }
  return spread(soFar, changesOf, work);
}

/** Returns round(value · share), with halves rounded away from zero. `value` is in units of the last decimal place. */
function amount(value: number, share: number, { decimals }: Unit): number {
  const { numerator, denominator } = decimalFraction(share);
  const scale = denominator * 10n ** BigInt(decimals);
  const most = Number((2n * BigInt(Math.abs(value)) * numerator + scale) / (2n * scale));
  if (most > MAX_VALUES) refuseWidth();
  return Math.sign(value) * most;
}

/** Adds a random change to each value. `changesOf` returns the possible changes of a value and their chances. */
function spread(
  soFar: Distribution,
  changesOf: (value: number) => Iterable<readonly [number, Fraction]>,
  work: Work,
): Distribution {
  const distribution: Distribution = new Map();
  for (const [value, chance] of soFar) {
    let changes = 0;
    for (const [change, share] of changesOf(value)) {
      count(distribution, value + change, multiply(chance, share));
      work.spend(STEPS_PER_CHANGE);
      changes++;
      if (changes % CHANGES_PER_LOOK === 0) work.look();
    }
    work.look();
    if (distribution.size > MAX_VALUES) refuseWidth();
  }
  for (const value of distribution.keys()) if (!Number.isSafeInteger(value)) refuseWidth();
  return distribution;
}

function count(distribution: Distribution, value: number, chance: Fraction): void {
  if (chance.numerator === 0n) return;
  // + 0 converts −0 to 0
  distribution.set(value + 0, add(distribution.get(value + 0) ?? ZERO, chance));
}
