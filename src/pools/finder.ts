import { parseActive } from "./parse.js";
import { parsePath } from "./path.js";
import type { Node, Root } from "./registry/node.js";
import type { Registry } from "./registry/registry.js";
import { resolveNode, resolvePattern, resolveRoot } from "./resolve.js";
import type { ActivePart, PathOptions } from "./types.js";

type ByRoot = { readonly [root: string]: readonly ActivePart[] };

/** Finds pools by path and caches them. A call with the option `active` does not use the cache. */
export class Finder {
  readonly #registry: Registry;
  readonly #found = new Map<string, Node>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Call it when the registry or an active setting changes. */
  forget(): void {
    this.#found.clear();
  }

  node(path: string, active: PathOptions["active"]): Node {
    const known = active === undefined ? this.#found.get(path) : undefined;
    if (known !== undefined) return known;
    const parsed = parsePath(path);
    const root = resolveRoot(this.#registry.roots, parsed.root, path);
    const given = isByRoot(active) ? this.#partsFor(root, active) : active;
    const parts = given === undefined ? undefined : this.#registry.activeParts(root, parseActive(given));
    const settings = parts ?? this.#registry.active.get(root.name) ?? [];
    const node = parsed.parts.some(({ kind }) => kind === "star")
      ? this.#registry.union(root, resolvePattern(root, parsed, settings))
      : resolveNode(root, parsed, settings);
    if (parts === undefined) this.#found.set(path, node);
    return node;
  }

  #partsFor({ name }: Root, active: ByRoot): readonly ActivePart[] | undefined {
    for (const key of Object.keys(active)) resolveRoot(this.#registry.roots, key, key);
    return Object.hasOwn(active, name) ? active[name] : undefined;
  }
}

function isByRoot(active: PathOptions["active"]): active is ByRoot {
  return typeof active === "object" && active !== null && !Array.isArray(active);
}
