import type { Code } from "./codes.js";
import type { Comparisons, Suggestion } from "./nearest.js";

/**
 * The place of an issue in the input. It is either a position in a file or a path inside an object. Lines and columns
 * start at 1.
 */
export interface Where {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** A path inside a spec, such as `layers[1].tensor.absolute.NW`. */
  readonly path?: string | undefined;
}

/** One error or warning about the input. */
export interface Issue {
  readonly code: Code;
  readonly severity: "error" | "warning";
  /** Tells what is wrong, the faulty value, what was expected, and how to fix it. */
  readonly message: string;
  readonly where: Where;
}

/** The parts of an issue's message. */
export interface Finding {
  /** What is wrong, without the value. */
  readonly problem: string;
  /** The faulty value. If this key is present with the value undefined, the message says "got nothing". */
  readonly got?: unknown;
  /**
   * If `got` is a text: the index of its first faulty character. A long text is shortened so that this character is
   * shown.
   */
  readonly flawAt?: number;
  /** What is allowed instead. */
  readonly expected?: string;
  /** How to fix the problem: a sentence without its full stop, or a question. */
  readonly remedy?: string | Suggestion | undefined;
  readonly where?: Where;
}

/** @param comparisons - Limits the suggestions for one input. */
export function error(code: Code, finding: Finding, comparisons?: Comparisons): Issue {
  return { code, severity: "error", message: sentence(finding, comparisons), where: finding.where ?? {} };
}

export function warning(code: Code, finding: Finding): Issue {
  return { code, severity: "warning", message: sentence(finding), where: finding.where ?? {} };
}

/** With the path `layers[0]`, `steps` becomes `layers[0].steps`. */
export function issueWithin(path: string, issue: Issue): Issue {
  const inside = issue.where.path;
  return {
    ...issue,
    where: { ...issue.where, path: inside === undefined || inside === "" ? path : `${path}.${inside}` },
  };
}

/** Messages show a value of at most this many characters in full. */
const MAX_WHOLE = 60;
const MAX_SHORT = 58;
/** A shortened text shows at most this many characters before the flaw. */
const BEFORE_FLAW = 24;

/** Quotes strings, and shortens long values to 58 characters. A shortened text shows the character `flawAt`. */
export function show(value: unknown, flawAt = 0): string {
  if (typeof value !== "string") {
    const text = describe(value);
    return text.length <= MAX_WHOLE ? text : `${text.slice(0, MAX_SHORT - 1)}…`;
  }
  // the JSON of a text is at least as long as the text, so a message has no room for the rest
  const whole = JSON.stringify(value.slice(0, MAX_WHOLE));
  if (value.length <= MAX_WHOLE && whole.length <= MAX_WHOLE) return whole;
  const from = cutBefore(value, flawAt);
  const start = from === 0 ? '"' : '"…';
  const rest = JSON.stringify(value.slice(from, from + MAX_WHOLE)).slice(1);
  if (start.length + rest.length <= MAX_SHORT) return `${start}${rest}`;
  return `${start}${wholeCharacters(rest.slice(0, MAX_SHORT - 2 - start.length))}…"`;
}

/**
 * Returns the index at which the shown part of a text begins, at most BEFORE_FLAW characters before the flaw. Escaped
 * characters count with the length of their escapes, so the shown part always includes the flaw.
 */
function cutBefore(text: string, flawAt: number): number {
  if (flawAt <= BEFORE_FLAW && JSON.stringify(text.slice(0, flawAt)).length <= BEFORE_FLAW + 2) return 0;
  let from = flawAt;
  while (from > 0 && JSON.stringify(text.slice(from - 1, flawAt)).length <= BEFORE_FLAW + 2) from--;
  return from < flawAt && /[\udc00-\udfff]/.test(text[from]) ? from + 1 : from;
}

/** Cuts off an incomplete escape sequence, or half a surrogate pair, at the end of a shortened JSON string. */
function wholeCharacters(cut: string): string {
  return /^(?:[^\\\p{Surrogate}]|\\u[\da-f]{4}|\\[^u])*/u.exec(cut)?.[0] ?? "";
}

function sentence(finding: Finding, comparisons: Comparisons = { left: Number.POSITIVE_INFINITY }): string {
  const { problem, expected } = finding;
  const remedy = typeof finding.remedy === "function" ? finding.remedy(comparisons) : finding.remedy;
  const facts: string[] = [];
  if ("got" in finding) facts.push(`got ${finding.got === undefined ? "nothing" : show(finding.got, finding.flawAt)}`);
  if (expected !== undefined) facts.push(`expected ${expected}`);
  const first = facts.length === 0 ? problem : `${problem}: ${facts.join(", ")}`;
  if (remedy === undefined) return first;
  return `${first}. ${remedy}${remedy.endsWith("?") ? "" : "."}`;
}

/** Returns the length of an array, and −1 for any other value. */
export function arrayLength(value: unknown): number {
  return Array.isArray(value) ? value.length : -1;
}

function describe(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof Promise) return "a Promise";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}
