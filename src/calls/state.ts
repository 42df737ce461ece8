import { type ForkId, idOfPlain, type PlainForkId, plainId } from "../address.js";
import { error, fail } from "../errors/index.js";
import { isObject } from "../spec/index.js";
import { MAX_INDEX } from "./batches.js";

/** The state of a noun. The next result depends on this state, the seed, the noun's name and the index. */
export interface State {
  next: number;
  /**
   * Returns the state without `next` as JSON, for a snapshot: for example, which one-shots are used up, the stock of
   * pools, and which artifacts were made. Returns undefined if nothing has changed since the start.
   */
  save?(): unknown;
  /** Called when the fork with this state is released, to free a kernel, for example. */
  rest?(): void;
  /** True after the fork with this state was released. Handles must not use the state then. */
  isReleased?: boolean;
}

/** Maximum depth of the lists and objects in a state from a snapshot. The states of Rollmill's systems are 4 deep. */
const MAX_STATE_DEPTH = 500;

type SavedTree<Own> = Own & { readonly forks?: readonly (SavedTree<Own> & { readonly id: PlainForkId })[] | undefined };

interface OwnFields {
  readonly fields: string;
  readonly isChanged: boolean;
}

/** A node of a tree of states. Forks can be nested as deep as memory allows, so no method is recursive. */
abstract class ForkNode<Node extends ForkNode<Node, Own>, Own> {
  /** True after the fork with this node, or an ancestor of this fork, was released. */
  isReleased = false;
  protected readonly saved: Own | undefined;
  #forks: Map<string | number, { readonly id: ForkId; readonly node: Node }> | undefined;

  constructor(saved?: Own) {
    this.saved = saved;
  }

  protected abstract create(saved: Own | undefined): Node;

  protected abstract own(): OwnFields;

  protected forget(): void {}

  fork(id: ForkId, saved?: Own): Node {
    this.#forks ??= new Map();
    const key = keyOf(id);
    const known = this.#forks.get(key);
    if (known !== undefined) return known.node;
    const node = this.create(saved);
    this.#forks.set(key, { id, node });
    return node;
  }

  restore(saved: SavedTree<Own> | undefined): void {
    const queue: [ForkNode<Node, Own>, SavedTree<Own> | undefined][] = [[this, saved]];
    for (const [node, from] of queue) {
      for (const fork of from?.forks ?? []) queue.push([node.fork(idOfPlain(fork.id) ?? "", fork), fork]);
    }
  }

  release(id: ForkId): void {
    const key = keyOf(id);
    this.#forks?.get(key)?.node.releaseAll();
    this.#forks?.delete(key);
  }

  releaseAll(): void {
    for (const node of this.#nodes()) {
      node.isReleased = true;
      node.forget();
    }
  }

  /** Returns this node and its forks as JSON without braces. Leaves out nodes that have not changed since the start. */
  save(): string | undefined {
    const saved = new Map<ForkNode<Node, Own>, string>();
    for (const node of this.#nodes().reverse()) {
      let forks = "";
      for (const { id, node: fork } of node.#forks?.values() ?? []) {
        const inner = saved.get(fork);
        if (inner !== undefined) forks += `${forks === "" ? "" : ","}{"id":${JSON.stringify(plainId(id))},${inner}}`;
      }
      const { fields, isChanged } = node.own();
      if (isChanged || forks !== "") saved.set(node, forks === "" ? fields : `${fields},"forks":[${forks}]`);
    }
    return saved.get(this);
  }

  /** Returns this node and all nodes below it. Each node comes before its forks. */
  #nodes(): ForkNode<Node, Own>[] {
    const nodes: ForkNode<Node, Own>[] = [this];
    for (const node of nodes) for (const fork of node.#forks?.values() ?? []) nodes.push(fork.node);
    return nodes;
  }
}

/** The place of a node. The node is created only when needed, so that an unused fork leaves no trace in snapshots. */
export class Place<Node extends { readonly isReleased: boolean; fork(id: ForkId): Node }> {
  readonly #root: () => Node;
  readonly #above: { readonly place: Place<Node>; readonly id: ForkId } | undefined;
  #known: Node | undefined;

  constructor(root: () => Node, above?: { readonly place: Place<Node>; readonly id: ForkId }) {
    this.#root = root;
    this.#above = above;
  }

  fork(id: ForkId): Place<Node> {
    return new Place(this.#root, { place: this, id });
  }

  /** Returns the node. The first call creates it, and so does the first call after its release. */
  node(): Node {
    const below: Place<Node>[] = [];
    let at: Place<Node> = this;
    for (; at.#above !== undefined && at.#known?.isReleased !== false; at = at.#above.place) below.push(at);
    let node = at.#known ?? this.#root();
    for (const place of below.reverse()) {
      // always true, because the loop above adds only places of forks to `below`
      if (place.#above !== undefined) node = node.fork(place.#above.id);
      place.#known = node;
    }
    return node;
  }

  /** The ids of forks that lead from the root to this place, outermost first. */
  get ids(): readonly ForkId[] {
    const ids: ForkId[] = [];
    for (let above = this.#above; above !== undefined; above = above.place.#above) ids.push(above.id);
    return ids.reverse();
  }
}

interface SavedState {
  /** The noun of the system, such as "table". Undefined in forks, which have the system of their noun. */
  readonly system?: string | undefined;
  readonly next: number;
  readonly state?: unknown;
}

/** Holds the state of one noun, or of a fork of the noun. The state remains even if no handle is left. */
export class StateNode extends ForkNode<StateNode, SavedState> {
  #state: State | undefined;

  /** True if the state came from a snapshot and nothing has read it yet. */
  get isRestored(): boolean {
    return this.saved !== undefined && this.#state === undefined;
  }

  state<S extends State>(create: (saved: unknown) => S): S {
    if (this.#state === undefined) {
      const state = create(this.saved?.state);
      state.next = this.saved?.next ?? 0;
      this.#state = state;
    }
    // the cast is safe: the same system creates and reads the state of a name
    return this.#state as S;
  }

  protected override create(saved: SavedState | undefined): StateNode {
    return new StateNode(saved);
  }

  protected override own(): OwnFields {
    const state = this.#state === undefined ? this.saved?.state : this.#state.save?.();
    const next = this.#state?.next ?? this.saved?.next ?? 0;
    const json = state === undefined ? "" : `,"state":${JSON.stringify(state)}`;
    return { fields: `"next":${next}${json}`, isChanged: next !== 0 || state !== undefined };
  }

  protected override forget(): void {
    this.#state?.rest?.();
    if (this.#state !== undefined) this.#state.isReleased = true;
  }
}

/** State that several nouns of a mill share, such as the list of one-shots that are used up. */
export interface Shared {
  /** Returns the state as JSON, for a snapshot. Returns undefined if nothing has changed since the start. */
  save(): unknown;
}

interface SavedShared {
  readonly values: Readonly<Record<string, unknown>>;
}

/** Holds shared states by key. If forks of several nouns have the same id, these forks use the same states. */
export class SharedNode extends ForkNode<SharedNode, SavedShared> {
  readonly #values = new Map<string, Shared>();

  share<T extends Shared>(key: string, create: (saved: unknown) => T): T {
    const known = this.#values.get(key);
    // the cast is safe: only one system uses this key, and it always creates the same type
    if (known !== undefined) return known as T;
    const made = create(this.saved?.values[key]);
    this.#values.set(key, made);
    return made;
  }

  protected override create(saved: SavedShared | undefined): SharedNode {
    return new SharedNode(saved);
  }

  /** Returns the changed states for a snapshot, by key, without the states of forks. */
  values(): Readonly<Record<string, unknown>> {
    const live = [...this.#values].map(([key, value]) => [key, value.save()] as const);
    const all = Object.entries({ ...this.saved?.values, ...Object.fromEntries(live) });
    return Object.fromEntries(all.filter(([, value]) => value !== undefined));
  }

  protected override own(): OwnFields {
    const values = this.values();
    return { fields: `"values":${JSON.stringify(values)}`, isChanged: Object.keys(values).length > 0 };
  }
}

interface SavedNames {
  readonly names: Readonly<Record<string, SavedTree<SavedState>>>;
  readonly shared?: SavedTree<SavedShared> | undefined;
}

export type SavedMill = SavedTree<SavedNames>;

const NO_NAMES = '"names":{}';

export class MillNode extends ForkNode<MillNode, SavedNames> {
  readonly shared: SharedNode;
  readonly #names = new Map<string, { readonly system: string | undefined; readonly node: StateNode }>();

  constructor(saved?: SavedNames) {
    super(saved);
    for (const [name, state] of Object.entries(saved?.names ?? {})) {
      const node = new StateNode(state);
      node.restore(state);
      this.#names.set(name, { system: state.system, node });
    }
    this.shared = new SharedNode(saved?.shared);
    this.shared.restore(saved?.shared);
  }

  /**
   * If another system has the name: throws `snapshot.invalid` for a name of the snapshot, else `argument.name-taken`.
   */
  name(name: string, system: string): StateNode {
    const known = this.#names.get(name);
    if (known?.system !== undefined && known.system !== system) refuseSystem(name, { ...known, system: known.system });
    const node = known?.node ?? new StateNode();
    if (known?.system === undefined) this.#names.set(name, { system, node });
    return node;
  }

  releaseName(name: string): void {
    this.#names.delete(name);
  }

  override save(): string {
    return super.save() ?? NO_NAMES;
  }

  protected override create(saved: SavedNames | undefined): MillNode {
    return new MillNode(saved);
  }

  protected override own(): OwnFields {
    const texts: [string, string][] = [];
    for (const [name, { system, node }] of this.#names) {
      const saved = node.save();
      const tag = system === undefined ? "" : `"system":${JSON.stringify(system)},`;
      if (saved !== undefined) texts.push([name, `{${tag}${saved}}`]);
    }
    // an object puts names such as "7" first. JSON.parse does so too, so saving a parsed snapshot keeps the order
    const names = Object.entries(Object.fromEntries(texts)).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
    const shared = this.shared.save();
    const fields = `"names":{${names.join(",")}}${shared === undefined ? "" : `,"shared":{${shared}}`}`;
    return { fields, isChanged: fields !== NO_NAMES };
  }

  protected override forget(): void {
    for (const { node } of this.#names.values()) node.releaseAll();
    this.shared.releaseAll();
  }
}

export function isSavedMill(value: unknown): value is SavedMill {
  return isTree(value, ({ names, shared }) => {
    if (!isObject(names) || !Object.values(names).every((state) => isTree(state, isSavedState))) return false;
    return shared === undefined || isTree(shared, ({ values }) => isObject(values) && isFlat(values));
  });
}

function isSavedState({ system, next, state }: Fields): boolean {
  if (system !== undefined && typeof system !== "string") return false;
  return Number.isInteger(next) && Number(next) >= 0 && Number(next) <= MAX_INDEX && isFlat(state);
}

/** Whether each node of a tree has valid fields, and the forks of each node have different ids. */
function isTree(root: unknown, isOwn: (fields: Fields) => boolean): boolean {
  const nodes = [root];
  for (const node of nodes) {
    if (!isObject(node) || !isOwn(node)) return false;
    const { forks = [] } = node;
    if (!Array.isArray(forks)) return false;
    const ids = forks.map((fork) => (isObject(fork) ? idOfPlain(fork.id) : undefined));
    if (ids.includes(undefined) || new Set(ids.map((id) => keyOf(id ?? ""))).size < ids.length) return false;
    for (const fork of forks) nodes.push(fork);
  }
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether lists and objects are nested at most `depth` deep. JSON.stringify cannot write a state that is much deeper.
 */
function isFlat(value: unknown, depth = MAX_STATE_DEPTH): boolean {
  return (
    typeof value !== "object" ||
    value === null ||
    (depth > 0 && Object.values(value).every((one) => isFlat(one, depth - 1)))
  );
}

function refuseSystem(name: string, { system, node }: { readonly system: string; readonly node: StateNode }): never {
  if (!node.isRestored) {
    const problem = `another handle of the mill has opened the name ${JSON.stringify(name)} as ${system}`;
    return fail(error("argument.name-taken", { problem, remedy: "Use another name" }));
  }
  const problem = `the snapshot has the name ${JSON.stringify(name)} for another system`;
  const remedy = `Open the name with mill.${system}, or use another name`;
  return fail(error("snapshot.invalid", { problem, got: system, remedy }));
}

/** Returns a key for a Map: equal for equal ids, different for different ids. */
function keyOf(id: ForkId): string | number {
  const plain = plainId(id);
  if (typeof plain === "number") return plain;
  if (typeof plain === "string") return `text ${plain}`;
  return "integer" in plain ? `integer ${plain.integer}` : `pair ${plain.join()}`;
}
