import { stat } from "node:fs/promises";
import { join } from "node:path";
import { error, fail, failOnErrors, type Issue } from "../errors/index.js";
import { whileLocked } from "../files/lock.js";
import { makeFolder } from "../files/makeFolder.js";
import { failToWrite } from "../files/problem.js";
import { readWhole } from "../files/read.js";
import { readTogether, replaceTogether, whileChanging } from "../files/together.js";
import { targetOf, writeWhole } from "../files/wholeFile.js";
import type { TablesInput, WordInput } from "../recipes/types.js";
import type { ReadRecord } from "../recipes/wordCsv.js";
import type { Decide, UnreadableRow } from "./change.js";
import { messageOf } from "./driver.js";
import { issuesOfRows, type OnIssue } from "./malformed.js";
import type { FilesPlace } from "./place.js";
import type { TableShape } from "./shape.js";
import { canonicalRows, REPLACE_REMEDY, rowIssues } from "./wordRows.js";

/**
 * Reads the tables of a recipe from a folder of CSV files, or all tables from a JSON file. The result never mixes old
 * and new tables, even while another program replaces them. Without `onIssue`, malformed CSV is an error.
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
    if (onIssue === undefined || !isWhole) failOnErrors(issues);
    for (const issue of issues)
      onIssue?.({ ...issue, severity: "warning", message: `a row is skipped: ${issue.message}` });
    return [name, rows] as const;
  });
  return Object.fromEntries(tables);
}

export async function saveToFiles(
  place: FilesPlace,
  shapes: readonly TableShape[],
  { tables, replace }: { readonly tables: TablesInput; readonly replace: boolean },
): Promise<void> {
  const names = place.kind === "folder" ? [...fileNames(shapes).values()] : [];
  if (place.kind === "folder") makeFolder(place.path);
  await whileLockedAt(place, names, async (temporaryIn) => {
    const paths = place.kind === "json" ? [place.path] : names.map((name) => join(place.path, name));
    for (const path of replace ? [] : paths) await refuseToReplace(path);
    if (place.kind === "json") return writeWhole(place.path, jsonOf(tables), { temporaryIn });
    const { toWordCsv } = await import("../recipes/wordCsv.js");
    const texts = [...fileNames(shapes)].map(([table, file]) => [file, toWordCsv(tables[table])] as const);
    return replaceTogether(place.path, new Map(texts));
  });
}

/**
 * Calls `decide` with the rows of a table, and makes the change that it returns. Holds a lock until the end. Rows that
 * cannot be read stay in the file unchanged. `shapes` are those of all tables of the recipe.
 */
export async function changeInFiles(
  place: FilesPlace,
  { shape, shapes }: { readonly shape: TableShape; readonly shapes: readonly TableShape[] },
  decide: Decide,
): Promise<void> {
  await whileLockedAt(place, [...fileNames(shapes).values()], (temporaryIn) =>
    place.kind === "json"
      ? changeInJson({ path: place.path, temporaryIn }, shape, decide)
      : changeInFolder(place.path, shape, decide),
  );
}

async function changeInJson(
  { path, temporaryIn }: { readonly path: string; readonly temporaryIn: string },
  shape: TableShape,
  decide: Decide,
): Promise<void> {
  const tables = await readJson(path);
  const entries: unknown = tables[shape.name];
  if (!Array.isArray(entries)) failOnErrors(rowIssues(entries, shape));
  const { rows, unreadable } = sorted(entries as readonly unknown[], shape, path);
  const change = await decide(canonicalRows(rows, shape), unreadable);
  const good = new Set<unknown>(rows);
  const changed =
    "insert" in change
      ? [...(entries as readonly unknown[]), change.insert]
      : (entries as readonly WordInput[]).map((row) =>
          good.has(row) && row.id === change.update.id ? updated(row, change.update) : row,
        );
  await writeWhole(path, jsonOf({ ...tables, [shape.name]: changed as readonly WordInput[] }), { temporaryIn });
}

async function changeInFolder(folder: string, shape: TableShape, decide: Decide): Promise<void> {
  const name = fileNames([shape]).get(shape.name) ?? "";
  const path = join(folder, name);
  const { readWordCsv } = await import("../recipes/wordCsv.js");
  const { changeWordCsv } = await import("./wordCsvChange.js");
  const text = (await readTogether(folder, [name])).get(name) ?? "";
  const read = readWordCsv(text, { file: path });
  if (!read.isWhole) failOnErrors(read.issues);
  const { rows, unreadable } = sorted(read.rows, shape, path);
  const noRow = read.records.filter(({ row }) => row === undefined);
  const all = [...unreadable, ...noRow.map((record) => unreadableRecord(record, read.columns))];
  const change = await decide(canonicalRows(rows, shape), all);
  const old = "insert" in change ? undefined : rows.find(({ id }) => id === change.update.id);
  const mark = text.slice(0, text.length - read.body.length);
  await replaceTogether(folder, new Map([[name, mark + changeWordCsv(read, { change, shape, old })]]));
}

function sorted(
  entries: readonly unknown[],
  shape: TableShape,
  file: string,
): { readonly rows: readonly WordInput[]; readonly unreadable: readonly UnreadableRow[] } {
  const flaws = new Map<number, Issue[]>();
  for (const { index, issue } of issuesOfRows(entries, shape)) {
    const found = flaws.get(index) ?? [];
    flaws.set(index, [...found, { ...issue, where: { ...issue.where, file } }]);
  }
  const unreadable = [...flaws].map(([index, issues]) => {
    const { id, word } = Object(entries[index]) as Partial<Readonly<Record<string, unknown>>>;
    return { id: knownId(id), word: typeof word === "string" ? word : undefined, issues };
  });
  return { rows: entries.filter((_, index) => !flaws.has(index)) as readonly WordInput[], unreadable };
}

function unreadableRecord({ cells, issues }: ReadRecord, columns: readonly string[]): UnreadableRow {
  return { id: knownId(Number(cells[columns.indexOf("id")])), word: cells[columns.indexOf("word")], issues };
}

function knownId(id: unknown): number | undefined {
  return Number.isSafeInteger(id) ? (id as number) : undefined;
}

// returns the new row; the keys of the old row keep their order
function updated(row: WordInput, update: WordInput): WordInput {
  const kept = Object.keys(row).filter((key) => Object.hasOwn(update, key));
  const entries = [...kept, ...Object.keys(update)].map((key) => [key, update[key]] as const);
  return Object.fromEntries(entries) as unknown as WordInput;
}

/** Returns the CSV file name of each table. The parser of recipes refuses table names that cannot be file names. */
function fileNames(shapes: readonly TableShape[]): ReadonlyMap<string, string> {
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

// writes each row on its own line, so that a diff shows the changed rows
function jsonOf(tables: TablesInput): string {
  const lists = Object.entries(tables).map(([name, rows]) => {
    // the file may also have tables of other recipes: their values are not checked, and need not be lists of rows
    if (!Array.isArray(rows)) return `  ${JSON.stringify(name)}: ${JSON.stringify(rows)}`;
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

/**
 * Holds the lock of the place while `work` runs. `work` receives the folder for temporary files. For a JSON file, this
 * is the folder of the lock, because the folder of the file belongs to the user.
 */
async function whileLockedAt(
  { kind, path }: FilesPlace,
  names: readonly string[],
  work: (temporaryIn: string) => Promise<void>,
): Promise<void> {
  if (kind === "folder") return whileChanging(path, names, () => work(path));
  // places the lock beside the real file, so that all paths to the file share one lock
  const { path: real } = await targetOf(path).catch((cause: unknown) => failToWrite(path, cause));
  const lock = `${real}.lock`;
  return whileLocked(lock, () => work(lock));
}
