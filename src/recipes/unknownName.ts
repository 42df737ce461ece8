import { didYouMean, type Finding, show } from "../errors/index.js";

/** Names that a message lists. */
const MOST_LISTED = 20;

/** The finding of a name that is not among the known ones: it lists them and suggests the nearest. */
export function unknownName(problem: string, got: unknown, known: readonly string[]): Finding {
  const hint = typeof got === "string" ? didYouMean(got, known) : {};
  return { problem, got, expected: `one of ${listed(known)}`, ...hint };
}

/** Names for a message, quoted; a long list is cut. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_LISTED).map((name) => show(name));
  return names.length === 0 ? "none" : `${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`;
}
