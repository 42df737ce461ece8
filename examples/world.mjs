// Makes the map and the loot of a world, by default examples/world.json. Writes out/map.png and out/loot.csv.
// Run: npm start [-- WORLD.json] [-- --seed TEXT] [-- --out DIR]

import { createHash } from "node:crypto";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createMill, LayerMap, toNumber } from "rollmill";
import { writeWhole } from "rollmill/files";
import { toCsv, toPng } from "rollmill/formats";
import { approximate, makeFolder, print, progressLine, readText, refuse, runProgram } from "./program.mjs";
import { locate, readWorld } from "./worldFile.mjs";

const HELP = `Usage: npm start -- [world] [options]

Makes the map and the loot of a world: out/map.png and out/loot.csv. The same world gives the same bytes on every
machine.

Arguments:
  world          world file (default: examples/world.json); its fields are in examples/README.md

Options:
  --seed <text>  seed, instead of the seed in the world file
  --out <dir>    folder to write to; created if missing (default: out)
  --help         display this help
`;

async function main() {
  const { file, seed, out, help } = readArguments();
  if (help) return print(process.stdout, HELP);
  const world = await readWorld(file);
  const mill = await locate(file, "loot.now", () => createMill({ seed: seed ?? world.seed, now: world.loot.now }));
  const walk = await locate(file, "walk", () => mill.walk("world", world.walk));
  const draw = await painter(file, walk, world.picture);
  const loot = await openLoot(file, mill, world.loot);
  await makeFolder(out);

  const walked = timed(() => walk.run({ onProgress: progressLine("walking", "steps") }));
  const png = draw(walked.result);
  await writeWhole(join(out, "map.png"), png);
  const rolled = timed(() => loot.table.count(world.loot.rolls, { onProgress: progressLine("rolling", "rolls") }));
  const rows = compare(rolled.result, loot.odds);
  const csv = csvOf(rows);
  await writeWhole(join(out, "loot.csv"), csv);

  print(process.stdout, `${shown(file)}, seed ${JSON.stringify(mill.seed)}\n`);
  print(process.stdout, mapSummary(walked, join(out, "map.png"), png));
  print(process.stdout, lootSummary(rolled, rows, join(out, "loot.csv"), csv));
}

function readArguments() {
  const options = { seed: { type: "string" }, out: { type: "string" }, help: { type: "boolean", short: "h" } };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 1) throw new Error(`expected one world file, got ${positionals.length}`);
    const [file = fileURLToPath(new URL("world.json", import.meta.url))] = positionals;
    return { file: shown(file), seed: values.seed, out: values.out ?? "out", help: values.help };
  } catch (cause) {
    return refuse("cli.usage", `${cause.message.split(". ")[0]}. Run npm start -- --help for the options.`, { cause });
  }
}

// ── the map ──

/**
 * Returns a function that draws the map of the walk as a PNG. Before it returns, it draws a map of one cell, so that an
 * invalid option is an error before the walk.
 */
async function painter(file, walk, { colors, options }) {
  const names = walk.layers.map(({ name }) => name);
  const unknown = Object.keys(colors).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const message = `the walk has no layer ${JSON.stringify(unknown)}: expected ${names.join(" or ")}`;
    refuse("file.json", message, { where: { file, path: "picture.colors" } });
  }
  const draw = (layers) =>
    toPng(
      layers.map(({ name, map }) => (Object.hasOwn(colors, name) ? { map, colorMap: colors[name] } : { map })),
      { maxSide: 2048, ...options },
    );
  const visits = new Uint32Array(64 * 64).fill(1, 0, 1);
  const cell = new LayerMap([{ chunkRow: 0, chunkCol: 0, visits }]);
  await locate(file, "picture", () => draw(names.map((name) => ({ name, map: cell }))));
  return ({ layers }) => draw(layers);
}

function mapSummary({ result: map, seconds }, file, png) {
  const { cells, steps, digest, layers } = map.summary();
  const header = new DataView(png.buffer, png.byteOffset);
  const size = `${header.getUint32(16)} × ${header.getUint32(20)} pixels`;
  const layerLines = layers.map((layer) =>
    line(
      `  ${layer.name}`,
      `${count(layer.cells)} cells, ${count(layer.steps)} steps, at most ${count(layer.maxVisits)} visits`,
    ),
  );
  return [
    line("map", `${count(cells)} cells, ${count(steps)} steps in ${rate(steps, seconds)}`),
    ...layerLines,
    line("  sha256", digest),
    line("  file", `${shown(file)}, ${size}`),
  ].join("");
}

// ── the loot ──

/** Opens the table and computes its exact odds. The odds also find errors in rows that few rolls reach. */
async function openLoot(file, mill, { table: path, start }) {
  const tableFile = shown(resolve(dirname(file), path));
  const text = await locate(file, "loot.table", () => readText(tableFile));
  // uses the name that `rollmill table roll` uses by default, so that this command gives the same rolls
  const name = basename(path, extname(path));
  const table = await locate(file, "loot.table", () => mill.table(name, text, { file: tableFile, start }));
  return { table, odds: await locate(file, "loot", () => table.odds()) };
}

/**
 * Returns a row for each result, and a last row for rolls without a result, each with its count and its exact chance.
 */
function compare({ total, counts, none }, odds) {
  const results = odds.odds.map(({ result, probability: chance }) => ({
    result,
    count: counts.get(result) ?? 0,
    chance,
  }));
  return [...results, { result: "(none)", count: none, chance: odds.none }].map((row) => {
    const probability = toNumber(row.chance);
    return { ...row, probability, expected: total * probability };
  });
}

function csvOf(rows) {
  const column = (name, read) => ({ kind: "text", name, values: rows.map((row) => String(read(row))) });
  return toCsv([
    column("result", ({ result }) => result),
    column("count", (row) => row.count),
    column("probability", ({ probability }) => probability),
    column("numerator", ({ chance }) => chance.numerator),
    column("denominator", ({ chance }) => chance.denominator),
    column("expected", ({ expected }) => expected.toFixed(3)),
  ]);
}

function lootSummary({ result: { total: rolls }, seconds }, rows, file, csv) {
  const furthest = rows
    .map((row) => ({ ...row, sigmas: deviation(row, rolls) }))
    .sort((a, b) => b.sigmas - a.sigmas)[0];
  return [
    line("loot", `${count(rolls)} rolls in ${rate(rolls, seconds)}`),
    line(
      "  furthest",
      `${furthest.result}: ${count(furthest.count)}, expected ${furthest.expected.toFixed(1)}, off by ${furthest.sigmas.toFixed(1)} standard deviations`,
    ),
    line("  sha256", createHash("sha256").update(csv).digest("hex")),
    line("  file", `${shown(file)}, ${rows.length} results`),
  ].join("");
}

function deviation({ count: times, probability, expected }, rolls) {
  const variance = rolls * probability * (1 - probability);
  return variance === 0 ? 0 : Math.abs(times - expected) / Math.sqrt(variance);
}

// ── texts ──

function timed(job) {
  const startedAt = performance.now();
  return { result: job(), seconds: (performance.now() - startedAt) / 1000 };
}

function line(name, text) {
  return `${name.padEnd(11)} ${text}\n`;
}

function count(value) {
  return value.toLocaleString("en");
}

function rate(done, seconds) {
  return `${seconds.toFixed(2)} s, ${approximate(done / seconds)} a second`;
}

/** Returns a path as a user would write it: relative to the current folder if the file is inside it, else absolute. */
function shown(file) {
  const path = relative("", resolve(file));
  return path.startsWith("..") ? resolve(file) : path;
}

await runProgram(main);
