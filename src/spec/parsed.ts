import { error, fail, failOnErrors, type Issue, readFields } from "../errors/index.js";
import { refuseArgument } from "./arguments.js";

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
 * Checks that an argument is a spec of the kind `noun` that a parser returned.
 *
 * @param argument - its name and its value; `parser` is the name of the parser, for the message.
 * @throws RollmillError `argument.type` for anything else, a copy of such a spec included.
 */
export function checkParsed(
  noun: string,
  { name, value, parser }: { readonly name: string; readonly value: unknown; readonly parser: string },
): void {
  if (!isParsed(noun, value)) refuseArgument(name, value, `the spec that ${parser} returned`);
}

/**
 * Returns the spec of a parse.
 *
 * @throws RollmillError with all errors among the issues.
 */
export function specOf<Spec>(parsed: Parsed<Spec>): Spec {
  const { spec, issues } = readFields("what the parser returned", parsed, ["spec", "issues"]);
  if (!Array.isArray(issues)) return refuseArgument("issues", issues, "the list of issues that the parser found");
  failOnErrors(issues);
  if (spec !== undefined) return spec;
  return fail(error("argument.type", { problem: "the parser returned no spec", expected: "a spec or an error" }));
}
