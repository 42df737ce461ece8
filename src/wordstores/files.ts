import { stat } from "node:fs/promises";
import { join } from "node:path";
import { error, fail, failOnErrors, type Issue, messageOf } from "../errors/index.js";
import { makeFolder } from "../files/folders.js";
import { whileLocked } from "../files/lock.js";
import { failToWrite } from "../files/problem.js";
import { readWhole } from "../files/read.js";
import { readTogether, replaceTogether, whileChanging } from "../files/together.js";
import { targetOf, writeWhole } from "../files/wholeFile.js";
import { csvField, safeText } from "../formats/read/csv.js";
import type { TablesInput, WordInput } from "../recipes/types.js";
import { cellOf, ownCell, parseWordCsv, type ReadWordCsv, readWordCsv, toWordCsv } from "../recipes/wordCsv.js";
import type { FilesPlace } from "./place.js";
import { canonicalRows, issuesOfRows, rowIssues, skippedRow } from "./rows.js";
import { missingValue, type TableShape } from "./shape.js";
import { type Change, type Decide, type OnIssue, REPLACE_REMEDY, type WordStore } from "./store.js";

/** Opens a JSON file with all tables, or a folder with a CSV file for each table. */
export function storeOfFiles({ kind, path }: FilesPlace): WordStore {
  return kind === "json" ? storeOfJson(path) : storeOfFolder(path);
}

function storeOfJson(path: string): WordStore {
  // The lock is a folder beside the real file, so that all paths to the file share the lock. It also has the temporary
  // file, because the folder of the real file belongs to the user.
  const whileHeld = async (work: (temporaryIn: string) => Promise<void>) => {
    const { path: real } = await targetOf(path).catch((cause: unknown) => failToWrite(path, cause));
    const lock = `${real}.lock`;
    return whileLocked(lock, () => work(lock));
  };
  return {
    load: () => readJson(path),
    save: (_, { tables, replace }) =>
      whileHeld(async (temporaryIn) => {
        if (!replace) await refuseToReplace(path);
        await writeWhole(path, jsonOf(tables), { temporaryIn });
      }),
    change: ({ shape }, decide) =>
      whileHeld(async (temporaryIn) => {
        const tables = await readJson(path);
        const entries: unknown = tables[shape.name];
        if (!Array.isArray(entries)) failOnErrors(rowIssues(entries, shape));
        const all = entries as readonly WordInput[];
        const { rows, unreadable } = sorted(all, shape, path);
        const { row, isNew } = await decide(canonicalRows(rows, shape), unreadable);
        const good = new Set(rows);
        const replaced = all.map((old) => (good.has(old) && old.id === row.id ? updated(old, row) : old));
        const changed = { ...tables, [shape.name]: isNew ? [...all, row] : replaced };
        await writeWhole(path, jsonOf(changed), { temporaryIn });
      }),
  };
}

function storeOfFolder(folder: string): WordStore {
  return {
    load: (shapes, onIssue) => readFolder(folder, shapes, onIssue),
    save: (shapes, { tables, replace }) => {
      makeFolder(folder);
      return whileChanging(folder, shapes.map(fileOf), async () => {
        if (!replace) for (const shape of shapes) await refuseToReplace(join(folder, fileOf(shape)));
        await replaceTogether(folder, new Map(shapes.map((shape) => [fileOf(shape), toWordCsv(tables[shape.name])])));
      });
    },
    change: ({ shape, shapes }, decide) =>
      whileChanging(folder, shapes.map(fileOf), () => changeInFolder(folder, shape, decide)),
  };
}

/** Returns the name of a table's file. The parser of recipes refuses table names that cannot be file names. */
function fileOf({ name }: TableShape): string {
  return `${name}.csv`;
}

/** Reads tables that are all old or all new, even while another program replaces them. */
async function readFolder(path: string, shapes: readonly TableShape[], onIssue: OnIssue | undefined) {
  const texts = await readTogether(path, shapes.map(fileOf));
  const tables = shapes.map((shape) => {
    const file = fileOf(shape);
    const { rows, isWhole, issues } = parseWordCsv(texts.get(file) ?? "", { file: join(path, file) });
    if (onIssue === undefined || !isWhole) failOnErrors(issues);
    for (const issue of issues) onIssue?.(skippedRow(issue));
    return [shape.name, rows] as const;
  });
  return Object.fromEntries(tables);
}

async function changeInFolder(folder: string, shape: TableShape, decide: Decide): Promise<void> {
  const name = fileOf(shape);
  const path = join(folder, name);
  const text = (await readTogether(folder, [name])).get(name) ?? "";
  const read = readWordCsv(text, { file: path });
  if (!read.isWhole) failOnErrors(read.issues);
  const { rows, unreadable } = sorted(read.rows, shape, path);
  const [idAt, wordAt] = ["id", "word"].map((column) => read.columns.indexOf(column));
  const noRow = read.records.filter(({ row }) => row === undefined);
  const broken = noRow.map(({ cells, issues }) => ({ id: knownId(Number(cells[idAt])), word: cells[wordAt], issues }));
  const change = await decide(canonicalRows(rows, shape), [...unreadable, ...broken]);
  const old = change.isNew ? undefined : rows.find(({ id }) => id === change.row.id);
  const mark = text.slice(0, text.length - read.body.length);
  await replaceTogether(folder, new Map([[name, mark + changedCsv(read, { ...change, shape, old })]]));
}

/**
 * Applies a change to a word table in CSV. All other records keep their text, even malformed records. If the row has a
 * value for a column that the file lacks, the column is added as the last column, and other rows get its default value.
 */
function changedCsv(
  { body, header, columns, records }: ReadWordCsv,
  { row, isNew, shape, old }: Change & { readonly shape: TableShape; readonly old: WordInput | undefined },
): string {
  const isNeeded = (key: string, value: unknown) =>
    value !== undefined && value !== true && value !== missingValue(key, shape);
  const added = Object.keys(row).filter((key) => !columns.includes(key) && isNeeded(key, ownCell(row, key)));
  const line = [...columns, ...added].map((column) => csvField(safeText(cellOf(row, column)))).join(",");
  const fill = added.map((column) => `,${cellOf(WITHOUT_VALUES, column)}`).join("");
  const pieces: string[] = [];
  let at = 0;
  const take = (end: number, text: string) => {
    pieces.push(body.slice(at, end), text);
    at = end;
  };
  if (header !== undefined) take(header.end, added.map((column) => `,${csvField(safeText(column))}`).join(""));
  for (const record of records) {
    if (record.row !== undefined && record.row === old) {
      take(record.offset, line);
      at = record.end;
    } else take(record.end, fill);
  }
  take(body.length, "");
  if (isNew) {
    const [lineBreak = "\n"] = /^(?:\r\n|\r|\n)/.exec(body.slice(header?.end)) ?? [];
    if (!/[\r\n]$/.test(body)) pieces.push(lineBreak);
    pieces.push(line, lineBreak);
  }
  return pieces.join("");
}

const WITHOUT_VALUES: WordInput = { id: 0, word: "" };

function sorted(entries: readonly unknown[], shape: TableShape, file: string) {
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

function knownId(id: unknown): number | undefined {
  return Number.isSafeInteger(id) ? (id as number) : undefined;
}

// returns the new row; the keys of the old row keep their order
function updated(row: WordInput, update: WordInput): WordInput {
  const kept = Object.keys(row).filter((key) => Object.hasOwn(update, key));
  const entries = [...kept, ...Object.keys(update)].map((key) => [key, update[key]] as const);
  return Object.fromEntries(entries) as unknown as WordInput;
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
  const problem = "the file does not contain word tables";
  return fail(error("recipe.tables", { problem, got: tables, expected, where: { file: path } }));
}

// writes each row on its own line, so that a diff shows the changed rows
function jsonOf(tables: TablesInput): string {
  const lists = Object.entries(tables).map(([name, rows]) => {
    // the file may also have tables of other recipes: their values are not checked, so they may have other types
    if (!Array.isArray(rows)) return `  ${JSON.stringify(name)}: ${JSON.stringify(rows)}`;
    const lines = rows.map((row) => `    ${JSON.stringify(row)}`);
    return `  ${JSON.stringify(name)}: [${lines.length === 0 ? "" : `\n${lines.join(",\n")}\n  `}]`;
  });
  return `{\n${lists.join(",\n")}\n}\n`;
}

async function refuseToReplace(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size === 0) return;
  const problem = "the file exists already";
  fail(error("file.write", { problem, remedy: REPLACE_REMEDY, where: { file: path } }));
}
