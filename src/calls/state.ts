import { type ForkId, idOfPlain, type PlainForkId, plainId } from "../address.js";
import { MAX_INDEX } from "./options.js";

/** The state of a noun: what its next result depends on, in addition to the seed, the name and the index. */
export interface State {
  /** Index of the next result. */
  next: number;
  /**
   * Returns further state as JSON, for a snapshot: used one-shots, stock, artifacts made. Returns undefined if it is as at
   * the beginning.
   */
  save?(): unknown;
}

/** The state of a noun in a snapshot, and the states of its forks. */
interface SavedState {
  readonly next: number;
  /** Further state as JSON. The system of the noun checks it. */
  readonly state?: unknown;
  readonly forks?: readonly (SavedState & { readonly id: PlainForkId })[] | undefined;
}

/** Nodes by the ids of forks. */
class Forks<Node> {
  readonly #nodes = new Map<string | number, { readonly id: ForkId; readonly node: Node }>();

  /** Returns the node of an id, or creates it. */
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

  /** Returns what `save` returns for each node, together with the id; leaves out nodes without a state. */
  save<Saved extends object>(save: (node: Node) => Saved | undefined): (Saved & { readonly id: PlainForkId })[] {
    return [...this.#nodes.values()].flatMap(({ id, node }) => {
      const saved = save(node);
      return saved === undefined ? [] : [{ id: plainId(id), ...saved }];
    });
  }
}

/**
 * The state of one noun and, in a tree, of its forks. A state belongs to the path of ids and not to a handle: two handles
 * of the same fork share it, and it outlives both.
 */
export class StateNode {
  readonly #saved: SavedState | undefined;
  #state: State | undefined;
  #forks: Forks<StateNode> | undefined;

  constructor(saved?: SavedState) {
    this.#saved = saved;
    for (const fork of saved?.forks ?? []) this.#fork(restoredId(fork.id), fork);
  }

  /** Whether a snapshot has brought a state that no noun has read yet. */
  get isRestored(): boolean {
    return this.#saved !== undefined && this.#state === undefined;
  }

  /** Returns the state. The first call creates it from the state in the snapshot, if there is one. */
  state<S extends State>(create: (saved: unknown) => S): S {
    if (this.#state === undefined) {
      const state = create(this.#saved?.state);
      state.next = this.#saved?.next ?? 0;
      this.#state = state;
    }
    // the cast is safe: one system creates and reads the state of a name
    return this.#state as S;
  }

  /** Returns the node of a fork. */
  fork(id: ForkId): StateNode {
    return this.#fork(id);
  }

  /** Forgets the state of a fork and of the forks under it. */
  release(id: ForkId): void {
    this.#forks?.delete(id);
  }

  /** Returns the states of the noun and its forks for a snapshot; undefined if all are as at the beginning. */
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

/** State that several nouns of a mill share. */
export interface Shared {
  /** Returns the state as JSON, for a snapshot; undefined if it is as at the beginning. */
  save(): unknown;
}

/** Shared states in a snapshot: by key, and those of forks. */
interface SavedShared {
  readonly values: Readonly<Record<string, unknown>>;
  readonly forks?: readonly (SavedShared & { readonly id: PlainForkId })[] | undefined;
}

/** The states that several nouns share, by key. Forks with the same id share theirs: all that belongs to one player. */
export class SharedNode {
  readonly #saved: SavedShared | undefined;
  readonly #values = new Map<string, Shared>();
  readonly #forks = new Forks<SharedNode>();

  constructor(saved?: SavedShared) {
    this.#saved = saved;
    for (const fork of saved?.forks ?? []) this.#forks.of(restoredId(fork.id), () => new SharedNode(fork));
  }

  /** Returns the state under a key. The first call creates it from the state in the snapshot, if there is one. */
  share<T extends Shared>(key: string, create: (saved: unknown) => T): T {
    const known = this.#values.get(key);
    // the cast is safe: one system uses each key and always creates the same type
    if (known !== undefined) return known as T;
    const made = create(this.#saved?.values[key]);
    this.#values.set(key, made);
    return made;
  }

  /** Returns the node of a fork. */
  fork(id: ForkId): SharedNode {
    return this.#forks.of(id, () => new SharedNode());
  }

  /** Returns the states for a snapshot; undefined if all are as at the beginning. */
  save(): SavedShared | undefined {
    const forks = this.#forks.save((node) => node.save());
    const live = [...this.#values].map(([key, value]) => [key, value.save()] as const);
    const all = Object.entries({ ...this.#saved?.values, ...Object.fromEntries(live) });
    const values = Object.fromEntries(all.filter(([, value]) => value !== undefined));
    if (Object.keys(values).length === 0 && forks.length === 0) return undefined;
    return { values, ...(forks.length > 0 && { forks }) };
  }
}

/** The state of a mill in a snapshot: that of its nouns by name, shared state, and the states of forks of the mill. */
export interface SavedMill {
  readonly names: Readonly<Record<string, SavedState>>;
  readonly shared?: SavedShared | undefined;
  readonly forks?: readonly (SavedMill & { readonly id: PlainForkId })[] | undefined;
}

/** The state of a mill and of its forks. */
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

  /** Returns the node of a name. */
  name(name: string): StateNode {
    const node = this.#names.get(name) ?? new StateNode();
    this.#names.set(name, node);
    return node;
  }

  /** Forgets the state of a name and of its forks. */
  release(name: string): void {
    this.#names.delete(name);
  }

  /** Returns the node of a fork of the mill. */
  fork(id: ForkId): MillNode {
    return this.#forks.of(id, () => new MillNode());
  }

  /** Forgets the state of a fork of the mill. */
  releaseFork(id: ForkId): void {
    this.#forks.delete(id);
  }

  /** Returns the states for a snapshot. */
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

/** Whether a value of unknown origin is a {@link SavedMill}. */
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

/** Returns the id of a fork in a snapshot that {@link isSavedMill} has accepted. */
function restoredId(plain: PlainForkId): ForkId {
  return idOfPlain(plain) ?? "";
}

/** A key that is equal for equal ids and different for different ids. */
function keyOf(id: ForkId): string | number {
  const plain = plainId(id);
  if (typeof plain === "number") return plain;
  if (typeof plain === "string") return `text ${plain}`;
  return "integer" in plain ? `integer ${plain.integer}` : `pair ${plain.join()}`;
}
