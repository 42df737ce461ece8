import { reasonOf } from "../calls/index.js";
import { error, type Finding, fail, type Issue, RollmillError } from "../errors/index.js";
import { readJsonText } from "../formats/read/json.js";
import { FILE_NAMES, type ObjectFiles, type ObjectTexts, parseObjects } from "../objects/index.js";
import { formatOf, NEEDED_TEXTS } from "../objects/parse.js";
import { parsePools } from "../pools/index.js";
import { parseRecipe, parseWordCsv, type RecipeSpec, type TablesInput, type WordInput } from "../recipes/index.js";
import { checkFunction, checkText, filePathFlaw, isObject, type Parsed } from "../spec/index.js";
import { loadTable } from "../tables/index.js";
import { EDIT_FILES, FILE, RECIPE_FILE, refused, SOURCES } from "./parse/sources.js";
import { parseWorld } from "./parse.js";
import type { WorldSpec } from "./types.js";

/** Returns the text of a file; undefined if there is no such file. */
export type Read = (file: string) => string | undefined | Promise<string | undefined>;

/**
 * Reads a world from a JSON file. In this file, a source of contents can name files to read:
 *
 * - in `tables`: `{"file": "loot.2da"}` names a 2DA, CSV or JSON file. If the table jumps to more tables, their files
 * are read too.
 * - in `recipes`: `{"file": "charm.json", "tables": "charm"}` names a recipe and its word tables: a folder with a CSV
 * file for each table, or a JSON file.
 * - in `objects`: `{"files": "armory"}` names a folder of edit files.
 * - in `pools`: `{"file": "pools.json"}` names a JSON or CSV file.
 *
 * All paths are relative to the folder of the world's file, and must not lead out of this folder.
 *
 * @param file - the path of the world's file.
 * @param read - returns the text of a file; undefined if there is no such file. Called first with `file`, then with the
 * path of each further file, which begins with the folder of `file`.
 * @returns what `parseWorld` returns. If `read` fails for a later file, an issue has the path of the source.
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
  const loaded = await new WorldLoader(file, readNext).load(first.value);
  if (loaded.spec !== undefined) textsBySpec.set(loaded.spec, { main, files: Object.fromEntries(files) });
  return loaded;
}

/** By path relative to the folder of the main file. */
interface WorldTexts {
  readonly main: string;
  readonly files: Readonly<Record<string, string>>;
}

const textsBySpec = new WeakMap<WorldSpec, WorldTexts>();

/** Returns the texts from which {@link loadWorld} read a world; undefined for any other spec. */
export function textsOf(spec: WorldSpec): WorldTexts | undefined {
  return textsBySpec.get(spec);
}

/** The file must exist. The new `read` checks that each result is a text or undefined. */
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

/** With the slash at its end; "" for the current folder. */
export function folderOf(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}

async function readChecked(read: Read, file: string): Promise<string | undefined> {
  const text: unknown = await read(file);
  if (text === undefined || typeof text === "string") return text;
  const problem = '"read" did not return a text';
  return fail(error("argument.callback", { problem, got: text, expected: "a text, or undefined", where: { file } }));
}

async function readFirst(file: string, read: Read): Promise<string> {
  let text: string | undefined;
  try {
    text = await read(file);
  } catch (cause) {
    if (cause instanceof RollmillError) throw cause;
    const problem = `"read" failed (${reasonOf(cause)})`;
    return fail(error("argument.callback", { problem, where: { file } }), cause);
  }
  return text ?? fail(missing(file));
}

const FORMS = { tables: FILE, recipes: RECIPE_FILE, objects: EDIT_FILES, pools: FILE } as const;
type SourceKey = keyof typeof FORMS;

/** An entry of the world's file that names the files of a source. */
interface Reference {
  /** Such as `tables.loot`. */
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

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
    const isWhole = this.#failed.size === 0;
    // leaves out the errors of contents, because a content may name a source that could not be read
    const others = isWhole ? issues : issues.filter(({ where }) => !CONTENT_SOURCE.test(where?.path ?? ""));
    return { spec: isWhole ? spec : undefined, issues: [...this.#issues, ...others] };
  }

  async #resolved(input: Readonly<Record<string, unknown>>): Promise<unknown> {
    const sources: Record<string, unknown> = {};
    for (const key of SOURCES.keys) {
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
    if (!isObject(source) || typeof source[FORMS[key].keys[0]] !== "string") return source;
    const reference = { path: `${key}.${name}`, fields: source };
    const { spec, issues } = await this.#loaded(key, reference).catch(refused);
    this.#issues.push(...issues);
    if (spec === undefined) this.#failed.add(reference.path);
    return spec;
  }

  async #loaded(key: SourceKey, reference: Reference): Promise<Parsed<unknown>> {
    const known: readonly string[] = FORMS[key].keys;
    const unknown = Object.keys(reference.fields).find((field) => !known.includes(field));
    if (unknown !== undefined) {
      this.#refuse(reference, unknown, { problem: "unknown key", got: unknown, expected: known.join(", ") });
    }
    switch (key) {
      case "tables": {
        const file = this.#pathOf(reference, "file");
        const read = async (path: string) => (await this.#read(path)) ?? fail(missing(path));
        return loadTable(file, read).catch((cause) => this.#refuseFile(reference, "file", cause));
      }
      case "recipes":
        return this.#recipe(reference);
      case "objects":
        return this.#objects(reference);
      case "pools": {
        const file = this.#pathOf(reference, "file");
        return parsePools(await this.#text(reference, "file", file), { file });
      }
    }
  }

  async #json(reference: Reference, field: string): Promise<unknown> {
    const file = this.#pathOf(reference, field);
    const json = readJsonText(await this.#text(reference, field, file), { file });
    return "issue" in json ? fail(json.issue) : json.value;
  }

  async #recipe(reference: Reference): Promise<Parsed<unknown>> {
    const json = await this.#json(reference, "file");
    const { spec: recipe, issues } = parseRecipe(json, { file: this.#pathOf(reference, "file") });
    if (recipe === undefined) return { spec: undefined, issues };
    const words = await this.#words(reference, recipe).catch(refused);
    return { spec: words.spec && { recipe, tables: words.spec }, issues: [...issues, ...words.issues] };
  }

  /** From a JSON file, or from a folder of CSV files. */
  async #words(reference: Reference, { steps }: RecipeSpec): Promise<Parsed<TablesInput>> {
    const { tables: place } = reference.fields;
    if (typeof place !== "string") {
      const expected = "a folder of CSV files, or a JSON file";
      return this.#refuse(reference, "tables", { problem: "the recipe has no words", expected });
    }
    // the cast is safe: the parser of the world checks the tables
    if (/\.json$/i.test(place)) return { spec: (await this.#json(reference, "tables")) as TablesInput, issues: [] };
    const folder = this.#pathOf(reference, "tables");
    const names = steps.flatMap((step) => (step.kind === "slots" ? step.slots.map(({ table }) => table) : []));
    const tables: [string, readonly WordInput[]][] = [];
    const issues: Issue[] = [];
    for (const name of new Set(names)) {
      const path = `${folder}/${name}.csv`;
      const { rows, issues: flaws } = parseWordCsv(await this.#text(reference, "tables", path), { file: path });
      tables.push([name, rows]);
      issues.push(...flaws);
    }
    return { spec: issues.length === 0 ? Object.fromEntries(tables) : undefined, issues };
  }

  async #objects(reference: Reference): Promise<Parsed<ObjectFiles>> {
    const folder = this.#pathOf(reference, "files");
    const texts: Record<string, string> = {};
    const paths: Record<string, string> = {};
    let needed: readonly string[] = ["object"];
    for (const [key, name] of Object.entries(FILE_NAMES)) {
      const path = `${folder}/${name}`;
      const isNeeded = needed.includes(key);
      const text = await (isNeeded ? this.#text(reference, "files", path) : this.#optional(reference, "files", path));
      if (text === undefined) continue;
      texts[key] = text;
      paths[key] = path;
      // the first file decides which others are needed
      if (key === "object") needed = NEEDED_TEXTS[formatOf(text)];
    }
    // the cast is safe: every needed text is present
    return parseObjects(texts as unknown as ObjectTexts, { files: paths });
  }

  /** Returns undefined if the file does not exist. */
  async #optional(reference: Reference, field: string, path: string): Promise<string | undefined> {
    try {
      return await this.#read(path);
    } catch (cause) {
      return this.#refuseFile(reference, field, cause);
    }
  }

  async #text(reference: Reference, field: string, path: string): Promise<string> {
    const text = await this.#optional(reference, field, path);
    return text ?? this.#refuseFile(reference, field, new RollmillError([missing(path)]));
  }

  /** Refuses a path that leads out of the folder of the world. */
  #pathOf(reference: Reference, field: string): string {
    const given = String(reference.fields[field]);
    const expected = filePathFlaw(given);
    if (expected === undefined) return `${this.#folder}${given}`;
    const remedy = "Write the path from the folder of the world's file, with / between its parts";
    return this.#refuse(reference, field, { problem: "invalid path of a file", got: given, expected, remedy });
  }

  #refuseFile(reference: Reference, field: string, cause: unknown): never {
    const problem = `a file of the source cannot be read (${reasonOf(cause)})`;
    return this.#refuse(reference, field, { problem, got: reference.fields[field] });
  }

  #refuse({ path }: Reference, field: string, finding: Finding): never {
    return fail(error("world.spec", { ...finding, where: { file: this.#file, path: `${path}.${field}` } }));
  }
}

/** The path of a content's field that names a source, or a part of a source. */
const CONTENT_SOURCE = /^placements\[\d+\]\.content\.(?:table|recipe|objects|pools|pool)$/;

function missing(file: string): Issue {
  return error("file.read", { problem: "there is no such file", where: { file } });
}
