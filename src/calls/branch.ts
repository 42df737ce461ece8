import { type ForkId, forkKey, nameKey, type StreamKey } from "../address.js";
import type { MillNode, Shared, SharedNode, State, StateNode } from "./state.js";

/**
 * Where a noun reads its random words and keeps its state. A noun has one branch for its name; each of its forks has a
 * child branch, with other words and a separate state.
 */
export interface Branch<S extends State = State> {
  /** The key of the random words. */
  readonly key: StreamKey;
  /** Returns the key of a further name on this branch, such as "land/rivers" for a layer of the walk "land". */
  keyOf(name: string): StreamKey;
  /** Returns the state. The first call creates it, or restores it from the snapshot. */
  state(): S;
  /** Returns the state that several nouns of this branch share under a key, as {@link Branch.state} does. */
  shared<T extends Shared>(key: string, create: (saved: unknown) => T): T;
  /**
   * Returns a child branch.
   *
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  fork(id: ForkId): Branch<S>;
  /** The node of the state, which a child branch needs. */
  node(): StateNode;
  /** The node of the shared state, which a child branch needs. */
  sharedNode(): SharedNode;
}

/** Creates the state of a noun, or restores it from a snapshot. `branch` gives access to shared state. */
export type CreateState<S extends State> = (saved: unknown, branch: Branch<S>) => S;

/** The branch of a name in a mill. */
export class NameBranch<S extends State> implements Branch<S> {
  readonly key: StreamKey;
  readonly #mill: StreamKey;
  readonly #name: string;
  readonly #states: () => MillNode;
  readonly #create: CreateState<S>;

  /** @param mill - `key` is the key of the mill, `states` returns its states. */
  constructor(mill: {
    readonly key: StreamKey;
    readonly name: string;
    readonly create: CreateState<S>;
    readonly states: () => MillNode;
  }) {
    this.key = nameKey(mill.key, mill.name);
    this.#mill = mill.key;
    this.#name = mill.name;
    this.#states = mill.states;
    this.#create = mill.create;
  }

  keyOf(name: string): StreamKey {
    return nameKey(this.#mill, name);
  }

  state(): S {
    return this.node().state((saved) => this.#create(saved, this));
  }

  shared<T extends Shared>(key: string, create: (saved: unknown) => T): T {
    return this.sharedNode().share(key, create);
  }

  fork(id: ForkId): Branch<S> {
    return new ForkBranch(this, id, this.#create);
  }

  node(): StateNode {
    return this.#states().name(this.#name);
  }

  sharedNode(): SharedNode {
    return this.#states().shared;
  }
}

/** The branch of a fork. It finds its state only when it needs it, so that a fork without state leaves no trace. */
class ForkBranch<S extends State> implements Branch<S> {
  readonly key: StreamKey;
  readonly #parent: Branch<S>;
  readonly #id: ForkId;
  readonly #create: CreateState<S>;

  constructor(parent: Branch<S>, id: ForkId, create: CreateState<S>) {
    this.key = forkKey(parent.key, id);
    this.#parent = parent;
    this.#id = id;
    this.#create = create;
  }

  keyOf(name: string): StreamKey {
    return forkKey(this.#parent.keyOf(name), this.#id);
  }

  state(): S {
    return this.node().state((saved) => this.#create(saved, this));
  }

  shared<T extends Shared>(key: string, create: (saved: unknown) => T): T {
    return this.sharedNode().share(key, create);
  }

  fork(id: ForkId): Branch<S> {
    return new ForkBranch(this, id, this.#create);
  }

  node(): StateNode {
    return this.#parent.node().fork(this.#id);
  }

  sharedNode(): SharedNode {
    return this.#parent.sharedNode().fork(this.#id);
  }
}
