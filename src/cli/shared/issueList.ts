import { formatIssue, type Issue } from "../../index.js";
import { type Head, printDocument } from "./envelope.js";
import { BAD_INPUT, Exit, type Io, note, print } from "./io.js";

/** Prints issues to stdout, and their counts to stderr. Throws Exit with code 2 if an issue is an error. */
export async function printIssues(
  io: Io,
  issues: readonly Issue[],
  { head, json: asJson }: { readonly head: Head; readonly json?: boolean | undefined },
): Promise<void> {
  const errors = issues.filter(({ severity }) => severity === "error").length;
  if (asJson) await printDocument(io, head, issues);
  else await print(io, issues.map((issue) => `${formatIssue(issue)}\n`).join(""));
  note(io, `errors: ${errors}, warnings: ${issues.length - errors}`);
  if (errors > 0) throw new Exit(BAD_INPUT);
}
