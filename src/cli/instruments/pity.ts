import { type Command, InvalidArgumentError } from "commander";
import { divide } from "../../fractions.js";
import { createMill, type Fraction, toNumber } from "../../index.js";
import { parseCondition } from "../../instruments/conditionText.js";
import { chance, type PityRule, pityOdds } from "../../instruments/index.js";
import { ObjectMaker } from "../../objects/objectMaker.js";
import { Pool } from "../../pools/pool.js";
import { Recipe } from "../../recipes/recipe.js";
import { define, type Flags, option } from "../command.js";
import { type Io, note, refuse } from "../shared/io.js";
import { integer } from "../shared/options.js";
import { fractionOf } from "./fraction.js";
import { certified, printRows, rounded, SHOWN } from "./show.js";
import { FILE, openSource, SOURCE } from "./source.js";

const MAX_PULLS = 10_000;

const PITY = [
  option(
    "--base <chance>",
    "chance of a hit without pity, such as 0.6%; with a file, its odds give the chance",
    fractionOf,
  ),
  option("--of <result>", "with a file: a result that hits; repeatable", listed).conflicts("base"),
  option(
    "--soft <from:add>",
    "from this pull on, each pull has a chance that is greater by <add>, such as 74:6%",
    soft,
  ),
  option("--hard <pull>", "the pull that always hits, counted from the last hit", integer(1, MAX_PULLS)),
  option(
    "--featured <chance>",
    "chance that a hit is the featured result; after a hit that is not, the next one is",
    fractionOf,
  ).conflicts("of"),
  option("--featured-result <result>", "with a file: a hit that is featured; repeatable", listed),
  option("--since <pulls>", "number of pulls since the last hit", integer(0, MAX_PULLS), 0),
  option("--guaranteed", "the next hit is the featured result"),
  ...SOURCE,
  ...SHOWN,
] as const;

export function addPity(command: Command, io: Io): void {
  define(command, io, {
    examples: [
      "pity --base 0.6% --hard 90",
      "pity --base 0.6% --soft 74:6% --hard 90 --featured 1/2 --since 50",
      "pity {examples/loot.csv} --of crown --of opal --featured-result crown --hard 90",
    ],
    takes: [["[file]", FILE[1]]],
    options: PITY,
    async run(flags, file) {
      const { soft: rise, hard, since, guaranteed } = flags;
      const odds = pityOdds({ ...(await chancesFor(io, flags, file)), soft: rise, hard });
      const waits = [
        { result: "hit", rate: odds.rate, law: odds.wait({ since, guaranteed }) },
        ...(odds.featuredRate === undefined
          ? []
          : [{ result: "featured", rate: odds.featuredRate, law: odds.waitFeatured({ since, guaranteed }) }]),
      ];
      const found = waits.map(({ result, rate, law }) => {
        const numbers = QUANTILES.map((p) => ({ p, n: law.quantile(fractionOf(p)) }));
        return { result, rate, mean: law.mean, quantiles: numbers };
      });
      await printRows(io, flags, {
        head: { command: "pity", name: "pity" },
        rows: found.map(({ result, rate, mean, quantiles }) => {
          const numbers = Object.fromEntries(quantiles.map(({ p, n }) => [`n for ${p}`, n]));
          return { cells: { result, mean: rounded(toNumber(mean as Fraction)), ...numbers }, probability: rate };
        }),
        data: () => found.map(({ rate, mean, ...rest }) => ({ ...rest, rate: certified(rate), mean: certified(mean) })),
      });
      if (!flags.json && !flags.csv) {
        note(
          io,
          `columns: result, mean number of pulls, ${QUANTILES.map((p) => `n for ${p}`).join(", ")}, share of all pulls`,
        );
      }
    },
  });
}

type Chances = Pick<PityRule, "base" | "featured">;

/** Returns the chances that the options give, or those of the results of a file. */
async function chancesFor(io: Io, flags: Flags<typeof PITY>, file: string | undefined): Promise<Chances> {
  const { base, of = [], featured, featuredResult: best } = flags;
  if (file === undefined) {
    if (base === undefined) return refuse("the chance of a hit is missing", { expected: "--base, or a file and --of" });
    if (best !== undefined) return refuse("--featured-result needs a file", { remedy: "Use --featured" });
    return { base, featured };
  }
  if (of.length === 0) return refuse("the results that hit are missing", { expected: "--of RESULT" });
  using mill = createMill({ seed: "" });
  const { source, options } = await openSource(io, mill, file, flags);
  if (source instanceof Pool && source.kind === "finite") {
    refuse("draws from a finite pool do not have the same odds each time", { expected: "an infinite pool" });
  }
  if (of.length > 1 && (source instanceof Recipe || source instanceof ObjectMaker)) {
    refuse("several parts must all be met, so they are one hit", { expected: "--of once" });
  }
  const chanceOfAny = (texts: readonly string[]) => {
    const p = chance(source, parseCondition(source, texts), { in: 1, with: options });
    return "numerator" in p ? p : refuse("the chance is known only within bounds", { remedy: "Give --base" });
  };
  const hit = chanceOfAny(of);
  const absent = best?.find((result) => !of.includes(result));
  if (absent !== undefined) refuse("a featured result does not hit", { got: absent, expected: of.join(", ") });
  return { base: hit, featured: best && divide(chanceOfAny(best), hit) };
}

function listed(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

const QUANTILES = ["50%", "90%", "99%"] as const;

function soft(text: string): NonNullable<PityRule["soft"]> {
  const [, from, added] = /^(\d+):(.+)$/.exec(text) ?? [];
  if (from !== undefined) return { from: integer(1, MAX_PULLS)(from), add: fractionOf(added) };
  throw new InvalidArgumentError("Expected FROM:ADD, such as 74:6%.");
}
