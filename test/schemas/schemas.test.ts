import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Field, SpecReader } from "../../src/spec/reader.js";
import { IS_SOAK } from "../soak.js";
import { changeOf } from "./changes.js";
import { type Checked, SCHEMAS } from "./schemas.js";

const root = new URL("../../", import.meta.url);
const cases = SCHEMAS.map((one) => [one.name, one] as const);

test("every schema of the package is checked", () => {
  const names = readdirSync(new URL("schemas", root)).map((file) => file.replace(/\.json$/, ""));
  expect(SCHEMAS.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
});

test.each([
  ["list", "examples/loot.json"],
  ["walk", "examples/walk.json"],
  ["pools", "examples/pools.json"],
  ["recipe", "examples/armory/charm.json"],
  ["limit", "examples/limit.json"],
  ["drops", "examples/orc.json"],
  ["world", "examples/coast.json"],
  ["job", "examples/job.json"],
])("the %s of %s names its schema", (name, path) => {
  const { $schema } = JSON.parse(readFileSync(new URL(path, root), "utf8"));
  expect(new URL($schema, new URL(path, root)).href).toBe(new URL(`schemas/${name}.json`, root).href);
});

describe.each(cases)("%s", (_, one) => {
  const { validate, parse, documents } = one;

  test("the schema and the parser accept the examples", () => {
    for (const document of documents) {
      expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
      expect(parse(document)).toEqual([]);
    }
  });

  test("the documents have every field of the schema", () => {
    // files are read before a document is parsed: the test of worlds below has them
    const found = new Set([...keysOf(documents), "file", "files"]);
    expect(propertiesOf(one.schema).filter((name) => !found.has(name))).toEqual([]);
  });

  test("$schema of the document must be a text", () => {
    const [document] = documents.filter((value) => !Array.isArray(value));
    for (const $schema of ["x", 5, null, {}]) {
      const changed = { ...(document as object), $schema };
      expect([validate(changed), parse(changed).length === 0], `${$schema}`).toEqual([
        $schema === "x",
        $schema === "x",
      ]);
    }
  });

  test("the schema refuses what the parser refuses", () => {
    fc.assert(
      fc.property(changeOf(documents), (change) => {
        const { document, path, kind } = change;
        const [accepts, issues] = [validate(document), parse(document)];
        const context = `${kind} at ${path}: ${JSON.stringify(document)} ${JSON.stringify(validate.errors)}`;
        // a schema that refuses a valid document would mark it as wrong in an editor
        const isRelated = one.related.test(`${kind} ${path}`);
        if (issues.length === 0 && !(["world", "job"].includes(one.name) && isRelated))
          expect(accepts, context).toBe(true);
        const issue = issues.find(({ where }) => where?.path === path);
        if (issue !== undefined && !isRelated) {
          expect(accepts, `${context} ${issue.message}`).toBe(false);
        }
      }),
      { numRuns: IS_SOAK ? 500 : 125, seed: 5 },
    );
  });
});

test("the schema of worlds accepts files as sources", () => {
  const world = SCHEMAS.find(({ name }) => name === "world");
  const document = JSON.parse(readFileSync(new URL("examples/coast.json", root), "utf8"));
  expect(world?.validate(document), JSON.stringify(world?.validate.errors)).toBe(true);
  expect(world?.validate({ ...document, tables: { loot: { file: 5 } } })).toBe(false);
});

/** Worlds and drops contain documents of other schemas. Limits and words are not read by `fields`. */
const OTHERS = ["limit", "words", "world", "drops"];

describe.each(cases.filter(([name]) => !OTHERS.includes(name)))("%s: fields", (_, one) => {
  test("the schema has the fields that the parser reads, and no others", () => {
    expect([...fieldsRead(one), ...one.otherFields].toSorted()).toEqual([...fieldsOf(one.schema)].toSorted());
  });
});

test("world: the parser reads every field of the schema", () => {
  const [world] = SCHEMAS.filter(({ name }) => name === "world");
  const read = fieldsRead(world);
  // `loadWorld` reads the fields of files; the others restrict a grid, and names of layers
  const known = ["file", "file,tables", "files", "recipe,tables", "all,any,chance,not", "kind", "name"];
  expect([...fieldsOf(world.schema)].filter((fields) => !read.has(fields) && !known.includes(fields))).toEqual([]);
});

/** The sets of keys that a parser allows in the objects of some documents. */
function fieldsRead({ documents, parse }: Checked): ReadonlySet<string> {
  const found = new Set<string>();
  const { fields } = SpecReader.prototype;
  const spy = vi.spyOn(SpecReader.prototype, "fields").mockImplementation(function (
    this: SpecReader,
    at: Field,
    known: readonly string[],
  ) {
    found.add(known.toSorted().join());
    return fields.call(this, at, known);
  });
  onTestFinished(() => spy.mockRestore());
  for (const document of documents) parse(document);
  return found;
}

/**
 * The sets of keys of the objects in a schema. The alternatives of one object count as one set, unless they are
 * definitions of their own.
 */
function fieldsOf(schema: unknown): ReadonlySet<string> {
  if (typeof schema !== "object" || schema === null) return new Set();
  const { properties, oneOf, ...others } = schema as {
    readonly properties?: object;
    readonly oneOf?: readonly object[];
  };
  const alternatives = (oneOf ?? []).flatMap((one) => ("properties" in one ? [one.properties as object] : []));
  const lists = properties === undefined ? alternatives : [properties];
  const keys = new Set(lists.flatMap(Object.keys).filter((key) => key !== "$schema"));
  const inner = [others, ...(oneOf ?? []).filter((one) => !("properties" in one)), ...lists];
  return new Set([
    ...(keys.size === 0 ? [] : [[...keys].toSorted().join()]),
    ...inner.flatMap((one) => Object.values(one).flatMap((part) => [...fieldsOf(part)])),
  ]);
}

/** The names of all fields of a value, at any depth. */
function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysOf)];
}

/** The names of all properties that a schema describes, at any depth. */
function propertiesOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = Array.isArray(schema) ? undefined : (schema as { readonly properties?: object }).properties;
  return [...Object.keys(own ?? {}), ...Object.values(schema).flatMap(propertiesOf)];
}
