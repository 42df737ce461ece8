// The bench is plain JavaScript without declarations: the parts that are tested, with their types.

import type { KindSpec, ObjectFiles } from "../../src/objects/index.js";

export interface Row {
  readonly name: string;
  readonly reference: boolean;
  readonly ns: readonly number[];
}

export interface Result {
  readonly subject: string;
  readonly unit: string;
  readonly case: string;
  readonly rows: readonly Row[];
}

export interface Contender {
  readonly name: string;
  readonly npm?: boolean;
  readonly reference?: boolean;
  readonly ops?: number;
  run?(): number;
  time?(seconds: number): Promise<number>;
  sample(draws: number): ArrayLike<number> | Promise<ArrayLike<number>>;
}

export interface OpenedCase {
  readonly law: readonly number[];
  readonly draws: number;
  readonly contenders: readonly Contender[];
}

export interface MeasureOptions {
  readonly rounds: number;
  readonly seconds: number;
  notice(text: string): void;
  progress(text: string): void;
}

/** The parsed edit files that contenders take. */
export interface ObjectSource {
  readonly files: ObjectFiles;
}

interface Modules {
  harness: {
    median(values: readonly number[]): number;
    ratio(ours: readonly number[], theirs: readonly number[]): number;
    measure(opened: OpenedCase, options: MeasureOptions): Promise<Row[]>;
  };
  law: {
    chiSquare(law: readonly number[], counts: readonly number[], draws: number): { statistic: number; freedom: number };
    assertLaw(law: readonly number[], counts: ArrayLike<number>, draws: number): void;
  };
  bars: { judge(results: readonly Result[]): { text: string; measured: number | null; met: boolean }[] };
  report: { toJson(results: readonly Result[]): unknown; caseLines(result: Result): string[] };
  options: {
    readOptions(args: readonly string[]): Record<string, unknown>;
    UsageError: new (message: string) => Error;
  };
  "subjects/index": {
    SUBJECTS: readonly {
      readonly name: string;
      readonly cases: readonly {
        readonly name: string;
        open(notice: (text: string) => void): Promise<OpenedCase | null> | null;
      }[];
    }[];
  };
  "inputs/tables": {
    SEED_TABLE: string;
    freeze(text: string, weightOf: (id: number) => number): { results: readonly string[] };
    resultLaw(table: unknown): number[];
    sharedTable(name: string): string | null;
  };
  "inputs/recipes": {
    weaponTables(): { slots: readonly { rows: readonly (readonly number[])[] }[]; special: number };
    weaponLaw(tables: unknown, parts?: readonly string[]): number[];
    weaponCounts(made: unknown, tables: unknown, parts?: readonly string[]): number[];
    STATS: readonly string[];
  };
  "inputs/objects": {
    objectFiles(): Promise<ObjectSource>;
    hasRealFiles: boolean;
  };
  "inputs/objectsLaw": {
    objectLaws(source: ObjectSource): { law: readonly number[] }[];
    themeChances(
      source: { readonly files: Pick<ObjectFiles, "themes"> },
      kind: Pick<KindSpec, "tval" | "sval">,
      at: { readonly numbers: ReadonlySet<number>; readonly depth: number },
    ): number[];
  };
  "inputs/objectsCheck": {
    ObjectCheck: new (source: ObjectSource) => { add(made: unknown): void };
  };
  "inputs/walks": { uniformEnds(steps: number): Map<string, number> };
  "inputs/weights": { weightsOf(n: number): number[] };
  "rivals/js/words": { floats(seed: number): () => number };
  "rivals/c": { describeCompiler(): Promise<string | null> };
}

/** A module of bench/, by its path without ending. */
export async function benchModule<Name extends keyof Modules>(name: Name): Promise<Modules[Name]> {
  const file = new URL(`../../bench/${name}.mjs`, import.meta.url);
  return import(file.href) as Promise<Modules[Name]>;
}
