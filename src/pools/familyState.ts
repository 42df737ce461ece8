import type { State } from "../calls/index.js";
import { Drawing } from "./drawing.js";
import { Finder } from "./finder.js";
import type { PoolsEngine } from "./kernel.js";
import type { Registry } from "./registry/registry.js";
import { parseState, Stock } from "./stock.js";
import type { PoolsPlan, RootState } from "./types.js";

/** The state of a family: its pools, their stock, and the draws made. Each fork of a family has a separate one. */
export class FamilyState implements State {
  readonly registry: Registry;
  readonly stock: Stock;
  readonly drawing: Drawing;
  readonly finder: Finder;

  /**
   * @param saved - The state in a snapshot, unchecked.
   * @param createEngine - Called for the first draw, and for the first one after each registration.
   * @throws RollmillError `snapshot.invalid`.
   */
  constructor(registry: Registry, saved: unknown, createEngine: (plan: PoolsPlan) => PoolsEngine) {
    this.registry = registry;
    registry.restore(parseState(saved));
    this.stock = new Stock(registry, createEngine);
    this.drawing = new Drawing(this.stock);
    this.finder = new Finder(registry);
  }

  /** Index of the next draw. */
  get next(): number {
    return this.drawing.next;
  }

  set next(index: number) {
    this.drawing.next = index;
  }

  /** Returns the stock, for a snapshot; undefined if it is full and nothing is set. */
  save(): readonly RootState[] | undefined {
    this.drawing.refuseBusy();
    const roots = this.stock.state().filter(({ active, quantities }) => active.length > 0 || quantities.length > 0);
    return roots.length === 0 ? undefined : roots;
  }
}
