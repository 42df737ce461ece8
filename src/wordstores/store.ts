import type { Issue } from "../errors/index.js";
import type { TablesInput, WordInput } from "../recipes/types.js";
import type { TableShape } from "./shape.js";

/** A place of word tables: a folder of CSV files, a JSON file or a database. */
export interface WordStore {
  /** Without `onIssue`, throws for an unreadable row, unless it is a proposed or rejected word in a database. */
  load(shapes: readonly TableShape[], onIssue: OnIssue | undefined): Promise<TablesInput>;
  save(shapes: readonly TableShape[], content: TablesContent): Promise<void>;
  /** Makes the change that `decide` returns. No other program may change the tables `locked` meanwhile. */
  change(
    target: Readonly<Record<"shapes" | "locked", readonly TableShape[]>> & { readonly shape: TableShape },
    decide: Decide,
  ): Promise<void>;
}

export type OnIssue = (issue: Issue) => void;

export interface TablesContent {
  readonly tables: TablesInput;
  readonly replace: boolean;
}

/** If the row is not new, it replaces the row that has the same id. */
export interface Change {
  readonly row: WordInput;
  readonly isNew: boolean;
}

/** A row that cannot be read. If its id and word are known, no other row may use them. */
export interface UnreadableRow {
  readonly id: number | undefined;
  readonly word: string | undefined;
  readonly issues: readonly Issue[];
}

/** Decides about a change while the locks are held. May throw. */
export type Decide = (rows: readonly WordInput[], unreadable: readonly UnreadableRow[]) => Change | Promise<Change>;

/** The remedy if words exist already. It is for users of the command line and of the library. */
export const REPLACE_REMEDY = "To replace the existing words, use --replace, or { replace: true } in code";
