import { type Command, InvalidArgumentError, Option } from "commander";
import { checkRange, MAX_INDEX } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import {
  createMill,
  formatIssue,
  type ListedRecord,
  type Mill,
  type Pool,
  type PoolFamily,
  parsePools,
  type RecordId,
} from "../../index.js";
import { checkPools, type PoolKind } from "../../pools/index.js";
import { specOf } from "../../spec/index.js";
import { withExamples } from "../examples.js";
import { chanceText, withProbability } from "../shared/chances.js";
import { printDocument, printList } from "../shared/envelope.js";
import { type ForkFlags, forkOf, forkOption } from "../shared/forks.js";
import { readText, stemOf } from "../shared/inputFile.js";
import { type Io, note, print } from "../shared/io.js";
import { printIssues } from "../shared/issueList.js";
import { countOf, jsonOption, seedOption, seedOr } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { readState, stateOption, writeState } from "./state.js";

const DRAWS_PER_WRITE = 2 ** 18;
const SPEC = ["<spec>", '.json or .csv file; "-" is stdin'] as const;
const PATH = ["[path]", "pool, such as i.common.weapon, i.~ or i.*.weapon (default: the only root)"] as const;

type ActiveFlags = Readonly<Record<string, readonly string[]>>;

interface DrawFlags extends ForkFlags {
  readonly n: number;
  readonly from: number;
  readonly active?: ActiveFlags;
  readonly seed?: string;
  readonly name?: string;
  readonly state?: string;
  readonly json?: boolean;
}

type OddsFlags = Pick<DrawFlags, "active" | "json">;

export function addPool(pool: Command, io: Io): void {
  withExamples(pool.command("draw"), io, "pool draw {examples/pools.json} i.common.weapon -n 5 --seed moria")
    .argument(...SPEC)
    .argument(...PATH)
    .description("draw records, from a finite pool without replacement; print one id per line")
    .option("-n <draws>", "how many draws", countOf(0, MAX_INDEX), 1)
    .option(
      "--from <index>",
      "index of the first draw to print; a finite pool first makes the earlier draws, because they change its stock",
      countOf(0, MAX_INDEX - 1),
      0,
    )
    .addOption(activeOption())
    .addOption(seedOption())
    .option("--name <name>", "draws depend on the seed and this name (default: the file name without extension)")
    .addOption(forkOption())
    .addOption(stateOption())
    .addOption(jsonOption())
    .action((file: string, path: string | undefined, flags: DrawFlags) => draw(io, file, path, flags));
  withExamples(pool.command("odds"), io, "pool odds {examples/pools.json} i.common.weapon")
    .argument(...SPEC)
    .argument(...PATH)
    .description("exact chance of each record in the first draw; independent of the seed")
    .addOption(activeOption())
    .addOption(jsonOption())
    .action((file: string, path: string | undefined, flags: OddsFlags) => odds(io, file, path, flags));
  withExamples(pool.command("show"), io, "pool show {examples/pools.json}")
    .argument(...SPEC)
    .description("print the tree of pools with masses, quantities and totals")
    .addOption(jsonOption())
    .action((file: string, flags: OddsFlags) => show(io, file, flags));
  withExamples(pool.command("check"), io, "pool check {examples/pools.json}")
    .argument(...SPEC)
    .description("list every error and warning, such as pools that can give nothing; exit 2 on an error")
    .addOption(jsonOption())
    .action((file: string, flags: OddsFlags) => check(io, file, flags));
}

async function draw(io: Io, file: string, path: string | undefined, flags: DrawFlags): Promise<void> {
  const { n, from, fork, state, json: asJson } = flags;
  const text = await readText(io, file);
  const name = flags.name ?? stemOf(file, "pools");
  const saved = state === undefined ? undefined : await readState(io, state, { text, name });
  const seed = flags.seed ?? saved?.seed;
  using mill = createMill({ seed: seedOr(io, seed), snapshot: saved?.snapshot });
  const family = forkOf(open(io, mill, { text, file, name }), flags);
  const pool = poolAt(family, path, flags);
  // checks the arguments before the command prints anything
  checkRange(from, n);
  pool.drawMany(0);
  moveTo(io, { family, pool }, from);
  const first = family.next;
  let refreshed = 0;
  function* batches(): Generator<Iterable<RecordId>, void> {
    for (let done = 0, made = 0; done < n && done === made; done += DRAWS_PER_WRITE) {
      const draws = pool.drawMany(Math.min(DRAWS_PER_WRITE, n - done));
      refreshed += draws.refreshed;
      made += draws.length;
      yield draws;
    }
  }
  if (asJson) {
    const head = { command: "pool draw", seed: mill.seed, name, fork, from: first };
    await printList(io, head, batches(), () => ({ refreshed }));
  } else for (const draws of batches()) await print(io, Array.from(draws, (id) => `${lineOf(id)}\n`).join(""));
  if (refreshed > 0) note(io, `the pool was empty and refilled before ${refreshed} of the draws`);
  const made = family.next - first;
  if (made < n) note(io, `the pool is exhausted after ${made} draws, and its root does not refill`);
  if (state !== undefined) await writeState(io, state, { mill, text, name });
}

/** Each draw from a finite pool changes the stock, so all draws before `from` are made first. */
function moveTo(io: Io, { family, pool }: { readonly family: PoolFamily; readonly pool: Pool }, from: number): void {
  if (pool.kind === "infinite") family.next = from;
  else withProgress(io, { what: "drawing", unit: "draws" }, (onProgress) => pool.count(from, { onProgress }));
}

async function odds(io: Io, file: string, path: string | undefined, flags: OddsFlags): Promise<void> {
  const { json: asJson } = flags;
  const text = await readText(io, file);
  using mill = createMill({ seed: "" });
  const family = open(io, mill, { text, file });
  const { odds: chances } = poolAt(family, path, flags).odds();
  if (asJson) {
    const list = chances.map(({ result: id, probability }) => ({ id, ...withProbability(probability) }));
    return printDocument(io, { command: "pool odds", seed: null, name: family.name }, list);
  }
  const lines = chances.map(({ result, probability }) => `${lineOf(result)}\t${chanceText(probability)}\n`);
  await print(io, lines.join(""));
}

async function show(io: Io, file: string, { json: asJson }: OddsFlags): Promise<void> {
  const text = await readText(io, file);
  using mill = createMill({ seed: "" });
  const family = open(io, mill, { text, file });
  const roots = family.roots.map((root) => family.pool(root));
  const head = { command: "pool show", seed: null, name: family.name };
  if (asJson) return printDocument(io, head, roots.map(branch));
  const lines = roots.flatMap((root) => [...tree(root, "", "")]);
  await print(io, lines.map((line) => `${line}\n`).join(""));
}

async function check(io: Io, file: string, { json }: OddsFlags): Promise<void> {
  const issues = checkPools(await readText(io, file), { file });
  await printIssues(io, issues, { head: { command: "pool check", seed: null, name: stemOf(file, "pools") }, json });
}

interface Source {
  readonly text: string;
  readonly file: string;
  readonly name?: string;
}

function open(io: Io, mill: Mill, { text, file, name = stemOf(file, "pools") }: Source): PoolFamily {
  const parsed = parsePools(text, { file });
  const spec = specOf(parsed);
  for (const issue of parsed.issues) note(io, formatIssue(issue));
  return mill.pools(name, spec, { file });
}

function poolAt(family: PoolFamily, path: string | undefined, { active }: Pick<DrawFlags, "active">): Pool {
  const { roots } = family;
  if (path !== undefined || roots.length === 1) return family.pool(path ?? roots[0], { active });
  const finding = { problem: "the path of a pool is missing", expected: "a path, because there are several roots" };
  return fail(error("cli.usage", { ...finding, remedy: `Begin the path with ${roots.join(" or ")}` }));
}

interface Branch {
  readonly name: string;
  readonly kind: PoolKind;
  readonly total: number;
  readonly records: readonly ListedRecord[];
  readonly subpools: readonly Branch[];
}

function branch({ name, kind, total, records, subpools }: Pool): Branch {
  return { name, kind, total, records, subpools: subpools.map(branch) };
}

/** The first line of a pool begins with `first`, all later lines with `rest`. */
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

function activeOption(): Option {
  const description = "parts that ~ stands for: with i=rare,weapon, i.~.~ is i.rare.weapon; repeatable";
  return new Option("--active <root=parts>", description).argParser(active);
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
