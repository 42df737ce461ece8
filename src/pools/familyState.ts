import type { StreamKey } from "../address.js";
import {
  type Batch,
  type BulkOptions,
  checkRange,
  forEachBatch,
  type Guard,
  isWatched,
  type Odds,
  type Range,
  refuseReleased,
  type Scope,
  type State,
} from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { fraction, ZERO } from "../fractions.js";
import { BATCH_RESULTS } from "../kernel/index.js";
import { isObject } from "../spec/index.js";
import { planOf } from "./compile.js";
import { NOT_AHEAD, type PoolsEngine } from "./kernel.js";
import { massOf } from "./mass.js";
import { isId, isQuantity } from "./parse/records.js";
import { parseActive } from "./parse.js";
import { parsePath, refuse, resolveKeys, resolvePattern, resolveRoot } from "./path.js";
import { type Node, type Root, STAR } from "./registry/node.js";
import type { Registry } from "./registry/registry.js";
import type { ActivePart, CopyPlace, PathOptions, PoolsPlan, RecordId, RootState, SavedCopies } from "./types.js";

interface FamilyScope extends Pick<Scope, "key" | "guard"> {
  readonly name: string;
}

export interface DrawRange extends Range {
  readonly node: Node;
}

const NO_KEYS: readonly StreamKey[] = [];

/**
 * The pools of a family, their stock, and the index of the next draw. Each fork has its own state. A draw moves the
 * quantities from the registry to an engine. A registration moves them back.
 */
export class FamilyState implements State {
  next = 0;
  isReleased = false;
  readonly registry: Registry;
  readonly #scope: FamilyScope;
  readonly #guard: Guard;
  readonly #createEngine: (plan: PoolsPlan) => PoolsEngine;
  #engine: PoolsEngine | undefined;
  readonly #keys: readonly StreamKey[];
  readonly #one = new Uint32Array(1);
  /** The cache of {@link find}, by path. Each change of the registry clears the cache. */
  readonly #found = new Map<string, Node>();
  /** Maps the name of each root to the active setting in the spec, with dots between the parts of the setting. */
  readonly #specified: ReadonlyMap<string, string>;
  readonly #isRestored: boolean;

  constructor(registry: Registry, scope: FamilyScope, saved: unknown, createEngine: (plan: PoolsPlan) => PoolsEngine) {
    this.registry = registry;
    this.#createEngine = createEngine;
    this.#scope = scope;
    this.#guard = scope.guard;
    this.#keys = [scope.key];
    this.#specified = new Map([...registry.active].map(([root, parts]) => [root, textOf(parts)]));
    const states = parseState(saved);
    registry.restore(states);
    this.#isRestored = states.length > 0;
  }

  /** Throws while a bulk draw runs, because no other call may change the stock then. */
  checkTurn(): void {
    this.checkAlive(this.#keys);
  }

  checkAlive(keys = NO_KEYS): void {
    if (this.isReleased) refuseReleased(this.#scope.name);
    this.#guard.check(this.#scope.name, keys);
  }

  /** Moves the quantities from the engine back to the registry. Call this before a change of the registry. */
  changing(): void {
    this.checkTurn();
    this.release();
    this.#found.clear();
  }

  setActive(root: string, parts: readonly ActivePart[]): void {
    this.registry.setActive(root, parts);
    this.#found.clear();
  }

  find(path: string, active: PathOptions["active"]): Node {
    const known = active === undefined ? this.#found.get(path) : undefined;
    if (known !== undefined) return known;
    const { registry } = this;
    const parsed = parsePath(path);
    const root = resolveRoot(registry.roots, parsed.root, path);
    const given = isObject(active) ? this.#partsFor(root.name, active) : active;
    const parts = given === undefined ? undefined : registry.activeParts(root, parseActive(given));
    const settings = parts ?? registry.active.get(root.name) ?? [];
    const pattern = resolvePattern(root, parsed, settings);
    const node = pattern.includes(STAR) ? registry.union(root, pattern) : resolveKeys(root, pattern, path);
    if (parts === undefined) this.#found.set(path, node);
    return node;
  }

  #partsFor(root: string, active: { readonly [root: string]: readonly ActivePart[] }) {
    for (const key of Object.keys(active)) resolveRoot(this.registry.roots, key, key);
    return Object.hasOwn(active, root) ? active[root] : undefined;
  }

  one(node: Node, at?: number): RecordId {
    if (at === undefined && this.#guard.isIdle && !this.isReleased) {
      const record = this.#engine?.nextAhead(node.index, this.next) ?? NOT_AHEAD;
      if (record !== NOT_AHEAD) {
        this.next++;
        return node.root.ids[record];
      }
    }
    return this.#oneAlone(node, at);
  }

  #oneAlone(node: Node, at: number | undefined): RecordId {
    this.checkTurn();
    const index = at ?? this.next;
    checkRange(index, 1);
    this.checkDrawable(node);
    const outcome = this.engineFor(node).draw(node.index, index, this.#one);
    if (outcome.refreshed > 0) this.refreshed(node);
    if (at === undefined) this.next = index + 1;
    return node.root.ids[this.#one[0]];
  }

  peek(node: Node): RecordId {
    this.checkTurn();
    const { root } = node;
    if (root.kind === "infinite") return this.one(node, this.next);
    this.checkDrawable(node);
    const putBack = this.total(node) === 0 ? this.hold(node) : undefined;
    const id = this.one(node, this.next);
    const [record] = this.#one;
    if (putBack !== undefined) putBack();
    else this.putBack(root, record, 1);
    return id;
  }

  /** Makes draws with `make`; fewer than `n` if the pool cannot refill. If `make` throws, restores the stock. */
  bulk<Options extends BulkOptions, T>(
    node: Node,
    read: () => Options,
    n: number,
    make: (range: DrawRange, options: Options) => T,
  ): T {
    const { name, guard } = this.#scope;
    this.checkAlive();
    return guard.run(name, this.#keys, () => {
      const options = read();
      const from = options.from ?? this.next;
      checkRange(from, n);
      const total = this.drawable(node, n);
      const engine = this.engineFor(node);
      const putBack = total > BATCH_RESULTS || isWatched(options) ? this.hold(node) : () => undefined;
      try {
        const made = make({ name, node, from, total }, options);
        if (options.from === undefined) this.next = from + total;
        return made;
      } catch (cause) {
        // if the kernel trapped or the mill was disposed, the stock is lost: there is nothing to restore
        if (!engine.lost) putBack();
        throw cause;
      }
    });
  }

  /** Fills `out` with draws. Returns how often the pool was refreshed. */
  draw(out: Uint32Array, range: DrawRange, options: BulkOptions): number {
    return this.#eachBatch(range, options, ({ count, done }, draw) => draw(out.subarray(done, done + count)));
  }

  count(range: DrawRange, options: BulkOptions): Float64Array {
    const totals = new Float64Array(range.node.root.ids.length);
    const buffer = new Uint32Array(Math.min(range.total, BATCH_RESULTS));
    this.#eachBatch(range, options, ({ count }, draw) => {
      const numbers = buffer.subarray(0, count);
      draw(numbers);
      for (const number of numbers) totals[number]++;
    });
    return totals;
  }

  /** Calls `take` for each batch of draws. `take` must call `draw` with the array to fill. */
  #eachBatch(
    { node, ...range }: DrawRange,
    options: BulkOptions,
    take: (batch: Batch, draw: (out: Uint32Array) => void) => void,
  ): number {
    const engine = this.engineFor(node);
    let refreshed = 0;
    forEachBatch(range, options, (batch) => {
      take(batch, (out) => {
        refreshed += engine.draw(node.index, range.from + batch.done, out).refreshed;
      });
    });
    if (refreshed > 0) this.refreshed(node);
    return refreshed;
  }

  /** Releases the engine unless a call runs, the stock is lost, or the family or its mill was closed. */
  rest(): void {
    try {
      this.checkTurn();
    } catch {
      return;
    }
    if (this.#engine?.lost === false) this.release();
  }

  save(): readonly RootState[] | undefined {
    this.checkTurn();
    return this.#isUsed() ? this.#state() : undefined;
  }

  #isUsed(): boolean {
    const { roots, active } = this.registry;
    if (this.#isRestored) return true;
    return [...roots.values()].some((root) => {
      if (this.next > 0 && root.kind === "finite") return true;
      const isSpecified = textOf(active.get(root.name) ?? []) === (this.#specified.get(root.name) ?? "");
      return !isSpecified || root.changes.size > 0 || this.#isChanged(root);
    });
  }

  get engine(): PoolsEngine {
    this.#engine ??= this.#createEngine(planOf(this.registry));
    return this.#engine;
  }

  /** Returns the engine. If `node` is a union that is newer than the engine, builds another engine first. */
  engineFor(node: Node): PoolsEngine {
    if (node.index === Number.POSITIVE_INFINITY) this.release();
    return this.engine;
  }

  release(): void {
    if (this.#engine === undefined) return;
    for (const root of this.registry.roots.values()) {
      for (const [record, left] of this.#everyQuantity(root).entries()) root.quantities.set(record, left);
    }
    this.#engine.dispose();
    this.#engine = undefined;
  }

  quantity(root: Root, record: number): number {
    return this.#engine?.quantity(root.number, record) ?? root.quantities.at(record);
  }

  quantities({ root, records }: Node): Uint32Array {
    const inEngine = this.#engine?.quantities(root.number, records);
    return inEngine ?? Uint32Array.from(records, (record) => root.quantities.at(record));
  }

  /** Returns the quantity of each record of a root, also of removed records; empty for an infinite root. */
  #everyQuantity(root: Root): Uint32Array {
    if (root.kind === "infinite") return new Uint32Array();
    if (this.#engine === undefined) return root.quantities.values;
    const { top, ids } = root;
    const all = top.size === ids.length ? top.records : Uint32Array.from(ids, (_, record) => record);
    return this.#engine.quantities(root.number, all);
  }

  #setQuantity(root: Root, record: number, quantity: number): void {
    if (this.#engine === undefined) root.quantities.set(record, quantity);
    else this.#engine.setQuantity(root.number, record, quantity);
  }

  putBack(root: Root, record: number, copies: number): void {
    this.#setQuantity(root, record, this.quantity(root, record) + copies);
  }

  total(node: Node): number {
    if (node.root.kind === "infinite") return node.capacity();
    if (this.#engine !== undefined && node.index < Number.POSITIVE_INFINITY) return this.#engine.total(node.index);
    const integers = node.scaled()?.integers ?? [];
    return this.quantities(node).reduce((sum, quantity, i) => sum + integers[i] * quantity, 0);
  }

  refresh(node: Node): void {
    const { root, records } = node;
    if (this.#engine !== undefined) this.engineFor(node).refresh(node.index);
    else for (const record of records) root.quantities.set(record, root.initial.at(record));
    this.refreshed(node);
  }

  /** Deletes the discards of the pool. Call this after the engine has refreshed the pool. */
  refreshed({ root, records }: Node): void {
    if (root.discards.size > 0) for (const record of records) root.discards.delete(record);
  }

  copies(root: Root, record: number, place: CopyPlace): number {
    const discards = root.discards.get(record) ?? 0;
    if (place === "discards") return discards;
    const left = this.quantity(root, record);
    return place === "stock" ? left : root.initial.at(record) - left - discards;
  }

  /** Returns how many of `n` draws a pool can make. */
  drawable(node: Node, n: number): number {
    if (node.root.refill) {
      this.checkDrawable(node);
      return n;
    }
    const { masses } = node;
    const left = this.quantities(node).reduce((sum, quantity, i) => (masses[i] > 0 ? sum + quantity : sum), 0);
    return Math.min(n, left);
  }

  /** Returns a function that restores the present quantities of a pool's records. */
  hold(node: Node): () => void {
    const { root, records } = node;
    if (root.kind === "infinite") return () => undefined;
    const held = this.quantities(node);
    const discards = new Map(root.discards);
    return () => {
      root.discards = discards;
      const left = this.quantities(node);
      for (const [i, record] of records.entries()) {
        if (left[i] !== held[i]) this.#setQuantity(root, record, held[i]);
      }
    };
  }

  odds(node: Node): Odds<RecordId> {
    const { root, records } = node;
    this.checkDrawable(node);
    const weights = this.weights(node);
    const total = weights.reduce((sum, weight) => sum + weight, 0n);
    const odds = weights.map((weight, i) => ({ result: root.ids[records[i]], probability: fraction(weight, total) }));
    return { odds, none: ZERO };
  }

  /** Returns the weights of the next draw, in list order. */
  weights(node: Node): bigint[] {
    const { root, records } = node;
    const integers = Array.from(node.scaled()?.integers ?? [], BigInt);
    if (root.kind === "infinite") return integers;
    const left = this.total(node) === 0 ? records.map((record) => root.initial.at(record)) : this.quantities(node);
    return integers.map((mass, i) => mass * BigInt(left[i]));
  }

  checkDrawable(node: Node): void {
    const { path, root } = node;
    if (node.capacity() > 0 && (root.refill || this.total(node) > 0)) return;
    if (node.size === 0) {
      const remedy = "Add records to the pool with addToSubpool";
      refuse("pool.empty", path, { problem: `pool ${path} has no records`, remedy });
    }
    if (!root.refill) {
      const remedy = "Call `reshuffle` to put the discards back, or `restock` to put all copies back";
      refuse("pool.exhausted", path, { problem: `pool ${path} is exhausted, and its root does not refill`, remedy });
    }
    const remedy = "Give at least one record a mass and a quantity above 0";
    const problem = `nothing can be drawn from pool ${path}, because its total is 0`;
    refuse("pool.weightless", path, { problem, remedy });
  }

  #state(): RootState[] {
    const { roots, active, idle } = this.registry;
    const live = [...roots.values()].map((root) => {
      const { name, changes, restored, numbers } = root;
      const unknown = [...restored.values()].filter(([id]) => !numbers.has(id));
      const masses = [...changes].flatMap(([path, changed]) =>
        [...changed].map((change) => [path, ...change] as const),
      );
      return {
        name,
        active: (active.get(name) ?? []).map(({ text }) => text),
        quantities: [...this.#copiesOf(root), ...unknown],
        ...(masses.length === 0 ? {} : { masses }),
      };
    });
    return [...live, ...idle];
  }

  #isChanged(root: Root): boolean {
    const { declared, discards, initial } = root;
    return declared.size + discards.size > 0 || this.#everyQuantity(root).some((left, i) => left !== initial.at(i));
  }

  /** Returns the copies of every record, so that a snapshot can restore them even if the spec has changed. */
  #copiesOf(root: Root): SavedCopies[] {
    const { discards, ids, initial } = root;
    return Array.from(this.#everyQuantity(root), (left, i) => {
      const full = initial.at(i);
      const discarded = discards.get(i);
      if (discarded !== undefined) return [ids[i], left, full, discarded];
      return left === full ? [ids[i], left] : [ids[i], left, full];
    });
  }
}

function textOf(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join(".");
}

function parseState(value: unknown): readonly RootState[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every(isRootState) && areUnique(value.map(({ name }) => name))) return value;
  const problem = "the state of the pools in the snapshot is damaged";
  return fail(error("snapshot.invalid", { problem, expected: "bytes from mill.snapshot()" }));
}

function isRootState(value: unknown): value is RootState {
  if (!isObject(value)) return false;
  const { name, active, quantities, masses = [] } = value;
  const isChange = (change: unknown) =>
    Array.isArray(change) &&
    typeof change[0] === "string" &&
    isId(change[1]) &&
    (change[2] === null || massOf(change[2]) === change[2]);
  return (
    typeof name === "string" &&
    Array.isArray(active) &&
    active.every((part) => typeof part === "string") &&
    Array.isArray(quantities) &&
    quantities.every(isSavedCopies) &&
    areUnique(quantities.map(([id]) => id)) &&
    Array.isArray(masses) &&
    masses.every(isChange)
  );
}

function isSavedCopies(value: unknown): value is SavedCopies {
  if (!Array.isArray(value)) return false;
  const [id, left, full = left, discards = 0] = value;
  return (
    isId(id) &&
    [left, full, discards].every((count) => count !== undefined && isQuantity(count)) &&
    left + discards <= full
  );
}

function areUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}
