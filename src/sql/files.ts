import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { error, fail, failOnErrors } from "../errors/index.js";
import { readTogether, replaceTogether, whileChanging } from "../files/folderStore.js";
import { whileLocked } from "../files/lock.js";
import { failToWrite } from "../files/problem.js";
import { readWhole } from "../files/read.js";
import { targetOf, writeWhole } from "../files/wholeFile.js";
import type { TablesInput, WordInput } from "../recipes/types.js";
import { fileNameFlaw, fileNameKey } from "../spec/index.js";
import type { Decide } from "./change.js";
import { messageOf } from "./driver.js";
import type { OnIssue } from "./malformed.js";
import type { FilesPlace } from "./place.js";
import type { TableShape } from "./shape.js";
import { canonicalRows, REPLACE_REMEDY, rowIssues } from "./wordRows.js";

/**
 * Reads the recipe's tables from the CSV files in a folder, or all tables from a JSON file. All tables belong to the
 * same state, also while another program replaces them. Without `onIssue`, malformed CSV is an error.
 */
export async function loadFromFiles(
  place: FilesPlace,
  shapes: readonly TableShape[],
  onIssue?: OnIssue,
): Promise<TablesInput> {
  if (place.kind === "json") return readJson(place.path);
  const names = fileNames(shapes);
  const texts = await readTogether(place.path, [...names.values()]);
  const { parseWordCsv } = await import("../recipes/wordCsv.js");
  const tables = shapes.map(({ name }) => {
    const file = names.get(name) ?? "";
    const { rows, isWhole, issues } = parseWordCsv(texts.get(file) ?? "", { file: join(place.path, file) });
    if (onIssue === undefined || !isWhole || rows.length === 0) failOnErrors(issues);
    for (const issue of issues)
      onIssue?.({ ...issue, severity: "warning", message: `a row is skipped: ${issue.message}` });
    return [name, rows] as const;
  });
  return Object.fromEntries(tables);
}

/** Writes all tables or none. */
export async function saveToFiles(
  place: FilesPlace,
  shapes: readonly TableShape[],
  { tables, replace }: { readonly tables: TablesInput; readonly replace: boolean },
): Promise<void> {
  const names = place.kind === "folder" ? [...fileNames(shapes).values()] : [];
  if (place.kind === "folder") await makeFolder(place.path);
  await whileLockedAt(place, async () => {
    const paths = place.kind === "json" ? [place.path] : names.map((name) => join(place.path, name));
    for (const path of replace ? [] : paths) await refuseToReplace(path);
    await writeTables(place, shapes, tables);
  });
}

/** Calls `decide` with the rows of a table and applies the change that it returns. Holds a lock until the end. */
export async function changeInFiles(place: FilesPlace, shape: TableShape, decide: Decide): Promise<void> {
  await whileLockedAt(place, async () => {
    const tables = await loadFromFiles(place, [shape]);
    const before: unknown = tables[shape.name];
    failOnErrors(rowIssues(before, shape));
    const rows = before as readonly WordInput[];
    const change = await decide(canonicalRows(rows, shape), []);
    const changed =
      "insert" in change
        ? [...rows, change.insert]
        : rows.map((row) => (row.id === change.update.id ? updated(row, change.update) : row));
    await writeTables(place, [shape], { ...tables, [shape.name]: changed });
  });
}

// returns the new row; the keys of the old row keep their order
function updated(row: WordInput, update: WordInput): WordInput {
  const kept = Object.keys(row).filter((key) => Object.hasOwn(update, key));
  const entries = [...kept, ...Object.keys(update)].map((key) => [key, update[key]] as const);
  return Object.fromEntries(entries) as unknown as WordInput;
}

/**
 * Returns the names of the CSV files by table. A spec that no parser has checked can have any names.
 *
 * @throws RollmillError `recipe.spec` for a table whose name cannot be a file name, and for two tables of one file.
 */
function fileNames(shapes: readonly TableShape[]): ReadonlyMap<string, string> {
  const taken = new Map<string, string>();
  for (const { name } of shapes) {
    const expected = fileNameFlaw(name, ".csv");
    if (expected !== undefined) {
      fail(error("recipe.spec", { problem: "the name of a table cannot be a file name", got: name, expected }));
    }
    const other = taken.get(fileNameKey(name));
    if (other !== undefined) {
      const problem = "the names of two tables lead to the same file on some systems";
      fail(
        error("recipe.spec", {
          problem,
          got: name,
          expected: `a name that differs more from ${JSON.stringify(other)}`,
        }),
      );
    }
    taken.set(fileNameKey(name), name);
  }
  return new Map(shapes.map(({ name }) => [name, `${name}.csv`]));
}

async function readJson(path: string): Promise<TablesInput> {
  const text = await readWhole(path);
  let tables: unknown;
  try {
    tables = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    fail(error("file.json", { problem: `the file is not JSON (${messageOf(cause)})`, where: { file: path } }), cause);
  }
  if (typeof tables === "object" && tables !== null && !Array.isArray(tables)) return tables as TablesInput;
  const expected = 'an object that maps tables to lists of rows, such as { "element": [{ "id": 1, "word": "…" }] }';
  return fail(
    error("recipe.tables", {
      problem: "the file does not contain word tables",
      got: tables,
      expected,
      where: { file: path },
    }),
  );
}

async function writeTables(place: FilesPlace, shapes: readonly TableShape[], tables: TablesInput): Promise<void> {
  if (place.kind === "json") return writeWhole(place.path, jsonOf(tables));
  const { toWordCsv } = await import("../recipes/wordCsv.js");
  const texts = [...fileNames(shapes)].map(([table, file]) => [file, toWordCsv(tables[table])] as const);
  return replaceTogether(place.path, new Map(texts));
}

// writes one line for each row, so that a diff shows the changed rows
function jsonOf(tables: TablesInput): string {
  const lists = Object.entries(tables).map(([name, rows]) => {
    const lines = rows.map((row) => `    ${JSON.stringify(row)}`);
    return `  ${JSON.stringify(name)}: [${lines.length === 0 ? "" : `\n${lines.join(",\n")}\n  `}]`;
  });
  return `{\n${lists.join(",\n")}\n}\n`;
}

async function refuseToReplace(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size === 0) return;
  const finding = { problem: "the file exists already", remedy: REPLACE_REMEDY };
  fail(error("file.write", { ...finding, where: { file: path } }));
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (cause) {
    failToWrite(path, cause);
  }
}

/** Runs some work while this process holds the lock of the place, so that changes do not overlap. */
async function whileLockedAt({ kind, path }: FilesPlace, work: () => Promise<void>): Promise<void> {
  if (kind === "folder") return whileChanging(path, work);
  // next to the file that the path leads to, so that every path to this file has the same lock
  const { path: real } = await targetOf(path).catch((cause: unknown) => failToWrite(path, cause));
  return whileLocked(`${real}.lock`, work);
}
