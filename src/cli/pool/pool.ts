import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { checkRange } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { readJsonText } from "../../formats/read/json.js";
import {
  createMill,
  formatIssue,
  type Mill,
  type Pool,
  type PoolFamily,
  parsePools,
  type RecordId,
} from "../../index.js";
import { checkPools } from "../../pools/index.js";
import { specOf } from "../../spec/index.js";
import { define, type Flags, option } from "../command.js";
import { chanceLine, printBatches, report, reportIssues, rowsBy, withProbability } from "../shared/documents.js";
import { checkOutput, readJson, readText, stemOf, writeOutput } from "../shared/files.js";
import { type Io, note, pathIn, refuse } from "../shared/io.js";
import { forkOf, JSON_DOCUMENT, range, seedOr, source } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";

/** Identifies a file of `--state`. */
const STATE_HEAD = { format: "rollmill-pool-state", version: 1 } as const;

interface SavedStock {
  /** The SHA-256 of the spec. */
  readonly spec: string;
  readonly name: string;
  readonly snapshot: { readonly seed: string };
}

const STATE = option(
  "--state <file>",
  "go on from the stock in this file, and save the new stock there after the draws; a new file begins with full stock",
).conflicts("from");

/**
 * Reads a saved stock. Returns undefined if the file is missing. Throws `snapshot.invalid` for stock of other pools.
 */
async function readState(io: Io, file: string, { text, name }: { readonly text: string; readonly name: string }) {
  await checkOutput(io, file);
  if (!existsSync(pathIn(io, file))) return undefined;
  const saved = await readJson(io, file);
  const refuseState = (problem: string, expected: string) => {
    const remedy = "Use the same spec and name as before, or another file for the state";
    return fail(error("snapshot.invalid", { problem, expected, remedy, where: { file } }));
  };
  if (!isSaved(saved)) return refuseState("not a saved stock", "a file that `pool draw --state` wrote");
  if (saved.name !== name)
    refuseState(`the stock belongs to the name ${JSON.stringify(saved.name)}`, JSON.stringify(name));
  if (saved.spec !== digestOf(text))
    refuseState("the stock belongs to another spec", "the spec of the first draws, unchanged");
  return { seed: saved.snapshot.seed, snapshot: new TextEncoder().encode(JSON.stringify(saved.snapshot)) };
}

function isSaved(value: unknown): value is SavedStock {
  const { format, version, snapshot } = (value ?? {}) as Partial<SavedStock & typeof STATE_HEAD>;
  return format === STATE_HEAD.format && version === STATE_HEAD.version && typeof snapshot?.seed === "string";
}

/** Returns the SHA-256 of a spec. White space outside JSON strings does not change the result. */
function digestOf(text: string): string {
  const read = readJsonText(text);
  return createHash("sha256")
    .update("value" in read ? JSON.stringify(read.value) : text)
    .digest("hex");
}

const DRAWS_PER_WRITE = 2 ** 18;
const SPEC = ["<spec>", '.json or .csv file; "-" is stdin'] as const;
const PATH = ["[path]", "pool, such as i.common.weapon, i.~ or i.*.weapon (default: the only root)"] as const;
export const ACTIVE = option(
  "--active <root=parts>",
  "parts that ~ stands for: with i=rare,weapon, i.~.~ is i.rare.weapon; repeatable",
  active,
);
const FROM =
  "index of the first draw to print; a finite pool first makes the earlier draws, because they change its stock";
const DRAW = [...range("draw", FROM), ACTIVE, ...source("draws"), STATE, JSON_DOCUMENT] as const;
const ODDS = [ACTIVE, JSON_DOCUMENT] as const;
type ActiveFlags = Readonly<Record<string, readonly string[]>>;
type OddsFlags = Flags<typeof ODDS>;

export function addPool(pool: Command, io: Io): void {
  define(pool.command("draw"), io, {
    examples: ["pool draw {examples/pools.json} i.common.weapon -n 5 --seed moria"],
    takes: [SPEC, PATH],
    description: "draw records, from a finite pool without replacement; print one id per line",
    options: DRAW,
    run: (flags, file, path) => draw(io, flags, file, path),
  });
  define(pool.command("odds"), io, {
    examples: ["pool odds {examples/pools.json} i.common.weapon"],
    takes: [SPEC, PATH],
    description: "exact chance of each record in the first draw; independent of the seed",
    options: ODDS,
    async run(flags, file, path) {
      const text = await readText(io, file);
      using mill = createMill({ seed: "" });
      const family = openPools(io, mill, { text, file });
      const { odds: chances } = poolAt(family, path, flags).odds();
      await report(io, flags, {
        head: { command: "pool odds", name: family.name },
        data: () => chances.map(({ result: id, probability }) => ({ id, ...withProbability(probability) })),
        lines: () => chances.map(({ result, probability }) => chanceLine(lineOf(result), probability)),
      });
    },
  });
  define(pool.command("show"), io, {
    examples: ["pool show {examples/pools.json}"],
    takes: [SPEC],
    description: "print the tree of pools with masses, quantities and totals",
    options: [JSON_DOCUMENT],
    async run(flags, file) {
      const text = await readText(io, file);
      using mill = createMill({ seed: "" });
      const family = openPools(io, mill, { text, file });
      const roots = family.roots.map((root) => family.pool(root));
      await report(io, flags, {
        head: { command: "pool show", name: family.name },
        data: () => roots.map(branch),
        lines: () => roots.flatMap((root) => [...tree(root, "", "")]),
      });
    },
  });
  define(pool.command("check"), io, {
    examples: ["pool check {examples/pools.json}"],
    takes: [SPEC],
    description: "list every error and warning, such as pools without a record to draw; exit 2 on an error",
    options: [JSON_DOCUMENT],
    async run(flags, file) {
      const issues = checkPools(await readText(io, file), { file });
      await reportIssues(io, flags, { command: "pool check", name: stemOf(file, "pools"), issues });
    },
  });
}

async function draw(io: Io, flags: Flags<typeof DRAW>, file: string, path: string | undefined): Promise<void> {
  const { n, from, fork, state, name = stemOf(file, "pools") } = flags;
  const text = await readText(io, file);
  const saved = state === undefined ? undefined : await readState(io, state, { text, name });
  const seed = flags.seed ?? saved?.seed;
  using mill = createMill({ seed: seedOr(io, seed), snapshot: saved?.snapshot });
  const family = forkOf(openPools(io, mill, { text, file, name }), flags);
  const pool = poolAt(family, path, flags);
  // checks the arguments before the command prints anything
  checkRange(from, n);
  pool.drawMany(0);
  // each draw from a finite pool changes the stock, so all draws before `from` are made first
  if (pool.kind === "infinite") family.next = from;
  else await withProgress(io, { what: "drawing", unit: "draws" }, (onProgress) => pool.count(from, { onProgress }));
  const first = family.next;
  let refreshed = 0;
  function* batches() {
    for (let done = 0, made = 0; done < n && done === made; done += DRAWS_PER_WRITE) {
      const draws = pool.drawMany(Math.min(DRAWS_PER_WRITE, n - done));
      refreshed += draws.refreshed;
      made += draws.length;
      yield rowsBy(draws, lineOf);
    }
  }
  const head = { command: "pool draw", seed: mill.seed, name, fork, from: first };
  await printBatches(io, flags, { head, batches: batches(), after: () => ({ refreshed }) });
  if (refreshed > 0) note(io, `the pool was empty and refilled before ${refreshed} of the draws`);
  const made = family.next - first;
  if (made < n) note(io, `the pool is exhausted after ${made} draws, and its root does not refill`);
  if (state === undefined) return;
  const saving = JSON.stringify({ ...STATE_HEAD, spec: digestOf(text), name }).slice(0, -1);
  await writeOutput(io, state, `${saving},"snapshot":${new TextDecoder().decode(mill.snapshot())}}\n`);
}

export function openPools(
  io: Io,
  mill: Mill,
  {
    text,
    file,
    name = stemOf(file, "pools"),
  }: { readonly text: string; readonly file: string; readonly name?: string },
): PoolFamily {
  const parsed = parsePools(text, { file });
  const spec = specOf(parsed);
  for (const issue of parsed.issues) note(io, formatIssue(issue));
  return mill.pools(name, spec, { file });
}

export function poolAt(family: PoolFamily, path: string | undefined, { active }: Pick<OddsFlags, "active">): Pool {
  const { roots } = family;
  if (path !== undefined || roots.length === 1) return family.pool(path ?? roots[0], { active });
  const [expected, remedy] = ["a path, because there are several roots", `Begin the path with ${roots.join(" or ")}`];
  return refuse("the path of a pool is missing", { expected, remedy });
}

function branch({ name, kind, total, records, subpools }: Pool): object {
  return { name, kind, total, records, subpools: subpools.map(branch) };
}

/** Yields the lines of a pool and its subpools. The first line begins with `first`, all later lines with `rest`. */
function* tree(pool: Pool, first: string, rest: string): Generator<string, void> {
  const kind = pool.parent === undefined ? ` (${pool.kind})` : "";
  yield `${first}${pool.name}${kind}: total ${pool.total}`;
  const { subpools } = pool;
  const inner = subpools.length > 0 ? `${rest}│ ` : `${rest}  `;
  for (const { id, mass, quantity } of pool.records) {
    const left = quantity === undefined ? "" : `, quantity ${quantity}`;
    yield `${inner}${JSON.stringify(id)}: mass ${mass}${left}`;
  }
  for (const [i, subpool] of subpools.entries()) {
    const last = i === subpools.length - 1;
    yield* tree(subpool, `${rest}${last ? "└ " : "├ "}`, `${rest}${last ? "  " : "│ "}`);
  }
}

function active(text: string, before: ActiveFlags = {}): ActiveFlags {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError("Expected ROOT=PART,PART, such as i=rare,weapon.");
  return Object.fromEntries([...Object.entries(before), [text.slice(0, at), text.slice(at + 1).split(",")]]);
}

/** Characters that end a line or a column, control a terminal, or have no UTF-8 form. */
const UNPRINTABLE = /[\p{Control}\p{Surrogate}\u2028\u2029]/u;

function lineOf(id: RecordId): string {
  const text = String(id);
  return UNPRINTABLE.test(text) ? JSON.stringify(text) : text;
}
