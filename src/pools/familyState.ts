import type { State } from "../calls/index.js";
import { Drawing, type FamilyBranch } from "./drawing.js";
import { Finder } from "./finder.js";
import type { PoolsEngine } from "./kernel.js";
import type { Registry } from "./registry/registry.js";
import { parseState, Stock } from "./stock.js";
import type { PoolsPlan, RootState } from "./types.js";

/**
 * The state of a family: its pools, their stock, and the index of the next draw. Each fork of a family has its own
 * state.
 */
export class FamilyState implements State {
  readonly registry: Registry;
  readonly stock: Stock;
  readonly drawing: Drawing;
  readonly finder: Finder;
  /**
   * For each root, its active setting in the spec, as text. {@link save} compares the present setting with this text.
   */
  readonly #active: ReadonlyMap<string, string>;

  constructor(
    { registry, branch }: { readonly registry: Registry; readonly branch: FamilyBranch },
    saved: unknown,
    createEngine: (plan: PoolsPlan) => PoolsEngine,
  ) {
    this.registry = registry;
    this.#active = new Map([...registry.active].map(([root, parts]) => [root, textOf(parts)]));
    registry.restore(parseState(saved));
    this.stock = new Stock(registry, createEngine);
    this.drawing = new Drawing(this.stock, branch);
    this.finder = new Finder(registry);
  }

  /** Index of the next draw. */
  get next(): number {
    return this.drawing.next;
  }

  set next(index: number) {
    this.drawing.next = index;
  }

  /** True after the fork with this state was released: its pools must not draw. */
  get isReleased(): boolean {
    return this.drawing.isReleased;
  }

  set isReleased(isReleased: boolean) {
    this.drawing.isReleased = isReleased;
  }

  /** Moves the stock from the kernel to the registry. Does nothing if a running call needs it, or if the mill is gone. */
  rest(): void {
    try {
      this.drawing.checkTurn();
    } catch {
      return;
    }
    this.stock.rest();
  }

  /**
   * Returns the stock and the active settings for a snapshot. Returns undefined if the spec has the same stock and
   * settings.
   */
  save(): readonly RootState[] | undefined {
    this.drawing.checkTurn();
    const roots = this.stock.state();
    const isChanged = ({ name, active, quantities, masses = [] }: RootState) =>
      quantities.length + masses.length > 0 || active.join(".") !== (this.#active.get(name) ?? "");
    return roots.some(isChanged) ? roots : undefined;
  }
}

function textOf(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join(".");
}
