import { reasonOf } from "../calls/index.js";
import { error, type Finding, fail, type Issue, RollmillError } from "../errors/index.js";
import { readJsonText } from "../formats/read/json.js";
import { FILE_NAMES, type ObjectFiles, type ObjectTexts, parseObjects } from "../objects/index.js";
import { formatOf } from "../objects/parse/format.js";
import { NEEDED_TEXTS } from "../objects/parse.js";
import { parsePools } from "../pools/index.js";
import { parseRecipe, parseWordCsv, type RecipeSpec, type TablesInput, type WordInput } from "../recipes/index.js";
import { checkFunction, checkText, filePathFlaw, type Parsed } from "../spec/index.js";
import { loadTable } from "../tables/index.js";
import { SOURCE_KEYS } from "./parse/sources.js";
import { parseWorld } from "./parse.js";
import type { WorldSpec } from "./types.js";

/** Returns the text of a file; undefined if there is no such file. */
export type Read = (file: string) => string | undefined | Promise<string | undefined>;

/**
 * Reads a world from a JSON file. In this file, a source of contents can name files to read:
 *
 * - in `tables`: `{"file": "loot.2da"}` names a 2DA, CSV or JSON file. If the table jumps to more tables, their files
 *   are read too.
 * - in `recipes`: `{"file": "charm.json", "tables": "charm"}` names a recipe and its word tables. `tables` is a folder
 *   with a CSV file for each table, or a JSON file with all tables.
 * - in `objects`: `{"files": "armory"}` names a folder of edit files.
 * - in `pools`: `{"file": "pools.json"}` names a JSON or CSV file.
 *
 * All paths are relative to the folder of the world's file, and must not lead out of this folder.
 *
 * @param file - the path of the world's file.
 * @param read - returns the text of a file; undefined if there is no such file. Called first with `file`, then with the
 * path of each further file. These paths begin with the folder of `file`.
 * @returns what `parseWorld` returns.
 * @throws RollmillError `argument.type`. If `read` fails for the first file with a RollmillError, throws this error. If
 * `read` fails for the first file with any other error, throws `argument.callback` with this error as `cause`. If
 * `read` fails for a later file, throws nothing: the result has an issue with the path of the source.
 */
export async function loadWorld(file: string, read: Read): Promise<Parsed<WorldSpec>> {
  const first = await readFirstJson(file, read);
  if ("issue" in first) return { spec: undefined, issues: [first.issue] };
  const folder = folderOf(file);
  const main = file.slice(folder.length);
  const files = new Map([[main, first.text]]);
  const readNext = async (path: string) => {
    const text = await first.read(path);
    if (text !== undefined) files.set(path.slice(folder.length), text);
    return text;
  };
  const loaded = await new WorldLoader(file, readNext).load(first.value);
  if (loaded.spec !== undefined) textsBySpec.set(loaded.spec, { main, files: Object.fromEntries(files) });
  return loaded;
}

/** The texts of all files of a world, by path relative to the folder of its main file. */
interface WorldTexts {
  readonly main: string;
  readonly files: Readonly<Record<string, string>>;
}

const textsBySpec = new WeakMap<WorldSpec, WorldTexts>();

/** Returns the texts from which {@link loadWorld} read a world; undefined for any other spec. */
export function textsOf(spec: WorldSpec): WorldTexts | undefined {
  return textsBySpec.get(spec);
}

/**
 * Reads the first of several files as JSON. This file must exist. Returns the file's text, its value, and a new `read`,
 * which also checks that each result is a text or undefined.
 *
 * @throws RollmillError `argument.type`; `argument.callback`, `file.read` as {@link loadWorld} does.
 */
export async function readFirstJson(
  file: string,
  read: Read,
): Promise<{ readonly text: string; readonly value: unknown; readonly read: Read } | { readonly issue: Issue }> {
  checkText("file", file);
  checkFunction("read", read);
  const readText = (path: string) => readChecked(read, path);
  const text = await readFirst(file, readText);
  const json = readJsonText(text, { file });
  return "issue" in json ? json : { text, value: json.value, read: readText };
}

/** Returns the folder in the path of a file, with the slash at its end; "" for the current folder. */
export function folderOf(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}

/** Calls `read`. Refuses a result that is not a text or undefined. */
async function readChecked(read: Read, file: string): Promise<string | undefined> {
  const text: unknown = await read(file);
  if (text === undefined || typeof text === "string") return text;
  const problem = '"read" did not return a text';
  return fail(error("argument.callback", { problem, got: text, expected: "a text, or undefined", where: { file } }));
}

/**
 * Reads the first file, which must exist.
 *
 * @throws RollmillError that `read` threw; `argument.callback` for any other error of `read`; `file.read`.
 */
async function readFirst(file: string, read: Read): Promise<string> {
  let text: string | undefined;
  try {
    text = await read(file);
  } catch (cause) {
    if (cause instanceof RollmillError) throw cause;
    const problem = `"read" failed (${reasonOf(cause)})`;
    return fail(error("argument.callback", { problem, where: { file } }), cause);
  }
  return text ?? fail(error("file.read", { problem: "there is no such file", where: { file } }));
}

type SourceKey = (typeof SOURCE_KEYS)[number];

/** An entry of the world's file that stands for a source, and names the files of this source. */
interface Reference {
  /** The path of the source in the spec, such as `tables.loot`. */
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The parsed source that replaces a reference. */
type Loaded = Parsed<unknown>;

/** Replaces each reference in a world by the source that it names. */
class WorldLoader {
  readonly #file: string;
  readonly #folder: string;
  readonly #read: Read;
  readonly #issues: Issue[] = [];
  /** The paths of the sources that could not be read. */
  readonly #failed = new Set<string>();

  constructor(file: string, read: Read) {
    this.#file = file;
    this.#folder = folderOf(file);
    this.#read = read;
  }

  async load(input: unknown): Promise<Parsed<WorldSpec>> {
    const whole = isObject(input) ? await this.#resolved(input) : input;
    const { spec, issues } = parseWorld(whole, { file: this.#file });
    if (this.#issues.length === 0 && this.#failed.size === 0) return { spec, issues };
    // leaves out the errors of contents, because a content may name a source that could not be read
    const others = issues.filter(({ where }) => this.#failed.size === 0 || !CONTENT_SOURCE.test(where?.path ?? ""));
    const isWhole = this.#failed.size === 0;
    return { spec: isWhole ? spec : undefined, issues: [...this.#issues, ...others] };
  }

  async #resolved(input: Readonly<Record<string, unknown>>): Promise<unknown> {
    const sources: Record<string, unknown> = {};
    for (const key of SOURCE_KEYS) {
      const given = input[key];
      if (!isObject(given)) continue;
      const entries: [string, unknown][] = [];
      for (const [name, source] of Object.entries(given)) {
        const entry = await this.#source(key, name, source);
        if (entry !== undefined) entries.push([name, entry]);
      }
      sources[key] = Object.fromEntries(entries);
    }
    return { ...input, ...sources };
  }

  async #source(key: SourceKey, name: string, source: unknown): Promise<unknown> {
    const isReference = isObject(source) && typeof source[key === "objects" ? "files" : "file"] === "string";
    if (!isReference) return source;
    const reference = { path: `${key}.${name}`, fields: source };
    const { spec, issues } = await this.#loaded(key, reference);
    this.#issues.push(...issues);
    if (spec === undefined) this.#failed.add(reference.path);
    return spec;
  }

  async #loaded(key: SourceKey, reference: Reference): Promise<Loaded> {
    const known = key === "recipes" ? ["file", "tables"] : key === "objects" ? ["files"] : ["file"];
    const unknown = Object.keys(reference.fields).find((field) => !known.includes(field));
    if (unknown !== undefined) {
      return this.#refused(reference, unknown, { problem: "unknown key", got: unknown, expected: known.join(", ") });
    }
    switch (key) {
      case "tables":
        return this.#table(reference);
      case "recipes":
        return this.#recipe(reference);
      case "objects":
        return this.#objects(reference);
      case "pools":
        return this.#pools(reference);
    }
  }

  async #pools(reference: Reference): Promise<Loaded> {
    const text = await this.#text(reference, "file");
    return typeof text === "string" ? parsePools(text, { file: this.#pathOf(reference, "file") }) : text;
  }

  async #table(reference: Reference): Promise<Loaded> {
    const file = this.#place(reference, "file");
    if (typeof file !== "string") return file;
    try {
      return await loadTable(file, async (path) => (await this.#read(path)) ?? failMissing(path));
    } catch (cause) {
      return this.#unreadable(reference, "file", cause);
    }
  }

  /** Reads a JSON file. The parser of the world reads its content. */
  async #json(reference: Reference, field: string): Promise<Loaded> {
    const text = await this.#text(reference, field);
    if (typeof text !== "string") return text;
    const json = readJsonText(text, { file: this.#pathOf(reference, field) });
    return "issue" in json ? { spec: undefined, issues: [json.issue] } : { spec: json.value, issues: [] };
  }

  async #recipe(reference: Reference): Promise<Loaded> {
    const file = this.#pathOf(reference, "file");
    const json = await this.#json(reference, "file");
    if (json.spec === undefined) return json;
    const { spec: recipe, issues } = parseRecipe(json.spec, { file });
    if (recipe === undefined) return { spec: undefined, issues };
    const words = await this.#words(reference, recipe);
    const spec = words.spec && { recipe, tables: words.spec };
    return { spec, issues: [...issues, ...words.issues] };
  }

  /** Reads the word tables of a recipe: from a JSON file, or from a folder of CSV files. */
  async #words(reference: Reference, { steps }: RecipeSpec): Promise<Parsed<TablesInput>> {
    const { tables: place } = reference.fields;
    if (typeof place !== "string") {
      const expected = "a folder of CSV files, or a JSON file";
      return this.#refused(reference, "tables", { problem: "the recipe has no words", expected });
    }
    if (/\.json$/i.test(place)) return (await this.#json(reference, "tables")) as Parsed<TablesInput>;
    const folder = this.#place(reference, "tables");
    if (typeof folder !== "string") return folder;
    const names = steps.flatMap((step) => (step.kind === "slots" ? step.slots.map(({ table }) => table) : []));
    const tables: [string, readonly WordInput[]][] = [];
    const issues: Issue[] = [];
    for (const name of new Set(names)) {
      const path = `${folder}/${name}.csv`;
      const text = await this.#textAt(reference, "tables", path);
      if (typeof text !== "string") return text;
      const { rows, issues: flaws } = parseWordCsv(text, { file: path });
      tables.push([name, rows]);
      issues.push(...flaws);
    }
    return { spec: issues.length === 0 ? Object.fromEntries(tables) : undefined, issues };
  }

  async #objects(reference: Reference): Promise<Parsed<ObjectFiles>> {
    const folder = this.#place(reference, "files");
    if (typeof folder !== "string") return folder;
    const texts: Record<string, string> = {};
    const paths: Record<string, string> = {};
    let needed: readonly string[] = ["object"];
    for (const [key, name] of Object.entries(FILE_NAMES)) {
      const path = `${folder}/${name}`;
      const text = await this.#optional(reference, path, needed.includes(key));
      if (typeof text === "object") return text;
      if (text === undefined) continue;
      texts[key] = text;
      paths[key] = path;
      // the first file decides which others are needed
      if (key === "object") needed = NEEDED_TEXTS[formatOf(text)];
    }
    // the cast is safe: every needed text is present
    return parseObjects(texts as unknown as ObjectTexts, { files: paths });
  }

  /** Reads a file of a folder. Returns undefined if the file does not exist and is not needed. */
  async #optional(reference: Reference, path: string, isNeeded: boolean): Promise<string | Refused | undefined> {
    try {
      const text = await this.#read(path);
      return text === undefined && isNeeded ? await failMissing(path) : text;
    } catch (cause) {
      return this.#unreadable(reference, "files", cause);
    }
  }

  async #text(reference: Reference, field: string): Promise<string | Refused> {
    const file = this.#place(reference, field);
    return typeof file === "string" ? this.#textAt(reference, field, file) : file;
  }

  async #textAt(reference: Reference, field: string, path: string): Promise<string | Refused> {
    try {
      return (await this.#read(path)) ?? failMissing(path);
    } catch (cause) {
      return this.#unreadable(reference, field, cause);
    }
  }

  #pathOf({ fields }: Reference, field: string): string {
    return `${this.#folder}${fields[field]}`;
  }

  /** Returns the path of a file, or an issue if the path leads out of the folder of the world. */
  #place(reference: Reference, field: string): string | Refused {
    const given = String(reference.fields[field]);
    const expected = filePathFlaw(given);
    if (expected === undefined) return this.#pathOf(reference, field);
    const remedy = "Write the path from the folder of the world's file, with / between its parts";
    return this.#refused(reference, field, { problem: "invalid path of a file", got: given, expected, remedy });
  }

  #unreadable(reference: Reference, field: string, cause: unknown): Refused {
    const problem = `a file of the source cannot be read (${reasonOf(cause)})`;
    return this.#refused(reference, field, { problem, got: reference.fields[field] });
  }

  #refused({ path }: Reference, field: string, finding: Finding): Refused {
    const where = { file: this.#file, path: `${path}.${field}` };
    return { spec: undefined, issues: [error("world.spec", { ...finding, where })] };
  }
}

interface Refused {
  readonly spec: undefined;
  readonly issues: readonly Issue[];
}

/** Matches the path of a content's field that names a source, or a part of a source. */
const CONTENT_SOURCE = /^placements\[\d+\]\.content\.(?:table|recipe|objects|pools|pool)$/;

function failMissing(path: string): never {
  return fail(error("file.read", { problem: "there is no such file", where: { file: path } }));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
