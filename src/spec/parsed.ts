import { error, fail, failOnErrors, type Issue, readFields } from "../errors/index.js";
import { refuseArgument } from "./arguments.js";

/** The result of a parse. It has a spec, or at least one error. */
export interface Parsed<Spec> {
  /** The spec; undefined if the issues contain an error. */
  readonly spec: Spec | undefined;
  /** All errors and warnings. Each has a position in a file or a path inside the object. */
  readonly issues: readonly Issue[];
}

/** Maps each spec that a parser returned to the kind of spec, such as "table". */
const sealed = new WeakMap<object, string>();

/**
 * Marks a spec of the kind `noun`, such as "table", as parsed: {@link isParsed} then accepts it.
 */
export function seal<Spec extends object>(noun: string, spec: Spec): Spec {
  sealed.set(spec, noun);
  return spec;
}

/** Whether a parser returned this value as a spec of the kind `noun`. */
export function isParsed(noun: string, value: unknown): boolean {
  return typeof value === "object" && value !== null && sealed.get(value) === noun;
}

/**
 * Checks that a parser returned this argument as a spec of the kind `noun`.
 *
 * @throws RollmillError `argument.type` for anything else, even for a copy of such a spec.
 */
export function checkParsed(
  noun: string,
  { name, value, parser }: { readonly name: string; readonly value: unknown; readonly parser: string },
): void {
  if (!isParsed(noun, value)) refuseArgument(name, value, `the spec that ${parser} returned`);
}

/** @throws RollmillError with all errors, if there are any. */
export function specOf<Spec>(parsed: Parsed<Spec>): Spec {
  const { spec, issues } = readFields("what the parser returned", parsed, ["spec", "issues"]);
  if (!Array.isArray(issues)) return refuseArgument("issues", issues, "the list of issues that the parser found");
  failOnErrors(issues);
  if (spec !== undefined) return spec;
  return fail(error("argument.type", { problem: "the parser returned no spec", expected: "a spec or an error" }));
}
