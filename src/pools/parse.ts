import { readJsonText } from "../formats/read/json.js";
import {
  choice,
  Field,
  FLAG,
  type InputOf,
  list,
  namedValues,
  optional,
  type Parsed,
  readOptions,
  record,
  SpecReader,
  shape,
  specOf,
  unread,
  type Values,
} from "../spec/index.js";
import { readPoolsCsv } from "./parse/csv.js";
import { type ListRules, RECORDS, readList } from "./parse/records.js";
import { activePart, NAMES } from "./path.js";
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

const SUBPOOL = unread<SubpoolInput>({ lazy: () => POOL });
const NAMED_SUBPOOLS = namedValues(SUBPOOL, NAMES);
const SUBPOOL_LIST = list(SUBPOOL, { of: "subpools" });
export const SUBPOOLS = unread<{ readonly [name: string]: SubpoolInput } | readonly SubpoolInput[]>({
  oneOf: [NAMED_SUBPOOLS, SUBPOOL_LIST],
});
export const POOL = record({
  /** The records: an id, or `{"id", "mass", "quantity"}`, or `[id, mass, quantity]`. Default: none. */
  records: RECORDS,
  /**
   * An object with the subpools by name, or a list of subpools with numbers instead of names. All pools of the same
   * depth must have subpools of the same names. There are at most 32 depths. Default: none.
   */
  subpools: optional(SUBPOOLS),
});
/** A subpool as a user writes it. Subpools in a list have numbers instead of names. */
export interface SubpoolInput extends InputOf<typeof POOL> {}

export const ROOT = record({
  /** `finite` or `infinite`. An infinite pool has no quantities and is never exhausted. */
  kind: choice(["finite", "infinite"]),
  /**
   * Only in a finite root: whether an exhausted pool of this root refills at its next draw. With false, `draw` throws
   * `pool.exhausted`, and a bulk draw returns fewer results. Default true.
   */
  refill: optional(FLAG, true),
  ...POOL.fields,
});
/** A root pool. It lists all records of its subpools. */
export interface RootInput extends InputOf<typeof ROOT> {}

export const RULE = record({
  /** A path with a star. */
  path: shape<string, string>(readStarPath, { type: "string", pattern: "(^|\\.)\\*(\\.|$)" }),
  /** The records, in the same form as in a pool. Default: none. */
  records: RECORDS,
});
/**
 * A rule: the path `e.*.*.wall` adds a subpool `wall` with these records to every parent, and a path that ends in a
 * star, such as `e.*`, adds the records to every matching pool. Rules also apply to pools that are registered later.
 */
export interface RuleInput extends InputOf<typeof RULE> {}

const PART = shape<ActivePart, ActivePart>(readPart, {
  oneOf: [
    { type: "integer", minimum: 1 },
    { type: "string", pattern: "^(?![~*]$)[^.]+$" },
  ],
});
const ACTIVE = list(PART, { most: MAX_DEPTH, of: "parts", code: "pool.active" });

export const POOLS = record({
  /** The root pools, by name. */
  roots: namedValues(shape<RootInput, RootSpec>(readRoot, ROOT), NAMES),
  /**
   * Paths with stars, and their records. They are applied after all roots are registered. A rule whose path ends in a
   * name adds a subpool of this name to every matching parent. A rule whose path ends in `*` adds the records to every
   * matching pool. Rules also apply to pools that are registered later. Default: none.
   */
  rules: optional(list(RULE, { of: "rules" }), []),
  /**
   * For each root, a list with one part for each depth: the name or number (from 1) that `~` stands for at this depth.
   * Default: none.
   */
  active: optional(namedValues(ACTIVE), new Map()),
});
/** A family of pools, as JSON. */
export interface PoolsInput extends InputOf<typeof POOLS> {}

/**
 * Reads a family of pools from an untrusted object, or from the text of a CSV or JSON file. A text that begins with a
 * brace is JSON. Cost: O(records).
 *
 * Error cases: `pool.spec` (a missing, unknown or invalid field), `pool.record`, `pool.mass`, `pool.quantity`,
 * `pool.star` (a rule without a star), `pool.active`, `pool.cycle`, `file.json`. `mill.pools` finds errors between
 * pools.
 */
export function parsePools(input: unknown, options: PoolsOptions = {}): Parsed<PoolsSpec> {
  const { file } = readOptions("parsePools", options, ["file"]);
  if (typeof input === "string") return parseText(input, file);
  const reader = new SpecReader({ noun: "pools", code: "pool.spec", file, isDocument: true });
  return reader.run(input, (at) => {
    const { roots, rules, active } = POOLS.read(reader, at);
    const lists = rules.map(({ path, records }, i) => {
      const kind = roots.get(path.split(".")[0])?.kind ?? "finite";
      return { at: at.part("rules", i).path, path, list: readList(reader, records, { kind, quantities: true }) };
    });
    return { file, roots, rules: lists, active };
  });
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
  return parsePart("root pool", input, readRoot);
}

export function parseRecords(input: unknown, rules: ListRules): ListSpec {
  return parsePart("records", input, (reader, at) => readList(reader, new Field(input, at, "records"), rules));
}

export function parseActive(input: unknown): readonly ActivePart[] {
  return parsePart("active setting", input, (reader, at) => ACTIVE.read(reader, new Field(input, at, "active")));
}

function parsePart<T extends object>(noun: string, input: unknown, read: (reader: SpecReader, at: Field) => T): T {
  const reader = new SpecReader({ noun, code: "pool.spec" });
  return specOf(reader.run(input, (at) => read(reader, at)));
}

function readPart(reader: SpecReader, at: Field): ActivePart {
  const { value } = at;
  if (activePart(value) === undefined) {
    const expected = "the name of a subpool, or its number from 1";
    const problem = "invalid part of the active setting";
    reader.report(at, { problem, got: value, expected }, "pool.active");
  }
  return value as ActivePart;
}

function readStarPath(reader: SpecReader, at: Field): string {
  const { value } = at;
  const path = typeof value === "string" ? value : "";
  if (!path.split(".").includes("*", 1)) {
    const remedy = 'Use a path with "*", or list these records in their pool under "roots"';
    reader.report(at, { problem: 'the path of a rule has no "*"', got: value, remedy }, "pool.star");
  }
  return path;
}

function readRoot(reader: SpecReader, at: Field): RootSpec {
  const { kind, refill, ...pool } = ROOT.read(reader, at);
  if (!refill && kind === "infinite") {
    const problem = "an infinite pool never needs a refill";
    reader.report(at.part("refill"), { problem, remedy: 'Remove "refill"' });
  }
  return { ...readPool(reader, at, pool, kind), kind, refill };
}

/** @param around - The `subpools` values around the pool, outermost first. A value may contain itself. */
function readPool(
  reader: SpecReader,
  { path }: Field,
  { records, subpools }: Values<typeof POOL.fields>,
  kind: PoolKind,
  around: readonly unknown[] = [],
): PoolSpec {
  const list = readList(reader, records, { kind, quantities: around.length === 0 });
  if (subpools === undefined || !isAllowed(reader, subpools, around)) return { path, list, subpools: [] };
  const inner = [...around, subpools.value];
  const read = (pool: Field) => readPool(reader, pool, POOL.read(reader, pool), kind, inner);
  if (Array.isArray(subpools.value)) {
    const pools = SUBPOOL_LIST.read(reader, subpools);
    return { path, list, subpools: pools.map((pool) => ({ name: undefined, pool: read(pool) })) };
  }
  const named = [...NAMED_SUBPOOLS.read(reader, subpools)];
  return { path, list, subpools: named.map(([name, pool]) => ({ name, pool: read(pool) })) };
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
