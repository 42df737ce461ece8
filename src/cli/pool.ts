import { basename, extname } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { createMill, type FinitePool, type InfinitePool, type Pools, type PoolsInput, toNumber } from "../index.js";
import { integer, jsonOption, seedOption } from "./options.js";
import { json, readJson, seedOr, write } from "./terminal.js";

const MAX_DRAWS = 2 ** 42;
/** Draws printed at a time. */
const DRAWS_PER_WRITE = 2 ** 18;

type ActiveFlags = Readonly<Record<string, readonly string[]>>;

interface DrawFlags {
  readonly n: number;
  readonly active?: ActiveFlags;
  readonly seed?: string;
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
    .option("-n <draws>", "how many draws", integer(0, MAX_DRAWS), 1)
    .option("--active <root=parts>", "what ~ stands for, such as i=rare,weapon; repeatable", active)
    .addOption(seedOption())
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
    .action(show);
}

async function draw(file: string, path: string, flags: DrawFlags): Promise<void> {
  const pools = await open(file, { active: flags.active, seed: () => seedOr(flags.seed) });
  // refused before anything is printed
  const ids = pools.recordIds(path.split(".")[0]);
  let refreshed = 0;
  let before = '{"draws":[';
  for (let done = 0; done < flags.n; done += DRAWS_PER_WRITE) {
    const out = new Uint32Array(Math.min(DRAWS_PER_WRITE, flags.n - done));
    refreshed += pools.drawInto(out, path);
    const drawn = Array.from(out, (record) => ids[record]);
    if (flags.json) await write(before + JSON.stringify(drawn).slice(1, -1));
    else await write(drawn.map((id) => `${id}\n`).join(""));
    before = ",";
  }
  if (flags.n === 0) pools.drawMany(path, 0);
  if (flags.json) await write(`${before === "," ? "" : before}],"refreshed":${refreshed}}\n`);
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
      `${id}\t${numerator}/${denominator}\t${probability.toPrecision(6)}\n`,
  );
  await write(lines.join(""));
}

async function show(file: string): Promise<void> {
  const pools = await open(file, { active: undefined, seed: () => "" });
  for (const root of pools.roots) {
    for (const line of tree(pools.pool(root), "", "")) await write(`${line}\n`);
  }
}

async function open(
  file: string,
  { active: settings = {}, seed }: { active: ActiveFlags | undefined; seed: () => string },
): Promise<Pools> {
  const input = await readJson(file);
  const name = file === "-" ? "pools" : basename(file, extname(file));
  const pools = createMill({ seed: seed() }).pools(name, input as PoolsInput, { file });
  for (const [root, parts] of Object.entries(settings)) pools.setActive(root, parts);
  return pools;
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
