import type { Issue, Where } from "../../errors/index.js";
import type { RowSpec } from "../types.js";

/** A jump to a label or to another file. The target row is looked up after all files are read. */
export interface Link {
  /** The row and the column of the jump, both from 0. */
  readonly row: number;
  readonly column: number;
  /** The target: a label, or the path of a file and perhaps a label. */
  readonly target: string;
  readonly where: Where;
}

/** The contents of one file. */
export interface ReadTable {
  /** The rows. A column with a link has the jump {@link UNRESOLVED} for now. */
  readonly rows: readonly RowSpec[];
  readonly links: readonly Link[];
  readonly issues: readonly Issue[];
  /** Whether the rows are complete. They are if no issue is an error. */
  readonly isWhole: boolean;
}

/** The jump of a column before its target row is looked up. */
export const UNRESOLVED = 0;

/** Returns the issues of a file that cannot be read as a table, without rows. */
export function nothingRead(issues: readonly Issue[]): ReadTable {
  return { rows: [], links: [], issues, isWhole: false };
}

/** Returns the target of a jump that is written as `-> target`; undefined for any other text. */
export function jumpIn(text: string): string | undefined {
  return text.startsWith("->") ? text.slice(2).trim() : undefined;
}
