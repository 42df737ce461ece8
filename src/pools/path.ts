import { error, fail } from "../errors/index.js";
import { textFlaw } from "../spec/index.js";
import { MAX_DEPTH } from "./types.js";

/** One part of a path, after the root. `~` is the active subpool, and `*` every subpool. Numbers begin at 1. */
export type Part =
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "number"; readonly text: string; readonly number: number }
  | { readonly kind: "active" | "star"; readonly text: string };

export interface Path {
  readonly text: string;
  readonly root: string;
  readonly parts: readonly Part[];
}

const EXPECTED = "a root's name, then names, numbers, ~ or *, separated by dots, such as i.common.weapon";

/** @throws RollmillError `pool.path`; `pool.active` if the path begins with `~` instead of a root. */
export function parsePath(path: unknown): Path {
  if (typeof path !== "string" || path === "") return refuse("invalid path of a pool", path);
  const [root, ...texts] = path.split(".");
  if (root === "" || texts.includes("")) {
    return refuse("a part of the path is empty", path, { path, flawAt: path.search(/^\.|\.(?=\.|$)/) });
  }
  if (texts.length > MAX_DEPTH)
    return refuse(`the path has more than ${MAX_DEPTH} parts after its root`, path, { path });
  if (root === "~") {
    const remedy = "Begin the path with the name of a root, because ~ stands only for a subpool";
    return fail(error("pool.active", { problem: "~ cannot stand for a root", got: path, remedy }));
  }
  return { text: path, root, parts: texts.map(partOf) };
}

/** Returns undefined for an invalid part of an active setting. */
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
  if (/^\d+$/.test(name)) return "a name that is not all digits, because a path refers to a subpool's number by digits";
  return undefined;
}

/** The names of roots and of subpools. */
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

function refuse(
  problem: string,
  got: unknown,
  { flawAt = 0, ...where }: { path?: string; flawAt?: number } = {},
): never {
  return fail(error("pool.path", { problem, got, flawAt, expected: EXPECTED, where }));
}
