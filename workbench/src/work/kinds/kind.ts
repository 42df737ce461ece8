// What every kind of noun shares. Each kind is a file beside this one, which the worker loads when a file needs it.

import { type CoreMill, type CoreMillOptions, createMillAsync } from "../../../../src/core/index.js";
import { error, fail, failOnErrors } from "../../../../src/errors/index.js";
import type { Fraction } from "../../../../src/fractions.js";
import { type Issue, toNumber } from "../../../../src/index.js";
import type { PlanNoun, PlanRequest } from "../../../../src/plans/index.js";
import type { Parsed } from "../../../../src/spec/index.js";
import type { Files } from "../../document.js";
import type { Asked, Chance, OddsOf, OddsShown, Place, Shown, Work } from "../protocol.js";
import type { Source } from "../source.js";

/** The noun of a file, with what the page can ask about it. */
export interface Opened extends Disposable {
  readonly issues: readonly Issue[];
  /** What a plan file gets. */
  readonly planned: PlanNoun | PlanRequest;
  /** `before`: the same kind of noun, before the changes. */
  look(before: Opened | undefined): Shown;
  odds?(): OddsOf;
  wait?(result: string): Promise<Work["wait"]["answer"]>;
  flow?(): Work["flow"]["answer"];
  /** Returns the text of the file with the weights that give a result this chance. */
  target?(result: string, chance: string): Promise<string>;
  part?(part: string): Work["part"]["answer"];
  numbers?(): Work["numbers"]["answer"];
  explain?(at: number | Place): Promise<string>;
  draw?(ask: Asked<"draw">): Promise<Work["draw"]["answer"]>;
  region?(i: number, j: number, layer?: string): Work["region"]["answer"];
  nearest?(kind: string, from: Place): Work["nearest"]["answer"];
  cell?(place: Place): readonly string[];
  digest?(cells: Asked<"digest">["cells"]): string;
}

export type Open = (source: Source) => Promise<Opened>;

export const SAMPLES = 24;
const CURVE_POINTS = 80;
/** A file whose odds need more work gets a message, so that the page never waits for long. */
export const MAX_WORK = 50_000_000;

export function millOf({ seed }: Source, systems: CoreMillOptions["systems"] = []): Promise<CoreMill> {
  return createMillAsync({ seed, systems });
}

export function specOf<Spec>({ spec, issues }: Parsed<Spec>): Spec {
  failOnErrors(issues);
  return spec as Spec;
}

export function textOf(files: Files, file: string): string {
  if (Object.hasOwn(files, file)) return files[file];
  const [problem, remedy] = ["the workbench has no file of this name", "Add the file, or correct the name"];
  return fail(error("file.read", { problem, got: file, remedy, where: { file } }));
}

export function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf("/") + 1);
}

/** The functions for odds that people ask for. They know every kind of noun, so they come when they are needed. */
export const instruments = () => import("../../../../src/instruments/index.js");

type Waited = Parameters<Awaited<ReturnType<typeof instruments>>["wait"]>[0];

async function waitFor(noun: Waited, result: string) {
  const { numberOf, wait } = await instruments();
  const tries = wait(noun, result, { with: { maxWork: MAX_WORK } });
  const shares = ["1/2", "9/10", "99/100"] as const;
  const points = tries.points({ until: "199/200", most: CURVE_POINTS });
  return {
    mean: numberOf(tries.mean),
    quantiles: shares.map((share) => [share, tries.quantile(share)] as const),
    points: points.map(({ n, upTo }) => [n, numberOf(upTo)] as const),
  };
}

type Explained = Parameters<Awaited<ReturnType<typeof instruments>>["explain"]>[0];

export async function explained(noun: Explained, at: number | Place, options: object = {}): Promise<string> {
  const { explain, explainText } = await instruments();
  return explainText(explain(noun, { at, with: options }));
}

/** What the page can ask of a noun with odds. `roll` returns result `at` as a text, and is asked for `samples` of them. */
export function oddsViews(
  noun: Explained & Waited,
  odds: () => OddsOf,
  roll: (at: number) => string,
  samples = SAMPLES,
) {
  return {
    odds,
    look(before: Opened | undefined): OddsShown {
      const old = before?.odds?.();
      const first = Array.from({ length: samples }, (_, at) => roll(at));
      return { view: "odds", odds: odds(), samples: first, ...(old && { before: old }) };
    },
    wait: (result: string) => waitFor(noun, result),
    explain: (at: number | Place) => explained(noun, at),
  };
}

interface Odds {
  readonly odds: readonly { readonly result: unknown; readonly probability: Fraction }[];
  readonly none: Fraction;
}

export function oddsOf({ odds, none }: Odds, isExclusive = true): OddsOf {
  const chances = odds.map(({ result, probability }) => chanceOf(result, probability));
  return { chances, none: none.numerator === 0n ? undefined : chanceOf("nothing", none), isExclusive };
}

function chanceOf(result: unknown, probability: Fraction): Chance {
  return { result: String(result), probability: toNumber(probability), exact: exactOf(probability) };
}

/** A fraction as text. One with many digits would be wider than the page. */
function exactOf({ numerator, denominator }: Fraction): string {
  const text = `${numerator}/${denominator}`;
  return text.length <= 60 ? text : `${text.slice(0, 24)}… (${text.length} characters)`;
}

/** A content or a result as a text. */
export function told(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return value.map(told).join(", ");
  if (typeof value !== "object") return String(value);
  const { result, quantity, name } = value as Readonly<Record<"result" | "quantity" | "name", unknown>>;
  if (result !== undefined) return [quantity, result].filter((part) => part !== undefined).join(" ");
  if (typeof name === "string" && name !== "") return name;
  return Object.values(value)
    .filter((part) => typeof part !== "object")
    .join(", ");
}
