import type { Scope } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import type { TableState } from "./rolling.js";

/** The ids of used one-shots. If a call fails, the ids that it added are removed. */
class UsedOneShots extends Set<number> {
  /** The added ids of each running call. Calls may be nested: the innermost is last. */
  readonly #calls: number[][] = [];

  /** @throws RollmillError `snapshot.invalid` if the saved ids are damaged. */
  constructor(saved?: unknown) {
    super();
    for (const id of idsIn(saved)) super.add(id);
  }

  override add(id: number): this {
    if (!this.has(id)) this.#calls.at(-1)?.push(id);
    return super.add(id);
  }

  save(): readonly number[] | undefined {
    return this.size === 0 ? undefined : [...this];
  }

  attempt<T>(call: () => T): T {
    const added: number[] = [];
    this.#calls.push(added);
    try {
      return call();
    } catch (cause) {
      for (const id of added) this.delete(id);
      throw cause;
    } finally {
      this.#calls.pop();
    }
  }
}

/** The state of a table. Creates the sets of used one-shots at the first use, because most tables have no one-shots. */
export class OneShotState implements TableState {
  next = 0;
  readonly #scope: Scope<TableState>;
  #own: UsedOneShots | undefined;

  constructor(saved: unknown, scope: Scope<TableState>) {
    this.#scope = scope;
    if (saved !== undefined) this.#own = new UsedOneShots(saved);
  }

  attempt<T>(call: () => T): T {
    const { own, shared } = this.oneShots();
    return own.attempt(() => shared.attempt(call));
  }

  save(): readonly number[] | undefined {
    return this.#own?.save();
  }

  oneShots(): { readonly own: UsedOneShots; readonly shared: UsedOneShots } {
    this.#own ??= new UsedOneShots();
    return { own: this.#own, shared: this.#scope.shared("one-shots", (saved) => new UsedOneShots(saved)) };
  }
}

function idsIn(saved: unknown): readonly number[] {
  if (saved === undefined) return [];
  if (Array.isArray(saved) && saved.every((id) => Number.isInteger(id) && id >= 0)) return saved;
  const problem = "the list of used one-shot scripts in the snapshot is damaged";
  return fail(error("snapshot.invalid", { problem, got: saved, expected: "a list of script ids" }));
}
