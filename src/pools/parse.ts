import { readJsonText } from "../formats/read/json.js";
import { Field, type Fields, type Parsed, readOptions, SpecReader, specOf } from "../spec/index.js";
import { readPoolsCsv } from "./parse/csv.js";
import { type ListRules, readList } from "./parse/records.js";
import { activePart, nameFlaw } from "./path.js";
import {
  type ActivePart,
  type ListSpec,
  MAX_DEPTH,
  type PoolKind,
  type PoolSpec,
  type PoolsOptions,
  type PoolsSpec,
  type RootSpec,
} from "./types.js";

/**
 * Reads a family of pools from an untrusted object, or from the text of a CSV or JSON file. A text that begins with a
 * brace is JSON. Cost: O(records).
 *
 * Error cases: `pool.spec` (a missing, unknown or invalid field), `pool.record`, `pool.mass`, `pool.quantity`,
 * `pool.star` (a rule without a star), `pool.active`, `pool.cycle`, `file.json`. `mill.pools` finds the errors that
 * involve several pools, such as a record of a subpool that the root lacks.
 */
export function parsePools(input: unknown, options: PoolsOptions = {}): Parsed<PoolsSpec> {
  const { file } = readOptions("parsePools", options, ["file"]);
  if (typeof input === "string") return parseText(input, file);
  const reader = new SpecReader({ noun: "pools", code: "pool.spec", file, isDocument: true });
  return reader.run(input, (at) => readSpec(reader, at));
}

function parseText(text: string, file: string | undefined): Parsed<PoolsSpec> {
  if (/\.json$/i.test(file ?? "") || /^[\s\ufeff]*\{/.test(text)) {
    const read = readJsonText(text, { file });
    return "issue" in read ? { spec: undefined, issues: [read.issue] } : parsePools(read.value, { file });
  }
  const { input, issues } = readPoolsCsv(text, file);
  if (input === undefined) return { spec: undefined, issues };
  const parsed = parsePools(input, { file });
  return { spec: parsed.spec, issues: [...issues, ...parsed.issues] };
}

export function parseRoot(input: unknown): RootSpec {
  const reader = readerOf("root pool");
  return specOf(reader.run(input, (at) => readRoot(reader, at)));
}

export function parseRecords(input: unknown, rules: ListRules): ListSpec {
  const reader = readerOf("records");
  return specOf(reader.run(input, (at) => readList(reader, new Field(input, at, "records"), rules)));
}

/** @throws RollmillError `pool.active`. */
export function parseActive(input: unknown): readonly ActivePart[] {
  const reader = readerOf("active setting");
  return specOf(reader.run(input, (at) => readActive(reader, new Field(input, at, "active"))));
}

function readerOf(noun: string): SpecReader {
  return new SpecReader({ noun, code: "pool.spec" });
}

function readSpec(reader: SpecReader, at: Field): PoolsSpec {
  const fields = fieldsOf(reader, at, ["roots", "rules", "active"]);
  const roots = new Map<string, RootSpec>();
  const active = new Map<string, readonly ActivePart[]>();
  if (fields === undefined) return { file: reader.file, roots, rules: [], active };
  for (const [name, root] of entriesOf(reader, fields.get("roots"))) {
    checkName(reader, root, name);
    roots.set(name, readRoot(reader, root));
  }
  if (fields.has("active")) {
    for (const [name, parts] of entriesOf(reader, fields.get("active"))) active.set(name, readActive(reader, parts));
  }
  return { file: reader.file, roots, rules: readRules(reader, fields.get("rules"), roots), active };
}

function readActive(reader: SpecReader, at: Field): ActivePart[] {
  const parts = reader.list(at, { most: MAX_DEPTH, of: "parts", code: "pool.active" });
  return parts.map((part) => {
    const { value } = part;
    if (activePart(value) === undefined) {
      const expected = "the name of a subpool, or its number from 1";
      const problem = "invalid part of the active setting";
      reader.report(part, { problem, got: value, expected }, "pool.active");
    }
    return value as ActivePart;
  });
}

function readRules(reader: SpecReader, at: Field, roots: ReadonlyMap<string, RootSpec>): PoolsSpec["rules"] {
  return reader.list(at, { optional: true, of: "rules" }).map((rule) => {
    const fields = reader.fields(rule, ["path", "records"]);
    const { value } = fields.get("path");
    const path = typeof value === "string" ? value : "";
    const [root, ...parts] = path.split(".");
    if (!parts.includes("*")) {
      const remedy = 'Use a path with "*", or list these records in their pool under "roots"';
      reader.report(fields.get("path"), { problem: 'the path of a rule has no "*"', got: value, remedy }, "pool.star");
    }
    const kind = roots.get(root)?.kind ?? "finite";
    return { at: rule.path, path, list: readList(reader, fields.get("records"), { kind, quantities: true }) };
  });
}

function readRoot(reader: SpecReader, at: Field): RootSpec {
  const fields = fieldsOf(reader, at, ["kind", "refill", "records", "subpools"]);
  const kind = fields === undefined ? "finite" : reader.choice(fields.get("kind"), ["finite", "infinite"]);
  const refill = fields?.has("refill") !== true || reader.flag(fields.get("refill"));
  if (!refill && kind === "infinite" && fields !== undefined) {
    reader.report(fields.get("refill"), { problem: "an infinite pool never needs a refill", remedy: "Remove refill" });
  }
  return { ...readPool({ reader, kind, around: [] }, at, fields), kind, refill };
}

interface Reading {
  readonly reader: SpecReader;
  readonly kind: PoolKind;
  /** The `subpools` values around the value that is being read, outermost first. A value may contain itself. */
  readonly around: readonly unknown[];
}

function readPool({ reader, kind, around }: Reading, at: Field, fields: Fields | undefined): PoolSpec {
  const records = fields?.get("records") ?? new Field(undefined, at, "records");
  const list = readList(reader, records, { kind, quantities: around.length === 0 });
  const subpools = fields?.get("subpools");
  if (subpools?.value === undefined || !isAllowed(reader, subpools, around))
    return { path: at.path, list, subpools: [] };
  const inner: Reading = { reader, kind, around: [...around, subpools.value] };
  const read = (pool: Field) => readPool(inner, pool, fieldsOf(reader, pool, ["records", "subpools"]));
  if (Array.isArray(subpools.value)) {
    const pools = reader.list(subpools, { of: "subpools" });
    return { path: at.path, list, subpools: pools.map((pool) => ({ name: undefined, pool: read(pool) })) };
  }
  const named = entriesOf(reader, subpools).map(([name, pool]) => {
    checkName(reader, pool, name);
    return { name, pool: read(pool) };
  });
  return { path: at.path, list, subpools: named };
}

function isAllowed(reader: SpecReader, at: Field, around: readonly unknown[]): boolean {
  if (around.includes(at.value)) {
    const remedy = "Remove this subpool, because a pool cannot be among its own subpools";
    reader.report(at, { problem: "a pool contains itself", remedy }, "pool.cycle");
    return false;
  }
  if (around.length < MAX_DEPTH) return true;
  reader.report(at, { problem: "the subpools are nested too deep", expected: `at most ${MAX_DEPTH} levels` });
  return false;
}

function fieldsOf(reader: SpecReader, at: Field, known: readonly string[]): Fields | undefined {
  const fields = reader.fields(at, known);
  return typeof at.value === "object" && at.value !== null && !Array.isArray(at.value) ? fields : undefined;
}

function entriesOf(reader: SpecReader, at: Field): (readonly [name: string, field: Field])[] {
  const fields = reader.record(at, "an object whose keys are names");
  return fields.keys.map((name) => [name, fields.get(name)] as const);
}

function checkName(reader: SpecReader, at: Field, name: string): void {
  const expected = nameFlaw(name);
  if (expected !== undefined) reader.report(at, { problem: "invalid name", got: name, expected });
}
