import type { Odds } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { planOf } from "./compile.js";
import type { PoolsEngine } from "./kernel.js";
import { poolOdds } from "./odds.js";
import { isId } from "./parse/records.js";
import type { Node, Root } from "./registry/node.js";
import type { Registry } from "./registry/registry.js";
import { refuse } from "./resolve.js";
import type { PoolsPlan, RecordId, RootState } from "./types.js";

type OpenEngine = (plan: PoolsPlan) => PoolsEngine;

/**
 * The stock of a family: the quantities of its records. Either the registry or an engine keeps them. If there is no
 * engine, a draw opens an engine and moves the quantities to this engine. A registration moves the quantities back to
 * the registry and closes the engine.
 */
export class Stock {
  readonly #registry: Registry;
  readonly #open: OpenEngine;
  #engine: PoolsEngine | undefined;

  constructor(registry: Registry, open: OpenEngine) {
    this.#registry = registry;
    this.#open = open;
  }

  /** The current engine. Opens an engine if there is none. */
  get engine(): PoolsEngine {
    this.#engine ??= this.#open(planOf(this.#registry));
    return this.#engine;
  }

  /** Moves the quantities from the engine back to the registry and closes the engine. Call it before a registration. */
  release(): void {
    if (this.#engine === undefined) return;
    for (const { kind, top, quantities } of this.#registry.roots.values()) {
      if (kind === "infinite") continue;
      for (const [record, left] of this.quantities(top).entries()) quantities.set(record, left);
    }
    this.#engine.dispose();
    this.#engine = undefined;
  }

  /** Like {@link release}, but does nothing if the quantities in the engine are lost. */
  rest(): void {
    if (this.#engine?.lost === false) this.release();
  }

  quantity(root: Root, record: number): number {
    return this.#engine?.quantity(root.number, record) ?? root.quantities.at(record);
  }

  /** Returns the quantity of each record of a finite pool, in list order. */
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

  /** Returns the current total of a pool, in units of its scaled masses. */
  total(node: Node): number {
    if (node.root.kind === "infinite") return node.capacity();
    if (this.#engine !== undefined) return this.#engine.total(node.index);
    const integers = node.scaled()?.integers ?? [];
    return this.quantities(node).reduce((sum, quantity, i) => sum + integers[i] * quantity, 0);
  }

  /** Resets all records of a finite pool to their initial quantities. */
  refresh({ root, records, index }: Node): void {
    if (this.#engine !== undefined) this.#engine.refresh(index);
    else for (const record of records) root.quantities.set(record, root.initial.at(record));
  }

  /** Copies the quantities of a pool's records. Returns a function that restores them. */
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

  /** Returns the odds of the next draw. If the pool is exhausted, these are the odds after a refresh. */
  odds(node: Node): Odds<RecordId> {
    const { root, records } = node;
    this.checkDrawable(node);
    return poolOdds(this.#weights(node).map((weight, i) => ({ id: root.ids[records[i]], weight })));
  }

  /** Returns the weights of the records in the next draw, in list order. */
  #weights(node: Node): bigint[] {
    const { root, records } = node;
    const integers = Array.from(node.scaled()?.integers ?? [], BigInt);
    if (root.kind === "infinite") return integers;
    const left = this.total(node) === 0 ? records.map((record) => root.initial.at(record)) : this.quantities(node);
    return integers.map((mass, i) => mass * BigInt(left[i]));
  }

  /**
   * Throws if nothing can be drawn even after a refresh: with the initial quantities, the pool's total is 0.
   *
   * @throws RollmillError `pool.empty`, `pool.weightless`.
   */
  checkDrawable(node: Node): void {
    if (node.capacity() > 0) return;
    const { path } = node;
    if (node.size === 0) {
      const remedy = "Add records to the pool with addToSubpool";
      refuse("pool.empty", path, { problem: `pool ${path} has no records`, remedy });
    }
    const remedy = "Give at least one record a mass and a quantity above 0";
    refuse("pool.weightless", path, {
      problem: `nothing can be drawn from pool ${path}, because its total is 0`,
      remedy,
    });
  }

  /**
   * Returns the stock for a snapshot: the active settings, and the quantities that differ from the initial quantities.
   */
  state(): RootState[] {
    const { roots, active, idle } = this.#registry;
    const live = [...roots.values()].map((root) => {
      const known: (readonly [RecordId, number])[] = [];
      for (const [i, left] of (root.kind === "finite" ? this.quantities(root.top) : []).entries()) {
        if (left !== root.initial.at(i)) known.push([root.ids[i], left]);
      }
      const unknown = [...root.restored].filter(([id]) => !root.numbers.has(id));
      const parts = (active.get(root.name) ?? []).map(({ text }) => text);
      return { name: root.name, active: parts, quantities: [...known, ...unknown] };
    });
    return [...live, ...idle];
  }
}

/**
 * Checks the stock from a snapshot. Undefined means that the stock is as in the spec: returns an empty list.
 *
 * @throws RollmillError `snapshot.invalid`.
 */
export function parseState(value: unknown): readonly RootState[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every(isRootState) && areUnique(value.map(({ name }) => name))) return value;
  return fail(
    error("snapshot.invalid", {
      problem: "the state of the pools in the snapshot is damaged",
      expected: "bytes from mill.snapshot()",
    }),
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
    quantities.every(isQuantity) &&
    areUnique(quantities.map(([id]) => id))
  );
}

function areUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}
