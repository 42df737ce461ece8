import type { StreamKey } from "../address.js";
import {
  type Batch,
  type BulkOptions,
  checkRange,
  forEachBatch,
  type Guard,
  isWatched,
  type Range,
  refuseReleased,
  type State,
} from "../calls/index.js";
import { BATCH_RESULTS } from "../kernel/index.js";
import type { PoolsEngine } from "./kernel.js";
import { parseActive } from "./parse.js";
import { parsePath, resolveNode, resolvePattern, resolveRoot } from "./path.js";
import type { Node } from "./registry/node.js";
import type { Registry } from "./registry/registry.js";
import { parseState, Stock } from "./stock.js";
import type { ActivePart, PathOptions, PoolsPlan, RecordId, RootState } from "./types.js";

interface FamilyScope {
  readonly name: string;
  readonly key: StreamKey;
  readonly guard: Guard;
}

export interface DrawRange extends Range {
  readonly node: Node;
}

const NO_KEYS: readonly StreamKey[] = [];

/** The pools of a family, their stock, and the index of the next draw. Each fork has its own state. */
export class FamilyState implements State {
  next = 0;
  isReleased = false;
  readonly registry: Registry;
  readonly stock: Stock;
  readonly #scope: FamilyScope;
  readonly #keys: readonly StreamKey[];
  readonly #one = new Uint32Array(1);
  /** The pools that paths have named since the last change. */
  readonly #found = new Map<string, Node>();
  /** For each root, its active setting in the spec, as text. */
  readonly #specified: ReadonlyMap<string, string>;
  readonly #isRestored: boolean;

  constructor(registry: Registry, scope: FamilyScope, saved: unknown, createEngine: (plan: PoolsPlan) => PoolsEngine) {
    this.registry = registry;
    this.stock = new Stock(registry, createEngine);
    this.#scope = scope;
    this.#keys = [scope.key];
    this.#specified = new Map([...registry.active].map(([root, parts]) => [root, textOf(parts)]));
    const states = parseState(saved);
    registry.restore(states);
    this.#isRestored = states.length > 0;
  }

  /** Checks that a call may change the stock, which no call may do while a bulk draw runs. */
  checkTurn(): void {
    this.checkAlive(this.#keys);
  }

  checkAlive(keys = NO_KEYS): void {
    if (this.isReleased) refuseReleased(this.#scope.name);
    this.#scope.guard.check(this.#scope.name, keys);
  }

  /** Call it before the registry changes: moves the quantities from the engine back to it. */
  changing(): void {
    this.checkTurn();
    this.stock.release();
    this.#found.clear();
  }

  setActive(root: string, parts: readonly ActivePart[]): void {
    this.registry.setActive(root, parts);
    this.#found.clear();
  }

  /** A call with the option `active` does not use the cache. */
  find(path: string, active: PathOptions["active"]): Node {
    const known = active === undefined ? this.#found.get(path) : undefined;
    if (known !== undefined) return known;
    const { registry } = this;
    const parsed = parsePath(path);
    const root = resolveRoot(registry.roots, parsed.root, path);
    const given = isByRoot(active) ? this.#partsFor(root.name, active) : active;
    const parts = given === undefined ? undefined : registry.activeParts(root, parseActive(given));
    const settings = parts ?? registry.active.get(root.name) ?? [];
    const node = parsed.parts.some(({ kind }) => kind === "star")
      ? registry.union(root, resolvePattern(root, parsed, settings))
      : resolveNode(root, parsed, settings);
    if (parts === undefined) this.#found.set(path, node);
    return node;
  }

  #partsFor(root: string, active: { readonly [root: string]: readonly ActivePart[] }) {
    for (const key of Object.keys(active)) resolveRoot(this.registry.roots, key, key);
    return Object.hasOwn(active, root) ? active[root] : undefined;
  }

  one(node: Node, at?: number): RecordId {
    this.checkTurn();
    const index = at ?? this.next;
    checkRange(index, 1);
    this.stock.checkDrawable(node);
    const outcome = this.stock.engineFor(node).draw(node.index, index, this.#one);
    if (outcome.refreshed > 0) this.stock.refreshed(node);
    if (at === undefined) this.next = index + 1;
    return node.root.ids[this.#one[0]];
  }

  peek(node: Node): RecordId {
    this.checkTurn();
    const { root } = node;
    if (root.kind === "infinite") return this.one(node, this.next);
    this.stock.checkDrawable(node);
    const putBack = this.stock.total(node) === 0 ? this.stock.hold(node) : undefined;
    const id = this.one(node, this.next);
    const [record] = this.#one;
    if (putBack !== undefined) putBack();
    else this.stock.putBack(root, record, 1);
    return id;
  }

  /** If `make` throws, restores the stock. A pool that does not refill may make fewer than `n` draws. */
  bulk<Options extends BulkOptions, T>(
    node: Node,
    read: () => Options,
    n: number | (() => number),
    make: (range: DrawRange, options: Options) => T,
  ): T {
    const { name, guard } = this.#scope;
    this.checkAlive();
    return guard.run(name, this.#keys, () => {
      const options = read();
      const from = options.from ?? this.next;
      const wanted = typeof n === "function" ? n() : n;
      checkRange(from, wanted);
      const total = this.stock.drawable(node, wanted);
      const engine = this.stock.engineFor(node);
      const putBack = total > BATCH_RESULTS || isWatched(options) ? this.stock.hold(node) : () => undefined;
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

  /** Returns how often the pool was refreshed. */
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
    const engine = this.stock.engineFor(node);
    let refreshed = 0;
    forEachBatch(range, options, (batch) => {
      take(batch, (out) => {
        refreshed += engine.draw(node.index, range.from + batch.done, out).refreshed;
      });
    });
    if (refreshed > 0) this.stock.refreshed(node);
    return refreshed;
  }

  /** Moves the stock from the kernel to the registry. Does nothing if a running call needs it, or if the mill is gone. */
  rest(): void {
    try {
      this.checkTurn();
    } catch {
      return;
    }
    this.stock.rest();
  }

  /** For a snapshot. Returns undefined if the family was never used. */
  save(): readonly RootState[] | undefined {
    this.checkTurn();
    return this.#isUsed() ? this.stock.state() : undefined;
  }

  #isUsed(): boolean {
    const { roots, active } = this.registry;
    if (this.#isRestored) return true;
    return [...roots.values()].some((root) => {
      if (this.next > 0 && root.kind === "finite") return true;
      const isSpecified = textOf(active.get(root.name) ?? []) === (this.#specified.get(root.name) ?? "");
      return !isSpecified || root.changes.size > 0 || this.stock.isChanged(root);
    });
  }
}

function isByRoot(active: PathOptions["active"]): active is { readonly [root: string]: readonly ActivePart[] } {
  return typeof active === "object" && active !== null && !Array.isArray(active);
}

function textOf(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join(".");
}
