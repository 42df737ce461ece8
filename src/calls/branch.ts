import { type ForkId, forkKey, nameKey, type StreamKey } from "../address.js";
import { type MillNode, type Shared, SharedNode, type State, StateNode } from "./state.js";
import type { Turns } from "./turns.js";

/**
 * Where a noun (a table, a walk and so on) reads its random words and keeps its state. Each fork of the noun has a
 * child branch, with its own random words and its own state.
 */
export interface Branch<S extends State = State> {
  /** The key that selects the random words. */
  readonly key: StreamKey;
  /** Keeps track of the mill's running calls. */
  readonly turns: Turns;
  /**
   * Returns the key for a name on this branch. For example, the walk "land" needs the key of its layer "land/rivers".
   */
  keyOf(name: string): StreamKey;
  /** Returns the noun's state. The first call creates it, or restores it from the snapshot. */
  state(): S;
  /**
   * Returns state that several nouns of this branch share. `key` identifies the state. The first call with a key
   * creates or restores the state.
   */
  shared<T extends Shared>(key: string, create: (saved: unknown) => T): T;
  /**
   * Returns a child branch.
   *
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  fork(id: ForkId): Branch<S>;
  /** The node that stores the state. Child branches need it. */
  node(): StateNode;
  /** The node that stores the shared state. Child branches need it. */
  sharedNode(): SharedNode;
}

/**
 * Creates the state of a noun. `saved` is a state from a snapshot; if it is set, restores this state instead. `branch`
 * gives access to shared state.
 */
export type CreateState<S extends State> = (saved: unknown, branch: Branch<S>) => S;

abstract class FoundBranch<S extends State> implements Branch<S> {
  readonly key: StreamKey;
  readonly turns: Turns;
  readonly #create: CreateState<S>;

  constructor(key: StreamKey, turns: Turns, create: CreateState<S>) {
    this.key = key;
    this.turns = turns;
    this.#create = create;
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

  abstract keyOf(name: string): StreamKey;

  abstract node(): StateNode;

  abstract sharedNode(): SharedNode;
}

/** The branch of a noun that was opened by its name. */
export class NameBranch<S extends State> extends FoundBranch<S> {
  readonly #mill: StreamKey;
  readonly #name: string;
  readonly #states: () => MillNode;

  /** @param mill - `key` is the mill's key. `states` returns the mill's states. */
  constructor(mill: {
    readonly key: StreamKey;
    readonly turns: Turns;
    readonly name: string;
    readonly create: CreateState<S>;
    readonly states: () => MillNode;
  }) {
    super(nameKey(mill.key, mill.name), mill.turns, mill.create);
    this.#mill = mill.key;
    this.#name = mill.name;
    this.#states = mill.states;
  }

  override keyOf(name: string): StreamKey {
    return nameKey(this.#mill, name);
  }

  override node(): StateNode {
    return this.#states().name(this.#name);
  }

  override sharedNode(): SharedNode {
    return this.#states().shared;
  }
}

/** The branch of an inner noun, such as a table inside a world. Snapshots do not contain the states of inner nouns. */
export class InnerBranch<S extends State> extends FoundBranch<S> {
  readonly #node = new StateNode();
  readonly #shared: SharedNode;

  /** @param inner - `shared` is the node that the noun shares with other inner nouns. Default: a node of its own. */
  constructor(inner: {
    readonly key: StreamKey;
    readonly turns: Turns;
    readonly create: CreateState<S>;
    readonly shared?: SharedNode | undefined;
  }) {
    super(inner.key, inner.turns, inner.create);
    this.#shared = inner.shared ?? new SharedNode();
  }

  override keyOf(name: string): StreamKey {
    return nameKey(this.key, name);
  }

  override node(): StateNode {
    return this.#node;
  }

  override sharedNode(): SharedNode {
    return this.#shared;
  }
}

/**
 * The branch of a fork. It looks up its state only when needed. So a fork that was never used leaves no trace in
 * snapshots.
 */
class ForkBranch<S extends State> extends FoundBranch<S> {
  readonly #parent: Branch<S>;
  readonly #id: ForkId;

  constructor(parent: Branch<S>, id: ForkId, create: CreateState<S>) {
    super(forkKey(parent.key, id), parent.turns, create);
    this.#parent = parent;
    this.#id = id;
  }

  override keyOf(name: string): StreamKey {
    return forkKey(this.#parent.keyOf(name), this.#id);
  }

  override node(): StateNode {
    return this.#parent.node().fork(this.#id);
  }

  override sharedNode(): SharedNode {
    return this.#parent.sharedNode().fork(this.#id);
  }
}
