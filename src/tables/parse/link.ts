import { type Finding, IssueList, type Where } from "../../errors/index.js";
import { fileNameKey, filePathFlaw, type Parsed, seal } from "../../spec/index.js";
import { type Labels, labelFinding, labelsOf } from "../issues.js";
import { type ColumnSpec, columnOf, type LinkedFile, type RowSpec, type TableSpec } from "../types.js";
import { type Link, type ReadTable, UNRESOLVED } from "./read.js";

const MAX_FILES = 1000;
/** `gems.csv#Rare` or `gems.csv`. */
const FILE_LINK = /^(.+?\.(?:2da|csv|tsv|json))(?:#(.*))?$/is;

interface Wanted {
  readonly key: string;
  readonly path: string;
  readonly file: string;
  readonly where: Where;
}

interface Part extends ReadTable {
  readonly file: string | undefined;
  /** The number of the file's first row in the whole table. */
  readonly first: number;
  readonly labels: Labels;
}

/**
 * Joins files that jump to each other, perhaps in circles, into one table, in the order in which jumps first lead to
 * them. Each part of a path must be a valid file name, so a path cannot leave the folder of the first file.
 */
export class TableLinker {
  readonly #file: string | undefined;
  readonly #folder: string;
  /** The files that were read, by `keyOf` of their paths. The first file comes first. */
  readonly #parts = new Map<string, Part>();
  /** The files that jumps lead to, by `keyOf` of their paths: each once, read or not. */
  readonly #wanted = new Map<string, Wanted>();
  readonly #issues = new IssueList({ code: "twoda.limit" });
  #rows = 0;

  constructor(file: string | undefined, main: ReadTable) {
    const slash = file === undefined ? -1 : Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\"));
    this.#file = file;
    this.#folder = file?.slice(0, slash + 1) ?? "";
    this.#add(file === undefined ? "" : keyOf(file.slice(slash + 1)), file, main);
  }

  /** Returns the files to read, also those that jumps of added files lead to. */
  wanted(): Iterable<Wanted> {
    return this.#wanted.values();
  }

  add({ key, file }: Wanted, read: ReadTable): void {
    this.#add(key, file, read);
  }

  refuse({ path, where }: Wanted, finding: Finding): void {
    this.#issues.report("table.jump", { ...finding, got: path, where });
  }

  result(): Parsed<TableSpec> {
    const rows: RowSpec[] = [];
    const linked: LinkedFile[] = [];
    const [main] = this.#parts.values();
    for (const part of this.#parts.values()) {
      const { file = "", first } = part;
      if (part !== main) linked.push({ file, first });
      // pushes rows one at a time: a spread of many rows would overflow the stack
      for (const row of this.#resolved(part)) rows.push(row);
    }
    const issues = this.#issues.list();
    const isWhole = this.#issues.errors === 0 && [...this.#parts.values()].every((part) => part.isWhole);
    const spec = linked.length === 0 ? { file: this.#file, rows } : { file: this.#file, rows, linked };
    return { spec: isWhole ? seal("table", spec) : undefined, issues };
  }

  #add(key: string, file: string | undefined, read: ReadTable): void {
    for (const issue of read.issues) this.#issues.add(issue);
    this.#parts.set(key, { ...read, file, first: this.#rows, labels: labelsOf(read.rows.map(({ label }) => label)) });
    this.#rows += read.rows.length;
    for (const { target, where } of read.links) {
      const path = FILE_LINK.exec(target)?.[1];
      if (path !== undefined) this.#want({ key: keyOf(path), path, file: `${this.#folder}${path}`, where });
    }
  }

  #want(wanted: Wanted): void {
    const { key, path } = wanted;
    if (this.#parts.has(key) || this.#wanted.has(key)) return;
    const expected = filePathFlaw(path);
    if (expected !== undefined) {
      const remedy = "Write the path from the folder of the first file, with / between its parts";
      this.refuse(wanted, { problem: "invalid path of a file", expected, remedy });
    } else if (this.#wanted.size + 1 >= MAX_FILES) {
      this.refuse(wanted, { problem: "the table has too many files", expected: `at most ${MAX_FILES} files` });
    } else this.#wanted.set(key, wanted);
  }

  #resolved(part: Part): readonly RowSpec[] {
    const { rows, links, first } = part;
    const isMoved = first > 0;
    if (!isMoved && links.length === 0) return rows;
    const found = new Map<number, Map<number, number>>();
    for (const link of links) {
      const row = found.get(link.row) ?? new Map<number, number>();
      row.set(link.column, this.#rowOf(link, part));
      found.set(link.row, row);
    }
    return rows.map((row, r) => {
      const jumps = found.get(r);
      if (jumps === undefined && !isMoved) return row;
      const columns = row.columns.map((column, c): ColumnSpec => {
        if (!("jump" in column)) return column;
        return columnOf({ jump: jumps?.get(c) ?? column.jump + first }, column.weight);
      });
      return { ...row, columns };
    });
  }

  #rowOf({ target, where }: Link, from: Part): number {
    const [, path, label = ""] = FILE_LINK.exec(target) ?? [];
    const part = path === undefined ? from : this.#parts.get(keyOf(path));
    // no new issue: if the file could not be read, this was already reported
    if (part === undefined || (part.rows.length === 0 && !part.isWhole)) return UNRESOLVED;
    const name = path === undefined ? target : label;
    const row = part.labels.get(name) ?? (target === "" ? undefined : numberedRow(part, name));
    if (row !== undefined && row >= 0) return part.first + row;
    const problem = "a jump leads to no row";
    this.#issues.report("table.jump", { problem, ...labelFinding(part.labels, name), where });
    return UNRESOLVED;
  }
}

/** Rows may have no labels. An empty text means the first row of another file. */
function numberedRow({ rows }: Part, name: string): number | undefined {
  return /^\d{0,10}$/.test(name) && Number(name) < rows.length ? Number(name) : undefined;
}

function keyOf(path: string): string {
  return path.split("/").map(fileNameKey).join("/");
}
