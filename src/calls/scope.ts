import { type ForkId, forkKey, nameKey, type StreamKey } from "../address.js";
import type { Guard } from "./guard.js";
import { type MillNode, Place, type Shared, SharedNode, type State, StateNode } from "./state.js";

/** Creates the state of a noun. If `saved`, a state from a snapshot, is set: restores this state instead. */
export type CreateState<S extends State> = (saved: unknown, scope: Scope<S>) => S;

/** What a noun and its forks have in common. */
interface ScopeRoot<S extends State> {
  readonly guard: Guard;
  create(saved: unknown, scope: Scope<S>): S;
  keyOf(name: string): StreamKey;
  sharedNode(): SharedNode;
}

/**
 * Where a noun (a table, a walk and so on) reads its random words and keeps its state. Each fork of the noun has a
 * child scope, with its own random words and its own state.
 */
export class Scope<S extends State = State> {
  readonly key: StreamKey;
  readonly #root: ScopeRoot<S>;
  readonly #place: Place<StateNode>;

  constructor(key: StreamKey, root: ScopeRoot<S>, place: Place<StateNode>) {
    this.key = key;
    this.#root = root;
    this.#place = place;
  }

  get guard(): Guard {
    return this.#root.guard;
  }

  /** Returns the key for a name on this scope. For example, the walk "land" needs the key of its layer "land/rivers". */
  keyOf(name: string): StreamKey {
    return this.#place.ids.reduce(forkKey, this.#root.keyOf(name));
  }

  /** Returns the noun's state. The first call creates it, or restores it from the snapshot. */
  state(): S {
    return this.node().state((saved) => this.#root.create(saved, this));
  }

  /**
   * Returns state that several nouns of this scope share, by its key. The first call with a key creates or restores it.
   */
  shared<T extends Shared>(key: string, create: (saved: unknown) => T): T {
    return this.sharedNode().share(key, create);
  }

  /** @throws RollmillError `argument.type`, `argument.range` for an invalid id. */
  fork(id: ForkId): Scope<S> {
    return new Scope(forkKey(this.key, id), this.#root, this.#place.fork(id));
  }

  node(): StateNode {
    return this.#place.node();
  }

  sharedNode(): SharedNode {
    return this.#place.ids.reduce((node, id) => node.fork(id), this.#root.sharedNode());
  }
}

/**
 * The scope of a noun that a mill opens by its name.
 *
 * @param mill - `key` and `states` are those of the mill. `system` is the noun of the system that opens the name.
 */
export function scopeOfName<S extends State>({
  key,
  guard,
  name,
  system,
  create,
  states,
}: {
  readonly key: StreamKey;
  readonly guard: Guard;
  readonly name: string;
  readonly system: string;
  readonly create: CreateState<S>;
  readonly states: () => MillNode;
}): Scope<S> {
  const root = { guard, create, keyOf: (other: string) => nameKey(key, other), sharedNode: () => states().shared };
  return new Scope(nameKey(key, name), root, new Place(() => states().name(name, system)));
}

/**
 * The scope of an inner noun, such as a table inside a world. Snapshots do not contain the states of inner nouns.
 *
 * @param shared - The node that the noun shares with other inner nouns.
 */
export function innerScope<S extends State>(
  key: StreamKey,
  guard: Guard,
  create: CreateState<S>,
  shared = new SharedNode(),
): Scope<S> {
  const node = new StateNode();
  const root = { guard, create, keyOf: (name: string) => nameKey(key, name), sharedNode: () => shared };
  return new Scope(key, root, new Place(() => node));
}
