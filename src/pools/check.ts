import { type Issue, RollmillError, warning } from "../errors/index.js";
import { isParsed, type Parsed, readOptions } from "../spec/index.js";
import { parsePools } from "./parse.js";
import { matching } from "./path.js";
import type { Node } from "./registry/node.js";
import { Registry } from "./registry/registry.js";
import type { PoolsOptions, PoolsSpec } from "./types.js";

/**
 * Checks a family of pools without a draw. Returns all errors of {@link parsePools} and `mill.pools`. Without errors,
 * returns a warning `pool.spec` for each pool without records and subpools, for each pool whose records all have mass 0
 * or quantity 0, and for each rule that matches no pool. Cost: O(records of all pools).
 *
 * @param source - an object, a text, or a spec that `parsePools` returned.
 * @throws RollmillError `argument.option`, `argument.type` for invalid options.
 */
export function checkPools(source: unknown, options: PoolsOptions = {}): readonly Issue[] {
  const { file } = readOptions("checkPools", options, ["file"]);
  const { spec, issues }: Parsed<PoolsSpec> = isParsed("pools", source)
    ? { spec: source as PoolsSpec, issues: [] }
    : parsePools(source, { file });
  if (spec === undefined) return issues;
  try {
    return [...issues, ...flawsOf(new Registry(spec), file)];
  } catch (cause) {
    if (cause instanceof RollmillError) return [...issues, ...cause.issues];
    throw cause;
  }
}

function* flawsOf({ nodes, roots }: Registry, file: string | undefined): Generator<Issue> {
  const flaw = (path: string, problem: string, remedy: string) =>
    warning("pool.spec", { problem, remedy, where: { file, path } });
  for (const node of nodes) {
    const problem = problemOf(node);
    if (problem !== undefined) yield flaw(node.path, problem, "Ignore this if records or copies are added later");
  }
  for (const root of roots.values()) {
    for (const { pattern } of root.rules) {
      if (matching(root, pattern).length > 0) continue;
      const path = [root.name, ...pattern.map((key, i) => root.partText(i + 1, key))].join(".");
      yield flaw(path, "the rule matches no pool", "Ignore this if pools are registered later");
    }
  }
}

function problemOf(node: Node): string | undefined {
  if (node.size > 0) return node.capacity() > 0 ? undefined : `pool ${node.path} has only records that cannot be drawn`;
  return node.children.size > 0 ? undefined : `pool ${node.path} has no records and no subpools`;
}
