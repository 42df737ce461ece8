import { issueWithin } from "../../errors/index.js";
import { objects as objectSystem } from "../../objects/index.js";
import { pools as poolSystem } from "../../pools/index.js";
import { recipes as recipeSystem } from "../../recipes/index.js";
import { type Field, type Fields, isParsed, type Parsed, type SpecReader } from "../../spec/index.js";
import { tables as tableSystem } from "../../tables/index.js";
import type { SourceSpecs } from "../types.js";

export const SOURCE_KEYS = ["tables", "recipes", "objects", "pools"] as const;

/** A source with errors has the value undefined, so that a content that names it gets no error of its own. */
export type ReadSources = {
  readonly [K in keyof SourceSpecs]: SourceSpecs[K] extends ReadonlyMap<string, infer Spec>
    ? ReadonlyMap<string, Spec | undefined>
    : never;
};

export function soundSources({ tables, recipes, objects, pools }: ReadSources): SourceSpecs {
  return { tables: sound(tables), recipes: sound(recipes), objects: sound(objects), pools: sound(pools) };
}

function sound<Spec>(specs: ReadonlyMap<string, Spec | undefined>): ReadonlyMap<string, Spec> {
  return new Map([...specs].flatMap(([name, spec]) => (spec === undefined ? [] : [[name, spec] as const])));
}

interface Parser<Spec> {
  readonly noun: string;
  parse(input: unknown, options: { readonly name: string; readonly file?: string | undefined }): Parsed<Spec>;
}

export function readSources(reader: SpecReader, fields: Fields): ReadSources {
  const { file } = reader;
  return {
    tables: readEach(reader, fields.get("tables"), {
      noun: "table",
      // a text in the spec is the text of a whole table file: the extension of the world's file must not decide its
      // format
      parse: (input, { name }) =>
        tableSystem.parse(input, { name, file: typeof input === "string" ? undefined : file }),
    }),
    recipes: readEach(reader, fields.get("recipes"), { noun: "recipe", parse: parseRecipe }),
    objects: readEach(reader, fields.get("objects"), {
      noun: "objects",
      parse: (input, { name }) => objectSystem.parse(input, { name }),
    }),
    pools: readEach(reader, fields.get("pools"), {
      noun: "pools",
      parse: (input, { name }) => poolSystem.parse(input, { name, file: typeof input === "string" ? undefined : file }),
    }),
  };
}

function readEach<Spec>(reader: SpecReader, at: Field, { noun, parse }: Parser<Spec>): Map<string, Spec | undefined> {
  const specs = new Map<string, Spec | undefined>();
  if (at.value === undefined) return specs;
  const entries = reader.record(at, "an object that maps names to sources");
  for (const name of entries.keys) {
    const entry = entries.get(name);
    // the cast is safe: only the parser of this noun marks a spec as parsed
    const parsed = isParsed(noun, entry.value)
      ? { spec: entry.value as Spec, issues: [] }
      : parse(entry.value, { name, file: reader.file });
    for (const issue of parsed.issues) reader.add(issueWithin(entry.path, issue));
    specs.set(name, parsed.spec);
  }
  return specs;
}

/** Reads the name of a shipped recipe, a recipe, or an object with a recipe and its word tables. */
function parseRecipe(input: unknown, { name, file }: { readonly name: string; readonly file?: string | undefined }) {
  const isPair = typeof input === "object" && input !== null && Object.hasOwn(input, "recipe");
  const { recipe, tables: words } = isPair
    ? (input as { recipe: unknown; tables?: never })
    : { recipe: input, tables: undefined };
  return recipeSystem.parse(recipe, { name, file, tables: words });
}
