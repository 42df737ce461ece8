import type { Odds } from "../calls/index.js";
import { fraction, ZERO } from "../fractions.js";
import type { RecordId } from "./types.js";

/** A record with its weight in the next draw: quantity × mass. In an infinite pool, the weight is the mass. */
interface WeightedRecord {
  readonly id: RecordId;
  readonly weight: bigint;
}

/**
 * Returns the exact odds of one draw. A record's probability is weight / Σ weights, in lowest terms. Cost: O(records)
 * operations on fractions.
 */
export function poolOdds(records: readonly WeightedRecord[]): Odds<RecordId> {
  const total = records.reduce((sum, { weight }) => sum + weight, 0n);
  return { odds: records.map(({ id, weight }) => ({ result: id, probability: fraction(weight, total) })), none: ZERO };
}
