import { type Code, type Finding, type Issue, IssueList, type Where, warning } from "../../errors/index.js";
import type { ColumnSpec, RowSpec, Target } from "../types.js";
import { isScriptName, MAX_WEIGHT, type ScriptId, type Weight } from "./input.js";

/** A jump to a label or to another file: `Rare`, `gems.csv` or `gems.csv#Rare`. */
export interface Link {
  readonly target: string;
  readonly where: Where;
}

export type ReadTarget = Target | { readonly jump: Link };
export type ReadColumn = ColumnSpec | { readonly jump: Link; readonly weight: Weight };
export type ReadRow = Omit<RowSpec, "columns"> & { readonly columns: readonly ReadColumn[] };

/** Creates a column from an object literal: a spread would use more memory for each of millions of columns. */
export function columnOf(target: ReadTarget, weight: Weight): ReadColumn {
  // the cast is safe: TypeScript checks the two kinds of jumps only one at a time
  if ("jump" in target) return { jump: target.jump, weight } as ReadColumn;
  const { result, quantity } = target;
  return quantity === undefined ? { result, weight } : { result, weight, quantity };
}

export interface ReadTable {
  readonly rows: readonly ReadRow[];
  readonly links: readonly Link[];
  readonly issues: readonly Issue[];
  /** False after an error: then rows may be missing. */
  readonly isWhole: boolean;
}

type TextPlace = Required<Pick<Where, "line" | "column">>;

export class TextReader {
  readonly issues: IssueList;
  readonly #file: string | undefined;
  readonly #links: Link[] = [];

  constructor(file: string | undefined, code: Code) {
    this.#file = file;
    this.issues = new IssueList({ code });
  }

  where({ line, column }: TextPlace): Where {
    return { file: this.#file, line, column };
  }

  report(code: Code, at: TextPlace, finding: Finding): void {
    this.issues.report(code, { ...finding, where: this.where(at) });
  }

  warn(code: Code, at: TextPlace, finding: Finding): void {
    this.issues.add(warning(code, { ...finding, where: this.where(at) }));
  }

  jump(target: string, at: TextPlace): ReadTarget {
    const jump = { target, where: this.where(at) };
    this.#links.push(jump);
    return { jump };
  }

  table(rows: readonly ReadRow[], issues: readonly Issue[]): ReadTable {
    return { rows, links: this.#links, issues, isWhole: issues.every(({ severity }) => severity !== "error") };
  }
}

export function nothingRead(issues: readonly Issue[]): ReadTable {
  return { rows: [], links: [], issues, isWhole: false };
}

/** Reads a script weight: the letter s, then the number or the name of a script. */
export function scriptIn(text: string): { readonly script: ScriptId } | undefined {
  const [, id] = /^s(.+)$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  if (isScriptName(id)) return { script: id };
  return /^\d{1,10}$/.test(id) && Number(id) <= MAX_WEIGHT ? { script: Number(id) } : undefined;
}

export function jumpIn(text: string): string | undefined {
  return text.startsWith("->") ? text.slice(2).trim() : undefined;
}
