import type { Issue, Where } from "../../errors/index.js";
import type { RowSpec } from "../types.js";

/** A jump to a label or to another file. Its row is found after all files are read. */
export interface Link {
  /** The row and the column of the jump, both from 0. */
  readonly row: number;
  readonly column: number;
  /** The label, or the path of a file and perhaps a label. */
  readonly target: string;
  readonly where: Where;
}

/** What a reader has found in one file. */
export interface ReadTable {
  /** The rows. A column with a link has the jump {@link UNRESOLVED} for now. */
  readonly rows: readonly RowSpec[];
  readonly links: readonly Link[];
  readonly issues: readonly Issue[];
  /** Whether the rows are complete: none of the issues is an error. */
  readonly isWhole: boolean;
}

/** The jump of a column whose row is not found yet. */
export const UNRESOLVED = 0;

/** Returns the issues of a file that cannot be read as a table, without rows. */
export function nothingRead(issues: readonly Issue[]): ReadTable {
  return { rows: [], links: [], issues, isWhole: false };
}

/** Returns the target of a jump that is written as `-> target`; undefined for any other text. */
export function jumpIn(text: string): string | undefined {
  return text.startsWith("->") ? text.slice(2).trim() : undefined;
}
