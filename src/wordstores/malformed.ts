import { failOnErrors, type Issue, IssueList } from "../errors/index.js";
import type { TablesInput } from "../recipes/types.js";
import type { MalformedRow } from "./cells.js";
import type { UnreadableRow } from "./change.js";
import type { TableShape } from "./shape.js";
import { rowIssues } from "./wordRows.js";

/** Called with each issue of a malformed row. The row itself is left out. */
export type OnIssue = (issue: Issue) => void;

/**
 * Reports rows of a database that cannot be converted. With `onIssue`, reports all of them as warnings.
 *
 * @throws RollmillError `sql.schema` with all issues of accepted words, if there is no `onIssue`. Proposed and rejected
 * words are then ignored, because no item can have them.
 */
export function reportUnreadable(rows: readonly MalformedRow[], onIssue: OnIssue | undefined): void {
  const issues = new IssueList({ code: "sql.schema" });
  if (onIssue !== undefined) {
    warnOfUnreadable(rows, onIssue);
    return;
  }
  for (const row of rows.filter(({ isUsed }) => isUsed)) for (const issue of row.issues) issues.add(issue);
  failOnErrors(issues.list());
}

export function warnOfUnreadable(rows: readonly UnreadableRow[], onIssue: OnIssue): void {
  for (const { issues } of rows) {
    for (const issue of issues) onIssue({ ...issue, severity: "warning", message: skipped(issue.message) });
  }
}

interface RulesReport {
  readonly onIssue: OnIssue;
  readonly shown: string;
  /** Whether to keep malformed words that are proposed or rejected, so that a user can list them. */
  readonly keepsProposals: boolean;
}

/** Removes the rows that parseTables would refuse, such as a row with a blank word. Reports each such row. */
export function withoutMalformed(
  tables: TablesInput,
  shapes: readonly TableShape[],
  { onIssue, shown, keepsProposals }: RulesReport,
): TablesInput {
  const kept = { ...tables };
  for (const shape of shapes) {
    const rows: unknown = tables[shape.name];
    // parseTables reports a missing table
    if (!Array.isArray(rows)) continue;
    const dropped = new Set<number>();
    for (const { index, issue } of issuesOfRows(rows, shape)) {
      const isKept = keepsProposals && ["proposed", "rejected"].includes(rows[index]?.status);
      if (!isKept) dropped.add(index);
      const about = `the row with id ${rows[index]?.id}: ${issue.message}`;
      const where = { ...issue.where, file: shown };
      onIssue({ ...issue, severity: "warning", where, message: isKept ? about : skipped(about) });
    }
    if (dropped.size > 0) kept[shape.name] = rows.filter((_, index) => !dropped.has(index));
  }
  return kept;
}

/** Returns the errors of single rows. Ignores duplicates, because it is not known which of the two rows is right. */
export function issuesOfRows(
  rows: readonly unknown[],
  shape: TableShape,
): readonly { readonly index: number; readonly issue: Issue }[] {
  return rowIssues(rows, shape).flatMap((issue) => {
    const index = /^\[(\d+)\]/.exec(issue.where.path?.slice(shape.name.length) ?? "")?.[1];
    if (index === undefined || issue.code === "recipe.duplicate") return [];
    return [{ index: Number(index), issue }];
  });
}

function skipped(problem: string): string {
  return `a row is skipped: ${problem}`;
}
