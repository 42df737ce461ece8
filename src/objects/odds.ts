import { type Chance, type LongCall, type Odds, Watch } from "../calls/index.js";
import { error, fail, reading } from "../errors/index.js";
import { type Fraction, ZERO } from "../fractions.js";
import { checkFlag, checkInteger, readList, readOptions } from "../spec/index.js";
import { MAX_DEPTH } from "./law/constants.js";
import { depthCasesOf, kindOdds, levelOddsOf, slotOddsOf } from "./law/kinds.js";
import { caseOdds, MOST_AFFIXES } from "./law/slots.js";
import { checkChoice, qualityOf, readRequest } from "./make/request.js";
import { wrongType } from "./odds/impossible.js";
import {
  affixOdds,
  affixOddsAt,
  type ObjectThemeOdds,
  type ObjectTwoSlotOdds,
  themeOdds,
  twoSlotThemeOdds,
} from "./odds/themes.js";
import { DEFAULT_STATES, MAX_STATES, type WholeObjectOdds, type WholeQuery, wholeOdds } from "./odds/whole.js";
import { affixNamed, kindNamed, levelNamed, tvalNamed } from "./parse/names.js";
import type { AffixSpec, KindSpec, ObjectFiles, ObjectOptions } from "./types.js";

type Picked<Keys extends keyof ObjectOptions> = Pick<ObjectOptions, "level" | Keys> & LongCall;

/**
 * Odds of the kind that is drawn for an object; with `tval`, among the kinds of this type. Exactly valid for objects
 * that are made with `artifacts: false`: otherwise, an artifact can replace an object after its kind was drawn.
 */
export interface KindOddsQuery extends Picked<"good" | "great" | "tval"> {
  readonly of: "kind";
}

/** Odds of the affix in one slot of an object. */
export interface AffixOddsQuery extends Picked<never> {
  readonly of: "affix";
  /** The object's kind, by name or number. */
  readonly kind: string | number;
  /** The object's affix level, by name. */
  readonly affixLevel: string;
  /** The depth of the slot, an integer ≥ 0. Default: all depths of the slot, each weighted by its probability. */
  readonly depth?: number | undefined;
  /** Affixes that the object already has, by name or number. The odds omit all affixes that one of these excludes. */
  readonly has?: readonly (string | number)[] | undefined;
}

/** Odds of the theme of an object right after a slot was filled. */
export interface ThemeOddsQuery extends Picked<never> {
  readonly of: "theme";
  readonly kind: string | number;
  /** The affixes of the object, by name or number, in any order. An affix that is listed twice counts once. */
  readonly has: readonly (string | number)[];
  /** The depth of the slot, an integer ≥ 0. Default: the real depth. */
  readonly depth?: number | undefined;
}

/**
 * Odds of the theme of an object right after its second slot was filled. Ignores `limit`. Also ignores artifacts that
 * require affixes, because an object can become such an artifact only after its last slot.
 */
export interface TwoSlotOddsQuery extends Picked<never> {
  readonly of: "themeOfTwoSlots";
  readonly kind: string | number;
  readonly affixLevel: string;
}

/** Odds of the affix level of an object. The results are names of affix levels. */
export interface LevelOddsQuery extends Picked<"good" | "great"> {
  readonly of: "affixLevel";
}

/** Odds of the number of affix slots of an object, 0 … 8. */
export interface SlotOddsQuery extends Picked<"good" | "great"> {
  readonly of: "slots";
  readonly kind: string | number;
}

/** Odds of the depth of a slot. A slot has the real depth, or a greater, boosted depth. */
export interface DepthOddsQuery extends Picked<never> {
  readonly of: "depth";
}

/**
 * Odds of a whole object. Missing options have the defaults of `maker.make`. The odds are valid if no artifact was made
 * before and the score has no limit.
 */
export interface WholeOddsQuery extends Picked<"good" | "great" | "kind" | "tval" | "affixLevel" | "artifacts"> {
  readonly of: "object";
  /**
   * Maximum number of states for each number of affixes, 1 … 2^22. Default 2^18. A state stands for many possible
   * objects: it lists the affixes that matter for themes, exclusions or artifacts, and counts all others. If a kind has
   * more states, only the most probable ones are followed, and the results are exact bounds of the odds.
   */
  readonly states?: number | undefined;
}

/** A query of exact odds. `of` selects the decision. */
export type ObjectOddsQuery =
  | KindOddsQuery
  | AffixOddsQuery
  | ThemeOddsQuery
  | TwoSlotOddsQuery
  | LevelOddsQuery
  | SlotOddsQuery
  | DepthOddsQuery
  | WholeOddsQuery;

/** The result type for each value of `of` in {@link ObjectOddsQuery}. */
export interface ObjectOdds {
  readonly kind: Odds<KindSpec>;
  readonly affix: Odds<AffixSpec>;
  readonly theme: ObjectThemeOdds;
  readonly themeOfTwoSlots: ObjectTwoSlotOdds;
  readonly affixLevel: Odds<string>;
  readonly slots: Odds<number>;
  readonly depth: Odds<number>;
  readonly object: WholeObjectOdds;
}

type Laws = {
  readonly [Of in keyof ObjectOdds]: {
    readonly options: readonly string[];
    readonly law: (
      files: ObjectFiles,
      query: Extract<ObjectOddsQuery, { of: Of }>,
      watchFor: (steps?: number) => Watch,
    ) => ObjectOdds[Of];
  };
};

const LAWS: Laws = {
  kind: {
    options: ["good", "great", "tval"],
    law: (files, { level, tval, ...request }, watchFor) => {
      const type = tval === undefined ? undefined : tvalNamed(files, tval);
      const { kinds, none } = kindOdds(files, { level, quality: qualityOf(request), tval: type, watch: watchFor() });
      return { odds: listed(kinds), none };
    },
  },
  affix: {
    options: ["kind", "affixLevel", "depth", "has"],
    law: (files, { kind, level, affixLevel, depth, has = [] }, watchFor) => {
      const slot = slotNamed(files, { kind, level, affixLevel });
      const query = { ...slot, has: affixesNamed(files, has), watch: watchFor() };
      const { affixes, none } = depth === undefined ? affixOdds(files, query) : affixOddsAt(files, { ...query, depth });
      return { odds: listed(affixes), none };
    },
  },
  theme: {
    options: ["kind", "has", "depth"],
    law: (files, { kind, level, depth, has }, watchFor) =>
      themeOdds(files, {
        kind: kindNamed(files, kind),
        level,
        depth,
        has: affixesNamed(files, has),
        watch: watchFor(),
      }),
  },
  themeOfTwoSlots: {
    options: ["kind", "affixLevel"],
    law: (files, query, watchFor) => twoSlotThemeOdds(files, { ...slotNamed(files, query), watch: watchFor() }),
  },
  affixLevel: {
    options: ["good", "great"],
    law: (files, { level, ...request }) => {
      const chances = levelOddsOf(files, { level, quality: qualityOf(request) });
      return { odds: listed(chances.map((chance, i) => [files.levels[i], chance])), none: ZERO };
    },
  },
  slots: {
    options: ["kind", "good", "great"],
    law: (files, { kind, level, ...request }) => {
      const chances = slotOddsOf(files, kindNamed(files, kind), { level, quality: qualityOf(request) });
      return { odds: listed(chances.entries()), none: ZERO };
    },
  },
  depth: {
    options: [],
    law: (files, { level }) => {
      const odds = [...depthCasesOf(files, level)].map(([result, cases]) => {
        return { result, probability: caseOdds(cases, files.constants) };
      });
      return { odds, none: ZERO };
    },
  },
  object: {
    options: ["good", "great", "kind", "tval", "affixLevel", "artifacts", "states"],
    law: (files, query, watchFor) => wholeOdds(files, readWhole(files, query), watchFor),
  },
};

/** Returns the same as `maker.odds`, without a kernel. `name` is the name of the maker, for messages. */
export function objectOdds<Query extends ObjectOddsQuery>(
  files: ObjectFiles,
  query: Query,
  name = "objects",
): ObjectOdds[Query["of"]] {
  const { of, ...rest } = reading("the query", () => ({ ...query }));
  checkChoice("of", of, Object.keys(LAWS));
  const { options, law } = LAWS[of];
  const request = readOptions("maker.odds", rest, ["level", "signal", "onProgress", ...options]);
  checkInteger("level", request.level, 0, MAX_DEPTH);
  if ("depth" in request && request.depth !== undefined)
    checkInteger("depth", request.depth, 0, Number.MAX_SAFE_INTEGER);
  let [steps, watch] = [0, new Watch(name, 0, request)];
  const watchFor = (total = files.affixes.length) => {
    [steps, watch] = [total, new Watch(name, total, request)];
    return watch;
  };
  const odds = law(files, request as never, watchFor) as ObjectOdds[Query["of"]];
  watch.passed(steps);
  return odds;
}

function readWhole(files: ObjectFiles, query: WholeOddsQuery): WholeQuery {
  const { level, kind, tval, affixLevel, artifacts = true, states = DEFAULT_STATES, ...more } = query;
  checkFlag("artifacts", artifacts);
  checkInteger("states", states, 1, MAX_STATES);
  const request = readRequest(files, { level, kind, tval, affixLevel, artifacts, ...more });
  const { kind: own, tval: type } = request;
  if (own !== undefined && type !== undefined && own.tval !== type) {
    fail(error("object.impossible", wrongType(files, own, type)));
  }
  return { ...request, mostStates: states };
}

function slotNamed(files: ObjectFiles, { kind, level, affixLevel }: Omit<TwoSlotOddsQuery, "of">) {
  return { kind: kindNamed(files, kind), level, affixLevel: levelNamed(files, affixLevel) };
}

function listed<Result>(chances: Iterable<readonly [Result, Fraction]>): Chance<Result>[] {
  return [...chances].flatMap(([result, probability]) =>
    probability.numerator === 0n ? [] : [{ result, probability }],
  );
}

function affixesNamed(files: ObjectFiles, names: unknown): readonly AffixSpec[] {
  const list = readList("has", names, { of: "affixes, by name or number", most: MOST_AFFIXES });
  return list.map((name) => affixNamed(files, name as string | number));
}
