import { didYouMean, type Finding, show } from "../errors/index.js";

/** Maximum number of names that a message lists. */
const MOST_LISTED = 20;

/**
 * Creates the parts of a message about an unknown name. It lists the known names and suggests the most similar name.
 */
export function unknownName(problem: string, got: unknown, known: readonly string[]): Finding {
  const hint = typeof got === "string" ? didYouMean(got, known) : {};
  return { problem, got, expected: `one of ${listed(known)}`, ...hint };
}

/** Formats names for a message: quoted, and shortened after 20 names. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_LISTED).map((name) => show(name));
  return names.length === 0 ? "none" : `${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`;
}
