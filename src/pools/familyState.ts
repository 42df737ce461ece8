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
  readonly #isRestored: boolean;

  constructor(
    { registry, scope }: { readonly registry: Registry; readonly scope: FamilyScope },
    saved: unknown,
    createEngine: (plan: PoolsPlan) => PoolsEngine,
  ) {
    super(new Stock(registry, createEngine), scope);
    this.registry = registry;
    this.#specified = new Map([...registry.active].map(([root, parts]) => [root, textOf(parts)]));
    const states = parseState(saved);
    registry.restore(states);
    this.#isRestored = states.length > 0;
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

  /**
   * Returns the copies of all records, the changed masses and the active settings, for a snapshot. Returns undefined if
   * the family was never used.
   */
  save(): readonly RootState[] | undefined {
    this.checkTurn();
    return this.#isUsed() ? this.stock.state() : undefined;
  }

  #isUsed(): boolean {
    const { roots, active } = this.registry;
    if (this.#isRestored || (this.next > 0 && [...roots.values()].some(({ kind }) => kind === "finite"))) return true;
    return [...roots.values()].some((root) => {
      const isSpecified = textOf(active.get(root.name) ?? []) === (this.#specified.get(root.name) ?? "");
      return !isSpecified || root.changes.size > 0 || this.stock.isChanged(root);
    });
  }
}

function textOf(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join(".");
}
