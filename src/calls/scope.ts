import { type ForkId, forkKey, nameKey, type StreamKey } from "../address.js";
import { error, fail } from "../errors/index.js";
import { Place, type Shared, SharedNode, type State, StateNode } from "./state.js";

/**
 * Tracks the running calls of a mill and its forks. A callback must not call the noun that runs it: `next` has not
 * advanced yet, so the inner call would make the same results as the outer call. A callback may call other nouns,
 * because no kernel call is in progress. Scopes with equal keys are the same scope: all handles of a fork share state.
 */
export class Guard {
  /** True if no call is running and the mill is not disposed. Then every call is allowed, without further checks. */
  isIdle = true;
  #isDisposed = false;
  /** For each running call, the keys that it uses. The innermost call is last. */
  readonly #running: (readonly StreamKey[])[] = [];
  readonly #owner: string;

  /** @param owner - Names the object whose disposal calls {@link dispose}, for messages. */
  constructor(owner = "its mill") {
    this.#owner = owner;
  }

  /** @throws RollmillError `argument.disposed`; `argument.busy` if a running call uses one of these scopes. */
  check(name: string, keys: readonly StreamKey[]): void {
    if (this.isIdle) return;
    if (this.#isDisposed) refuseDisposed(name, this.#owner);
    const running = this.#running.flat();
    if (!keys.some(({ k0, k1 }) => running.some((key) => key.k0 === k0 && key.k1 === k1))) return;
    const problem = `a callback made this call while a call on ${JSON.stringify(name)} is still running`;
    fail(error("argument.busy", { problem, remedy: "Make this call after the other call has returned" }));
  }

  /** Runs a call. Until it ends, refuses every other call that uses one of the scopes in `keys`. */
  run<T>(name: string, keys: readonly StreamKey[], call: () => T): T {
    this.check(name, keys);
    this.#running.push(keys);
    this.isIdle = false;
    try {
      return call();
    } finally {
      this.#running.pop();
      this.isIdle = this.#running.length === 0 && !this.#isDisposed;
    }
  }

  /** Throws `argument.busy` if a call is running. A snapshot needs this, because it reads the state of all nouns. */
  checkAllIdle(): void {
    if (this.#running.length === 0) return;
    const problem = "a callback cannot take a snapshot, because the running call has not changed the state yet";
    fail(error("argument.busy", { problem, remedy: "Take the snapshot after the call has returned" }));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.isIdle = false;
  }
}

/** Throws `argument.disposed` for a noun whose memory was freed. `owner` names what was disposed. */
export function refuseDisposed(name: string, owner = "its mill"): never {
  const problem = `${JSON.stringify(name)} cannot be used, because ${owner} has been disposed`;
  const remedy = `Create ${JSON.stringify(name)} again, or dispose of ${owner} only after the last use`;
  return fail(error("argument.disposed", { problem, remedy }));
}

export function refuseReleased(name: string): never {
  const problem = `the state of this fork of ${JSON.stringify(name)} was released`;
  return fail(error("argument.disposed", { problem, remedy: "Fork again with the same id, to begin anew" }));
}

/** Creates the state of a noun, or restores the state from `saved`, which a snapshot contains. */
export type CreateState<S extends State> = (saved: unknown, scope: Scope<S>) => S;

interface ScopeRoot<S extends State> {
  readonly guard: Guard;
  create(saved: unknown, scope: Scope<S>): S;
  /** @param seed - The key of another seed. Default: the seed of the mill. */
  keyOf(name: string, seed?: StreamKey): StreamKey;
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

  /** The ids of the noun's forks that lead to this scope, outermost first. Does not have the forks of its mill. */
  get ids(): readonly ForkId[] {
    return this.#place.ids;
  }

  /**
   * Returns the key for a name on this scope. For example, the walk "land" needs the key of its layer "land/rivers".
   */
  keyOf(name: string): StreamKey {
    return this.#place.ids.reduce(forkKey, this.#root.keyOf(name));
  }

  /** Returns the noun's state. The first call creates it, or restores it from the snapshot. */
  state(): S {
    return this.node().state((saved) => this.#root.create(saved, this));
  }

  /** Returns state that several nouns of this scope share. The first call with a key creates or restores the state. */
  shared<T extends Shared>(key: string, create: (saved: unknown) => T): T {
    return this.sharedNode().share(key, create);
  }

  fork(id: ForkId): Scope<S> {
    return new Scope(forkKey(this.key, id), this.#root, this.#place.fork(id));
  }

  /** Returns the scope of a noun as in a new mill, with the same seed or another one: its state begins anew. */
  anew(name: string, seed?: StreamKey): Scope<S> {
    const keyOf = (other: string) => this.#place.ids.reduce(forkKey, this.#root.keyOf(other, seed));
    const [node, shared] = [new StateNode(), new SharedNode()];
    const root = { ...this.#root, keyOf, sharedNode: () => shared };
    return new Scope(keyOf(name), root, new Place(() => node));
  }

  node(): StateNode {
    return this.#place.node();
  }

  sharedNode(): SharedNode {
    return this.#place.ids.reduce((node, id) => node.fork(id), this.#root.sharedNode());
  }
}

/**
 * Returns the scope of an inner noun, such as a table in a world. Snapshots lack the state of an inner noun.
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
