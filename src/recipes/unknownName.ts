import { didYouMean, error, type Finding, fail, show } from "../errors/index.js";

const MAX_LISTED = 20;

export function unknownName(problem: string, got: unknown, known: readonly string[]): Finding {
  const hint = typeof got === "string" ? didYouMean(got, known) : {};
  const expected = known.length === 0 ? "no name, because no names exist" : `one of ${listed(known)}`;
  return { problem, ...(got === undefined ? {} : { got }), expected, ...hint };
}

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map((name) => show(name));
  return `${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`;
}

export function refuseName(problem: string, path: string, got: unknown, known: readonly string[]): never {
  return fail(error("recipe.request", { ...unknownName(problem, got, known), where: { path } }));
}
