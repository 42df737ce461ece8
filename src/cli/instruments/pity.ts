import { type Command, InvalidArgumentError } from "commander";
import { type Fraction, toNumber } from "../../index.js";
import { type PityRule, pityOdds } from "../../instruments/index.js";
import { define, option, required } from "../command.js";
import { type Io, note } from "../shared/io.js";
import { integer } from "../shared/options.js";
import { fractionOf } from "./fraction.js";
import { certified, printRows, rounded, SHOWN } from "./show.js";

const MAX_PULLS = 10_000;

const PITY = [
  required("--base <chance>", "chance of a hit without pity, such as 0.6%", fractionOf),
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
  ),
  option("--since <pulls>", "number of pulls since the last hit", integer(0, MAX_PULLS), 0),
  option("--guaranteed", "the next hit is the featured result"),
  ...SHOWN,
] as const;

export function addPity(command: Command, io: Io): void {
  define(command, io, {
    examples: ["pity --base 0.6% --hard 90", "pity --base 0.6% --soft 74:6% --hard 90 --featured 1/2 --since 50"],
    options: PITY,
    async run(flags) {
      const { base, soft: rise, hard, featured, since, guaranteed } = flags;
      const odds = pityOdds({ base, soft: rise, hard, featured });
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

const QUANTILES = ["50%", "90%", "99%"] as const;

function soft(text: string): NonNullable<PityRule["soft"]> {
  const [, from, added] = /^(\d+):(.+)$/.exec(text) ?? [];
  if (from !== undefined) return { from: integer(1, MAX_PULLS)(from), add: fractionOf(added) };
  throw new InvalidArgumentError("Expected FROM:ADD, such as 74:6%.");
}
