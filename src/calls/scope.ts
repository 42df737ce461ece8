import { type ForkId, forkKey, nameKey, type StreamKey } from "../address.js";
import type { Guard } from "./guard.js";
import { type MillNode, Place, type Shared, SharedNode, type State, StateNode } from "./state.js";

/**
 * Where a noun (a table, a walk and so on) reads its random words and keeps its state. Each fork of the noun has a
 * child scope, with its own random words and its own state.
 */
export interface Scope<S extends State = State> {
  readonly key: StreamKey;
  readonly guard: Guard;
  /** Returns the key for a name on this scope. For example, the walk "land" needs the key of its layer "land/rivers". */
  keyOf(name: string): StreamKey;
  /** Returns the noun's state. The first call creates it, or restores it from the snapshot. */
  state(): S;
  /**
   * Returns state that several nouns of this scope share, by its key. The first call with a key creates or restores it.
   */
  shared<T extends Shared>(key: string, create: (saved: unknown) => T): T;
  /**
   * Returns a child scope.
   *
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  fork(id: ForkId): Scope<S>;
  node(): StateNode;
  sharedNode(): SharedNode;
}

/** Creates the state of a noun. If `saved`, a state from a snapshot, is set: restores this state instead. */
export type CreateState<S extends State> = (saved: unknown, scope: Scope<S>) => S;

interface ScopeParts<S extends State> {
  readonly key: StreamKey;
  readonly guard: Guard;
  readonly place: Place<StateNode>;
  readonly create: CreateState<S>;
}

abstract class FoundScope<S extends State> implements Scope<S> {
  readonly key: StreamKey;
  readonly guard: Guard;
  readonly #place: Place<StateNode>;
  readonly #create: CreateState<S>;

  constructor({ key, guard, place, create }: ScopeParts<S>) {
    this.key = key;
    this.guard = guard;
    this.#place = place;
    this.#create = create;
  }

  state(): S {
    return this.node().state((saved) => this.#create(saved, this));
  }

  shared<T extends Shared>(key: string, create: (saved: unknown) => T): T {
    return this.sharedNode().share(key, create);
  }

  fork(id: ForkId): Scope<S> {
    const key = forkKey(this.key, id);
    return new ForkScope(this.root, { key, guard: this.guard, place: this.#place.fork(id), create: this.#create });
  }

  node(): StateNode {
    return this.#place.node();
  }

  /** The ids of forks that lead from {@link root} to this scope, outermost first. */
  protected get ids(): readonly ForkId[] {
    return this.#place.ids;
  }

  protected get root(): FoundScope<S> {
    return this;
  }

  abstract keyOf(name: string): StreamKey;

  abstract sharedNode(): SharedNode;
}

/** The scope of a noun that was opened by its name. */
export class NameScope<S extends State> extends FoundScope<S> {
  readonly #mill: StreamKey;
  readonly #states: () => MillNode;

  /** @param mill - `key` and `states` are those of the mill. `system` is the noun of the system that opens the name. */
  constructor(mill: {
    readonly key: StreamKey;
    readonly guard: Guard;
    readonly name: string;
    readonly system: string;
    readonly create: CreateState<S>;
    readonly states: () => MillNode;
  }) {
    const { key, guard, name, system, create, states } = mill;
    super({ key: nameKey(key, name), guard, create, place: new Place(() => states().name(name, system)) });
    this.#mill = key;
    this.#states = states;
  }

  override keyOf(name: string): StreamKey {
    return nameKey(this.#mill, name);
  }

  override sharedNode(): SharedNode {
    return this.#states().shared;
  }
}

/** The scope of an inner noun, such as a table inside a world. Snapshots do not contain the states of inner nouns. */
export class InnerScope<S extends State> extends FoundScope<S> {
  readonly #shared: SharedNode;

  /** @param inner - `shared` is the node that the noun shares with other inner nouns. Default: a node of its own. */
  constructor(inner: Omit<ScopeParts<S>, "place"> & { readonly shared?: SharedNode | undefined }) {
    const node = new StateNode();
    super({ ...inner, place: new Place(() => node) });
    this.#shared = inner.shared ?? new SharedNode();
  }

  override keyOf(name: string): StreamKey {
    return nameKey(this.key, name);
  }

  override sharedNode(): SharedNode {
    return this.#shared;
  }
}

class ForkScope<S extends State> extends FoundScope<S> {
  readonly #root: FoundScope<S>;

  constructor(root: FoundScope<S>, parts: ScopeParts<S>) {
    super(parts);
    this.#root = root;
  }

  protected override get root(): FoundScope<S> {
    return this.#root;
  }

  override keyOf(name: string): StreamKey {
    return this.ids.reduce(forkKey, this.#root.keyOf(name));
  }

  override sharedNode(): SharedNode {
    return this.ids.reduce((node, id) => node.fork(id), this.#root.sharedNode());
  }
}
