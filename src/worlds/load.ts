import { reasonOf } from "../calls/index.js";
import { error, type Finding, fail, type Issue, issueWithin, RollmillError } from "../errors/index.js";
import { readJsonText } from "../formats/read/json.js";
import { FILE_NAMES, type ObjectFiles, type ObjectTexts, parseObjects } from "../objects/index.js";
import { formatOf, NEEDED_TEXTS } from "../objects/parse.js";
import { parsePools } from "../pools/index.js";
import { parseRecipe, parseWordCsv, type RecipeSpec, type TablesInput, type WordInput } from "../recipes/index.js";
import { checkFunction, checkText, filePathFlaw, isObject, type Parsed } from "../spec/index.js";
import { withTable } from "../tables/drops/load.js";
import { loadTable, parseDrops } from "../tables/index.js";
import { readFirst } from "../tables/parse.js";
import { EDIT_FILES, FILE, RECIPE_FILE, refused, SOURCES } from "./parse/sources.js";
import { STAMP } from "./parse/stamps.js";
import { type Nesting, nestingFlaw, outermost } from "./parse/worlds.js";
import { parseWorld } from "./parse.js";
import { readStampMap } from "./stampFiles.js";
import type { WorldSpec } from "./types.js";

/** Returns the text of a file; undefined if the file does not exist. */
export type Read = (file: string) => string | undefined | Promise<string | undefined>;

/**
 * Reads a world from a JSON file. In this file, a source of contents can name files to read:
 *
 * - in `tables`: `{"file": "loot.2da"}` names a 2DA, CSV or JSON file. If the table jumps to more tables, their files
 * are read too.
 * - in `drops`: `{"file": "orc.json"}` names drops, whose `table` can be the path of a table, from the folder of the
 * drops.
 * - in `recipes`: `{"file": "charm.json", "tables": "charm"}` names a recipe and its word tables: a folder with a CSV
 * file for each table, or a JSON file.
 * - in `objects`: `{"files": "armory"}` names a folder of edit files.
 * - in `pools`: `{"file": "pools.json"}` names a JSON or CSV file.
 * - in `stamps`: `{"file": "keep.txt"}` names the map of a stamp: text, CSV, JSON, or a map of Tiled.
 * - in `worlds`: `{"file": "vault.json"}` names the file of a child world, which can name files too.
 *
 * All paths are relative to the folder of the file that names them, and must not lead out of this folder.
 *
 * @param file - the path of the world's file.
 * @param read - returns the text of a file; undefined if the file does not exist. Called first with `file`, then with
 * the path of each further file, which begins with the folder of `file`.
 * @returns the world and issues, like `parseWorld`. If `read` fails for a later file, an issue names the source.
 * @throws RollmillError `argument.type`. If `read` fails for the first file: its RollmillError, or `argument.callback`
 * with any other error as `cause`.
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
  const loaded = await loadSources(first.value, { file, read: readNext, nesting: outermost(), files: [file] });
  if (loaded.spec !== undefined) textsBySpec.set(loaded.spec, { main, files: Object.fromEntries(files) });
  return loaded;
}

/** The texts of a world's files, by their paths relative to the folder of the main file. */
type WorldTexts = Readonly<{ main: string; files: Readonly<Record<string, string>> }>;
const textsBySpec = new WeakMap<WorldSpec, WorldTexts>();

/** Returns the texts from which {@link loadWorld} read a world; undefined for any other spec. */
export function textsOf(spec: WorldSpec): WorldTexts | undefined {
  return textsBySpec.get(spec);
}

/** Reads a file, which must exist. The returned `read` checks that each result is a text or undefined. */
export async function readFirstJson(
  file: string,
  read: Read,
): Promise<{ readonly text: string; readonly value: unknown; readonly read: Read } | { readonly issue: Issue }> {
  checkText("file", file);
  checkFunction("read", read);
  const readText = async (path: string) => {
    const text: unknown = await read(path);
    if (text === undefined || typeof text === "string") return text;
    const finding = { problem: '"read" did not return a text', got: text, expected: "a text, or undefined" };
    return fail(error("argument.callback", { ...finding, where: { file: path } }));
  };
  const text = (await readFirst(file, readText)) ?? fail(missing(file));
  const json = readJsonText(text, { file });
  return "issue" in json ? json : { text, value: json.value, read: readText };
}

/** Returns the folder with the slash at its end; "" for the current folder. */
export function folderOf(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}

const FORMS = {
  tables: FILE,
  drops: FILE,
  recipes: RECIPE_FILE,
  objects: EDIT_FILES,
  pools: FILE,
  worlds: FILE,
  stamps: STAMP,
} as const;
const LISTS = [...SOURCES.keys, "worlds", "stamps"] as const;

/** What the loader knows at a world. */
interface Loading {
  /** The file that contains the world. */
  readonly file: string;
  readonly read: Read;
  readonly nesting: Nesting;
  /** The files of the worlds that contain this world, from the outermost to `file`. */
  readonly files: readonly string[];
}

/** Replaces each source that names files by its spec. Leaves out sources that could not be read. */
async function loadSources(input: unknown, loading: Loading): Promise<Parsed<WorldSpec>> {
  const { file } = loading;
  if (!isObject(input)) return parseWorld(input, { file });
  const issues: Issue[] = [];
  const sources: Record<string, unknown> = {};
  let isWhole = true;
  for (const key of LISTS) {
    const given = input[key];
    if (!isObject(given)) continue;
    const entries = new Map(Object.entries(given));
    for (const [name, source] of Object.entries(given)) {
      if (!isObject(source)) continue;
      const isFile = typeof source[key === "objects" ? "files" : "file"] === "string";
      if (!isFile && key !== "worlds") continue;
      const path = `${key}.${name}`;
      const loaded = await (isFile
        ? new SourceFiles(loading, path, source).load(key).catch(refused)
        : loadInner(source, path, loading));
      issues.push(...loaded.issues);
      isWhole &&= loaded.spec !== undefined;
      entries.set(name, loaded.spec);
    }
    sources[key] = Object.fromEntries([...entries].filter(([, source]) => source !== undefined));
  }
  const parsed = parseWorld({ ...input, ...sources }, { file });
  if (isWhole) return { spec: parsed.spec, issues: [...issues, ...parsed.issues] };
  // leaves out the errors of contents, because a content may name a source that could not be read
  const others = parsed.issues.filter(({ where }) => !CONTENT_SOURCE.test(where?.path ?? ""));
  return { spec: undefined, issues: [...issues, ...others] };
}

/** Loads a child world that is written in the file of its parent. */
async function loadInner(input: unknown, path: string, loading: Loading): Promise<Parsed<WorldSpec>> {
  const { file, nesting } = loading;
  const flaw = nestingFlaw(nesting);
  if (flaw !== undefined) {
    return { spec: undefined, issues: [error("world.spec", { ...flaw, where: { file, path } })] };
  }
  const { spec, issues } = await loadSources(input, { ...loading, nesting: { ...nesting, depth: nesting.depth + 1 } });
  return { spec, issues: issues.map((issue) => (issue.where.file === file ? issueWithin(path, issue) : issue)) };
}

class SourceFiles {
  readonly #loading: Loading;
  readonly #file: string;
  readonly #read: Read;
  readonly #path: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  /** `path` is the path of the entry in the world's file, such as `tables.loot`. */
  constructor(loading: Loading, path: string, fields: Readonly<Record<string, unknown>>) {
    this.#loading = loading;
    this.#file = loading.file;
    this.#read = loading.read;
    this.#path = path;
    this.#fields = fields;
  }

  async load(key: keyof typeof FORMS): Promise<Parsed<unknown>> {
    const known: readonly string[] = FORMS[key].keys;
    const got = Object.keys(this.#fields).find((field) => !known.includes(field));
    if (got !== undefined) this.#refuse(got, { problem: "unknown key", got, expected: known.join(", ") });
    switch (key) {
      case "tables":
        return loadTable(this.#pathOf("file"), this.#needed).catch((cause) => this.#refuseFile("file", cause));
      case "drops":
        return this.#drops();
      case "recipes":
        return this.#recipe();
      case "objects":
        return this.#objects();
      case "pools":
        return parsePools(await this.#text("file"), { file: this.#pathOf("file") });
      case "worlds":
        return this.#world();
      case "stamps":
        return this.#stamp();
    }
  }

  readonly #needed = async (path: string) => (await this.#loading.read(path)) ?? fail(missing(path));

  async #drops(): Promise<Parsed<unknown>> {
    const file = this.#pathOf("file");
    const json = await this.#json("file");
    const input = await withTable(file, json, this.#needed).catch((cause) => this.#refuseFile("file", cause));
    return parseDrops(input, { file });
  }

  /** Returns the stamp with a map in place of its file. */
  async #stamp(): Promise<Parsed<unknown>> {
    const { file: _, map: given, places, ...rest } = this.#fields;
    if (given !== undefined)
      this.#refuse("map", { problem: 'the stamp has "map" and "file"', remedy: "Remove one of them" });
    const read = await readStampMap(await this.#text("file"), this.#pathOf("file"));
    const all = Array.isArray(places) ? [...places, ...read.places] : (places ?? read.places);
    return { spec: { ...rest, map: read.map, places: all }, issues: [] };
  }

  async #world(): Promise<Parsed<WorldSpec>> {
    const { nesting, files } = this.#loading;
    const file = this.#pathOf("file");
    if (files.includes(file)) {
      const remedy = "A world cannot contain itself: remove the child world from one of these files";
      this.#refuse("file", {
        problem: "the files of the worlds form a cycle",
        got: [...files, file].join(", "),
        remedy,
      });
    }
    const flaw = nestingFlaw(nesting);
    if (flaw !== undefined) this.#refuse("file", flaw);
    const inner = { ...nesting, depth: nesting.depth + 1 };
    return loadSources(await this.#json("file"), { ...this.#loading, file, nesting: inner, files: [...files, file] });
  }

  async #json(field: string): Promise<unknown> {
    const json = readJsonText(await this.#text(field), { file: this.#pathOf(field) });
    return "issue" in json ? fail(json.issue) : json.value;
  }

  async #recipe(): Promise<Parsed<unknown>> {
    const json = await this.#json("file");
    const { spec: recipe, issues } = parseRecipe(json, { file: this.#pathOf("file") });
    if (recipe === undefined) return { spec: undefined, issues };
    const words = await this.#words(recipe).catch(refused);
    return { spec: words.spec && { recipe, tables: words.spec }, issues: [...issues, ...words.issues] };
  }

  /** Reads word tables from a JSON file, or from a folder of CSV files. */
  async #words({ steps }: RecipeSpec): Promise<Parsed<TablesInput>> {
    const { tables: place } = this.#fields;
    if (typeof place !== "string") {
      const expected = "a folder of CSV files, or a JSON file";
      return this.#refuse("tables", { problem: "the recipe has no words", expected });
    }
    // the cast is safe: the parser of the world checks the tables
    if (/\.json$/i.test(place)) return { spec: (await this.#json("tables")) as TablesInput, issues: [] };
    const folder = this.#pathOf("tables");
    const names = steps.flatMap((step) => (step.kind === "slots" ? step.slots.map(({ table }) => table) : []));
    const tables: [string, readonly WordInput[]][] = [];
    const issues: Issue[] = [];
    for (const name of new Set(names)) {
      const path = `${folder}/${name}.csv`;
      const { rows, issues: flaws } = parseWordCsv(await this.#text("tables", path), { file: path });
      tables.push([name, rows]);
      issues.push(...flaws);
    }
    return { spec: issues.length === 0 ? Object.fromEntries(tables) : undefined, issues };
  }

  async #objects(): Promise<Parsed<ObjectFiles>> {
    const folder = this.#pathOf("files");
    const texts: Record<string, string> = {};
    const paths: Record<string, string> = {};
    let needed: readonly string[] = ["object"];
    for (const [key, name] of Object.entries(FILE_NAMES)) {
      const path = `${folder}/${name}`;
      const isNeeded = needed.includes(key);
      const text = await (isNeeded ? this.#text("files", path) : this.#optional("files", path));
      if (text === undefined) continue;
      texts[key] = text;
      paths[key] = path;
      // the first file decides which other files are needed
      if (key === "object") needed = NEEDED_TEXTS[formatOf(text)];
    }
    // the cast is safe: every needed text is present
    return parseObjects(texts as unknown as ObjectTexts, { files: paths });
  }

  /** Returns undefined if the file does not exist. */
  async #optional(field: string, path: string): Promise<string | undefined> {
    try {
      return await this.#read(path);
    } catch (cause) {
      return this.#refuseFile(field, cause);
    }
  }

  async #text(field: string, path = this.#pathOf(field)): Promise<string> {
    const text = await this.#optional(field, path);
    return text ?? this.#refuseFile(field, new RollmillError([missing(path)]));
  }

  /** Returns the path of a file. Refuses a path that leads out of the folder of the world. */
  #pathOf(field: string): string {
    const given = String(this.#fields[field]);
    const expected = filePathFlaw(given);
    if (expected === undefined) return `${folderOf(this.#file)}${given}`;
    const remedy = "Write the path from the folder of the world's file, with / between its parts";
    return this.#refuse(field, { problem: "invalid path of a file", got: given, expected, remedy });
  }

  #refuseFile(field: string, cause: unknown): never {
    const problem = `a file of the source cannot be read (${reasonOf(cause)})`;
    return this.#refuse(field, { problem, got: this.#fields[field] });
  }

  #refuse(field: string, finding: Finding): never {
    return fail(error("world.spec", { ...finding, where: { file: this.#file, path: `${this.#path}.${field}` } }));
  }
}

/** The path of a field that names a source, a part of a source, or a child world. */
const CONTENT_SOURCE =
  /^placements\[\d+\]\.(?:contents?\..*\b(?:table|drops|recipe|objects|pools|pool)|enters|stamps\..*)$/;

function missing(file: string): Issue {
  return error("file.read", { problem: "there is no such file", where: { file } });
}
