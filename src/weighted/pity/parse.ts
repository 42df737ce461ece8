import { RATIO, type WeightInput, weightFraction } from "../../decimals.js";
import { type Fraction, fraction, overCommonDenominator } from "../../fractions.js";
import {
  type Field,
  type InputOf,
  integer,
  list,
  lookUp,
  optional,
  type Parsed,
  readOptions,
  record,
  SpecReader,
  shape,
  text,
  unread,
} from "../../spec/index.js";
import { LABELLED, type LabelledInput, readLabels } from "../parse.js";
import type { LabelledSpec, Listable, WeightedOptions } from "../types.js";
import { hitChances, MAX_PULLS, type PityRule } from "./rule.js";

/** Maximum common denominator of the chances: the words of the stream decide chances of 32 bits exactly. */
const MAX_DENOMINATOR = 2 ** 32 - 1;

const PULLS = integer({ least: 1, most: MAX_PULLS, code: "argument.range" });
/** A chance. It stays a number or a text, so that two specs can be compared. */
const CHANCE = shape<WeightInput, string | number>(readChance, {
  oneOf: [{ type: "number", minimum: 0, maximum: 1 }, RATIO],
});
const RESULT = text("weights.invalid");
const RESULTS = shape<string | readonly string[], Field[]>(
  (reader, at) => (typeof at.value === "string" ? [at] : reader.list(at, { least: 1, of: "results" })),
  { oneOf: [RESULT, list(RESULT, { least: 1 })] },
);

const SOFT = record({
  /** The first pull whose chance is greater, counted from the last hit: 1 … 10,000. */
  from: PULLS,
  /** What each pull adds to the chance: a number or a fraction, 0 … 1. */
  add: CHANCE,
});
/** Soft pity: from pull `from` on, counted from the last hit, the chance of a hit grows with each pull. */
export interface SoftPityInput extends InputOf<typeof SOFT> {}

const PITY = record({
  /** A labelled list, or an open table: without pity, a pull has the odds of this list, or of a roll of this table. */
  list: unread<LabelledInput | Listable>(LABELLED),
  /** The result or results that hit. The list must have other results too. */
  of: RESULTS,
  /** The hits that are featured. After a hit that is not featured, the next hit always is. */
  featured: optional(RESULTS),
  /** Soft pity. Default: the chance does not grow. */
  soft: optional(SOFT),
  /** Hard pity: the pull that always hits, counted from the last hit: 1 … 10,000. Needed unless `soft` reaches 1. */
  hard: optional(PULLS),
});
/** A list with pity. A hit is one of the results `of`. Its chance depends on the number of pulls since the last hit. */
export interface PityInput extends InputOf<typeof PITY> {}

/** A parsed list with pity. `Input` is the type of the parsed input. */
export interface PitySpec<Input = unknown> {
  readonly list: LabelledSpec;
  readonly of: readonly string[];
  readonly featured: readonly string[] | undefined;
  readonly soft: { readonly from: number; readonly add: string | number } | undefined;
  readonly hard: number | undefined;
  /** Never set. It only carries the type `Input`. */
  readonly input?: Input;
}

/**
 * Reads a list with pity. Cost: O(entries + pulls until a hit is sure).
 *
 * Error cases: those of `parseLabels`, with paths inside the list; `weights.invalid` (a result that the list lacks, or
 * `add` that is not a chance), `weights.empty` (no weight for hits, for featured hits or for other results),
 * `weights.decimals` (the common denominator of the chances exceeds 2^32 − 1), `argument.range` (`from` or `hard`
 * outside 1 … 10,000, or no sure hit within 10,000 pulls), `argument.type`.
 */
export function parsePity<const Input>(input: Input, options: WeightedOptions = {}): Parsed<PitySpec<Input>> {
  const { file } = readOptions("parsePity", options, ["file"]);
  const reader = new SpecReader({ noun: "pity", code: "argument.type", file, isDocument: true });
  return reader.run(input, (root) => {
    const { list: at, of, featured, soft, hard } = PITY.read(reader, root);
    const whole = readLabels(reader, at, options);
    const labels = [...new Set(whole.labels)].filter((label) => label !== null);
    const hits = readResults(reader, of, labels, "the list has no such result");
    const best = featured && readResults(reader, featured, hits, "this result does not hit");
    const spec = { list: whole, of: hits, featured: best, soft, hard };
    if (reader.errors === 0) checkPity(reader, root, spec);
    return spec;
  });
}

function readChance(reader: SpecReader, at: Field): string | number {
  const { value } = at;
  const chance = weightFraction(value);
  if (chance === undefined || chance.numerator > chance.denominator) {
    const expected = 'a number or a fraction from 0 to 1, such as 0.06 or "3/50"';
    reader.report(at, { problem: `invalid ${at.name}`, got: value, expected }, "weights.invalid");
    return 0;
  }
  return typeof value === "number" ? value : `${chance.numerator}/${chance.denominator}`;
}

/** Reads labels that must be among `allowed`. */
function readResults(reader: SpecReader, results: readonly Field[], allowed: readonly string[], problem: string) {
  // if the list is wrong, it is unknown which results it should have
  if (reader.errors > 0) return [];
  const known = new Map(allowed.map((label) => [label, label]));
  return results.map((at) => lookUp(reader, at, { known, problem, code: "weights.invalid" }) ?? "");
}

/** Returns the weight of the entries whose label is one of some results. */
function weightOf({ weights, labels }: LabelledSpec, results: readonly string[]): number {
  const wanted = new Set<string | null>(results);
  return weights.reduce((sum, weight, entry) => (wanted.has(labels[entry]) ? sum + weight : sum), 0);
}

/** Returns the rule of a spec. The weights of the list give the base chance, and the share of the featured hits. */
export function ruleOf({ list: whole, of, featured, soft, hard }: PitySpec): PityRule<Fraction> {
  const hits = weightOf(whole, of);
  const half = featured && fraction(BigInt(weightOf(whole, featured)), BigInt(hits));
  const rise = soft && { from: soft.from, add: weightFraction(soft.add) ?? fraction(0n, 1n) };
  return { base: fraction(BigInt(hits), BigInt(whole.total)), soft: rise, hard, featured: half };
}

function checkPity(reader: SpecReader, root: Field, spec: PitySpec): void {
  const { list: whole, of, featured } = spec;
  const hits = weightOf(whole, of);
  const refuse = (key: string, problem: string, remedy = "Give at least one of them a positive weight") =>
    reader.report(root.part(key), { problem, remedy }, "weights.empty");
  if (hits === 0) refuse("of", "the results that hit have no weight");
  else if (hits === whole.total) refuse("of", "every result hits", "Add a result that does not hit");
  else if (featured !== undefined && weightOf(whole, featured) === 0) {
    refuse("featured", "the featured hits have no weight");
  } else checkChances(reader, root, ruleOf(spec));
}

function checkChances(reader: SpecReader, root: Field, rule: PityRule<Fraction>): void {
  const chances = hitChances(rule);
  if (chances === undefined) {
    const expected = `a sure hit within ${MAX_PULLS} pulls`;
    const remedy = 'Set "hard", or let "soft" reach 1';
    reader.report(root, { problem: "no pull hits for sure", expected, remedy }, "argument.range");
    return;
  }
  const { whole: got } = overCommonDenominator(chances);
  if (got <= MAX_DENOMINATOR) return;
  const problem = "the chances have no small common denominator";
  const expected = `a common denominator of at most ${MAX_DENOMINATOR}`;
  const remedy = "Round the weights or `soft.add` to fewer digits";
  reader.report(root, { problem, got, expected, remedy }, "weights.decimals");
}
