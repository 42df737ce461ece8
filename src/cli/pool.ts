import { basename, extname } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { checkRange } from "../calls/index.js";
import {
  createMill,
  type FinitePool,
  type FiniteRecord,
  type InfinitePool,
  type InfiniteRecord,
  type PoolKind,
  type Pools,
  type PoolsInput,
  type RecordId,
  toNumber,
} from "../index.js";
import { integer, jsonOption, seedOption } from "./options.js";
import { json, readJson, seedOr, withProgress, write } from "./terminal.js";

const MAX_INDEX = 2 ** 42;
/** Draws printed at a time. */
const DRAWS_PER_WRITE = 2 ** 18;

type ActiveFlags = Readonly<Record<string, readonly string[]>>;

interface DrawFlags {
  readonly n: number;
  readonly from: number;
  readonly active?: ActiveFlags;
  readonly seed?: string;
  readonly name?: string;
  readonly json?: boolean;
}

/** Adds `rollmill pool draw`, `pool odds` and `pool show`. */
export function addPool(program: Command): void {
  const pool = program.command("pool").description("pools of shared stock with private masses, from a JSON spec");
  pool
    .command("draw")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .argument("<path>", "pool, such as i.common.weapon or i.~")
    .description("draw records: one id a line; a record drawn is gone until its pool is refreshed")
    .option("-n <draws>", "how many draws to print", integer(0, MAX_INDEX), 1)
    .option(
      "--from <index>",
      "index of the first draw to print; those before it are made too, for stock depends on them, and their refreshes are not counted",
      integer(0, MAX_INDEX - 1),
      0,
    )
    .option("--active <root=parts>", "what ~ stands for, such as i=rare,weapon; repeatable", active)
    .addOption(seedOption())
    .option("--name <name>", "name that the draws go by (default: the file's stem)")
    .addOption(jsonOption())
    .action(draw);
  pool
    .command("odds")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .argument("<path>", "pool, such as i.common.weapon or i.~")
    .description("the exact chance of each record in the first draw; no seed changes them")
    .option("--active <root=parts>", "what ~ stands for, such as i=rare,weapon; repeatable", active)
    .addOption(jsonOption())
    .action(odds);
  pool
    .command("show")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description("draw the tree of pools with masses, quantities and totals")
    .addOption(jsonOption())
    .action(show);
}

async function draw(file: string, path: string, flags: DrawFlags): Promise<void> {
  const { n, from, name, active: settings, json: asJson } = flags;
  const pools = await open(file, { active: settings, name, seed: () => seedOr(flags.seed) });
  // whatever can be refused is refused before anything is printed
  checkRange(from, n);
  pools.drawMany(path, 0);
  const ids = pools.recordIds(path.split(".")[0]);
  moveTo(pools, path, from);
  let refreshed = 0;
  let before = '{"draws":[';
  for (let done = 0; done < n; done += DRAWS_PER_WRITE) {
    const out = new Uint32Array(Math.min(DRAWS_PER_WRITE, n - done));
    refreshed += pools.drawInto(out, path);
    const drawn = Array.from(out, (record) => ids[record]);
    if (asJson) await write(before + JSON.stringify(drawn).slice(1, -1));
    else await write(drawn.map((id) => `${lineOf(id)}\n`).join(""));
    before = ",";
  }
  if (asJson) await write(`${before === "," ? "" : before}],"refreshed":${refreshed}}\n`);
}

/** Makes the draws before an index, or, where there is no stock that they could change, leaves them out. */
function moveTo(pools: Pools, path: string, from: number): void {
  if (pools.pool(path).kind === "infinite") pools.next = from;
  else withProgress({ what: "drawing", unit: "draws" }, (onProgress) => pools.count(path, from, { onProgress }));
}

async function odds(
  file: string,
  path: string,
  { active: settings, json: asJson }: { active?: ActiveFlags; json?: boolean },
): Promise<void> {
  const pools = await open(file, { active: settings, seed: () => "" });
  const list = pools.odds(path).map((chance) => ({ ...chance, probability: toNumber(chance) }));
  if (asJson) return write(json(list));
  const lines = list.map(
    ({ id, numerator, denominator, probability }) =>
      `${lineOf(id)}\t${numerator}/${denominator}\t${probability.toPrecision(6)}\n`,
  );
  await write(lines.join(""));
}

async function show(file: string, { json: asJson }: { json?: boolean }): Promise<void> {
  const pools = await open(file, { active: undefined, seed: () => "" });
  const roots = pools.roots.map((root) => pools.pool(root));
  if (asJson) return write(json(roots.map(branch)));
  for (const root of roots) {
    for (const line of tree(root, "", "")) await write(`${line}\n`);
  }
}

interface Setting {
  readonly active: ActiveFlags | undefined;
  readonly name?: string | undefined;
  readonly seed: () => string;
}

async function open(file: string, { active: settings = {}, name = stem(file), seed }: Setting): Promise<Pools> {
  const input = await readJson(file);
  const pools = createMill({ seed: seed() }).pools(name, input as PoolsInput, { file });
  for (const [root, parts] of Object.entries(settings)) pools.setActive(root, parts);
  return pools;
}

/** A pool as JSON shows it, and below it the pools that it splits into. */
interface Branch {
  readonly name: string;
  readonly kind: PoolKind;
  readonly total: number;
  readonly records: readonly (FiniteRecord | InfiniteRecord)[];
  readonly subpools: readonly Branch[];
}

function branch({ name, kind, total, records, subpools }: FinitePool | InfinitePool): Branch {
  return { name, kind, total, records, subpools: subpools.map(branch) };
}

/** A pool's lines: itself, its records, then its subpools, each further in. */
function* tree(pool: FinitePool | InfinitePool, first: string, rest: string): Generator<string, void> {
  const kind = pool.parent === undefined ? ` (${pool.kind})` : "";
  yield `${first}${pool.name}${kind}: total ${pool.total}`;
  const { subpools } = pool;
  const inner = subpools.length > 0 ? `${rest}│ ` : `${rest}  `;
  for (const { id, mass, ...more } of pool.records) {
    const left = "quantity" in more ? `, quantity ${more.quantity}` : "";
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
    throw new InvalidArgumentError("It must be ROOT=PART,PART, such as i=rare,weapon.");
  return Object.fromEntries([...Object.entries(before), [text.slice(0, at), text.slice(at + 1).split(",")]]);
}

/** What would end a line or a column, steer a terminal, or be lost in UTF-8. */
const UNPRINTABLE = /[\p{Control}\p{Surrogate}\u2028\u2029]/u;

/** An id as it stands on a line: itself, or as JSON where it would break the line. */
function lineOf(id: RecordId): string {
  const text = String(id);
  if (!UNPRINTABLE.test(text)) return text;
  // JSON itself lets U+007F to U+009F, U+2028 and U+2029 stand
  return JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function stem(file: string): string {
  return file === "-" ? "pools" : basename(file, extname(file));
}
