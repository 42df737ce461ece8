import type { Issue, Where } from "../../errors/index.js";
import { MAX_WEIGHT, type RowSpec, type ScriptId } from "../types.js";

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

const SCRIPT_NAME = /^[A-Za-z_]\w{0,255}$/;

/** Describes the name of a script, for messages. */
export const SCRIPT_NAMES = "a name of letters, digits and _ that does not begin with a digit";

/** Whether a text is the name of a script. */
export function isScriptName(text: string): boolean {
  return SCRIPT_NAME.test(text);
}

/** Reads a script weight: the letter s, then the number or the name of a script. Returns undefined for other texts. */
export function scriptIn(text: string): { readonly script: ScriptId } | undefined {
  const [, id] = /^s(.+)$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  if (isScriptName(id)) return { script: id };
  return /^\d{1,10}$/.test(id) && Number(id) <= MAX_WEIGHT ? { script: Number(id) } : undefined;
}

/** Returns the target of a jump that is written as `-> target`; undefined for any other text. */
export function jumpIn(text: string): string | undefined {
  return text.startsWith("->") ? text.slice(2).trim() : undefined;
}
