import { type Issue, issueWithin, RollmillError } from "../../errors/index.js";
import type { ObjectFiles, ObjectTexts } from "../../objects/index.js";
import type { PoolsInput, PoolsSpec } from "../../pools/index.js";
import type { RecipeInput, TablesInput } from "../../recipes/index.js";
import {
  type Fields,
  type InputOf,
  isObject,
  isParsed,
  type OptionalShape,
  optional,
  type Parsed,
  record,
  type SpecReader,
  shape,
  unread,
} from "../../spec/index.js";
import type { DropsInput, DropsSpec, TableSource, TableSpec } from "../../tables/index.js";
import { type ContentSystems, systemMissing } from "../contentSystems.js";
import type { SourceSpecs } from "../types.js";

const PATH = unread<string>({ type: "string" });
/** A source that names files. {@link loadWorld} reads the files, and replaces this object by the source. */
export const FILE = record({
  /** Path of the file, from the folder of this document. */
  file: PATH,
});
/** A source, or a child world, in a file. Its path begins in the folder of this document. */
export interface SourceFile extends InputOf<typeof FILE> {}
export const RECIPE_FILE = record({
  /** Path of the recipe, from the folder of this document. */
  file: PATH,
  /** Path of a folder with a CSV file for each table, or of a JSON file with all tables. */
  tables: PATH,
});
export interface RecipeFile extends InputOf<typeof RECIPE_FILE> {}
export const EDIT_FILES = record({
  /** Path of the folder, from the folder of this document. */
  files: PATH,
});
export interface EditFiles extends InputOf<typeof EDIT_FILES> {}
export const RECIPE_WITH_WORDS = record({
  /** The recipe, or the name of a shipped recipe. */
  recipe: shape<RecipeInput, unknown>((_, at) => at.value, { type: ["string", "object"] }),
  /** The word tables. */
  tables: optional(shape<TablesInput, unknown>((_, at) => at.value, { type: "object" })),
});
export interface RecipeWithWords extends InputOf<typeof RECIPE_WITH_WORDS> {}
const EDIT_TEXTS = { type: "object", required: ["object"], additionalProperties: { type: "string" } };

/** Sources by name. {@link readSources} reads them with the parsers of their systems. */
/* @__NO_SIDE_EFFECTS__ */
function named<Input>(...forms: readonly object[]): OptionalShape<Readonly<Record<string, Input>>, unknown> {
  return optional(shape((_, at) => at.value, { type: "object", additionalProperties: { anyOf: forms } }));
}

export const SOURCES = record({
  /** Tables by name: the text of a file, a table, or `{"file": …}`. Default: none. */
  tables: named<TableSource | TableSpec>({ type: "string" }, FILE, { $ref: "table.json" }),
  /** Drops by name: drops, or `{"file": …}`. Default: none. */
  drops: named<DropsInput | DropsSpec>(FILE, { $ref: "drops.json" }),
  /**
   * Recipes by name: the name of a shipped recipe, a recipe, a recipe with its words, or `{"file": …, "tables": …}`.
   * Default: none.
   */
  recipes: named<RecipeInput | { readonly recipe: RecipeInput; readonly tables: TablesInput }>(
    { type: "string" },
    RECIPE_FILE,
    RECIPE_WITH_WORDS,
    { $ref: "recipe.json" },
  ),
  /** Edit files by name: `{"files": folder}`, or their texts. Default: none. */
  objects: named<ObjectTexts | ObjectFiles>(EDIT_FILES, EDIT_TEXTS),
  /** Families of pools by name: a family, the text of a CSV file, or `{"file": …}`. Default: none. */
  pools: named<PoolsInput | PoolsSpec | string>(FILE, { type: "string" }, { $ref: "pools.json" }),
});

/** A source with errors has the value undefined, so that a content that names this source does not get an error too. */
export type ReadSources = {
  readonly [K in keyof SourceSpecs]: SourceSpecs[K] extends ReadonlyMap<string, infer Spec>
    ? ReadonlyMap<string, Spec | undefined>
    : never;
};

/** Returns the errors that `parse` throws: the parser of recipes throws for an unknown name of a shipped recipe. */
function parsedBy<T>(parse: () => T): T | ReturnType<typeof refused> {
  try {
    return parse();
  } catch (cause) {
    return refused(cause);
  }
}

export function refused(cause: unknown): { readonly spec: undefined; readonly issues: readonly Issue[] } {
  if (cause instanceof RollmillError) return { spec: undefined, issues: cause.issues };
  throw cause;
}

/** Reads the sources with the parsers of `systems`. */
export function readSources(reader: SpecReader, fields: Fields, systems: ContentSystems): ReadSources {
  const { tables, drops, recipes, objects, pools } = systems;
  // a text in the spec is the text of a whole file: the extension of the world's file must not decide its format
  const fileOf = (input: unknown) => (typeof input === "string" ? undefined : reader.file);
  const read = <Spec>(list: keyof SourceSpecs, parse: (input: unknown, name: string) => Parsed<Spec> | undefined) => {
    const specs = new Map<string, Spec | undefined>();
    const at = fields.get(list);
    if (at.value === undefined) return specs;
    const entries = reader.record(at, "an object that maps names to sources");
    const noun = systems[list]?.noun;
    if (noun === undefined && entries.keys.length > 0) reader.report(at, systemMissing(list));
    for (const name of entries.keys) {
      const { value, path } = entries.get(name);
      const isRead = noun !== undefined && isParsed(noun, value);
      // the cast is safe: only the parser of this noun marks a spec as parsed
      const { spec, issues = [] } = isRead ? { spec: value as Spec } : (parsedBy(() => parse(value, name)) ?? {});
      for (const issue of issues) reader.add(issueWithin(path, issue));
      specs.set(name, spec);
    }
    return specs;
  };
  return {
    tables: read("tables", (input, name) => tables?.parse(input, { name, file: fileOf(input) })),
    drops: read("drops", (input, name) =>
      drops?.parse(input, { name, file: fileOf(isObject(input) ? input.table : undefined) }),
    ),
    recipes: read("recipes", (input, name) => {
      const { recipe, tables: words } = recipeAndWords(input);
      return recipes?.parse(recipe, { name, file: reader.file, tables: words });
    }),
    objects: read("objects", (input, name) => objects?.parse(input, { name })),
    pools: read("pools", (input, name) => pools?.parse(input, { name, file: fileOf(input) })),
  };
}

/** Reads the name of a shipped recipe, a recipe, or an object with a recipe and its word tables. */
function recipeAndWords(input: unknown): { readonly recipe: unknown; readonly tables?: never } {
  const isPair = typeof input === "object" && input !== null && Object.hasOwn(input, "recipe");
  return isPair ? (input as { recipe: unknown; tables?: never }) : { recipe: input };
}
