import type { Issue, Where } from "../../errors/index.js";
import type { RowSpec } from "../types.js";

/** A jump to a label or to another file. The target row is looked up after all files are read. */
export interface Link {
  /** The row and the column of the jump, both from 0. */
  readonly row: number;
  readonly column: number;
  /** The target: a label such as `Rare`, or a path such as `gems.csv` or `gems.csv#Rare`. */
  readonly target: string;
  readonly where: Where;
}

/** The contents of one file. */
export interface ReadTable {
  /** The rows. A column with a link still has the jump {@link UNRESOLVED}. */
  readonly rows: readonly RowSpec[];
  readonly links: readonly Link[];
  readonly issues: readonly Issue[];
  /** Whether the file was read without errors. If not, rows may be missing. */
  readonly isWhole: boolean;
}

/** Stands for the target of a jump that was not looked up yet. */
export const UNRESOLVED = 0;

/** Returns the result for a file that cannot be read as a table: its issues, and no rows. */
export function nothingRead(issues: readonly Issue[]): ReadTable {
  return { rows: [], links: [], issues, isWhole: false };
}

/** Returns the target of a jump that is written as `-> target`; undefined for any other text. */
export function jumpIn(text: string): string | undefined {
  return text.startsWith("->") ? text.slice(2).trim() : undefined;
}
