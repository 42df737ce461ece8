import { didYouMean, error, fail } from "../errors/index.js";

/** Returns the indices of names in `known`, without duplicates. */
export function indicesOf(
  names: readonly unknown[],
  { known, problem }: { readonly known: readonly string[]; readonly problem: string },
): number[] {
  const indices = names.map((name) => {
    const index = known.indexOf(name as string);
    if (index >= 0) return index;
    const expected = known.length === 0 ? "no name, because the world's list is empty" : `one of ${known.join(", ")}`;
    const hint = typeof name === "string" ? didYouMean(name, known) : {};
    return fail(error("argument.range", { problem, got: name, expected, ...hint }));
  });
  return [...new Set(indices)];
}
