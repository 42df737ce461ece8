import { sumOf } from "../mass.js";
import { matching } from "../resolve.js";
import type { Mass } from "../types.js";
import { Node, type Root } from "./node.js";

/**
 * The pools that a path with stars names, as one pool, with the sum of their masses for each record. The pools come in
 * order of registration, and each record at its first place. After a change, a new union takes its place.
 */
export class Union extends Node {
  readonly pattern: readonly number[];

  /** Cost: O(records of all matching pools). */
  constructor(root: Root, pattern: readonly number[]) {
    super(root, undefined, { key: 0, index: Number.POSITIVE_INFINITY });
    this.pattern = pattern;
    const sums = new Map<number, Mass>();
    for (const [i, pool] of matching(root, pattern).entries()) {
      this.children.set(i, pool);
      const masses = pool.exactMasses();
      for (const [k, record] of pool.records.entries()) sums.set(record, sumOf(sums.get(record) ?? 0, masses[k]));
    }
    this.reserve(sums.size);
    for (const [record, mass] of sums) this.list(record, mass);
  }

  override get path(): string {
    return [this.root.name, ...this.pattern.map((key, i) => this.root.partText(i + 1, key))].join(".");
  }

  override get name(): string {
    return this.root.partText(this.pattern.length, this.pattern[this.pattern.length - 1]);
  }
}
