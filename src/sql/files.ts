import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { error, fail, failOnErrors } from "../errors/index.js";
import type { TablesInput, WordInput } from "../recipes/types.js";
import type { Decide } from "./change.js";
import { messageOf } from "./driver.js";
import type { OnIssue } from "./malformed.js";
import type { FilesPlace } from "./place.js";
import { retrying } from "./retry.js";
import type { TableShape } from "./shape.js";
import { canonicalRows, REPLACE_REMEDY, rowIssues } from "./wordRows.js";

/**
 * Reads the recipe's tables from the CSV files in a folder, or all tables from a JSON file. Without `onIssue`, malformed
 * CSV is an error.
 */
export async function loadFromFiles(
  place: FilesPlace,
  shapes: readonly TableShape[],
  onIssue?: OnIssue,
): Promise<TablesInput> {
  if (place.kind === "json") return readJson(place.path);
  const tables = shapes.map(async (shape) => [shape.name, await readCsv(pathOf(place, shape), onIssue)] as const);
  return Object.fromEntries(await Promise.all(tables));
}

/** Writes all tables. The files appear under their names only after all of them are complete. */
export async function saveToFiles(
  place: FilesPlace,
  shapes: readonly TableShape[],
  { tables, replace }: { readonly tables: TablesInput; readonly replace: boolean },
): Promise<void> {
  if (place.kind === "folder") await makeFolder(place.path);
  await whileLocked(place, async () => {
    const files = await filesOf(place, shapes, tables);
    for (const path of replace ? [] : files.keys()) await refuseToReplace(path);
    await writeFiles(files);
  });
}

/** Calls `decide` with the rows of a table and applies the change that it returns. Holds a lock until the end. */
export async function changeInFiles(place: FilesPlace, shape: TableShape, decide: Decide): Promise<void> {
  await whileLocked(place, async () => {
    const tables = await loadFromFiles(place, [shape]);
    const before: unknown = tables[shape.name];
    failOnErrors(rowIssues(before, shape));
    const rows = before as readonly WordInput[];
    const change = decide(canonicalRows(rows, shape), []);
    const changed =
      "insert" in change
        ? [...rows, change.insert]
        : rows.map((row) => (row.id === change.update.id ? updated(row, change.update) : row));
    await writeFiles(await filesOf(place, [shape], { ...tables, [shape.name]: changed }));
  });
}

// returns the new row; the keys of the old row keep their order
function updated(row: WordInput, update: WordInput): WordInput {
  const kept = Object.keys(row).filter((key) => Object.hasOwn(update, key));
  const entries = [...kept, ...Object.keys(update)].map((key) => [key, update[key]] as const);
  return Object.fromEntries(entries) as unknown as WordInput;
}

function pathOf(place: FilesPlace, { name }: TableShape): string {
  return place.kind === "json" ? place.path : join(place.path, `${name}.csv`);
}

async function readJson(path: string): Promise<TablesInput> {
  const text = await readText(path);
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

async function readCsv(path: string, onIssue?: OnIssue): Promise<readonly WordInput[]> {
  const { parseWordCsv } = await import("../recipes/wordCsv.js");
  const { rows, issues } = parseWordCsv(await readText(path), { file: path });
  if (onIssue === undefined || rows.length === 0) failOnErrors(issues);
  for (const issue of issues)
    onIssue?.({ ...issue, severity: "warning", message: `a row is skipped: ${issue.message}` });
  return rows;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    return fail(
      error("file.read", { problem: `the file cannot be read (${messageOf(cause)})`, where: { file: path } }),
      cause,
    );
  }
}

/** Returns the texts of the files, by path. */
async function filesOf(
  place: FilesPlace,
  shapes: readonly TableShape[],
  tables: TablesInput,
): Promise<ReadonlyMap<string, string>> {
  if (place.kind === "json") return new Map([[place.path, jsonOf(tables)]]);
  const { toWordCsv } = await import("../recipes/wordCsv.js");
  return new Map(shapes.map((shape) => [pathOf(place, shape), toWordCsv(tables[shape.name])]));
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

// Writes files under temporary names, and renames them when all are complete, so that other programs never read an
// incomplete file.
async function writeFiles(files: ReadonlyMap<string, string>): Promise<void> {
  const written = [...files].map(([path, text]) => ({ path, text, temporary: `${path}.${randomUUID()}.tmp` }));
  try {
    for (const { temporary, text } of written) {
      const file = await open(temporary, "wx");
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
    }
    for (const { temporary, path } of written) await rename(temporary, path);
  } catch (cause) {
    for (const { temporary } of written) await rm(temporary, { force: true });
    const file = written.map(({ path }) => path).join(", ");
    fail(error("file.write", { problem: `the file cannot be written (${messageOf(cause)})`, where: { file } }), cause);
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (cause) {
    fail(
      error("file.write", { problem: `the folder cannot be created (${messageOf(cause)})`, where: { file: path } }),
      cause,
    );
  }
}

/** Runs some work while a lock file exists next to the JSON file or in the folder, so that changes do not overlap. */
async function whileLocked(place: FilesPlace, work: () => Promise<void>): Promise<void> {
  const lock = place.kind === "json" ? `${place.path}.lock` : join(place.path, "rollmill.lock");
  const isHeld = (cause: unknown) => (cause as NodeJS.ErrnoException).code === "EEXIST";
  try {
    const file = await retrying(isHeld, () => open(lock, "wx"));
    await file.close();
  } catch (cause) {
    if (!isHeld(cause)) {
      fail(
        error("file.write", { problem: `the file cannot be written (${messageOf(cause)})`, where: { file: lock } }),
        cause,
      );
    }
    const remedy = "If no other program is running, delete this file, which a crashed program left";
    fail(
      error("file.write", { problem: "another program is changing the tables", remedy, where: { file: lock } }),
      cause,
    );
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}
