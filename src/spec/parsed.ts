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

/** Marks a spec of the kind `noun`, such as "table", as parsed: {@link isParsed} then accepts it. */
export function seal<Spec extends object>(noun: string, spec: Spec): Spec {
  sealed.set(spec, noun);
  return spec;
}

/** Whether a parser returned this value as a spec of the kind `noun`. */
export function isParsed(noun: string, value: unknown): boolean {
  return typeof value === "object" && value !== null && sealed.get(value) === noun;
}

/**
 * Throws `argument.type` unless a parser returned this argument as a spec of the kind `noun`. A copy is refused too.
 */
export function checkParsed(
  noun: string,
  { name, value, parser }: { readonly name: string; readonly value: unknown; readonly parser: string },
): void {
  if (!isParsed(noun, value)) refuseArgument(name, value, `the spec that ${parser} returned`);
}

export function specOf<Spec>(parsed: Parsed<Spec>): Spec {
  const { spec, issues } = readFields("the result of the parser", parsed, ["spec", "issues"]);
  if (!Array.isArray(issues)) return refuseArgument("issues", issues, "the list of issues that the parser found");
  failOnErrors(issues);
  if (spec !== undefined) return spec;
  return fail(error("argument.type", { problem: "the parser returned no spec", expected: "a spec or an error" }));
}

/**
 * Whether two values of a spec or of options are equal: plain data by content, all other values by identity. A value
 * that contains itself, or that throws when it is read, equals only itself.
 */
export function isSame(a: unknown, b: unknown): boolean {
  try {
    return hasSameContent(a, b);
  } catch {
    return false;
  }
}

function hasSameContent(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Map && b instanceof Map) return hasSameContent([...a], [...b]);
  if (a instanceof Set && b instanceof Set) return hasSameContent([...a], [...b]);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => hasSameContent(item, b[i]));
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return hasSameContent(bytesOf(a), bytesOf(b));
  if (Object.getPrototypeOf(a) !== Object.prototype && Object.getPrototypeOf(a) !== null) return false;
  const [one, other] = [definedIn(a), definedIn(b)];
  return (
    one.length === other.length &&
    one.every(([key, value]) => hasSameContent(value, (b as Record<string, unknown>)[key]))
  );
}

/** Returns the entries of an object except undefined values, because an undefined option counts as missing. */
function definedIn(record: object): [string, unknown][] {
  return Object.entries(record).filter(([, value]) => value !== undefined);
}

function bytesOf(view: ArrayBufferView): number[] {
  return [...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)];
}
