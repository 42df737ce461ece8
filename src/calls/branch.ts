import { type ForkId, forkKey, nameKey, type StreamKey } from "../address.js";
import type { MillNode, Shared, SharedNode, State, StateNode } from "./state.js";
import type { Turns } from "./turns.js";

/**
 * Where a noun reads its random words and keeps its state. A noun has one branch for its name; each of its forks has a
 * child branch, with other words and a separate state.
 */
export interface Branch<S extends State = State> {
  /** The key of the random words. */
  readonly key: StreamKey;
  /** The calls that are running on the mill. */
  readonly turns: Turns;
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

/** What both kinds of branches have in common: they find their states, and their forks, in the same way. */
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

/** The branch of a name in a mill. */
export class NameBranch<S extends State> extends FoundBranch<S> {
  readonly #mill: StreamKey;
  readonly #name: string;
  readonly #states: () => MillNode;

  /** @param mill - `key` is the key of the mill, `states` returns its states. */
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

/** The branch of a fork. It finds its state only when it needs it, so that a fork without state leaves no trace. */
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
