import { type Code, didYouMean, error, type Finding, fail } from "../errors/index.js";
import { textFlaw } from "../spec/index.js";
import { type Node, type Root, STAR } from "./registry/node.js";
import { MAX_DEPTH } from "./types.js";

/** One part of a path, after the root. `~` is the active subpool, and `*` every subpool. Numbers begin at 1. */
export type Part =
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "number"; readonly text: string; readonly number: number }
  | { readonly kind: "active" | "star"; readonly text: string };

interface Path {
  readonly text: string;
  readonly root: string;
  readonly parts: readonly Part[];
}

const EXPECTED = "a root's name, then names, numbers, ~ or *, separated by dots, such as i.common.weapon";

export function parsePath(path: unknown): Path {
  if (typeof path !== "string" || path === "") return refusePath("invalid path of a pool", path);
  const [root, ...texts] = path.split(".");
  if (root === "" || texts.includes("")) {
    return refusePath("a part of the path is empty", path, { path, flawAt: path.search(/^\.|\.(?=\.|$)/) });
  }
  if (texts.length > MAX_DEPTH)
    return refusePath(`the path has more than ${MAX_DEPTH} parts after its root`, path, { path });
  if (root === "~") {
    const remedy = "Begin the path with the name of a root, because ~ stands only for a subpool";
    return fail(error("pool.active", { problem: "~ cannot stand for a root", got: path, remedy }));
  }
  return { text: path, root, parts: texts.map(partOf) };
}

/** Reads one part of an active setting: the name or the number of a subpool. Returns undefined for anything else. */
export function activePart(part: unknown): Part | undefined {
  if (typeof part === "number") return Number.isInteger(part) && part > 0 ? partOf(String(part)) : undefined;
  if (typeof part !== "string" || part === "" || part.includes(".")) return undefined;
  const read = partOf(part);
  return read.kind === "active" || read.kind === "star" ? undefined : read;
}

/** Returns the rule that the name of a root or a subpool breaks, as the `expected` of a message. */
export function nameFlaw(name: unknown): string | undefined {
  const flaw = textFlaw(name);
  if (flaw !== undefined || typeof name !== "string") return flaw;
  if (/[.~*]/.test(name)) return "a name without . ~ and *, which have a meaning in paths";
  if (/^\d+$/.test(name)) return "a name that is not all digits, because digits in a path mean the number of a subpool";
  return undefined;
}

export const NAMES = {
  flaw: nameFlaw,
  json: {
    type: "string",
    minLength: 1,
    maxLength: 256,
    pattern: "^(?!\\d+$)[^.~*\\u0000-\\u001f\\u007f-\\u009f]+$",
  },
};

function partOf(text: string): Part {
  if (text === "~") return { kind: "active", text };
  if (text === "*") return { kind: "star", text };
  return /^\d+$/.test(text) ? { kind: "number", text, number: Number(text) } : { kind: "name", text };
}

function refusePath(
  problem: string,
  got: unknown,
  { flawAt = 0, ...where }: { path?: string; flawAt?: number } = {},
): never {
  return fail(error("pool.path", { problem, got, flawAt, expected: EXPECTED, where }));
}

const MAX_LISTED = 12;
/** For an unknown name, the search for a similar name compares at most this many names. */
const MAX_COMPARED = 500;

export function resolveRoot(roots: ReadonlyMap<string, Root>, name: string, path: string): Root {
  if (name === "*") {
    const remedy = "Begin the path with the name of one root";
    return refuse("pool.star", path, { problem: "a star cannot stand for a root", remedy });
  }
  const root = roots.get(name);
  if (root !== undefined) return root;
  const known = [...roots.keys()].slice(0, MAX_COMPARED);
  return unknown(path, "no root pool has this name", name, known, roots.size);
}

function activeAt(root: Root, i: number, text: string, active: readonly Part[]): Part {
  if (active[i] !== undefined) return active[i];
  const problem = `~ stands for the active subpool, but root ${root.name} has no active subpool at depth ${i + 1}`;
  const remedy = `Call setActive(${JSON.stringify(root.name)}, …) first`;
  return refuse("pool.active", text, { problem, got: text, remedy });
}

/** Returns the index of a name or number in `root.names[depth - 1]`. */
export function resolveKey(root: Root, depth: number, part: Part, path: string): number {
  const names = root.names[depth - 1];
  const count = names?.keys.length ?? 0;
  const key = part.kind === "number" ? part.number - 1 : names?.get(part.text);
  if (key !== undefined && key >= 0 && key < count) return key;
  const problem = `root ${root.name} has no subpool with this ${part.kind === "number" ? "number" : "name"} at depth ${depth}`;
  const known = Array.from({ length: Math.min(count, MAX_COMPARED) }, (_, i) => root.partText(depth, i));
  return unknown(path, problem, part.text, known, count);
}

function childOf(parent: Node, key: number, path: string): Node {
  const child = parent.children.get(key);
  if (child !== undefined) return child;
  const { root, depth } = parent;
  const name = root.partText(depth + 1, key);
  return refuse("pool.unknown", path, {
    problem: `pool ${parent.path} lacks the subpool ${name}, which another pool at the same depth has`,
    got: path,
    expected: listed([...parent.children.keys()].map((each) => root.partText(depth + 1, each))),
    remedy: `Register ${parent.path}.${name}, or ${starPath(root, depth + 1)}${name} for all pools at this depth`,
  });
}

export function resolveKeys(root: Root, keys: readonly number[], path: string): Node {
  return keys.reduce((node, key) => childOf(node, key, path), root.top);
}

/** Returns the pattern of a path. `~` at depth i + 1 stands for `active[i]`. Without `active`, refuses every `~`. */
export function resolvePattern(root: Root, { text, parts }: Path, active?: readonly Part[]): number[] {
  return parts.map((given, i) => {
    const part = active === undefined || given.kind !== "active" ? given : activeAt(root, i, text, active);
    if (part.kind === "active") {
      const remedy = "Name the pool, because the active setting may change later";
      const problem = "the path must not contain ~ in this call";
      return refuse("pool.active", text, { problem, got: text, flawAt: text.indexOf("~"), remedy });
    }
    return part.kind === "star" ? STAR : resolveKey(root, i + 1, part, text);
  });
}

/** Returns the matching pools in order of registration. Calls `visit` with the number of matches at each depth. */
export function matching(root: Root, pattern: readonly number[], visit?: (pools: number) => void): Node[] {
  let found = [root.top];
  for (const key of pattern) {
    visit?.(found.length);
    const next: Node[] = [];
    for (const { children } of found) {
      if (key === STAR) for (const child of children.values()) next.push(child);
      else if (children.has(key)) next.push(children.get(key) as Node);
    }
    found = next;
  }
  return found;
}

export function matches(pattern: readonly number[], node: Node): boolean {
  if (pattern.length !== node.depth) return false;
  let at: Node | undefined = node;
  for (let i = pattern.length - 1; i >= 0 && at !== undefined; i--, at = at.parent) {
    if (pattern[i] !== STAR && pattern[i] !== at.key) return false;
  }
  return true;
}

/** Returns the start of a path to all subpools of a depth, such as `e.*.*.` for depth 3. */
export function starPath(root: Root, depth: number): string {
  return `${root.name}.${"*.".repeat(depth - 1)}`;
}

function unknown(path: string, problem: string, got: string, known: readonly string[], count: number): never {
  return refuse("pool.unknown", path, { problem, got, expected: listed(known, count), ...didYouMean(got, known) });
}

export function refuse(code: Code, path: string, finding: Finding): never {
  return fail(error(code, { ...finding, where: { path } }));
}

function listed(names: readonly string[], count = names.length): string {
  if (names.length === 0) return "a registered name, but no names are registered";
  const first = names.slice(0, MAX_LISTED).map((name) => JSON.stringify(name));
  const more = count > MAX_LISTED ? ` or ${count - MAX_LISTED} more names` : "";
  return `${first.length === 1 ? "" : "one of "}${first.join(", ")}${more}`;
}
