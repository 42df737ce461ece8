import type { ConditionSpec, TerrainRuleSpec } from "./types.js";

/** A condition that contains no other conditions. */
type LeafSpec = Exclude<ConditionSpec, { readonly kind: "all" | "any" | "not" }>;

/** Yields the leaves of the conditions of rules, in reading order: the conditions that contain no other conditions. */
export function* leavesOf(rules: readonly TerrainRuleSpec[]): Generator<LeafSpec, void> {
  for (const { when } of rules) if (when !== undefined) yield* leavesIn(when);
}

function* leavesIn(condition: ConditionSpec): Generator<LeafSpec, void> {
  if (!("of" in condition)) yield condition;
  else if (condition.kind === "not") yield* leavesIn(condition.of);
  else for (const one of condition.of) yield* leavesIn(one);
}

/** Returns the greatest distance of the `within` conditions on each layer. The layers are in reading order. */
export function reachesOf(rules: readonly TerrainRuleSpec[]): Map<number, number> {
  const reaches = new Map<number, number>();
  for (const leaf of leavesOf(rules)) {
    if (leaf.kind !== "within") continue;
    reaches.set(leaf.layer, Math.max(reaches.get(leaf.layer) ?? 0, leaf.distance));
  }
  return reaches;
}
