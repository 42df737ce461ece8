import { type Command, InvalidArgumentError } from "commander";
import { checkRange, MAX_INDEX } from "../calls/index.js";
import {
  createMill,
  type ForkId,
  type ListedRecord,
  type Mill,
  type Pool,
  type PoolFamily,
  type PoolsInput,
  type RecordId,
  toNumber,
} from "../index.js";
import type { PoolKind } from "../pools/index.js";
import { printDocument, printList } from "./envelope.js";
import { withExamples } from "./examples.js";
import { type ForkFlags, forkOf, forkOption } from "./forks.js";
import { readJson, stemOf } from "./inputFile.js";
import { type Io, print } from "./io.js";
import { countOf, jsonOption, seedOption, seedOr } from "./options.js";
import { withProgress } from "./progress.js";

const DRAWS_PER_WRITE = 2 ** 18;

type ActiveFlags = Readonly<Record<string, readonly string[]>>;

interface DrawFlags extends ForkFlags {
  readonly n: number;
  readonly from: number;
  readonly active?: ActiveFlags;
  readonly seed?: string;
  readonly name?: string;
  readonly json?: boolean;
}

type OddsFlags = Pick<DrawFlags, "active" | "json">;
type ShowFlags = Pick<DrawFlags, "json">;

/** Adds `rollmill pool draw`, `pool odds` and `pool show`. */
export function addPool(pool: Command, io: Io): void {
  withExamples(pool.command("draw"), io, "pool draw {examples/pools.json} i.common.weapon -n 5 --seed moria")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .argument("<path>", "pool, such as i.common.weapon or i.~")
    .description("draw records, from a finite pool without replacement; print one id per line")
    .option("-n <draws>", "how many draws", countOf(0, MAX_INDEX), 1)
    .option(
      "--from <index>",
      "index of the first draw to print; a finite pool first makes the earlier draws, because they change its stock",
      countOf(0, MAX_INDEX - 1),
      0,
    )
    .option(
      "--active <root=parts>",
      "parts that ~ stands for: with i=rare,weapon, i.~.~ is i.rare.weapon; repeatable",
      active,
    )
    .addOption(seedOption())
    .option("--name <name>", "draws depend on the seed and this name (default: the file name without extension)")
    .addOption(forkOption())
    .addOption(jsonOption())
    .action((file: string, path: string, flags: DrawFlags) => draw(io, file, path, flags));
  withExamples(pool.command("odds"), io, "pool odds {examples/pools.json} i.common.weapon")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .argument("<path>", "pool, such as i.common.weapon or i.~")
    .description("exact chance of each record in the first draw; independent of the seed")
    .option(
      "--active <root=parts>",
      "parts that ~ stands for: with i=rare,weapon, i.~.~ is i.rare.weapon; repeatable",
      active,
    )
    .addOption(jsonOption())
    .action((file: string, path: string, flags: OddsFlags) => odds(io, file, path, flags));
  withExamples(pool.command("show"), io, "pool show {examples/pools.json}")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description("print the tree of pools with masses, quantities and totals")
    .addOption(jsonOption())
    .action((file: string, flags: ShowFlags) => show(io, file, flags));
}

async function draw(io: Io, file: string, path: string, flags: DrawFlags): Promise<void> {
  const { n, from, name, active: settings, json: asJson } = flags;
  const input = await readJson(io, file);
  using mill = createMill({ seed: seedOr(io, flags.seed) });
  const family = open(mill, input, { file, name, active: settings, fork: flags.fork });
  const pool = family.pool(path);
  // checks the arguments before the command prints anything
  checkRange(from, n);
  pool.drawMany(0);
  moveTo(io, { family, pool }, from);
  let refreshed = 0;
  function* batches(): Generator<Iterable<RecordId>, void> {
    for (let done = 0; done < n; done += DRAWS_PER_WRITE) {
      const draws = pool.drawMany(Math.min(DRAWS_PER_WRITE, n - done));
      refreshed += draws.refreshed;
      yield draws;
    }
  }
  if (asJson) {
    const head = { command: "pool draw", seed: mill.seed, name: family.name, fork: flags.fork, from };
    return await printList(io, head, batches(), () => ({ refreshed }));
  }
  for (const draws of batches()) await print(io, Array.from(draws, (id) => `${lineOf(id)}\n`).join(""));
}

/**
 * Moves to the draw with index `from`. Each draw from a finite pool changes the stock, so all earlier draws are made
 * first.
 */
function moveTo(io: Io, { family, pool }: { readonly family: PoolFamily; readonly pool: Pool }, from: number): void {
  if (pool.kind === "infinite") family.next = from;
  else withProgress(io, { what: "drawing", unit: "draws" }, (onProgress) => pool.count(from, { onProgress }));
}

async function odds(io: Io, file: string, path: string, { active: settings, json: asJson }: OddsFlags): Promise<void> {
  const input = await readJson(io, file);
  using mill = createMill({ seed: "" });
  const family = open(mill, input, { file, active: settings });
  const { odds: chances } = family.pool(path).odds();
  if (asJson) {
    const list = chances.map(({ result: id, probability }) => ({
      id,
      ...probability,
      probability: toNumber(probability),
    }));
    return printDocument(io, { command: "pool odds", seed: null, name: family.name }, list);
  }
  const lines = chances.map(({ result, probability }) => {
    const { numerator, denominator } = probability;
    return `${lineOf(result)}\t${numerator}/${denominator}\t${toNumber(probability).toPrecision(6)}\n`;
  });
  await print(io, lines.join(""));
}

async function show(io: Io, file: string, { json: asJson }: ShowFlags): Promise<void> {
  const input = await readJson(io, file);
  using mill = createMill({ seed: "" });
  const family = open(mill, input, { file });
  const roots = family.roots.map((root) => family.pool(root));
  const head = { command: "pool show", seed: null, name: family.name };
  if (asJson) return printDocument(io, head, roots.map(branch));
  const lines = roots.flatMap((root) => [...tree(root, "", "")]);
  await print(io, lines.map((line) => `${line}\n`).join(""));
}

interface Setting {
  readonly file: string;
  readonly active?: ActiveFlags | undefined;
  readonly name?: string | undefined;
  readonly fork?: readonly ForkId[] | undefined;
}

function open(mill: Mill, input: unknown, setting: Setting): PoolFamily {
  const { file, active: settings = {}, name = stemOf(file, "pools"), fork = [] } = setting;
  const family = forkOf(mill.pools(name, input as PoolsInput, { file }), { fork });
  for (const [root, parts] of Object.entries(settings)) family.setActive(root, parts);
  return family;
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

/**
 * Yields the lines of a pool: the pool itself, its records, then its subpools. The first line begins with `first`. All
 * later lines begin with `rest`.
 */
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

/** Formats an id for text output. An id with an unprintable character becomes a JSON string. */
function lineOf(id: RecordId): string {
  const text = String(id);
  return UNPRINTABLE.test(text) ? JSON.stringify(text) : text;
}
