import { error, fail } from "../errors/index.js";
import { type ActivePart, MAX_DEPTH } from "./types.js";

/** A part of a path behind the root: a name, a 1-based number, `~` or `*`. */
export type Part =
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "number"; readonly text: string; readonly number: number }
  | { readonly kind: "active" | "star"; readonly text: string };

/** A path such as `i.~.weapon`, taken apart. */
export interface Path {
  readonly text: string;
  readonly root: string;
  readonly parts: readonly Part[];
}

const EXPECTED = "a root's name, and behind it names, numbers, ~ or *, with dots between them, such as i.common.weapon";

/**
 * Takes a path apart; whether its parts exist is not looked at.
 *
 * @throws RollmillError `pool.path` for what is no path.
 */
export function parsePath(path: unknown): Path {
  if (typeof path !== "string" || path === "") return refuse("a pool's path is not usable", path, "");
  const [root, ...texts] = path.split(".");
  if (root === "" || texts.includes("")) return refuse("a part of the path is empty", path, path);
  if (texts.length > MAX_DEPTH) return refuse(`the path has more than ${MAX_DEPTH} parts behind its root`, path, path);
  if (root === "~") {
    const remedy = "Name the root: the active setting begins behind it";
    return fail(error("pool.active", { problem: "~ cannot stand for a root", got: path, remedy }));
  }
  return { text: path, root, parts: texts.map(partOf) };
}

/** A part of an active setting as a part of a path; undefined for what may not stand there. */
export function activePart(part: ActivePart): Part | undefined {
  if (typeof part === "number") return Number.isInteger(part) && part > 0 ? partOf(String(part)) : undefined;
  if (typeof part !== "string" || part === "" || part.includes(".")) return undefined;
  const read = partOf(part);
  return read.kind === "active" || read.kind === "star" ? undefined : read;
}

/** What is wrong with a root's or a subpool's name; undefined where nothing is. */
export function nameFlaw(name: unknown): string | undefined {
  if (typeof name !== "string" || name === "" || name.length > 256) return "a text of 1 to 256 characters";
  if (/[.~*]/.test(name)) return "a name without . ~ and *, which mean something in a path";
  if (/^\d+$/.test(name)) return "a name that is not all digits, for those are the numbers of subpools";
  // a name is printed on a line of its own, and must be well-formed text
  if (/[\p{Control}\p{Surrogate}]/u.test(name)) return "a name without control characters and lone surrogates";
  return undefined;
}

function partOf(text: string): Part {
  if (text === "~") return { kind: "active", text };
  if (text === "*") return { kind: "star", text };
  return /^\d+$/.test(text) ? { kind: "number", text, number: Number(text) } : { kind: "name", text };
}

function refuse(problem: string, got: unknown, path: string): never {
  return fail(error("pool.path", { problem, got, expected: EXPECTED, where: path === "" ? {} : { path } }));
}
