import type { Command } from "commander";
import { svgLines } from "../../formats/index.js";
import { createMill, type Fraction } from "../../index.js";
import { partsOf } from "../../instruments/compare.js";
import { NONE, parseCondition } from "../../instruments/conditionText.js";
import { boundsOf } from "../../instruments/distribution.js";
import {
  type Condition,
  chance,
  collect,
  type Distribution,
  luck,
  numberOf,
  type PartsCondition,
  type Source,
  type SourceOptions,
  type Wanted,
  wait,
} from "../../instruments/index.js";
import { chanceOf, isIndependent } from "../../instruments/law.js";
import { ObjectMaker } from "../../objects/objectMaker.js";
import { Recipe } from "../../recipes/recipe.js";
import { Drops } from "../../tables/drops/drops.js";
import { define, type Flags, option, required } from "../command.js";
import { checkOutput, writeOutput } from "../shared/files.js";
import { type Io, note, refuse } from "../shared/io.js";
import { countOf } from "../shared/options.js";
import { fractionOf } from "./fraction.js";
import { certified, printRows, type Row, rangeText, SHOWN, type ShownFlags } from "./show.js";
import { FILE, openSource, SOURCE } from "./source.js";

const RESULTS = [
  "[results...]",
  "results, of which one is enough (default: print each result); of recipes and objects: PART=RESULT, such as " +
    "prefix=burnished, and all must be met; of numbers also a range, such as 5..9",
] as const;

const MAX_COUNT = 2 ** 42;
const IN = required("--in <attempts>", "number of attempts, such as rolls or draws", countOf(1, MAX_COUNT));
const TIMES = countOf(0, Number.MAX_SAFE_INTEGER);
const SVG = option("--svg <file>", "write the chance within n attempts as an SVG picture").conflicts(["json", "csv"]);

const CHANCE = [
  IN,
  option("--at-least <times>", "how often at least (default: 1)", TIMES),
  option("--at-most <times>", "how often at most", TIMES),
  option("--exactly <times>", "how often exactly", TIMES).conflicts(["atLeast", "atMost"]),
  ...SOURCE,
  ...SHOWN,
] as const;

export function addChance(command: Command, io: Io): void {
  define(command, io, {
    examples: ["chance {examples/loot.csv} crown --in 100", "chance gold=399,crown=1 crown --in 1000 --at-least 5"],
    takes: [FILE, RESULTS],
    options: CHANCE,
    async run(flags, file, texts) {
      const { in: attempts, atLeast, atMost, exactly } = flags;
      using mill = createMill({ seed: "" });
      const { source, name, options } = await openSource(io, mill, file, flags);
      const rows = asked(source, texts, options).map(({ shown, condition }): Row & { readonly shown: string } => {
        const call = { in: attempts, atLeast, atMost, exactly, with: options };
        return { shown, cells: { result: shown }, probability: chance(source, condition, call) };
      });
      await printRows(io, flags, {
        head: { command: "chance", name },
        rows,
        data: () => ({
          in: attempts,
          results: rows.map(({ shown, probability = 0 as never }) => ({ result: shown, ...certified(probability) })),
        }),
      });
    },
  });
}

interface Quantile {
  readonly text: string;
  readonly p: Fraction;
}
const QUANTILES: readonly Quantile[] = ["50%", "90%", "99%"].map((text) => ({ text, p: fractionOf(text) }));
const QUANTILE = option(
  "--quantile <p>",
  "print the number of attempts that is enough with this probability, such as 95/100; repeatable (default: 50, 90, 99 %)",
  (text: string, before: readonly Quantile[] = []) => [...before, { text, p: fractionOf(text) }],
);

const WAIT = [
  option("--times <times>", "how often the result is wanted", countOf(1, 2 ** 32), 1),
  QUANTILE,
  SVG,
  ...SOURCE,
  ...SHOWN,
] as const;

export function addWait(command: Command, io: Io): void {
  define(command, io, {
    examples: ["wait {examples/loot.csv} crown", "wait {examples/orc.json} gold --times 100"],
    takes: [FILE, RESULTS],
    options: WAIT,
    async run(flags, file, texts) {
      using mill = createMill({ seed: "" });
      const { source, name, options } = await openSource(io, mill, file, flags);
      const possible = asked(source, texts, options, isPossible(source, options));
      const waits = possible.map(({ shown, condition }) => {
        return { shown, law: wait(source, condition, { times: flags.times, with: options }) };
      });
      await printWaits(io, flags, { command: "wait", name, waits });
    },
  });
}

const COLLECT = [
  option("--copies <copies>", "how often each result is wanted", countOf(1, 100), 1),
  QUANTILE,
  SVG,
  ...SOURCE,
  ...SHOWN,
] as const;

export function addCollect(command: Command, io: Io): void {
  define(command, io, {
    examples: ["collect {examples/loot.csv} crown gold", "collect d6"],
    takes: [FILE, ["[results...]", "the results of the set (default: every result)"]],
    options: COLLECT,
    async run(flags, file, texts) {
      const { copies } = flags;
      using mill = createMill({ seed: "" });
      const { source, name, options } = await openSource(io, mill, file, flags);
      const wanted = asked(source, texts, options, isPossible(source, options), true);
      // the cast is safe: each condition of `asked` is one result, or one part with its result
      const results = wanted.map(({ condition }) => condition as Wanted | PartsCondition);
      const law = collect(source, results, { copies, with: options });
      await printWaits(io, flags, { command: "collect", name, waits: [{ shown: `all ${results.length}`, law }] });
    },
  });
}

const LUCK = [IN, ...SOURCE, ...SHOWN] as const;

export function addLuck(command: Command, io: Io): void {
  define(command, io, {
    examples: ["luck {examples/loot.csv} crown=2 --in 500"],
    takes: [FILE, ["<found...>", "how often each result was found, such as crown=2"]],
    options: LUCK,
    async run(flags, file, texts) {
      const { in: attempts } = flags;
      using mill = createMill({ seed: "" });
      const { source, name, options } = await openSource(io, mill, file, flags);
      const found = luck(source, Object.fromEntries(texts.map(foundOf)), { in: attempts, with: options });
      const entries = Object.entries(found);
      await printRows(io, flags, {
        head: { command: "luck", name },
        rows: entries.flatMap(([result, shares]) =>
          Object.entries(shares).map(([players, probability]) => ({ cells: { result, players }, probability })),
        ),
        data: () => ({
          in: attempts,
          results: entries.map(([result, { fewer, equal, more }]) => {
            return { result, fewer: certified(fewer), equal: certified(equal), more: certified(more) };
          }),
        }),
      });
    },
  });
}

function foundOf(text: string): readonly [string, number] {
  const [, result, times] = /^(.+)=(\d+)$/.exec(text) ?? [];
  if (result !== undefined) return [result, Number(times)];
  return refuse("invalid number of finds", { got: text, expected: "RESULT=TIMES, such as crown=2" });
}

interface Asked {
  readonly shown: string;
  readonly condition: Condition;
}

/** Returns the condition that the texts describe; without texts or with `each`, one condition for each result. */
function asked(
  source: Source,
  texts: readonly string[],
  options: SourceOptions,
  isWanted: (result: Wanted) => boolean = () => true,
  each = false,
): readonly Asked[] {
  if (texts.length > 0) {
    const groups = each ? texts.map((text) => [text]) : [texts];
    return groups.map((group) => ({ shown: group.join(" "), condition: parseCondition(source, group) }));
  }
  if (source instanceof Recipe || source instanceof ObjectMaker) {
    const [expected, remedy] = ["at least one PART=RESULT", "Add a condition, such as prefix=burnished"];
    return refuse("the condition is missing", { expected, remedy });
  }
  const [[, { odds, none }]] = partsOf(source, options);
  const all = [...odds.map(({ result }) => result as Wanted), ...(none.numerator > 0n && !each ? [null] : [])];
  const own = source instanceof Drops ? all.filter((result) => result !== null) : all;
  return own.filter(isWanted).map((result) => ({ shown: result === null ? NONE : String(result), condition: result }));
}

/** Without results on the command line, results with the probability 0 are left out. */
function isPossible(source: Source, options: SourceOptions): (result: Wanted) => boolean {
  return (result) => !isIndependent(source) || boundsOf(chanceOf(source, result, options)).most.numerator > 0n;
}

async function printWaits(
  io: Io,
  flags: ShownFlags & Flags<readonly [typeof QUANTILE, typeof SVG]>,
  {
    command,
    name,
    waits,
  }: {
    readonly command: string;
    readonly name: string;
    readonly waits: readonly { shown: string; law: Distribution }[];
  },
): Promise<void> {
  const { svg, quantile: wanted = QUANTILES } = flags;
  await checkOutput(io, svg);
  const found = waits.map(({ shown, law }) => ({
    result: shown,
    mean: law.mean,
    quantiles: wanted.map(({ text, p }) => ({ p: text, ...quantileOf(law, p) })),
  }));
  await printRows(io, flags, {
    head: { command, name },
    rows: found.map(({ result, mean, quantiles }) => {
      const numbers = quantiles.map(({ p, n, least }) => [`n for ${p}`, least === undefined ? n : `${least} … ${n}`]);
      return { cells: { result, mean: rangeText(mean), ...Object.fromEntries(numbers) } };
    }),
    data: () => found.map(({ mean, ...rest }) => ({ ...rest, mean: certified(mean) })),
  });
  if (!flags.json && !flags.csv)
    note(io, `columns: result, mean, ${wanted.map(({ text }) => `n for ${text}`).join(", ")}`);
  if (svg !== undefined) await writeOutput(io, svg, waitPicture(name, waits));
}

/** Returns the number of attempts that is enough. With bounds, also the least number that can be enough. */
function quantileOf(law: Distribution, p: Fraction): { readonly n: number; readonly least?: number } {
  const { least, most } = law.quantileBounds(p);
  return least === most ? { n: most } : { n: most, least };
}

const MAX_LINES = 12;
const MAX_POINTS = 100;

/** Draws the chance to be done within n attempts. All lines have points at the same n: a missing point is a gap. */
function waitPicture(name: string, waits: readonly { readonly shown: string; readonly law: Distribution }[]): string {
  const drawn = waits.slice(0, MAX_LINES);
  const last = Math.max(...drawn.map(({ law }) => law.quantile("99/100")));
  const step = Math.ceil(last / MAX_POINTS);
  const values = Array.from({ length: Math.ceil(last / step) + 1 }, (_, i) => i * step);
  const series = drawn.map(({ shown, law }) => {
    return { name: shown, points: new Map(values.map((n) => [n, numberOf(law.upTo(n))])) };
  });
  const panel = { title: "Done within n attempts", heights: "probability", series };
  return svgLines([panel], { title: `Waiting time of ${name}`, values: "attempts" });
}
