import type { Issue } from "../errors/index.js";
import { activePart, nameFlaw } from "./path.js";
import { type Report, readList, report, reportKey } from "./records.js";
import {
  type ActivePart,
  type ListSpec,
  MAX_DEPTH,
  type PoolKind,
  type PoolSpec,
  type PoolsSpec,
  type RootSpec,
} from "./types.js";

/**
 * Reads a family of pools from an object, trusting nothing in it. `spec` is there where the issues have no error.
 * Cost: O(records).
 */
export function parsePools(
  input: unknown,
  { file }: { readonly file?: string } = {},
): { spec?: PoolsSpec; issues: readonly Issue[] } {
  const to: Report = { issues: [], file };
  const spec = guarded(to, "", () => readSpec(to, input));
  return spec === undefined || to.issues.length > 0 ? { issues: to.issues } : { spec, issues: to.issues };
}

/** Reads one root; undefined, with issues, where it has errors. */
export function parseRoot(to: Report, path: string, input: unknown): RootSpec | undefined {
  const before = to.issues.length;
  const root = guarded(to, path, () => readRoot(to, path, input));
  return to.issues.length > before ? undefined : root;
}

/** Reads an active setting: the part of each depth. */
export function readActive(to: Report, path: string, value: unknown): ActivePart[] {
  if (Array.isArray(value) && value.length <= MAX_DEPTH) {
    const wrong = value.findIndex((part) => activePart(part) === undefined);
    if (wrong < 0) return Array.from(value as ActivePart[]);
    const expected = "a subpool's name, or its number from 1";
    report(to, "pool.active", `${path}[${wrong}]`, {
      problem: "a part of the active setting is not usable",
      got: value[wrong],
      expected,
    });
    return [];
  }
  const expected = 'a list with the name of each depth, such as ["common", "weapon"]';
  report(to, "pool.active", path, { problem: "the active setting is no list", got: value, expected });
  return [];
}

function readSpec(to: Report, input: unknown): PoolsSpec {
  const fields = readObject(to, "", input, ["roots", "rules", "active"]);
  const roots = new Map<string, RootSpec>();
  for (const [name, value] of entriesOf(to, "roots", fields?.roots, { needed: fields !== undefined })) {
    checkName(to, `roots.${name}`, name);
    roots.set(name, readRoot(to, `roots.${name}`, value));
  }
  const active = new Map<string, readonly ActivePart[]>();
  for (const [name, value] of entriesOf(to, "active", fields?.active, { needed: false })) {
    active.set(name, readActive(to, `active.${name}`, value));
  }
  return { file: to.file, roots, rules: readRules(to, fields?.rules, roots), active };
}

function readRules(to: Report, value: unknown, roots: ReadonlyMap<string, RootSpec>): PoolsSpec["rules"] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    report(to, "pool.spec", "rules", {
      problem: "the rules are no list",
      got: value,
      expected: "a list of {path, records}",
    });
    return [];
  }
  return value.flatMap((entry: unknown, i) => {
    const at = `rules[${i}]`;
    const fields = readObject(to, at, entry, ["path", "records"]);
    if (fields === undefined) return [];
    const { path } = fields;
    if (typeof path !== "string" || !path.split(".").includes("*")) {
      const remedy = "Give a pool without a star its records under roots";
      report(to, "pool.star", `${at}.path`, { problem: "a rule's path has no star", got: path, remedy });
      return [];
    }
    const kind = roots.get(path.split(".")[0])?.kind ?? "finite";
    return [{ at, path, list: readList(to, `${at}.records`, fields.records, { kind, quantities: true }) }];
  });
}

function readRoot(to: Report, path: string, input: unknown): RootSpec {
  const fields = readObject(to, path, input, ["kind", "records", "subpools"]);
  const kind = fields?.kind;
  if (fields !== undefined && kind !== "finite" && kind !== "infinite") {
    const finding = { problem: "a root needs a kind", got: kind, expected: '"finite" or "infinite"' };
    report(to, "pool.spec", `${path}.kind`, finding);
  }
  const reading: Reading = { to, kind: kind === "infinite" ? "infinite" : "finite", around: [] };
  return { ...readPool(reading, path, fields), kind: reading.kind };
}

interface Reading {
  readonly to: Report;
  readonly kind: PoolKind;
  /** The objects around the one that is read. */
  readonly around: readonly unknown[];
}

function readPool({ to, kind, around }: Reading, path: string, fields: Fields | undefined): PoolSpec {
  const quantities = around.length === 0;
  const list: ListSpec = readList(to, `${path}.records`, fields?.records, { kind, quantities });
  const at = `${path}.subpools`;
  const { subpools } = fields ?? {};
  if (subpools === undefined) return { path, list, subpools: [] };
  if (around.includes(subpools)) {
    report(to, "pool.cycle", at, { problem: "a pool is inside itself", remedy: "Pools branch; they have no loops" });
    return { path, list, subpools: [] };
  }
  if (around.length >= MAX_DEPTH) {
    report(to, "pool.spec", at, {
      problem: "the subpools are nested too deep",
      expected: `at most ${MAX_DEPTH} levels`,
    });
    return { path, list, subpools: [] };
  }
  const inner: Reading = { to, kind, around: [...around, subpools] };
  const read = (child: unknown, place: string) =>
    readPool(inner, place, readObject(to, place, child, ["records", "subpools"]));
  if (Array.isArray(subpools)) {
    const pools = Array.from(subpools, (child: unknown, i) => ({ name: undefined, pool: read(child, `${at}[${i}]`) }));
    return { path, list, subpools: pools };
  }
  const named = entriesOf(to, at, subpools, { needed: false }).map(([name, child]) => {
    checkName(to, `${at}.${name}`, name);
    return { name, pool: read(child, `${at}.${name}`) };
  });
  return { path, list, subpools: named };
}

type Fields = Readonly<Record<string, unknown>>;

/** An object's own fields; keys outside `known` are errors. */
function readObject(to: Report, path: string, value: unknown, known: readonly string[]): Fields | undefined {
  const fields = Object.fromEntries(entriesOf(to, path, value, { needed: true, expected: `with ${known.join(", ")}` }));
  for (const key of Object.keys(fields)) {
    if (!known.includes(key)) reportKey(to, path === "" ? key : `${path}.${key}`, key, known);
  }
  return typeof value === "object" && value !== null && !Array.isArray(value) ? fields : undefined;
}

function entriesOf(
  to: Report,
  path: string,
  value: unknown,
  { needed, expected = "by name" }: { readonly needed: boolean; readonly expected?: string },
): [string, unknown][] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
  if (value !== undefined || needed) {
    const problem = path === "" ? "a spec of pools is no object" : `${path} is no object`;
    report(to, "pool.spec", path, { problem, got: value, expected: `an object ${expected}` });
  }
  return [];
}

function checkName(to: Report, path: string, name: string): void {
  const expected = nameFlaw(name);
  if (expected !== undefined) report(to, "pool.spec", path, { problem: "a name is not usable", got: name, expected });
}

// A getter or a proxy may throw: that is one more thing wrong with the input, not a crash.
function guarded<T>(to: Report, path: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (cause) {
    report(to, "pool.spec", path, { problem: "reading the value threw", got: String(cause), expected: "plain data" });
    return undefined;
  }
}
