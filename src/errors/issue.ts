import type { Code } from "./codes.js";

/** Where in the input an issue stands: a place in a file (line and column from 1), or a path inside an object. */
export interface Where {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Path inside a spec, such as `layers[1].tensor.absolute.NW`. */
  readonly path?: string | undefined;
}

/** One thing wrong (or doubtful) with the input, as data. */
export interface Issue {
  readonly code: Code;
  readonly severity: "error" | "warning";
  /** A sentence: what is wrong, what came, what was expected, what to do. */
  readonly message: string;
  readonly where: Where;
}

/** The parts of an issue's sentence; only `problem` is always there. A `got` that is present is shown, even undefined. */
export interface Finding {
  readonly problem: string;
  readonly got?: unknown;
  readonly expected?: string;
  /** What to do, without the full stop; or a question. */
  readonly remedy?: string;
  readonly where?: Where;
}

/** Makes an error issue from its parts. */
export function error(code: Code, finding: Finding): Issue {
  return { code, severity: "error", message: sentence(finding), where: finding.where ?? {} };
}

/** Makes a warning issue from its parts. */
export function warning(code: Code, finding: Finding): Issue {
  return { code, severity: "warning", message: sentence(finding), where: finding.where ?? {} };
}

/** Renders an issue as `file:line:column: message [code]`, the form that editors and terminals link. */
export function formatIssue(issue: Issue): string {
  const { file, line, column, path } = issue.where;
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  const at = [place, path].filter((part) => part !== undefined && part !== "").join(" ");
  const kind = issue.severity === "warning" ? "warning: " : "";
  return `${at === "" ? "" : `${at}: `}${kind}${issue.message} [${issue.code}]`;
}

/** Shows any value in a message: strings quoted, long values cut, nothing thrown. */
export function show(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : describeSafely(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

// a revoked proxy throws at whatever is asked of it
function describeSafely(value: unknown): string {
  try {
    return describe(value);
  } catch {
    return "an object that cannot be read";
  }
}

function sentence(finding: Finding): string {
  const { problem, expected, remedy } = finding;
  const facts: string[] = [];
  if ("got" in finding) facts.push(`got ${show(finding.got)}`);
  if (expected !== undefined) facts.push(`expected ${expected}`);
  const first = facts.length === 0 ? problem : `${problem}: ${facts.join(", ")}`;
  if (remedy === undefined) return first;
  return `${first}. ${remedy}${remedy.endsWith("?") ? "" : "."}`;
}

function describe(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof Promise) return "a Promise";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}
