// Completes fields and values of JSON from the schemas of the package, and words of other texts from their lines.

import { type Completion, type CompletionSource, completeAnyWord } from "@codemirror/autocomplete";
import { getLocation } from "jsonc-parser";
import type { NounKind } from "./work/protocol.js";

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly definitions?: Readonly<Record<string, Schema>>;
}
/** A schema, and the file that its references start from. */
interface Place {
  readonly schema: Schema;
  readonly file: string;
}

const FILES = import.meta.glob<Schema>("../../schemas/*.json", { import: "default" });
/** No alternative of the schemas is nested deeper. */
const MAX_DEPTH = 12;

/** @param kindOf - returns the kind of noun that the text has. */
export function completion(kindOf: () => NounKind | undefined, isJson: boolean): CompletionSource {
  if (!isJson) return completeAnyWord;
  return async ({ state, pos, explicit }) => {
    const { path, isAtPropertyKey, previousNode } = getLocation(state.doc.toString(), pos);
    const isText = previousNode?.type === "string" || previousNode?.type === "property";
    const isInText = isText && pos > previousNode.offset;
    if (!isInText && !explicit) return null;
    const schemas = await loaded();
    const places = placesAt(schemas, `${kindOf()}.json`, isAtPropertyKey ? path.slice(0, -1) : path);
    const options = isAtPropertyKey ? fieldsOf(schemas, places) : valuesOf(places);
    const [from, to] = isInText ? [previousNode.offset, previousNode.offset + previousNode.length] : [pos, pos];
    return { from, to, options };
  };
}

type Schemas = ReadonlyMap<string, Schema>;
let schemas: Promise<Schemas> | undefined;

/** The schemas by the name of their file. They are loaded once, with the first completion. */
function loaded(): Promise<Schemas> {
  schemas ??= Promise.all(
    Object.entries(FILES).map(async ([path, load]) => [path.slice(path.lastIndexOf("/") + 1), await load()] as const),
  ).then((all) => new Map(all));
  return schemas;
}

/** The schemas of the value at a path. */
function placesAt(schemas: Schemas, file: string, path: readonly (string | number)[]): Place[] {
  const root = schemas.get(file);
  if (root === undefined) return [];
  return path.reduce(
    (places, key) => places.flatMap((place) => alternativesOf(schemas, { ...place, schema: below(place.schema, key) })),
    alternativesOf(schemas, { schema: root, file }),
  );
}

function below({ properties, additionalProperties, items }: Schema, key: string | number): Schema {
  if (typeof key === "number") return items ?? {};
  return properties?.[key] ?? (typeof additionalProperties === "object" ? additionalProperties : {});
}

function alternativesOf(schemas: Schemas, { schema, file }: Place, depth = 0): Place[] {
  if (depth > MAX_DEPTH) return [];
  const { $ref = "", oneOf = [], anyOf = [], allOf = [] } = schema;
  const [, other, name] = /^([\w.]*)#\/definitions\/(.*)$/.exec($ref) ?? [];
  const referred = { file: other || file, schema: schemas.get(other || file)?.definitions?.[name] ?? {} };
  const others = [...oneOf, ...anyOf, ...allOf].map((one) => ({ file, schema: one }));
  if (name !== undefined) others.push(referred);
  return [{ schema, file }, ...others.flatMap((one) => alternativesOf(schemas, one, depth + 1))];
}

function fieldsOf(schemas: Schemas, places: readonly Place[]): Completion[] {
  const fields = places.flatMap(({ schema: { properties = {} }, file }) =>
    Object.entries(properties).map(([name, schema]) => [name, { schema, file }] as const),
  );
  return Array.from(new Map(fields), ([name, place]) => {
    const described = alternativesOf(schemas, place).find(({ schema }) => schema.description !== undefined);
    return { label: JSON.stringify(name), type: "property", info: described?.schema.description ?? "" };
  });
}

function valuesOf(places: readonly Place[]): Completion[] {
  const values = places.flatMap(({ schema }) => [...(schema.enum ?? []), ...("const" in schema ? [schema.const] : [])]);
  return Array.from(new Set(values.map((value) => JSON.stringify(value))), (label) => ({ label, type: "enum" }));
}
