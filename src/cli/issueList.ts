import { formatIssue, type Issue } from "../index.js";
import { BAD_INPUT, Exit, type Io, json, note, print, write } from "./io.js";

/**
 * Prints issues to stdout, and their counts to stderr.
 *
 * @throws Exit with code 2 if one of them is an error.
 */
export async function printIssues(
  io: Io,
  issues: readonly Issue[],
  { json: asJson }: { readonly json?: boolean },
): Promise<void> {
  const errors = issues.filter(({ severity }) => severity === "error").length;
  if (asJson) await write(io, json({ issues }));
  else await print(io, issues.map((issue) => `${formatIssue(issue)}\n`).join(""));
  note(io, `errors: ${errors}, warnings: ${issues.length - errors}`);
  if (errors > 0) throw new Exit(BAD_INPUT);
}
