import { error, fail, failOnErrors } from "../errors/index.js";
import { Listing } from "./listing.js";
import { Node, Root, STAR } from "./node.js";
import { activePart, nameFlaw, type Part, parsePath } from "./path.js";
import { type Report, report } from "./records.js";
import { matches, matching, resolveKey, resolveKeys, resolvePattern, resolveRoot, starPath } from "./resolve.js";
import { checkStructure, located, refuseAlone, refuseTwice } from "./structure.js";
import type { ActivePart, ListSpec, PoolSpec, PoolsSpec, RootSpec, RootState } from "./types.js";

/** A path's last part, named by a registration. */
interface Registration {
  readonly root: Root;
  readonly path: string;
  /** Where its parents are. */
  readonly parents: readonly number[];
  readonly name: Part;
}

/** What an addition's path matches. */
interface Addition {
  readonly root: Root;
  readonly pattern: readonly number[];
  readonly path: string;
}

/**
 * The pools of a family as they are registered: roots, subpools, what they list, and the rules. Every change is made whole
 * or not at all.
 */
export class Family {
  readonly roots = new Map<string, Root>();
  /** Every pool, in order of registration. */
  readonly nodes: Node[] = [];
  readonly active = new Map<string, readonly Part[]>();
  readonly #restored: ReadonlyMap<string, RootState>;
  readonly #undo: (() => void)[] = [];

  /** @param restored - what a snapshot holds of the family: it goes to the roots as they are registered. */
  constructor(restored: readonly RootState[] = []) {
    this.#restored = new Map(restored.map((root) => [root.name, root]));
  }

  /** @throws RollmillError with every error of the spec. */
  static of(spec: PoolsSpec, restored: readonly RootState[] = []): Family {
    const family = new Family(restored);
    const to: Report = { issues: [], file: spec.file };
    for (const [name, root] of spec.roots) family.#buildRoot(to, name, root);
    failOnErrors(to.issues);
    for (const { at, path, list } of spec.rules) located(to, at, () => family.#rule(to, path, list));
    for (const root of family.roots.values()) checkStructure(to, root);
    for (const [name, parts] of spec.active) {
      if (!family.active.has(name)) located(to, `active.${name}`, () => family.setActive(name, parts));
    }
    failOnErrors(to.issues);
    family.#undo.length = 0;
    return family;
  }

  /** Adds a root. */
  registerRoot(name: string, spec: RootSpec): Root {
    return this.#whole((to) => {
      const expected = nameFlaw(name);
      if (expected !== undefined) {
        report(to, "pool.path", "", { problem: "a root's name is not usable", got: name, expected });
      } else if (this.roots.has(name)) {
        const remedy = "Use another name, or add to the root that has it";
        report(to, "pool.exists", name, { problem: `there is a root pool ${name} already`, remedy });
      }
      failOnErrors(to.issues);
      const root = this.#buildRoot(to, name, spec);
      checkStructure(to, root);
      return root;
    });
  }

  /** Adds the subpool of a path to every parent that the path matches. */
  registerSubpool(path: string, readRecords: (to: Report, root: Root) => ListSpec): void {
    this.#whole((to) => {
      const registration = this.#registration(path);
      const { root, parents, name } = registration;
      const list = readRecords(to, root);
      failOnErrors(to.issues);
      const known = (root.names[parents.length] ?? []).indexOf(name.text);
      const key = name.kind === "number" ? resolveKey(root, parents.length + 1, name, path) : known;
      const pattern = [...parents, key];
      const starred = parents.includes(STAR);
      const ruled = root.rules.some((rule) => rule.registers && String(rule.pattern) === String(pattern));
      if (key >= 0 && (starred ? ruled : matching(root, pattern).length > 0)) refuseTwice(path);
      this.#register(to, registration, list);
    });
  }

  /** Adds records to every pool that a path matches. */
  addToSubpool(path: string, readRecords: (to: Report, root: Root) => ListSpec): void {
    this.#whole((to) => {
      const parsed = parsePath(path);
      const root = resolveRoot(this.roots, parsed.root, path);
      if (parsed.parts.length === 0) {
        const remedy = "Declare its records with registerRoot, or add to a subpool: the root takes a new record in";
        fail(error("pool.root", { problem: "nothing is added to a root itself", got: path, remedy, where: { path } }));
      }
      const pattern = resolvePattern(root, parsed);
      const list = readRecords(to, root);
      failOnErrors(to.issues);
      this.#add(to, { root, pattern, path }, list);
    });
  }

  /** Sets what `~` stands for. */
  setActive(name: string, parts: readonly ActivePart[]): void {
    const root = resolveRoot(this.roots, name, name);
    this.active.set(name, this.activeParts(root, parts));
  }

  /** An active setting's parts, all of which are known. */
  activeParts(root: Root, parts: readonly ActivePart[]): Part[] {
    return parts.map((given, i) => {
      const part = activePart(given);
      if (part !== undefined) {
        resolveKey(root, i + 1, part, root.name);
        return part;
      }
      const expected = "a subpool's name, or its number from 1";
      return fail(
        error("pool.active", { problem: "a part of the active setting is not usable", got: given, expected }),
      );
    });
  }

  #buildRoot(to: Report, name: string, spec: RootSpec): Root {
    const held = this.#restored.get(name);
    const root = new Root(name, spec.kind, {
      number: this.roots.size,
      index: this.nodes.length,
      restored: new Map(held?.quantities),
    });
    this.nodes.push(root.top);
    this.roots.set(name, root);
    this.#undo.push(() => {
      this.roots.delete(name);
      this.active.delete(name);
      this.nodes.pop();
    });
    // (an empty one too: it was cleared, and the spec's stays out)
    if (held !== undefined) {
      const parts = held.active.map(activePart).filter((part) => part !== undefined);
      this.active.set(name, parts);
    }
    const listing = new Listing(to, root, this.#undo);
    listing.declare(spec.list);
    this.#buildSubpools(listing, root.top, spec);
    return root;
  }

  #buildSubpools(listing: Listing, parent: Node, spec: PoolSpec): void {
    for (const [i, { name, pool }] of spec.subpools.entries()) {
      const key = name === undefined ? this.#numbered(parent, i) : this.#named(parent.root, parent.depth + 1, name);
      const node = this.#attach(parent, key);
      listing.add(node, listing.known(pool.list), { list: pool.list, twice: "refuse" });
      this.#buildSubpools(listing, node, pool);
    }
  }

  #rule(to: Report, path: string, list: ListSpec): void {
    if (path.endsWith(".*")) {
      const parsed = parsePath(path);
      const root = resolveRoot(this.roots, parsed.root, path);
      this.#add(to, { root, pattern: resolvePattern(root, parsed), path }, list);
    } else this.#register(to, this.#registration(path), list);
  }

  #registration(path: string): Registration {
    const parsed = parsePath(path);
    const root = resolveRoot(this.roots, parsed.root, path);
    const name = parsed.parts.at(-1);
    if (name === undefined) {
      const remedy = "Use registerRoot for a root";
      return fail(error("pool.root", { problem: "a root is no subpool", got: path, remedy, where: { path } }));
    }
    if (name.kind === "star") {
      const remedy = "Name the subpool: the stars before it stand for every parent";
      return fail(
        error("pool.star", { problem: "a star is no name for a subpool", got: path, remedy, where: { path } }),
      );
    }
    const parents = resolvePattern(root, { ...parsed, parts: parsed.parts.slice(0, -1) });
    if (name.kind === "active") resolvePattern(root, parsed);
    const expected = name.kind === "name" ? nameFlaw(name.text) : undefined;
    if (expected !== undefined) {
      fail(
        error("pool.path", { problem: "a subpool's name is not usable", got: name.text, expected, where: { path } }),
      );
    }
    return { root, path, parents, name };
  }

  #register(to: Report, { root, path, parents, name }: Registration, list: ListSpec): void {
    const depth = parents.length + 1;
    const wanted = matching(root, parents);
    if (wanted.length === 0 && !parents.includes(STAR)) resolveKeys(root, parents, path);
    const isNew = name.kind === "name" && !(root.names[depth - 1] ?? []).includes(name.text);
    const everyParent = matching(root, new Array<number>(depth - 1).fill(STAR)).length;
    if (isNew && wanted.length < everyParent) refuseAlone(path, `${starPath(root, depth)}${name.text}`);
    const key = name.kind === "number" ? resolveKey(root, depth, name, path) : this.#named(root, depth, name.text);
    const listing = new Listing(to, root, this.#undo);
    const entries = listing.introduced(list);
    if (parents.includes(STAR)) {
      root.rules.push({ pattern: [...parents, key], registers: true, entries });
      this.#undo.push(() => root.rules.pop());
    }
    for (const parent of wanted) {
      const there = parent.children.get(key);
      const node = there ?? this.#attach(parent, key);
      listing.add(node, entries, { list, twice: "refuse" });
      if (there === undefined) this.#applyRules(listing, node);
    }
  }

  #add(to: Report, { root, pattern, path }: Addition, list: ListSpec): void {
    const listing = new Listing(to, root, this.#undo);
    const nodes = matching(root, pattern);
    if (nodes.length === 0 && !pattern.includes(STAR)) resolveKeys(root, pattern, path);
    const entries = listing.introduced(list);
    for (const node of nodes) listing.add(node, entries, { list, twice: "refuse" });
    if (!pattern.includes(STAR)) return;
    root.rules.push({ pattern, registers: false, entries });
    this.#undo.push(() => root.rules.pop());
  }

  // What a new pool is given goes before what a rule gives it, and an earlier rule before a later one.
  #applyRules(listing: Listing, node: Node): void {
    const { rules } = node.root;
    for (const { pattern, entries } of rules) {
      if (matches(pattern, node)) listing.add(node, entries, { list: undefined, twice: "keep" });
    }
    for (const { pattern, registers } of rules) {
      const key = pattern.at(-1);
      if (!registers || key === undefined || node.children.has(key) || !matches(pattern.slice(0, -1), node)) continue;
      this.#applyRules(listing, this.#attach(node, key));
    }
  }

  #attach(parent: Node, key: number): Node {
    const node = new Node(parent.root, parent, { key, index: this.nodes.length });
    this.nodes.push(node);
    parent.children.set(key, node);
    this.#undo.push(() => {
      parent.children.delete(key);
      this.nodes.pop();
    });
    return node;
  }

  /** The number of a name at a depth, which may be new there. */
  #named(root: Root, depth: number, name: string): number {
    while (root.names.length < depth) root.names.push([]);
    const names = root.names[depth - 1];
    const key = names.indexOf(name);
    return key >= 0 ? key : this.#nameNext(names, name);
  }

  #numbered({ root, depth }: Node, key: number): number {
    while (root.names.length < depth + 1) root.names.push([]);
    while (root.names[depth].length <= key) this.#nameNext(root.names[depth], undefined);
    return key;
  }

  #nameNext(names: (string | undefined)[], name: string | undefined): number {
    names.push(name);
    this.#undo.push(() => names.pop());
    return names.length - 1;
  }

  /** Runs a change; what it has done by the time it fails is taken back. */
  #whole<T>(change: (to: Report) => T): T {
    const to: Report = { issues: [] };
    try {
      const result = change(to);
      failOnErrors(to.issues);
      return result;
    } catch (cause) {
      for (const undo of this.#undo.reverse()) undo();
      throw cause;
    } finally {
      this.#undo.length = 0;
    }
  }
}
