// The bench is plain JavaScript without declarations: the parts that are tested, with their types.

import type { ObjectFiles } from "../../src/objects/index.js";
import type { WorldInput } from "../../src/worlds/index.js";

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
  sample?(draws: number): ArrayLike<number> | Promise<ArrayLike<number>>;
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
  readonly isAlone?: () => Promise<boolean>;
}

/** A budget with a measured value. */
export interface Judged {
  readonly text: string;
  readonly measured: number;
  readonly unit?: string;
}

/** A bar with its measured value. `isLeast` marks a bar whose limit is a minimum. */
export interface Verdict {
  readonly text: string;
  readonly limit: number;
  readonly isLeast?: boolean;
  readonly measured: number | null;
  readonly met: boolean;
}

/** The columns of objects with numbers that follow from the kind and the affixes. */
type BodyColumn = "ac" | "dice" | "sides" | "weight";

/** Columns of objects, by name. */
export type MadeColumns = Readonly<
  Record<"kind" | "artifact" | "theme" | "affixCount" | "affixes" | BodyColumn, Uint16Array> & { flags: Uint32Array }
>;

/** The parsed edit files that contenders take. */
export interface ObjectSource {
  readonly files: ObjectFiles;
  readonly bits: {
    readonly words: number;
    readonly pvalNames: readonly string[];
    mask(names: readonly string[]): Uint32Array;
  };
}

/** The keys of a world's random words, as pairs of u32. */
interface WorldKeys {
  readonly layers: readonly (readonly [number, number])[];
  readonly cells: readonly (readonly [number, number])[];
}

interface JobMemory {
  readonly threads: number;
  readonly maxMemory: number;
}

/** A phase of a job that runs in the kernel, and its tasks. */
interface KernelPhase {
  readonly phase: object;
  readonly list: readonly number[];
  memoryFor(threads: number): object;
}

/** What one thread does of a job. Both calls return the cells of each terrain. */
interface KernelTasks {
  open(): Promise<void>;
  run(given: { readonly phase: object; readonly tasks: object; readonly thread: number }): readonly number[];
  runAlone(given: Pick<KernelPhase, "phase" | "list">): readonly number[];
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
  bars: { judge(results: readonly Result[]): Verdict[] };
  report: {
    barLines(judged: readonly Verdict[]): string[];
    toJson(results: readonly Result[]): unknown;
    caseLines(result: Result): string[];
  };
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
    hasRealFiles: boolean;
    objectTexts(): object;
    LEVEL: number;
    NUMBERS: readonly string[];
    MOST_AFFIXES: number;
  };
  "inputs/objectsTables": { objectTables(source: ObjectSource): object; objectLine(tables: object): string };
  "inputs/objectsCheck": {
    objectChecks(source: ObjectSource): Promise<{
      readonly law: readonly number[];
      check(): { readonly isFull: boolean; readonly counts: readonly number[]; add(made: MadeColumns): void };
    }>;
  };
  ours: {
    ours(library: object): {
      objects(
        texts: object,
        options: { readonly level: number; readonly length: number; readonly seed?: string },
      ): { make(): MadeColumns };
    };
    objectSource(texts: object): Promise<ObjectSource>;
    worldKeys(spec: WorldInput): Promise<WorldKeys>;
    jobs(job: { readonly world: object }): Promise<{
      make(folder: string, options: JobMemory): Promise<{ readonly counts: readonly number[] }>;
    }>;
    kernelPhases(folder: string): Promise<readonly KernelPhase[]>;
    kernelTasks(folder: string, options: { readonly maxMemory: number }): Promise<KernelTasks>;
  };
  "against/loops": { LOOPS: readonly { readonly subject: string; readonly name: string }[] };
  "against/against": {
    isIn(loop: { readonly needs?: string }, options: { readonly against: string }): boolean;
    runPairs(
      loop: { readonly subject: string; readonly name: string },
      options: { against: string; rounds: number; seconds: number; progress(text: string): void },
    ): Promise<{ readonly text: string; readonly ratios: readonly number[] }>;
    pairLine(pairs: { text: string; before: number[]; after: number[]; ratios: number[] }): string;
  };
  readme: {
    ROWS: readonly (readonly [label: string, subject: string, name: string])[];
    readmeTable(
      results: readonly Result[],
      judged: readonly Judged[],
      machine: object,
      others: readonly object[],
    ): string;
    withTable(page: string, table: string): string;
  };
  "inputs/worlds": {
    LAND: WorldInput;
    RULES: object;
    HALO: number;
    SIDE: number;
    regionRows(spec: WorldInput, window: { readonly size: number; readonly margin: number }): number[];
    stepsInReach(
      spec: WorldInput,
      window: { readonly size: number; readonly margin?: number; readonly columns?: number },
    ): number;
  };
  "inputs/walks": { UNIFORM: object; uniformEnds(steps: number): Map<string, number> };
  "inputs/jobs": { WALK: { readonly world: { readonly name: string; readonly layers: readonly object[] } } };
  "inputs/weights": { weightsOf(n: number): number[] };
  "rivals/js/words": { floats(seed: number): () => number };
  "rivals/js/ownWords": {
    OwnWords: new () => {
      walker(stream: number, i: number, j: number, walker: number, out: Uint32Array): void;
      starts(stream: number, i: number, j: number, plane: number, out: Uint32Array): void;
      cell(stream: number, row: number, column: number): number;
      extra(stream: number, row: number, column: number): number;
    };
  };
  "rivals/js/sameWords": { SameWords: new (keys: WorldKeys) => object };
  "rivals/js/worlds": {
    jsWorld(
      sizes: object,
      words: object,
    ): {
      window(row: number, column: number): { terrain: Uint8Array; villages: [row: number, column: number][] };
    };
  };
  "rivals/js/objects": { jsObjects(tables: object, columns: MadeColumns): { make(): unknown } };
  "rivals/c": {
    describeCompiler(): Promise<string | null>;
    cRival(program: string, load: string): Promise<{ sample(draws: number): Promise<number[]> } | null>;
  };
}

/** A module of bench/, by its path without ending. */
export async function benchModule<Name extends keyof Modules>(name: Name): Promise<Modules[Name]> {
  const file = new URL(`../../bench/${name}.mjs`, import.meta.url);
  return import(file.href) as Promise<Modules[Name]>;
}
