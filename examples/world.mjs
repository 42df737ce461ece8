// Makes a world, by default examples/world.json: walks its map and rolls its loot; writes out/map.png and out/loot.csv.
// Run: npm start [-- WORLD.json] [-- --seed TEXT] [-- --out DIR]

import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createMill, formatIssue, LayerMap, RollmillError, toNumber } from "rollmill";
import { toPng } from "rollmill/formats";
import { readText } from "../dist/cli/inputFile.js";
import { note, write } from "../dist/cli/io.js";
import { writeWhole } from "../dist/cli/outputFile.js";
import { processIo } from "../dist/cli/processIo.js";
import { approximate, withProgress } from "../dist/cli/progress.js";
import { error, fail } from "../dist/errors/index.js";
import { locate, readWorld } from "./worldFile.mjs";

const io = processIo();
const HELP = `Usage: npm start -- [world] [options]

Makes the map and the loot of a world: out/map.png and out/loot.csv. The same world gives the same bytes, anywhere.

Arguments:
  world          world file (default: examples/world.json); its fields are in examples/README.md

Options:
  --seed <text>  instead of the world's own seed
  --out <dir>    folder to write to, made where it is missing (default: out)
  --help         display this help
`;

async function main() {
  const { file, seed, out, help } = readArguments();
  if (help) return write(io, HELP);
  const world = await readWorld(io, file);
  const mill = await locate(file, "loot.now", () => createMill({ seed: seed ?? world.seed, now: world.loot.now }));
  const walk = await locate(file, "walk", () => mill.walk("world", world.walk));
  const draw = await painter(file, walk, world.picture);
  const loot = await openLoot(file, mill, world.loot);
  await makeFolder(out);

  const walked = timed(() =>
    withProgress(io, { what: "walking", unit: "steps" }, (onProgress) => walk.run({ onProgress })),
  );
  const png = draw(walked.result);
  await writeWhole(io, join(out, "map.png"), png);
  const rolled = timed(() =>
    withProgress(io, { what: "rolling", unit: "rolls" }, (onProgress) =>
      loot.table.count(world.loot.rolls, { onProgress }),
    ),
  );
  const rows = compare(rolled.result, loot.odds);
  const csv = toCsv(rows);
  await writeWhole(io, join(out, "loot.csv"), csv);

  await write(io, `${shown(file)}, seed ${JSON.stringify(mill.seed)}\n`);
  await write(io, mapSummary(walked, join(out, "map.png"), png));
  await write(io, lootSummary(rolled, rows, join(out, "loot.csv"), csv));
}

function readArguments() {
  const options = { seed: { type: "string" }, out: { type: "string" }, help: { type: "boolean", short: "h" } };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 1) throw new Error(`one world at a time, not ${positionals.length}`);
    const [file = fileURLToPath(new URL("world.json", import.meta.url))] = positionals;
    return { file: shown(file), seed: values.seed, out: values.out ?? "out", help: values.help };
  } catch (cause) {
    return fail(
      error("cli.usage", { problem: cause.message.split(". ")[0], remedy: "Run npm start -- --help for the options" }),
    );
  }
}

// MAP

/** A function from the walk's map to a PNG. It draws one cell at once, so that a bad option is found before the walk. */
async function painter(file, walk, { colors, options }) {
  const names = walk.layers.map(({ name }) => name);
  const unknown = Object.keys(colors).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const where = { file, path: "picture.colors" };
    fail(
      error("file.json", { problem: "the walk has no such layer", got: unknown, expected: names.join(" or "), where }),
    );
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

// LOOT

/** The table, its exact odds, and everything that could be wrong with it found. */
async function openLoot(file, mill, { table: path, start }) {
  const tableFile = shown(resolve(dirname(file), path));
  const text = await locate(file, "loot.table", () => readText(io, tableFile));
  // named as the CLI names it, so that `rollmill table roll` gives the same rolls
  const name = basename(path, extname(path));
  const table = await locate(file, "loot.table", () => mill.table(name, text, { file: tableFile, start }));
  return { table, odds: await locate(file, "loot", () => table.odds()) };
}

/** A row for each result, and one for rolls without a result: the count beside the exact chance. */
function compare({ total, counts, none }, odds) {
  const results = odds.odds.map(({ result, probability: chance }) => ({
    result,
    count: counts.get(result) ?? 0,
    chance,
  }));
  return [...results, { result: "(dead)", count: none, chance: odds.none }].map((row) => {
    const probability = toNumber(row.chance);
    return { ...row, probability, expected: total * probability };
  });
}

function toCsv(rows) {
  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = rows.map(({ result, count: times, probability, chance, expected }) =>
    [quoted(result), times, probability, chance.numerator, chance.denominator, expected.toFixed(3)].join(","),
  );
  return `${["result,count,probability,numerator,denominator,expected", ...lines].join("\n")}\n`;
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

// SHARED

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

/** A path as a user would write it: from the current folder where it lies inside. */
function shown(file) {
  const path = relative("", resolve(file));
  return path.startsWith("..") ? resolve(file) : path;
}

async function makeFolder(folder) {
  await mkdir(folder, { recursive: true }).catch((cause) => {
    const where = { file: folder };
    fail(error("file.write", { problem: "the folder cannot be made", got: cause.message, where }), cause);
  });
}

await main().catch((cause) => {
  if (!(cause instanceof RollmillError)) throw cause;
  for (const issue of cause.issues) note(io, formatIssue(issue));
  process.exitCode = cause.code.startsWith("kernel.") || cause.code === "file.write" ? 1 : 2;
});
