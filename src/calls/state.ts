import { type ForkId, idOfPlain, type PlainForkId, plainId } from "../address.js";
import { MAX_INDEX } from "./options.js";

/** The state of a noun. The next result depends on this state, the seed, the noun's name and the index. */
export interface State {
  /** Index of the next result. */
  next: number;
  /**
   * Returns the state without `next` as JSON, for a snapshot: for example, which one-shots are used up, the stock of
   * pools, and which artifacts were made. Returns undefined if nothing has changed since the start.
   */
  save?(): unknown;
  /**
   * Gives back what the state has outside JavaScript's memory, such as a kernel. Called when the fork with this state
   * is released. If the caller has kept a handle, the handle may use the state again.
   */
  rest?(): void;
}

/** The state of a noun in a snapshot, and the states of its forks. */
interface SavedState {
  readonly next: number;
  /** The value that {@link State.save} returned. The noun's system checks this value. */
  readonly state?: unknown;
  readonly forks?: readonly (SavedState & { readonly id: PlainForkId })[] | undefined;
}

class Forks<Node> {
  readonly #nodes = new Map<string | number, { readonly id: ForkId; readonly node: Node }>();

  /** Returns the node of an id. Creates it if it does not exist. */
  of(id: ForkId, create: () => Node): Node {
    const key = keyOf(id);
    const known = this.#nodes.get(key);
    if (known !== undefined) return known.node;
    const node = create();
    this.#nodes.set(key, { id, node });
    return node;
  }

  delete(id: ForkId): void {
    this.#nodes.delete(keyOf(id));
  }

  /** Saves each node with its id. Leaves out nodes for which `save` returns undefined. */
  save<Saved extends object>(save: (node: Node) => Saved | undefined): (Saved & { readonly id: PlainForkId })[] {
    return [...this.#nodes.values()].flatMap(({ id, node }) => {
      const saved = save(node);
      return saved === undefined ? [] : [{ id: plainId(id), ...saved }];
    });
  }
}

/**
 * The state of one noun. The noun's forks have child nodes, so the nodes form a tree. Two handles of the same fork
 * share one node. The node remains even if no handle is left.
 */
export class StateNode {
  readonly #saved: SavedState | undefined;
  #state: State | undefined;
  #forks: Forks<StateNode> | undefined;

  constructor(saved?: SavedState) {
    this.#saved = saved;
    for (const fork of saved?.forks ?? []) this.#fork(restoredId(fork.id), fork);
  }

  /** True if the state came from a snapshot and nothing has read it yet. */
  get isRestored(): boolean {
    return this.#saved !== undefined && this.#state === undefined;
  }

  /** Returns the state. The first call creates it, or restores it from the snapshot. */
  state<S extends State>(create: (saved: unknown) => S): S {
    if (this.#state === undefined) {
      const state = create(this.#saved?.state);
      state.next = this.#saved?.next ?? 0;
      this.#state = state;
    }
    // the cast is safe: the same system creates and reads the state of a name
    return this.#state as S;
  }

  fork(id: ForkId): StateNode {
    return this.#fork(id);
  }

  /** Forgets the state of a fork, and of the fork's own forks. */
  release(id: ForkId): void {
    this.#fork(id).#state?.rest?.();
    this.#forks?.delete(id);
  }

  /**
   * Returns the states of the noun and its forks, for a snapshot. Returns undefined if nothing has changed since the
   * start.
   */
  save(): SavedState | undefined {
    const forks = this.#forks?.save((node) => node.save()) ?? [];
    const state = this.#state === undefined ? this.#saved?.state : this.#state.save?.();
    const next = this.#state?.next ?? this.#saved?.next ?? 0;
    if (next === 0 && state === undefined && forks.length === 0) return undefined;
    return { next, ...(state !== undefined && { state }), ...(forks.length > 0 && { forks }) };
  }

  #fork(id: ForkId, saved?: SavedState): StateNode {
    this.#forks ??= new Forks();
    return this.#forks.of(id, () => new StateNode(saved));
  }
}

/** State that several nouns of a mill use together, such as the list of one-shots that are used up. */
export interface Shared {
  /** Returns the state as JSON, for a snapshot. Returns undefined if nothing has changed since the start. */
  save(): unknown;
}

/** A saved {@link SharedNode}: the values by key, and the saved nodes of its forks. */
interface SavedShared {
  readonly values: Readonly<Record<string, unknown>>;
  readonly forks?: readonly (SavedShared & { readonly id: PlainForkId })[] | undefined;
}

/**
 * Shared states, by key. If two nouns are forked with the same id, for example for one player, both forks use the same
 * states.
 */
export class SharedNode {
  readonly #saved: SavedShared | undefined;
  readonly #values = new Map<string, Shared>();
  readonly #forks = new Forks<SharedNode>();

  constructor(saved?: SavedShared) {
    this.#saved = saved;
    for (const fork of saved?.forks ?? []) this.#forks.of(restoredId(fork.id), () => new SharedNode(fork));
  }

  /** Returns the state of a key. The first call creates it, or restores it from the snapshot. */
  share<T extends Shared>(key: string, create: (saved: unknown) => T): T {
    const known = this.#values.get(key);
    // the cast is safe: only one system uses this key, and it always creates the same type
    if (known !== undefined) return known as T;
    const made = create(this.#saved?.values[key]);
    this.#values.set(key, made);
    return made;
  }

  fork(id: ForkId): SharedNode {
    return this.#forks.of(id, () => new SharedNode());
  }

  /** Returns the states for a snapshot. Returns undefined if nothing has changed since the start. */
  save(): SavedShared | undefined {
    const forks = this.#forks.save((node) => node.save());
    const live = [...this.#values].map(([key, value]) => [key, value.save()] as const);
    const all = Object.entries({ ...this.#saved?.values, ...Object.fromEntries(live) });
    const values = Object.fromEntries(all.filter(([, value]) => value !== undefined));
    if (Object.keys(values).length === 0 && forks.length === 0) return undefined;
    return { values, ...(forks.length > 0 && { forks }) };
  }
}

/** A mill's state in a snapshot: its nouns by name, shared state, and the mill's forks. */
export interface SavedMill {
  readonly names: Readonly<Record<string, SavedState>>;
  readonly shared?: SavedShared | undefined;
  readonly forks?: readonly (SavedMill & { readonly id: PlainForkId })[] | undefined;
}

/** All states of a mill: the states of its nouns by name, the states of its forks, and the shared states. */
export class MillNode {
  readonly shared: SharedNode;
  readonly #names: Map<string, StateNode>;
  readonly #forks = new Forks<MillNode>();

  constructor(saved?: SavedMill) {
    const names = Object.entries(saved?.names ?? {});
    this.#names = new Map(names.map(([name, state]) => [name, new StateNode(state)]));
    this.shared = new SharedNode(saved?.shared);
    for (const fork of saved?.forks ?? []) this.#forks.of(restoredId(fork.id), () => new MillNode(fork));
  }

  name(name: string): StateNode {
    const node = this.#names.get(name) ?? new StateNode();
    this.#names.set(name, node);
    return node;
  }

  /** Forgets the state of a name and of the name's forks. */
  release(name: string): void {
    this.#names.delete(name);
  }

  fork(id: ForkId): MillNode {
    return this.#forks.of(id, () => new MillNode());
  }

  releaseFork(id: ForkId): void {
    this.#forks.delete(id);
  }

  save(): SavedMill {
    const names: [string, SavedState][] = [];
    for (const [name, node] of this.#names) {
      const saved = node.save();
      if (saved !== undefined) names.push([name, saved]);
    }
    const shared = this.shared.save();
    const forks = this.#forks.save((node) => node.#saveIfUsed());
    return { names: Object.fromEntries(names), ...(shared && { shared }), ...(forks.length > 0 && { forks }) };
  }

  #saveIfUsed(): SavedMill | undefined {
    const saved = this.save();
    const isUsed = Object.keys(saved.names).length > 0 || saved.shared !== undefined || saved.forks !== undefined;
    return isUsed ? saved : undefined;
  }
}

/** Whether a value from an unknown source is a {@link SavedMill}. */
export function isSavedMill(value: unknown): value is SavedMill {
  if (!isObject(value) || !isObject(value.names)) return false;
  const { names, shared, forks } = value;
  return (
    Object.values(names).every(isSavedState) &&
    (shared === undefined || isSavedShared(shared)) &&
    areForks(forks, isSavedMill)
  );
}

function isSavedState(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { next, forks } = value;
  return Number.isInteger(next) && Number(next) >= 0 && Number(next) <= MAX_INDEX && areForks(forks, isSavedState);
}

function isSavedShared(value: unknown): boolean {
  return isObject(value) && isObject(value.values) && areForks(value.forks, isSavedShared);
}

function areForks(forks: unknown, isFork: (fork: unknown) => boolean): boolean {
  if (forks === undefined) return true;
  return (
    Array.isArray(forks) && forks.every((fork) => isObject(fork) && idOfPlain(fork.id) !== undefined && isFork(fork))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Converts an id from a snapshot to a fork id. {@link isSavedMill} has checked the snapshot. */
function restoredId(plain: PlainForkId): ForkId {
  return idOfPlain(plain) ?? "";
}

/** Returns a key for a Map: equal for equal ids, different for different ids. */
function keyOf(id: ForkId): string | number {
  const plain = plainId(id);
  if (typeof plain === "number") return plain;
  if (typeof plain === "string") return `text ${plain}`;
  return "integer" in plain ? `integer ${plain.integer}` : `pair ${plain.join()}`;
}
