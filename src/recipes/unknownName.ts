import { didYouMean, type Finding, show } from "../errors/index.js";

const MOST_LISTED = 20;

export function unknownName(problem: string, got: unknown, known: readonly string[]): Finding {
  const hint = typeof got === "string" ? didYouMean(got, known) : {};
  const expected = known.length === 0 ? "no name, because no names exist" : `one of ${listed(known)}`;
  return { problem, ...(got === undefined ? {} : { got }), expected, ...hint };
}

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_LISTED).map((name) => show(name));
  return `${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`;
}
