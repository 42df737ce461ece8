import { error, fail } from "../errors/index.js";
import { fraction } from "../fractions.js";
import { compilePools } from "./compile.js";
import type { Family } from "./family.js";
import type { PoolsEngine, PoolsPlan } from "./kernelPools.js";
import type { Node, Root } from "./node.js";
import type { RecordOdds } from "./pool.js";
import { isId } from "./records.js";
import type { RecordId, RootState } from "./types.js";

/** Makes the engine that a plan is drawn from. */
export type OpenEngine = (plan: PoolsPlan) => PoolsEngine;

/** What is left in the pools of a family: kept by an engine between two changes of the family, by the family itself else. */
export class Stock {
  readonly #family: Family;
  readonly #open: OpenEngine;
  readonly #restored: readonly RootState[];
  #engine: PoolsEngine | undefined;

  constructor(family: Family, open: OpenEngine, restored: readonly RootState[]) {
    this.#family = family;
    this.#open = open;
    this.#restored = restored;
  }

  /** The engine of the family as it is now. */
  get engine(): PoolsEngine {
    this.#engine ??= this.#open(compilePools(this.#family));
    return this.#engine;
  }

  /** Takes the quantities back from the engine before the family changes; the next draw makes another. */
  release(): void {
    if (this.#engine === undefined) return;
    for (const { kind, top, quantities } of this.#family.roots.values()) {
      if (kind === "infinite") continue;
      for (const [record, left] of this.quantities(top).entries()) quantities.set(record, left);
    }
    this.#engine = undefined;
  }

  quantity(root: Root, record: number): number {
    return this.#engine?.quantity(root.number, record) ?? root.quantities.at(record);
  }

  /** What is left of each record of a finite pool, in list order. */
  quantities({ root, records }: Node): Uint32Array {
    return (
      this.#engine?.quantities(root.number, records) ??
      Uint32Array.from(records, (record) => root.quantities.at(record))
    );
  }

  setQuantity(root: Root, record: number, quantity: number): void {
    if (this.#engine === undefined) root.quantities.set(record, quantity);
    else this.#engine.setQuantity(root.number, record, quantity);
  }

  /** A pool's total, in units of its scaled masses. */
  total(node: Node): number {
    if (node.root.kind === "infinite") return node.capacity();
    if (this.#engine !== undefined) return this.#engine.total(node.index);
    const integers = node.scaled()?.integers ?? [];
    return this.quantities(node).reduce((sum, quantity, i) => sum + integers[i] * quantity, 0);
  }

  /** Brings a pool's own records back to their initial quantities. */
  refresh({ root, records, index }: Node): void {
    if (this.#engine !== undefined) this.#engine.refresh(index);
    else for (const record of records) root.quantities.set(record, root.initial.at(record));
  }

  /** The quantities of a pool's records, to be put back if what follows fails. */
  hold(node: Node): () => void {
    const { root, records } = node;
    if (root.kind === "infinite") return () => undefined;
    const held = this.quantities(node);
    return () => {
      const left = this.quantities(node);
      for (const [i, record] of records.entries()) {
        if (left[i] !== held[i]) this.setQuantity(root, record, held[i]);
      }
    };
  }

  /** The chances of the next draw, which refreshes an exhausted pool. */
  odds(node: Node): RecordOdds[] {
    const { root, records } = node;
    this.checkDrawable(node);
    const weights = this.#weights(node);
    const total = weights.reduce((sum, weight) => sum + weight, 0n);
    return weights.map((weight, i) => ({ id: root.ids[records[i]], ...fraction(weight, total) }));
  }

  /** The weights of the next draw. */
  #weights(node: Node): bigint[] {
    const { root, records } = node;
    const integers = Array.from(node.scaled()?.integers ?? [], BigInt);
    if (root.kind === "infinite") return integers;
    const left = this.total(node) === 0 ? records.map((record) => root.initial.at(record)) : this.quantities(node);
    return integers.map((mass, i) => mass * BigInt(left[i]));
  }

  /**
   * Refuses a pool from which nothing can ever be drawn. A quantity is never above its initial one, so a pool that has
   * something to give at first can always be refreshed to give it again.
   */
  checkDrawable(node: Node): void {
    if (node.capacity() > 0) return;
    const where = { path: node.path };
    if (node.size === 0) {
      const remedy = "Add records to it with addToSubpool";
      fail(error("pool.empty", { problem: `pool ${node.path} has no records`, remedy, where }));
    }
    const remedy = "Give at least one record a mass and a quantity above 0";
    fail(
      error("pool.weightless", {
        problem: `nothing can be drawn from pool ${node.path}: its total is 0`,
        remedy,
        where,
      }),
    );
  }

  /** What does not follow from how the family was registered. */
  state(): RootState[] {
    const { roots, active } = this.#family;
    const live = [...roots.values()].map((root) => {
      const known: (readonly [RecordId, number])[] = [];
      for (const [i, left] of (root.kind === "finite" ? this.quantities(root.top) : []).entries()) {
        if (left !== root.initial.at(i)) known.push([root.ids[i], left]);
      }
      const idle = [...root.restored].filter(([id]) => !root.numbers.has(id));
      const parts = (active.get(root.name) ?? []).map(({ text }) => text);
      return { name: root.name, active: parts, quantities: [...known, ...idle] };
    });
    return [...live, ...this.#restored.filter(({ name }) => !roots.has(name))];
  }
}

/**
 * Reads what a snapshot holds of a family.
 *
 * @throws RollmillError `snapshot.invalid`.
 */
export function parseState(value: unknown): readonly RootState[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every(isRootState)) return value;
  return fail(
    error("snapshot.invalid", { problem: "the snapshot is damaged", expected: "one as snapshot() makes it" }),
  );
}

function isRootState(value: unknown): value is RootState {
  if (typeof value !== "object" || value === null) return false;
  const { name, active, quantities } = value as Record<string, unknown>;
  const isQuantity = (pair: unknown) =>
    Array.isArray(pair) && isId(pair[0]) && Number.isInteger(pair[1]) && pair[1] >= 0;
  return (
    typeof name === "string" &&
    Array.isArray(active) &&
    active.every((part) => typeof part === "string") &&
    Array.isArray(quantities) &&
    quantities.every(isQuantity)
  );
}
