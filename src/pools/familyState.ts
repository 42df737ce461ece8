import type { State } from "../calls/index.js";
import { Drawing, type FamilyScope } from "./drawing.js";
import { Finder } from "./finder.js";
import type { PoolsEngine } from "./kernel.js";
import type { Registry } from "./registry/registry.js";
import { parseState, Stock } from "./stock.js";
import type { PoolsPlan, RootState } from "./types.js";

/**
 * The state of a family: its pools, their stock, and the index of the next draw. Each fork of a family has its own
 * state.
 */
export class FamilyState extends Drawing implements State {
  readonly registry: Registry;
  readonly finder: Finder;
  /** For each root, its active setting in the spec, as text. */
  readonly #specified: ReadonlyMap<string, string>;

  constructor(
    { registry, scope }: { readonly registry: Registry; readonly scope: FamilyScope },
    saved: unknown,
    createEngine: (plan: PoolsPlan) => PoolsEngine,
  ) {
    super(new Stock(registry, createEngine), scope);
    this.registry = registry;
    this.#specified = new Map([...registry.active].map(([root, parts]) => [root, textOf(parts)]));
    registry.restore(parseState(saved));
    this.finder = new Finder(registry);
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

  /** Returns the stock and the active settings for a snapshot. Returns undefined if they are as in the spec. */
  save(): readonly RootState[] | undefined {
    this.checkTurn();
    const roots = this.stock.state();
    const isChanged = ({ name, active, quantities, masses = [] }: RootState) =>
      quantities.length + masses.length > 0 || active.join(".") !== (this.#specified.get(name) ?? "");
    return roots.some(isChanged) ? roots : undefined;
  }
}

function textOf(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join(".");
}
