import type { Finding, Issue, Where } from "../../errors/index.js";
import { MAX_WEIGHT, type RowSpec, type ScriptId } from "../types.js";

/** A jump to a label or to another file: `Rare`, `gems.csv` or `gems.csv#Rare`. */
export interface Link {
  readonly row: number;
  readonly column: number;
  readonly target: string;
  readonly where: Where;
}

export interface ReadTable {
  /** A column with a link still has the jump {@link UNRESOLVED}. */
  readonly rows: readonly RowSpec[];
  readonly links: readonly Link[];
  readonly issues: readonly Issue[];
  /** False after an error: then rows may be missing. */
  readonly isWhole: boolean;
}

export const UNRESOLVED = 0;

export function nothingRead(issues: readonly Issue[]): ReadTable {
  return { rows: [], links: [], issues, isWhole: false };
}

export function jumpQuantity(got: unknown): Finding {
  const remedy = "Remove the quantity, or give it to the results of the row that the jump leads to";
  return { problem: "a jump has a quantity", got, remedy };
}

const SCRIPT_NAME = /^[A-Za-z_]\w{0,255}$/;

export const SCRIPT_NAMES = "a name of letters, digits and _ that does not begin with a digit";

export function isScriptName(text: string): boolean {
  return SCRIPT_NAME.test(text);
}

/** Reads a script weight: the letter s, then the number or the name of a script. */
export function scriptIn(text: string): { readonly script: ScriptId } | undefined {
  const [, id] = /^s(.+)$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  if (isScriptName(id)) return { script: id };
  return /^\d{1,10}$/.test(id) && Number(id) <= MAX_WEIGHT ? { script: Number(id) } : undefined;
}

/** Reads a jump that is written as `-> target`. */
export function jumpIn(text: string): string | undefined {
  return text.startsWith("->") ? text.slice(2).trim() : undefined;
}
