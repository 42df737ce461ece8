import { existsSync, statSync } from "node:fs";
import type { Mill } from "../../index.js";
import type { Source, SourceOptions } from "../../instruments/index.js";
import { MAX_DEPTH } from "../../objects/index.js";
import { specOf } from "../../spec/index.js";
import { parseDrops } from "../../tables/index.js";
import { Walk } from "../../walks/index.js";
import { World } from "../../worlds/index.js";
import { type Flags, option } from "../command.js";
import { readList } from "../draws.js";
import { STATES } from "../object/odds.js";
import { nameOfDir, readObjectDir, SORT, sortOptions } from "../object/source.js";
import { ACTIVE, openPools, poolAt } from "../pool/pool.js";
import { ASKED as ITEM, itemOptions, readWords, WORDS } from "../recipe/source.js";
import { readText, stemOf, withStdin } from "../shared/files.js";
import { type Io, pathIn, refuse } from "../shared/io.js";
import { integer, MAX_WORK } from "../shared/options.js";
import { isJson, jsonIn, kindOfJson, kindOfLines } from "../shared/texts.js";
import { readDrops, readTable, refuseAbsentIds, SCRIPTED, scriptOptions } from "../table/table.js";
import { openWalk } from "../walk/walk.js";
import { openWorld, readWorld } from "../world/world.js";

export const FILE = [
  "<file>",
  'a list, table, drops, pools or recipe in a .csv, .json or .2da file ("-" is stdin), the name of a shipped recipe, ' +
    "a folder of edit files, weights such as gold=99,crown=1, or dice such as 2d6",
] as const;

export const LEVEL = option("--level <depth>", "objects: their depth (default: 0)", integer(0, MAX_DEPTH));
const POOL = option("--pool <path>", "pools: the pool, such as i.common.weapon (default: the only root)");

/** The options of all nouns. {@link openSource} refuses those that the noun of the file does not have. */
export const SOURCE = [...SCRIPTED, POOL, ACTIVE, ...WORDS, ...ITEM, LEVEL, ...SORT, STATES, MAX_WORK] as const;
export type SourceFlags = Flags<typeof SOURCE>;

type Noun = "list" | "table" | "drops" | "pools" | "recipe" | "objects" | "dice" | "walk" | "world";

const OWN: Readonly<Record<Noun, readonly { attributeName(): string; readonly long?: string | undefined }[]>> = {
  list: [],
  dice: [],
  table: [...SCRIPTED, MAX_WORK],
  drops: [MAX_WORK],
  pools: [POOL, ACTIVE],
  recipe: [...WORDS, ...ITEM],
  objects: [LEVEL, ...SORT, STATES],
  walk: [],
  world: [],
};

/** A noun, opened from a file. */
interface Opened<Noun> {
  readonly source: Noun;
  readonly name: string;
  readonly options: SourceOptions;
}

type OpenFlags = SourceFlags & { readonly name?: string | undefined };

/** Opens the noun of a file, whose results have odds. Its kind follows from the name and the content of the file. */
export async function openSource(io: Io, mill: Mill, file: string, flags: OpenFlags): Promise<Opened<Source>> {
  const { source, ...opened } = await openAny(io, mill, file, flags);
  if (!(source instanceof Walk || source instanceof World)) return { source, ...opened };
  const kind = source instanceof Walk ? "walk" : "world";
  return refuse(`a ${kind} has no odds of results`, { got: file, remedy: `See rollmill ${kind} --help` });
}

/** Like {@link openSource}. Also opens walks and worlds. */
export async function openAny(
  io: Io,
  mill: Mill,
  file: string,
  flags: OpenFlags,
): Promise<Opened<Source | Walk | World>> {
  const noun = await nounOf(io, file);
  refuseForeign(noun.kind, flags);
  return openNoun(noun.io, mill, { file, kind: noun.kind }, flags);
}

async function openNoun(
  io: Io,
  mill: Mill,
  { file, kind }: { readonly file: string; readonly kind: Noun },
  flags: OpenFlags,
): Promise<Opened<Source | Walk | World>> {
  const { maxWork } = flags;
  const name = flags.name ?? (kind === "objects" ? nameOfDir(io, file) : stemOf(file, kind));
  switch (kind) {
    case "dice":
      return { source: mill.dice(flags.name ?? "dice", file), name, options: {} };
    case "list": {
      const { spec } = await readList(io, existsSync(pathIn(io, file)) || file === "-" ? [file] : file.split(","));
      return { source: mill.weighted(name, spec), name, options: {} };
    }
    case "table": {
      const spec = await readTable(io, file);
      refuseAbsentIds(spec, flags);
      const scripts = await scriptOptions(io, flags);
      return { source: mill.table(name, spec, { file, start: flags.start, ...scripts }), name, options: { maxWork } };
    }
    case "drops": {
      const input = await readDrops(io, file, jsonIn(await readText(io, file), file));
      return { source: mill.drops(name, specOf(parseDrops(input, { file }))), name, options: { maxWork } };
    }
    case "pools": {
      const family = openPools(io, mill, { text: await readText(io, file), file, name });
      return { source: poolAt(family, flags.pool, flags), name, options: {} };
    }
    case "walk": {
      const walk = openWalk(mill, jsonIn(await readText(io, file), file), file, flags.name);
      return { source: walk, name: walk.name, options: {} };
    }
    case "world": {
      const world = openWorld(mill, await readWorld(io, file), file, { name: flags.name });
      return { source: world, name: world.name, options: {} };
    }
    case "recipe": {
      const { spec, tables } = await readWords(io, file, flags);
      return { source: mill.recipe(name, spec, { tables }), name, options: itemOptions(flags) };
    }
    case "objects": {
      const maker = mill.objects(name, await readObjectDir(io, file));
      const { level = 0, states } = flags;
      const sort = await sortOptions(io, maker, flags);
      const given = Object.entries({ ...sort, level, states }).filter(([, value]) => value !== undefined);
      return { source: maker, name, options: Object.fromEntries(given) };
    }
  }
}

/** Finds the kind of noun in a file. Stdin can be read only once, so the noun must read it from the returned `io`. */
export async function nounOf(io: Io, file: string): Promise<{ readonly kind: Noun; readonly io: Io }> {
  if (file !== "-") {
    const path = pathIn(io, file);
    if (!existsSync(path)) {
      if (/^(?:\d*d\d|-?\d+\s*-\s*-?\d|int\()/i.test(file)) return { kind: "dice", io };
      if (file.includes("=")) return { kind: "list", io };
      if (!/[./\\]/.test(file)) return { kind: "recipe", io };
    } else if (statSync(path).isDirectory()) return { kind: "objects", io };
    if (/\.2da$/i.test(file)) return { kind: "table", io };
  }
  const text = await readText(io, file);
  const again = file === "-" ? withStdin(io, text) : io;
  return { kind: isJson(text, file) ? kindOfJson(jsonIn(text, file)) : kindOfLines(text), io: again };
}

function refuseForeign(kind: Noun, flags: SourceFlags): void {
  const own = new Set(OWN[kind].map((one) => one.attributeName()));
  for (const one of SOURCE) {
    const key = one.attributeName();
    const value = (flags as Record<string, unknown>)[key];
    if (own.has(key) || value === undefined || value === one.defaultValue || (one.negate && value === true)) continue;
    const nouns = Object.entries(OWN).filter(([, options]) => options.some((other) => other.attributeName() === key));
    const expected = `a file of ${nouns.map(([noun]) => noun).join(" or ")}`;
    refuse(`${one.long} does not apply to ${kind}`, { expected, remedy: `Omit ${one.long}` });
  }
}
