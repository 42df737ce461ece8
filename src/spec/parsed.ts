import { error, fail, failOnErrors, type Issue } from "../errors/index.js";

/** What a parse returns: a spec, unless an issue is an error. Warnings accompany a spec. */
export interface Parsed<Spec> {
  readonly spec: Spec | undefined;
  /** Every issue found, each with a position in a file or a path inside the object. */
  readonly issues: readonly Issue[];
}

/** Specs by the noun that they are of: what a parser made need not be parsed again. */
const sealed = new WeakMap<object, string>();

/** Marks a spec as parsed: {@link isParsed} recognises it, so that no input is read twice. */
export function seal<Spec extends object>(noun: string, spec: Spec): Spec {
  sealed.set(spec, noun);
  return spec;
}

/** Whether a value is a spec that the parser of `noun` returned. */
export function isParsed(noun: string, value: unknown): boolean {
  return typeof value === "object" && value !== null && sealed.get(value) === noun;
}

/**
 * The spec of a parse.
 *
 * @throws RollmillError with every error among the issues.
 */
export function specOf<Spec>({ spec, issues }: Parsed<Spec>): Spec {
  failOnErrors(issues);
  if (spec !== undefined) return spec;
  return fail(error("argument.type", { problem: "the input gave no spec", expected: "a spec or an error" }));
}
