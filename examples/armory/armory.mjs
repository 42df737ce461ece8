// Fills an armory: weapons by the million into out/armory.parquet, and into out/strength.svg how strong they came out, as bars,
// beside how strong they should be, exactly, as marks.
// Run: npm run armory [-- --count N] [-- --seed TEXT] [-- --out DIR]

import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createMill, formatIssue, RollmillError, toNumber } from "rollmill";
import { parquetChunks, svgHistogram } from "rollmill/formats";
import { note, write } from "../../dist/cli/io.js";
import { writeWhole } from "../../dist/cli/outputFile.js";
import { processIo } from "../../dist/cli/processIo.js";
import { approximate, progressBar } from "../../dist/cli/progress.js";
import { error, fail } from "../../dist/errors/index.js";

const BATCH = 2 ** 17;
const MOST = 1e9;
const io = processIo();
const HELP = `Usage: npm run armory -- [options]

Makes weapons: out/armory.parquet, and out/strength.svg. The same seed gives the same bytes, anywhere.

Options:
  --count <n>    how many weapons (default: 1000000)
  --seed <text>  seed of them all (default: armory)
  --out <dir>    folder to write to, made where it is missing (default: out)
  --help         display this help
`;

async function main() {
  const { count, seed, out, help } = readArguments();
  if (help) return write(io, HELP);
  const weapon = createMill({ seed }).recipe("weapon");
  const exact = new Map(
    weapon.odds({ of: "strength" }).odds.map(({ result, probability }) => [result, toNumber(probability)]),
  );
  await mkdir(out, { recursive: true }).catch((cause) => {
    fail(
      error("file.write", { problem: "the folder cannot be made", got: cause.message, where: { file: out } }),
      cause,
    );
  });

  const measured = new Map();
  const sha256 = createHash("sha256");
  const startedAt = performance.now();
  const bar = progressBar(io, { what: "forging", unit: "weapons" });
  try {
    await writeWhole(io, join(out, "armory.parquet"), pieces(weapon, { count, measured, sha256, bar }));
  } finally {
    bar.stop();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await writeWhole(io, join(out, "strength.svg"), picture(measured, { count, exact }));

  const first = weapon.make({ at: 0 });
  const { value, sigmas } = furthest(measured, { count, exact });
  await write(
    io,
    [
      line(
        "weapons",
        `${whole(count)} in ${seconds.toFixed(2)} s, ${approximate(count / seconds)} a second, seed "${seed}"`,
      ),
      line("the first", `${first.name}, strength ${first.str}`),
      line("sha256", sha256.digest("hex")),
      line("file", join(out, "armory.parquet")),
      line("strength", `${measured.size} values came up, of ${exact.size} that can`),
      line("furthest", `strength ${value}, off its exact chance by ${sigmas.toFixed(1)} standard deviations`),
      line("file", join(out, "strength.svg")),
    ].join(""),
  );
}

function readArguments() {
  const text = { type: "string" };
  try {
    const options = { count: text, seed: text, out: text, help: { type: "boolean", short: "h" } };
    const { values } = parseArgs({ options });
    const count = /^\d{1,10}$/.test(values.count ?? "1000000") ? Number(values.count ?? 1e6) : 0;
    if (count < 1 || count > MOST) throw new Error(`--count is an integer from 1 to ${MOST}`);
    return { count, seed: values.seed ?? "armory", out: values.out ?? "out", help: values.help };
  } catch (cause) {
    const remedy = "Run npm run armory -- --help for the options";
    return fail(error("cli.usage", { problem: cause.message.split(". ")[0], remedy }));
  }
}

/** The Parquet file's bytes, a row group at a time; on the way the strengths are counted. */
function* pieces(weapon, { count, measured, sha256, bar }) {
  function* batches() {
    for (let from = 0; from < count; from += BATCH) {
      const weapons = weapon.makeMany(Math.min(BATCH, count - from), { from });
      for (const strength of weapons.stats.str) measured.set(strength, (measured.get(strength) ?? 0) + 1);
      yield weapons.columns();
      bar.onProgress({ done: from + weapons.length, total: count });
    }
  }
  for (const piece of parquetChunks(batches())) {
    sha256.update(piece);
    yield piece;
  }
}

function picture(measured, { count, exact }) {
  const marks = new Map([...exact].map(([value, chance]) => [value, count * chance]));
  return svgHistogram(measured, {
    title: `Strength of ${whole(count)} weapons`,
    values: "strength",
    heights: "weapons",
    scale: "log",
    marks,
    legend: { bars: "made", marks: "exact chance" },
  });
}

/** The strength whose count is the most standard deviations from what its chance has it be. */
function furthest(measured, { count, exact }) {
  const deviations = [...exact].map(([value, chance]) => {
    const deviation = Math.abs((measured.get(value) ?? 0) - count * chance);
    return { value, sigmas: chance === 1 ? 0 : deviation / Math.sqrt(count * chance * (1 - chance)) };
  });
  // what hardly ever comes is no bell curve: one in place of a hundredth is ten standard deviations
  const frequent = deviations.filter(({ value }) => count * exact.get(value) >= 10);
  return (frequent.length > 0 ? frequent : deviations).reduce((most, one) => (one.sigmas > most.sigmas ? one : most));
}

function line(name, text) {
  return `${name.padEnd(10)} ${text}\n`;
}

function whole(value) {
  return value.toLocaleString("en");
}

await main().catch((cause) => {
  if (!(cause instanceof RollmillError)) throw cause;
  for (const issue of cause.issues) note(io, formatIssue(issue));
  process.exitCode = cause.code.startsWith("kernel.") || cause.code === "file.write" ? 1 : 2;
});
