import type { Scope } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import type { TableState } from "./rolling.js";
import type { OneShots } from "./scripts.js";

/**
 * The ids of used one-shots: scripts whose column can win only once. If a call fails, the ids that it added are
 * removed.
 */
class UsedOneShots extends Set<number> {
  /** The added ids of each running call. Calls may be nested: the innermost is last. */
  readonly #calls: number[][] = [];

  constructor(ids: readonly number[] = []) {
    super();
    for (const id of ids) super.add(id);
  }

  override add(id: number): this {
    if (!this.has(id)) this.#calls.at(-1)?.push(id);
    return super.add(id);
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

/** The state of a table. Its sets are created only when a script needs them, because most tables have no one-shots. */
export class OneShotState implements TableState {
  next = 0;
  readonly #scope: Scope<TableState>;
  #own: UsedOneShots | undefined;

  /** @throws RollmillError `snapshot.invalid` if the saved state is damaged. */
  constructor(saved: unknown, scope: Scope<TableState>) {
    this.#scope = scope;
    if (saved !== undefined) this.#own = new UsedOneShots(idsIn(saved));
  }

  oneShots(): OneShots {
    return this.#sets();
  }

  attempt<T>(call: () => T): T {
    const { own, shared } = this.#sets();
    return own.attempt(() => shared.attempt(call));
  }

  save(): readonly number[] | undefined {
    return this.#own === undefined ? undefined : savedIds(this.#own);
  }

  #sets(): { readonly own: UsedOneShots; readonly shared: UsedOneShots } {
    this.#own ??= new UsedOneShots();
    return { own: this.#own, shared: this.#scope.shared("one-shots", (ids) => new SharedOneShots(ids)).ids };
  }
}

class SharedOneShots {
  readonly ids: UsedOneShots;

  constructor(saved: unknown) {
    this.ids = new UsedOneShots(idsIn(saved));
  }

  save(): readonly number[] | undefined {
    return savedIds(this.ids);
  }
}

function savedIds(ids: ReadonlySet<number>): readonly number[] | undefined {
  return ids.size === 0 ? undefined : [...ids];
}

function idsIn(saved: unknown): readonly number[] {
  if (saved === undefined) return [];
  if (Array.isArray(saved) && saved.every((id) => Number.isInteger(id) && id >= 0)) return saved;
  const problem = "the list of used one-shot scripts in the snapshot is damaged";
  return fail(error("snapshot.invalid", { problem, got: saved, expected: "a list of script ids" }));
}
