import { failOnErrors, type Issue } from "../errors/index.js";
import type { Family } from "./family.js";
import type { Node, Root } from "./node.js";
import { readActive } from "./parse.js";
import { type Part, parsePath } from "./path.js";
import { refuse, resolveNode, resolveRoot } from "./resolve.js";
import type { ActivePart, RecordId } from "./types.js";

/** What `~` stands for in one call, instead of what is set: the parts of the path's root, or those of each root. */
export interface DrawOptions {
  readonly active?: readonly ActivePart[] | { readonly [root: string]: readonly ActivePart[] };
}

type ByRoot = { readonly [root: string]: readonly ActivePart[] };

/** Finds pools by path and records by id; paths without settings of their own are parsed once. */
export class Finder {
  readonly #family: Family;
  readonly #found = new Map<string, Node>();

  constructor(family: Family) {
    this.#family = family;
  }

  /** Forgets the paths: something is registered, or another setting becomes active. */
  forget(): void {
    this.#found.clear();
  }

  /** The one pool that a path names. */
  node(path: string, active: DrawOptions["active"]): Node {
    const known = active === undefined ? this.#found.get(path) : undefined;
    if (known !== undefined) return known;
    const parsed = parsePath(path);
    const root = resolveRoot(this.#family.roots, parsed.root, path);
    const given = isByRoot(active) ? this.#partsFor(root, active) : active;
    if (given !== undefined) return resolveNode(root, parsed, this.#partsOf(root, given));
    const node = resolveNode(root, parsed, this.#family.active.get(root.name) ?? []);
    this.#found.set(path, node);
    return node;
  }

  /** A finite root's record. */
  record(name: string, id: RecordId): { readonly root: Root; readonly record: number } {
    const root = resolveRoot(this.#family.roots, name, name);
    const record = root.numbers.get(id);
    if (record === undefined) {
      const problem = `root ${name} has no such record`;
      return refuse("pool.unknown-id", name, { problem, got: id, ...root.suggest(id) });
    }
    checkFinite(root, name);
    return { root, record };
  }

  /** What the settings of each root say of this one; every root of theirs is one that there is. */
  #partsFor({ name }: Root, active: ByRoot): readonly ActivePart[] | undefined {
    for (const key of Object.keys(active)) resolveRoot(this.#family.roots, key, key);
    return Object.hasOwn(active, name) ? active[name] : undefined;
  }

  #partsOf(root: Root, given: readonly ActivePart[]): Part[] {
    const issues: Issue[] = [];
    const parts = readActive({ issues }, "active", given);
    failOnErrors(issues);
    return this.#family.activeParts(root, parts);
  }
}

/** Refuses a root without quantities. */
export function checkFinite({ kind }: Root, path: string): void {
  if (kind === "finite") return;
  refuse("pool.infinite", path, {
    problem: "an infinite pool has no quantities",
    got: path,
    expected: "a finite pool",
  });
}

function isByRoot(active: DrawOptions["active"]): active is ByRoot {
  return typeof active === "object" && active !== null && !Array.isArray(active);
}
