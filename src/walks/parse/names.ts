import { type Code, didYouMean } from "../../errors/index.js";
import type { Field, SpecReader } from "../../spec/index.js";

export function readName<T>(
  reader: SpecReader,
  at: Field,
  { known, problem, code }: { readonly known: ReadonlyMap<string, T>; readonly problem: string; readonly code?: Code },
): T | undefined {
  const { value } = at;
  const found = typeof value === "string" ? known.get(value) : undefined;
  if (found !== undefined) return found;
  const expected =
    known.size === 0 ? "no name, because there is no earlier layer" : `one of ${[...known.keys()].join(", ")}`;
  const hint = typeof value === "string" ? didYouMean(value, known.keys()) : {};
  reader.report(at, { problem, got: value, expected, ...hint }, code);
  return undefined;
}
