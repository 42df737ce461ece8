import { show } from "../../errors/index.js";
import { sumOf } from "../mass.js";
import { parseActive } from "../parse.js";
import {
  activePart,
  matches,
  matching,
  nameFlaw,
  type Part,
  parsePath,
  refuse,
  resolveKey,
  resolveKeys,
  resolvePattern,
  resolveRoot,
  starPath,
} from "../path.js";
import {
  type ActivePart,
  type ListSpec,
  MAX_U32,
  type Mass,
  type PoolKind,
  type PoolSpec,
  type PoolsSpec,
  type RecordId,
  type RootSpec,
  type RootState,
} from "../types.js";
import { applyChanges, Change, restoreCopies } from "./change.js";
import type { Numbering } from "./columns.js";
import { Node, Root, STAR } from "./node.js";

interface Registration {
  readonly root: Root;
  readonly path: string;
  /** The pattern of the pools that get the new subpool. */
  readonly parents: readonly number[];
  readonly name: Part;
}

/** The registered pools and the rules of a family. A change is applied completely or not at all. */
export class Registry {
  readonly roots = new Map<string, Root>();
  readonly nodes: Node[] = [];
  /** The unions that paths with stars have named since the last change, by path. */
  readonly unions = new Map<string, Union>();
  readonly active = new Map<string, readonly Part[]>();
  readonly #restored = new Map<string, RootState>();
  #change: Change;

  constructor(spec: PoolsSpec) {
    const change = new Change(spec.file);
    this.#change = change;
    for (const [name, root] of spec.roots) change.collect(root.path, () => this.#buildRoot(name, root));
    change.check();
    for (const { at, path, list } of spec.rules) {
      if (change.isFull || change.isSpent) break;
      change.collect(at, () => {
        if (path.endsWith(".*")) this.#add(path, () => list);
        else this.#register(this.#registration(path), list);
      });
    }
    if (change.isSpent) change.check();
    for (const root of this.roots.values()) this.#checkStructure(root);
    for (const [name, parts] of spec.active) change.collect(`active.${name}`, () => this.setActive(name, parts));
    change.check();
    change.undo.length = 0;
  }

  /** Applies the states of a snapshot to all roots, also to roots registered later. Throws `snapshot.invalid`. */
  restore(states: readonly RootState[]): void {
    const change = new Change();
    for (const state of states) this.#restored.set(state.name, state);
    for (const root of this.roots.values()) {
      this.#restoreRoot(root);
      for (const [id, saved] of root.restored) {
        const record = root.numbers.get(id);
        if (record !== undefined && root.kind === "finite") restoreCopies(root, record, saved);
      }
    }
    for (const node of states.length === 0 ? [] : this.nodes) {
      applyChanges(node);
      node.recount();
      if (node.capacity() <= MAX_U32) continue;
      const [problem, expected] = ["the snapshot makes the total of a pool too large", `a total of at most ${MAX_U32}`];
      change.report("snapshot.invalid", node.path, { problem, got: node.capacity(), expected });
    }
    change.check();
  }

  get idle(): readonly RootState[] {
    return [...this.#restored.values()].filter(({ name }) => !this.roots.has(name));
  }

  registerRoot(name: string, spec: RootSpec): Root {
    return this.#whole(() => {
      const expected = nameFlaw(name);
      if (expected !== undefined) refuse("pool.path", "", { problem: "invalid name of a root", got: name, expected });
      if (this.roots.has(name)) {
        const remedy = "Use another name, or add records or subpools to the existing root";
        refuse("pool.exists", name, { problem: `a root with the name ${name} exists already`, remedy });
      }
      const root = this.#buildRoot(name, spec);
      this.#checkStructure(root);
      return root;
    });
  }

  registerSubpool(path: string, listFor: (kind: PoolKind) => ListSpec): void {
    this.#whole(() => {
      const registration = this.#registration(path);
      const { root, parents, name } = registration;
      const list = listFor(root.kind);
      const known = root.names[parents.length]?.get(name.text) ?? -1;
      const key = name.kind === "number" ? resolveKey(root, parents.length + 1, name, path) : known;
      const pattern = [...parents, key];
      const starred = parents.includes(STAR);
      const ruled = root.rules.some((rule) => rule.registers && String(rule.pattern) === String(pattern));
      if (key >= 0 && (starred ? ruled : matching(root, pattern).length > 0)) {
        const remedy = "Add records to the subpool with addToSubpool";
        refuse("pool.exists", path, { problem: "a subpool with this path exists already", got: path, remedy });
      }
      this.#register(registration, list);
    });
  }

  addToSubpool(path: string, listFor: (kind: PoolKind) => ListSpec): void {
    this.#whole(() => this.#add(path, listFor));
  }

  /** Changes a mass in all matching pools. Undefined removes the record; for this, a root's path means all pools. */
  change(path: string, id: RecordId, mass: Mass | undefined): void {
    this.#whole(() => {
      const { root, pattern } = this.#located(path);
      const isWhole = mass === undefined && pattern.length === 0;
      const matched = isWhole ? this.nodes.filter((node) => node.root === root) : found(root, pattern, path);
      const record = root.numbers.get(id);
      const nodes = record === undefined ? [] : matched.filter((node) => node.lists(record));
      if (record === undefined || nodes.length === 0) {
        const problem = "no pool of the path lists this record";
        return refuse("pool.unknown-id", path, { problem, got: id, ...root.suggest(id) });
      }
      for (const node of nodes) {
        this.#change.changeMass(node, record, mass);
        this.#change.checkTotal(node, node.path);
      }
    });
  }

  setCopies(root: Root, record: number, copies: { readonly initial: number; readonly left: number }): void {
    this.#whole(() => {
      const nodes = this.nodes.filter((node) => node.root === root && node.lists(record));
      const set = ({ initial, left }: typeof copies) => {
        root.setInitial(record, initial);
        root.quantities.set(record, left);
        for (const node of nodes) node.recount();
      };
      const before = { initial: root.initial.at(record), left: root.quantities.at(record) };
      this.#change.undo.push(() => set(before));
      if (copies.initial > MAX_U32) {
        const problem = `record ${show(root.ids[record])} has too many copies`;
        refuse("pool.total", root.name, { problem, got: copies.initial, expected: `at most ${MAX_U32}` });
      }
      set(copies);
      for (const node of nodes) this.#change.checkTotal(node, node.path);
    });
  }

  union(root: Root, pattern: readonly number[]): Union {
    const path = `${root.name}.${pattern.join(".")}`;
    const union = this.unions.get(path) ?? new Union(root, pattern);
    if (!this.unions.has(path)) {
      const change = new Change();
      change.checkTotal(union, union.path);
      change.check();
      this.unions.set(path, union);
    }
    return union;
  }

  setActive(name: string, parts: readonly ActivePart[]): void {
    const root = resolveRoot(this.roots, name, name);
    this.active.set(name, this.activeParts(root, parseActive(parts)));
  }

  activeParts(root: Root, parts: readonly ActivePart[]): Part[] {
    const read = parts.map(activePart).filter((part) => part !== undefined);
    for (const [i, part] of read.entries()) resolveKey(root, i + 1, part, root.name);
    return read;
  }

  #buildRoot(name: string, spec: RootSpec): Root {
    const root = new Root(name, spec, { number: this.roots.size, index: this.nodes.length });
    this.nodes.push(root.top);
    this.roots.set(name, root);
    this.#change.undo.push(() => {
      this.roots.delete(name);
      this.active.delete(name);
      this.nodes.pop();
    });
    this.#restoreRoot(root);
    this.#change.declare(root, spec.list);
    this.#buildSubpools(root.top, spec);
    // changes masses last, because the default mass in a subpool is the mass that the spec gives in the root
    applyChanges(root.top);
    return root;
  }

  #restoreRoot(root: Root): void {
    const state = this.#restored.get(root.name);
    if (state === undefined) return;
    root.restored = new Map(state.quantities.map((saved) => [saved[0], saved]));
    for (const [path, id, mass] of state.masses ?? []) {
      root.changes.set(path, (root.changes.get(path) ?? new Map()).set(id, mass));
    }
    // an empty setting also replaces the setting of the spec, because the user cleared the setting before the snapshot
    const parts = state.active.map(activePart).filter((part) => part !== undefined);
    this.active.set(root.name, parts);
  }

  #buildSubpools(parent: Node, spec: PoolSpec): void {
    for (const [i, { name, pool }] of spec.subpools.entries()) {
      const key = name === undefined ? this.#numbered(parent, i) : this.#named(parent.root, parent.depth + 1, name);
      const node = this.#attach(parent, key);
      this.#change.add(node, this.#change.known(node.root, pool.list), pool.list);
      this.#buildSubpools(node, pool);
    }
  }

  #located(path: string) {
    const parsed = parsePath(path);
    const root = resolveRoot(this.roots, parsed.root, path);
    return { root, pattern: resolvePattern(root, parsed) };
  }

  #registration(path: string): Registration {
    const parsed = parsePath(path);
    const root = resolveRoot(this.roots, parsed.root, path);
    const name = parsed.parts.at(-1);
    if (name === undefined) {
      const remedy = "Use registerRoot for a root";
      return refuse("pool.root", path, { problem: "the path names a root, not a subpool", got: path, remedy });
    }
    if (name.kind === "star") {
      const remedy = 'End the path with the name of the subpool; only earlier parts can be "*"';
      return refuse("pool.star", path, { problem: "a star cannot name a subpool", got: path, remedy });
    }
    const parents = resolvePattern(root, { ...parsed, parts: parsed.parts.slice(0, -1) });
    if (name.kind === "active") resolvePattern(root, parsed);
    const expected = name.kind === "name" ? nameFlaw(name.text) : undefined;
    if (expected !== undefined) {
      refuse("pool.path", path, { problem: "invalid name of a subpool", got: name.text, expected });
    }
    return { root, path, parents, name };
  }

  #register({ root, path, parents, name }: Registration, list: ListSpec): void {
    const depth = parents.length + 1;
    const visit = (pools: number) => this.#change.step(path, pools);
    const wanted = found(root, parents, path, visit);
    if (name.kind === "name" && root.names[depth - 1]?.get(name.text) === undefined) {
      const everyParent = matching(root, new Array<number>(depth - 1).fill(STAR), visit).length;
      if (wanted.length < everyParent) {
        refuse("pool.structure", path, {
          problem: "all pools at one depth must have the same subpools, but this path names only some pools",
          got: path,
          remedy: `Register the subpool with the path ${starPath(root, depth)}${name.text}, which stands for all of them`,
        });
      }
    }
    const key = name.kind === "number" ? resolveKey(root, depth, name, path) : this.#named(root, depth, name.text);
    const entries = this.#change.introduced(root, list);
    if (parents.includes(STAR)) {
      root.rules.push({ pattern: [...parents, key], registers: true, entries });
      this.#change.undo.push(() => root.rules.pop());
    }
    for (const parent of wanted) {
      this.#change.apply(path, entries.records.length);
      const there = parent.children.get(key);
      const node = there ?? this.#attach(parent, key);
      this.#change.add(node, entries, list);
      if (there === undefined) this.#applyRules(node);
    }
  }

  #add(path: string, listFor: (kind: PoolKind) => ListSpec): void {
    const { root, pattern } = this.#located(path);
    if (pattern.length === 0) {
      const remedy =
        "List the records in registerRoot, or add them to a subpool, which also adds new records to the root";
      refuse("pool.root", path, { problem: "records cannot be added to a root alone", got: path, remedy });
    }
    const list = listFor(root.kind);
    const nodes = found(root, pattern, path, (pools) => this.#change.step(path, pools));
    const entries = this.#change.introduced(root, list);
    this.#change.apply(path, entries.records.length, nodes.length);
    for (const node of nodes) this.#change.add(node, entries, list);
    if (!pattern.includes(STAR)) return;
    root.rules.push({ pattern, registers: false, entries });
    this.#change.undo.push(() => root.rules.pop());
  }

  /** Applies the rules to a new pool, in order of registration. Rules append records to the pool's own records. */
  #applyRules(node: Node): void {
    const { rules, name: root } = node.root;
    this.#change.step(root, rules.length);
    for (const { pattern, entries } of rules) {
      if (!matches(pattern, node)) continue;
      this.#change.apply(root, entries.records.length);
      this.#change.add(node, entries);
    }
    for (const { pattern, registers } of rules) {
      const key = pattern.at(-1);
      if (!registers || key === undefined || node.children.has(key) || !matches(pattern.slice(0, -1), node)) continue;
      this.#applyRules(this.#attach(node, key));
    }
  }

  #attach(parent: Node, key: number): Node {
    this.#change.attach(parent.root.name, this.nodes.length);
    const node = new Node(parent.root, parent, { key, index: this.nodes.length });
    this.nodes.push(node);
    parent.children.set(key, node);
    this.#change.undo.push(() => {
      parent.children.delete(key);
      this.nodes.pop();
    });
    return node;
  }

  #named(root: Root, depth: number, name: string): number {
    const names = root.namesAt(depth);
    return names.get(name) ?? this.#nameNext(names, name);
  }

  #numbered({ root, depth }: Node, key: number): number {
    const names = root.namesAt(depth + 1);
    while (names.keys.length <= key) this.#nameNext(names, names.keys.length);
    return key;
  }

  #nameNext(names: Numbering<string | number>, name: string | number): number {
    const key = names.keys.length;
    names.add(name);
    this.#change.undo.push(() => names.truncate(key));
    return key;
  }

  /** Makes a change. If `work` throws or reports a problem, reverts everything that `work` did. */
  #whole<T>(work: () => T): T {
    const change = new Change();
    this.#change = change;
    for (const union of this.unions.values()) union.isStale = true;
    this.unions.clear();
    try {
      const result = work();
      change.check();
      change.undo.length = 0;
      return result;
    } catch (cause) {
      change.revert();
      throw cause;
    }
  }

  /** Reports the first pool that lacks a subpool which another pool of the same depth has. */
  #checkStructure(root: Root): void {
    let parents = [root.top];
    for (const [d, names] of root.names.entries()) {
      for (const [key, name] of names.keys.entries()) {
        const without = typeof name === "number" ? undefined : parents.find((parent) => !parent.children.has(key));
        if (without === undefined) continue;
        const path = `${starPath(root, d + 1)}${name}`;
        const remedy = `Declare the subpool in all pools at this depth, or once with a rule for the path ${path}`;
        const problem = `pool ${without.path} lacks the subpool ${name}, which another pool at the same depth has`;
        this.#change.report("pool.structure", without.path, { problem, remedy });
      }
      parents = matching(root, new Array<number>(d + 1).fill(STAR));
    }
  }
}

/** Returns the pools that a pattern matches. Throws if the pattern has no star and the pool does not exist. */
function found(root: Root, pattern: readonly number[], path: string, visit?: (pools: number) => void): Node[] {
  const nodes = matching(root, pattern, visit);
  if (nodes.length === 0 && !pattern.includes(STAR)) resolveKeys(root, pattern, path);
  return nodes;
}

/**
 * All pools that a path with stars matches, as one pool. The mass of a record is the sum of its masses in these pools.
 * Records are in the order in which the pools list them first. A change of the registry makes the union stale.
 */
export class Union extends Node {
  readonly pattern: readonly number[];

  constructor(root: Root, pattern: readonly number[]) {
    super(root, undefined, { key: 0, index: Number.POSITIVE_INFINITY });
    this.pattern = pattern;
    const sums = new Map<number, Mass>();
    for (const [i, pool] of matching(root, pattern).entries()) {
      this.children.set(i, pool);
      const masses = pool.exactMasses();
      for (const [k, record] of pool.records.entries()) sums.set(record, sumOf(sums.get(record) ?? 0, masses[k]));
    }
    this.reserve(sums.size);
    for (const [record, mass] of sums) this.list(record, mass);
  }

  override get path(): string {
    return [this.root.name, ...this.pattern.map((key, i) => this.root.partText(i + 1, key))].join(".");
  }
}
