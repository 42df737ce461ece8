import type { Issue, Where } from "../../errors/index.js";
import type { RowSpec } from "../types.js";

/** A jump by a label, or to another file: the row is found when all files are read. */
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
  /** The rows. A column of a link has the jump {@link UNRESOLVED}. */
  readonly rows: readonly RowSpec[];
  readonly links: readonly Link[];
  readonly issues: readonly Issue[];
  /** Whether the rows are complete, because the issues have no error. */
  readonly isWhole: boolean;
}

/** The jump of a column whose row is not found yet. */
export const UNRESOLVED = 0;

/** Nothing, because of some issues. */
export function nothingRead(issues: readonly Issue[]): ReadTable {
  return { rows: [], links: [], issues, isWhole: false };
}

/** Returns the target of a jump that is written as `-> target`; undefined for any other text. */
export function jumpIn(text: string): string | undefined {
  return text.startsWith("->") ? text.slice(2).trim() : undefined;
}
