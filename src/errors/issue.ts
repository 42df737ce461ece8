import type { Code } from "./codes.js";
import type { Comparisons, Suggestion } from "./nearest.js";

/** The place of an issue: a position in a file, or a path inside an object. Lines and columns start at 1. */
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
  /** States the problem, the faulty value, what was expected, and how to fix the problem. */
  readonly message: string;
  readonly where: Where;
}

/** The parts of an issue's message. */
export interface Finding {
  /** What is wrong, without the value. */
  readonly problem: string;
  /** The faulty value. If this key is present with the value undefined, the message says "got nothing". */
  readonly got?: unknown;
  /** If `got` is a text: the index of its first faulty character. A shortened text still shows this character. */
  readonly flawAt?: number;
  /** What is allowed instead. */
  readonly expected?: string;
  /** How to fix the problem: a sentence without its full stop, or a question. */
  readonly remedy?: string | Suggestion | undefined;
  readonly where?: Where;
}

/** Creates an issue. @param comparisons - What the search for similar known names may still cost. */
export function error(code: Code, finding: Finding, comparisons?: Comparisons): Issue {
  return { code, severity: "error", message: sentence(finding, comparisons), where: finding.where ?? {} };
}

export function warning(code: Code, finding: Finding): Issue {
  return { code, severity: "warning", message: sentence(finding), where: finding.where ?? {} };
}

/** Puts a path before the path of an issue: with the path `layers[0]`, `steps` becomes `layers[0].steps`. */
export function issueWithin(path: string, issue: Issue): Issue {
  const { path: inside = "" } = issue.where;
  const dot = inside === "" || inside.startsWith("[") ? "" : ".";
  return { ...issue, where: { ...issue.where, path: `${path}${dot}${inside}` } };
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
  // the JSON form is at least as long as the text, so no message shows more than MAX_WHOLE characters of it
  const whole = JSON.stringify(value.slice(0, MAX_WHOLE));
  if (value.length <= MAX_WHOLE && whole.length <= MAX_WHOLE) return whole;
  const from = cutBefore(value, flawAt);
  const start = from === 0 ? '"' : '"…';
  const rest = JSON.stringify(value.slice(from, from + MAX_WHOLE)).slice(1);
  if (start.length + rest.length <= MAX_SHORT) return `${start}${rest}`;
  return `${start}${wholeCharacters(rest.slice(0, MAX_SHORT - 2 - start.length))}…"`;
}

/** Returns the index at which the shown part of a text begins. Measures characters with their JSON escapes. */
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

/** Maximum number of listed issues of one input, so that hostile input cannot fill the memory with messages. */
export const MAX_ISSUES = 10_000;

/** Suggestions for one input compare at most this many characters of known names. This takes about 0.1 s. */
const MAX_COMPARED = 2 ** 22;

/** Collects the issues of one input, at most `most`. If the list is full, one more issue, with `code`, says so. */
export class IssueList {
  readonly #most: number;
  readonly #code: Code;
  readonly #listed: Issue[] = [];
  readonly #comparisons: Comparisons = { left: MAX_COMPARED };
  #more: Issue | undefined;
  #errors = 0;

  constructor({ most = MAX_ISSUES, code }: { readonly most?: number; readonly code: Code }) {
    this.#most = most;
    this.#code = code;
  }

  add(issue: Issue): void {
    if (issue.severity === "error") this.#errors++;
    if (this.#listed.length < this.#most) this.#listed.push(issue);
    // remembers the first omitted error, or the first omitted warning if no error was omitted
    else if (this.#more === undefined || (this.#more.severity === "warning" && issue.severity === "error"))
      this.#more = issue;
  }

  /** Adds an error. If {@link isFull}, only counts the error. After many misspelt names, messages lack suggestions. */
  report(code: Code, finding: Finding): void {
    if (this.isFull) this.#errors++;
    else this.add(error(code, finding, this.#comparisons));
  }

  get errors(): number {
    return this.#errors;
  }

  /** Whether the parser can stop: an issue was omitted, and there is an error. */
  get isFull(): boolean {
    return this.#errors > 0 && this.#more !== undefined;
  }

  /** Returns the issues. If some were omitted, adds one at the place of the first omitted error or warning. */
  list(): readonly Issue[] {
    if (this.#more === undefined) return this.#listed;
    const make = this.#more.severity === "error" ? error : warning;
    const rest = make(this.#code, {
      problem: `the list ends after ${this.#most} issues, but there is another issue at this place`,
      remedy: "Fix the listed issues first",
      where: this.#more.where,
    });
    return [...this.#listed, rest];
  }
}

/** Characters that could control a terminal, begin a new line, or reorder the text. Source: UAX #9, section 2. */
const CONTROLS = /[\p{Control}\p{Bidi_Control}\u2028\u2029]/gu;
const CONTROLS_IN_LINES = /(?![\t\n])[\p{Control}\p{Bidi_Control}\u2028\u2029]/gu;

/** Replaces control characters by escapes such as \u000a, so that a text from an input cannot forge a line of a log. */
export function oneLine(text: string): string {
  return text.replace(CONTROLS, escaped);
}

export function safeLines(text: string): string {
  return text.replace(CONTROLS_IN_LINES, escaped);
}

function escaped(one: string): string {
  return `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
