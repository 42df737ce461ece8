// Makes weapons by the million. Writes them to out/armory.parquet, and a histogram of their strength to
// out/strength.svg. The bars are the counts of each strength, and the marks are the counts that the exact chances
// predict.
// Run: npm run armory [-- --count N] [-- --seed TEXT] [-- --out DIR]

import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createMill, toNumber } from "rollmill";
import { writeWhole } from "rollmill/files";
import { parquetChunks, svgHistogram } from "rollmill/formats";
import { approximate, makeFolder, print, progressLine, refuse, runProgram } from "../program.mjs";

const BATCH = 2 ** 17;
const MAX_WEAPONS = 1e9;
const HELP = `Usage: npm run armory -- [options]

Makes weapons: out/armory.parquet, and out/strength.svg. The same seed gives the same bytes on every machine.

Options:
  --count <n>    number of weapons (default: 1000000)
  --seed <text>  seed of all weapons (default: armory)
  --out <dir>    folder to write to; created if missing (default: out)
  --help         display this help
`;

async function main() {
  const { count, seed, out, help } = readArguments();
  if (help) return print(process.stdout, HELP);
  const weapon = createMill({ seed }).recipe("weapon");
  const exact = new Map(
    weapon.odds({ of: "strength" }).odds.map(({ result, probability }) => [result, toNumber(probability)]),
  );
  await makeFolder(out);

  const measured = new Map();
  const sha256 = createHash("sha256");
  const startedAt = performance.now();
  const onProgress = progressLine("forging", "weapons");
  await writeWhole(join(out, "armory.parquet"), pieces(weapon, { count, measured, sha256, onProgress }));
  const seconds = (performance.now() - startedAt) / 1000;
  await writeWhole(join(out, "strength.svg"), picture(measured, { count, exact }));

  const first = weapon.make({ at: 0 });
  const { value, sigmas } = furthest(measured, { count, exact });
  print(
    process.stdout,
    [
      line(
        "weapons",
        `${whole(count)} in ${seconds.toFixed(2)} s, ${approximate(count / seconds)} a second, seed "${seed}"`,
      ),
      line("the first", `${first.name}, strength ${first.str}`),
      line("sha256", sha256.digest("hex")),
      line("file", join(out, "armory.parquet")),
      line("strength", `${measured.size} different values, of ${exact.size} possible values`),
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
    if (count < 1 || count > MAX_WEAPONS)
      throw new Error(`invalid --count: expected an integer from 1 to ${MAX_WEAPONS}`);
    return { count, seed: values.seed ?? "armory", out: values.out ?? "out", help: values.help };
  } catch (cause) {
    const message = `${cause.message.split(". ")[0]}. Run npm run armory -- --help for the options.`;
    return refuse("cli.usage", message, { cause });
  }
}

/** Yields the bytes of the Parquet file, one row group at a time. Counts the strengths in `measured`. */
function* pieces(weapon, { count, measured, sha256, onProgress }) {
  function* batches() {
    for (let from = 0; from < count; from += BATCH) {
      const weapons = weapon.makeMany(Math.min(BATCH, count - from), { from });
      for (const strength of weapons.stats.str) measured.set(strength, (measured.get(strength) ?? 0) + 1);
      yield weapons.columns();
      onProgress({ done: from + weapons.length, total: count });
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

/** Returns the strength whose count differs most from the expected count, in standard deviations. */
function furthest(measured, { count, exact }) {
  const deviations = [...exact].map(([value, chance]) => {
    const deviation = Math.abs((measured.get(value) ?? 0) - count * chance);
    return { value, sigmas: chance === 1 ? 0 : deviation / Math.sqrt(count * chance * (1 - chance)) };
  });
  // Leaves out rare strengths, because their counts are not close to a normal distribution. For example, if 0.01
  // weapons are expected, a single weapon already differs by ten standard deviations.
  const frequent = deviations.filter(({ value }) => count * exact.get(value) >= 10);
  return (frequent.length > 0 ? frequent : deviations).reduce((most, one) => (one.sigmas > most.sigmas ? one : most));
}

function line(name, text) {
  return `${name.padEnd(10)} ${text}\n`;
}

function whole(value) {
  return value.toLocaleString("en");
}

await runProgram(main);
