import { error, fail, failOnErrors, type Issue } from "../errors/index.js";

/** The result of a parse: a spec and perhaps warnings, or errors and no spec. */
export interface Parsed<Spec> {
  /** The spec; undefined if the issues contain an error. */
  readonly spec: Spec | undefined;
  /** All errors and warnings. Each has a position in a file or a path inside the object. */
  readonly issues: readonly Issue[];
}

/** Maps every spec that a parser returned to its kind, such as "table". */
const sealed = new WeakMap<object, string>();

/**
 * Marks a spec as parsed, so that {@link isParsed} recognises it and the spec is not parsed again.
 *
 * @param noun - the kind of spec: "table", "walk".
 */
export function seal<Spec extends object>(noun: string, spec: Spec): Spec {
  sealed.set(spec, noun);
  return spec;
}

/** Whether a value is a spec of the kind `noun` that a parser returned. */
export function isParsed(noun: string, value: unknown): boolean {
  return typeof value === "object" && value !== null && sealed.get(value) === noun;
}

/**
 * Returns the spec of a parse.
 *
 * @throws RollmillError with all errors among the issues.
 */
export function specOf<Spec>({ spec, issues }: Parsed<Spec>): Spec {
  failOnErrors(issues);
  if (spec !== undefined) return spec;
  return fail(error("argument.type", { problem: "the parser returned no spec", expected: "a spec or an error" }));
}
