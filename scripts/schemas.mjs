// Writes the JSON Schemas of schemas/ and the tables of fields in docs/formats and docs/jobs.md:
//   node scripts/schemas.mjs            writes them
//   node scripts/schemas.mjs --check    writes nothing; fails if one of them is not up to date
// A schema comes from a shape (src/spec/shapes.ts). Its sentences are the doc comments of the shape's public type. Needs a
// finished build.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { SCHEMAS } from "./schema-list.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGES = [...readdirSync(join(ROOT, "docs/formats")).map((name) => `docs/formats/${name}`), "docs/jobs.md"];
const isCheck = process.argv.includes("--check");

const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
const program = ts.createProgram(
  Object.values(SCHEMAS).flatMap(({ shapes }) =>
    Object.values(shapes).map(([file]) => join(ROOT, "src", `${file}.ts`)),
  ),
  ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT).options,
);
const checker = program.getTypeChecker();
/** Maps the `json` of each shape of SCHEMAS to its schema and its definition there. */
const known = new Map();
for (const [schema, { shapes }] of Object.entries(SCHEMAS)) {
  for (const [i, [definition, [file, name, type]]] of Object.entries(shapes).entries()) {
    const module = await import(pathToFileURL(join(ROOT, "build/modules", `${file}.js`)).href);
    if (module[name] === undefined) throw new Error(`${file} has no shape ${name}`);
    known.set(module[name].json, { schema, definition, isRoot: i === 0, symbol: type && symbolOf(file, type) });
  }
}

/** The symbol of a type that a file of src exports. */
function symbolOf(file, name) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, "src", `${file}.ts`)));
  const symbol = checker.getExportsOfModule(module).find((one) => one.name === name);
  if (symbol === undefined) throw new Error(`${file} exports no type ${name}`);
  return symbol;
}

/** The text of a symbol's doc comment in one line, up to its first tag. */
function sentencesOf(symbol) {
  const parts = symbol?.getDocumentationComment(checker) ?? [];
  return ts
    .displayPartsToString(parts)
    .replaceAll(/\{@link (\w+)\}/g, "`$1`")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** A property of a type, which may be a union in which only some members have it. */
function propertyOf(type, key) {
  const members = type === undefined ? [] : type.isUnion() ? type.types : [type];
  for (const member of members) {
    const symbol = checker.getPropertyOfType(member, key);
    const declared = symbol && checker.getTypeOfSymbol(symbol);
    if (declared !== undefined && !(declared.flags & ts.TypeFlags.Undefined))
      return { symbol, type: checker.getNonNullableType(declared) };
  }
  return {};
}

/** The member of a union whose property `key` has the value `value`. */
function memberOf(type, key, value) {
  return type?.isUnion() ? type.types.find((member) => propertyOf(member, key).type?.value === value) : type;
}

/** The type of the entries of a list, or of an object with any keys. */
function entryOf(type) {
  const members = type === undefined ? [] : type.isUnion() ? type.types : [type];
  for (const member of members) {
    const entry =
      checker.getIndexTypeOfType(member, ts.IndexKind.Number) ??
      checker.getIndexTypeOfType(member, ts.IndexKind.String);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

const isShape = (value) => typeof value === "object" && value !== null && "json" in value && "read" in value;

/** The schema of a shape: a reference if it has a definition. */
function schemaOf(shape, type, from) {
  const place = known.get(shape.json);
  if (place === undefined) return written(shape.json, type, from);
  const document = place.schema === from ? "" : `${place.schema}.json`;
  return { $ref: place.isRoot ? document : `${document}#/definitions/${place.definition}` };
}

function written(json, type, from) {
  const { shape, lazy, fields, oneKey, variants, key, ...others } = json;
  if (shape !== undefined) return schemaOf(shape, type, from);
  if (lazy !== undefined) return schemaOf(lazy(), type, from);
  const rest = Object.fromEntries(
    Object.entries(others).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, nested(value, name, type, from)]],
    ),
  );
  if (fields !== undefined) {
    const required = Object.keys(fields).filter((name) => fields[name].isOptional !== true);
    return {
      type: "object",
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      properties: propertiesOf(fields, type, from),
      ...rest,
    };
  }
  if (oneKey !== undefined) {
    return {
      ...rest,
      oneOf: Object.entries(oneKey).map(([name, value]) => ({
        type: "object",
        required: [name],
        additionalProperties: false,
        properties: propertiesOf({ [name]: value }, type, from),
      })),
    };
  }
  if (variants !== undefined) {
    return {
      ...rest,
      oneOf: Object.entries(variants).map(([name, variant]) => {
        const member = memberOf(type, key, name);
        const { required = [], properties, ...others } = written(variant.json, member, from);
        const description = sentencesOf(member?.symbol);
        const more = { ...(description !== "" && { description }), ...others };
        return { ...more, required: [key, ...required], properties: { [key]: { const: name }, ...properties } };
      }),
    };
  }
  return rest;
}

/** The member of a union that has all fields of a shape; the union itself without such a member. */
function alternativeOf(type, shape) {
  const fields = Object.keys((isShape(shape) && shape.json.fields) || {});
  const members = type?.isUnion() && fields.length > 0 ? type.types : [];
  return members.find((member) => fields.every((field) => checker.getPropertyOfType(member, field))) ?? type;
}

/** Writes a value of a schema: shapes in it become schemas. */
function nested(value, name, type, from) {
  if (isShape(value))
    return schemaOf(value, ["items", "additionalProperties"].includes(name) ? entryOf(type) : type, from);
  if (Array.isArray(value)) {
    const entries = value.map((entry) => nested(entry, "", alternativeOf(type, entry), from));
    // alternatives that have alternatives are written as one list
    return name === "oneOf" ? entries.flatMap((entry) => entry.oneOf ?? [entry]) : entries;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, nested(entry, key, type, from)]));
}

function propertiesOf(fields, type, from) {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      const property = propertyOf(type, key);
      const description = sentencesOf(property.symbol);
      if (description === "") throw new Error(`${from}: the field ${JSON.stringify(key)} has no doc comment`);
      const schema = schemaOf(value, property.type, from);
      return [key, "$ref" in schema ? { description, allOf: [schema] } : { description, ...schema }];
    }),
  );
}

const SCHEMA_KEY = { description: "The address of this schema, for editors.", type: "string" };

/** Adds `$schema` to the schema of a document, which is an object or one of several alternatives. */
function withSchemaKey({ properties, ...others }) {
  if (others.type === "object") return { ...others, properties: { $schema: SCHEMA_KEY, ...properties } };
  return others.oneOf === undefined ? others : { ...others, oneOf: others.oneOf.map(withSchemaKey) };
}

function documentOf(name, { title, description }) {
  const definitions = {};
  let root;
  for (const [json, { schema, definition, isRoot, symbol }] of known) {
    if (schema !== name) continue;
    const schemaOfShape = written(json, symbol && checker.getDeclaredTypeOfSymbol(symbol), name);
    const sentences = sentencesOf(symbol);
    if (isRoot) root = schemaOfShape;
    else definitions[definition] = { ...(sentences !== "" && { description: sentences }), ...schemaOfShape };
  }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: `rollmill/schemas/${name}.json`,
    title,
    description,
    ...withSchemaKey(root),
    ...(Object.keys(definitions).length > 0 && { definitions }),
  };
}

/** The schema of an object, or the alternative which is an object, with a property of the value `kind`. */
function objectOf({ oneOf = [], ...schema }, kind) {
  const isOfKind = (one) => kind === undefined || Object.values(one.properties).some((value) => value.const === kind);
  return schema.properties ? schema : oneOf.find((one) => one.properties && isOfKind(one));
}

/** The rows of a table of fields, from the schema of an object. The key that tells the kind has no description. */
function rowsOf({ properties, required = [] }, keys = Object.keys(properties).filter((key) => key !== "$schema")) {
  const described = keys.filter((key) => "description" in properties[key]);
  return described.map((key) => {
    const text = properties[key].description.replaceAll("|", "\\|");
    return `| \`${key}\` | ${required.includes(key) ? "Required. " : ""}${text} |`;
  });
}

/**
 * Writes the tables of a page. A table stands between `<!-- fields:walk#layer heading -->` and `<!-- /fields -->`, where
 * `#layer` names a definition, and `#step.bonus` its alternative of the kind `bonus`. `=name,grid` after it selects some
 * fields.
 */
function pageWith(page, documents) {
  return page.replaceAll(
    /(<!-- fields:(\w+)(?:#(\w+)(?:\.(\w+))?)?(?:=([\w,]+))? (.*?) -->\n)[\s\S]*?(?=<!-- \/fields -->)/g,
    (_, mark, name, definition, kind, keys, heading) => {
      const schema = definition === undefined ? documents[name] : documents[name].definitions[definition];
      const rows = rowsOf(objectOf(schema, kind), keys?.split(",")).join("\n");
      return `${mark}\n| ${heading} | meaning |\n|---|---|\n${rows}\n\n`;
    },
  );
}

function formatted(path, text) {
  const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
  return execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${path}`], {
    cwd: ROOT,
    input: text,
    encoding: "utf8",
  });
}

const documents = Object.fromEntries(Object.entries(SCHEMAS).map(([name, one]) => [name, documentOf(name, one)]));
const files = {
  ...Object.fromEntries(
    Object.entries(documents).map(([name, one]) => [
      `schemas/${name}.json`,
      formatted(`schemas/${name}.json`, JSON.stringify(one)),
    ]),
  ),
  ...Object.fromEntries(PAGES.map((page) => [page, pageWith(readFileSync(join(ROOT, page), "utf8"), documents)])),
};
const stale = Object.entries(files).filter(([path, text]) => readFileSync(join(ROOT, path), "utf8") !== text);
for (const [path, text] of isCheck ? [] : stale) writeFileSync(join(ROOT, path), text);
console.log(
  stale.length === 0
    ? "the schemas and tables are up to date"
    : stale.map(([path]) => `${isCheck ? "not up to date" : "written"}: ${path}`).join("\n"),
);
if (isCheck && stale.length > 0) {
  console.error("Run `npm run schemas`, which writes them.");
  process.exitCode = 1;
}
