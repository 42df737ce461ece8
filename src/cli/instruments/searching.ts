import type { Progress } from "../../calls/index.js";
import type { Mill } from "../../index.js";
import { parseCondition } from "../../instruments/conditionText.js";
import {
  type Condition,
  chance,
  expectedTries,
  numberOf,
  type Searched,
  type SearchResult,
  type SeedMatch,
  type SourceOptions,
  search,
  searchSeeds,
  type WorldCondition,
} from "../../instruments/index.js";
import type { Segment } from "../../instruments/search.js";
import { Pool } from "../../pools/pool.js";
import { Drops } from "../../tables/drops/drops.js";
import { Walk } from "../../walks/index.js";
import { World } from "../../worlds/index.js";
import type { Flags } from "../command.js";
import { type Io, refuse } from "../shared/io.js";
import { type FORK, forkOf } from "../shared/options.js";
import { openAny, type SourceFlags } from "./source.js";

/** What to search. Another thread can open it again. */
export interface Sought {
  readonly file: string;
  readonly texts: readonly string[];
  readonly flags: SourceFlags &
    Partial<Flags<readonly [typeof FORK]>> & {
      readonly name?: string | undefined;
      readonly seeds?: boolean | undefined;
      readonly first?: number | undefined;
      /** The condition of a world. */
      readonly condition?: WorldCondition | undefined;
    };
}

export type Found = SearchResult<number | SeedMatch>;

/** An opened noun and a condition, ready to be searched. */
export interface Searching {
  readonly noun: Searched | World;
  readonly name: string;
  in(segment: Segment, onProgress?: (progress: Progress) => void): Found;
  /**
   * The expected number of results, or of seeds, for one match. Undefined if nothing can match.
   *
   * @throws RollmillError if the condition has no exact odds, as that of a world.
   */
  readonly tries: number | undefined;
}

class WorldSearching implements Searching {
  readonly noun: World;
  readonly name: string;
  readonly #condition: WorldCondition;

  constructor(noun: World, name: string, condition: WorldCondition) {
    this.noun = noun;
    this.name = name;
    this.#condition = condition;
  }

  in(segment: Segment, onProgress?: (progress: Progress) => void): Found {
    return searchSeeds(this.noun, this.#condition, { ...segment, onProgress });
  }

  get tries(): number {
    return refuse("the condition of a world has no exact odds");
  }
}

class NounSearching implements Searching {
  readonly noun: Searched;
  readonly name: string;
  readonly #sought: Sought;
  readonly #condition: Condition;
  readonly #options: SourceOptions;

  constructor(noun: Searched, name: string, sought: Sought, options: SourceOptions) {
    this.noun = noun;
    this.name = name;
    this.#sought = sought;
    this.#condition = parseCondition(noun, sought.texts);
    this.#options = options;
  }

  in(segment: Segment, onProgress?: (progress: Progress) => void): Found {
    const { seeds, first } = this.#sought.flags;
    const call = { ...segment, with: this.#options, onProgress };
    if (seeds === true) return searchSeeds(this.noun, this.#condition, { ...call, first });
    return search(this.noun, this.#condition, call);
  }

  get tries(): number | undefined {
    const { seeds, first = 1 } = this.#sought.flags;
    if (seeds !== true) {
      const tries = expectedTries(this.noun, this.#condition, this.#options);
      return tries === undefined ? undefined : numberOf(tries);
    }
    const p = numberOf(chance(this.noun, this.#condition, { in: first, with: this.#options }));
    return p === 0 ? undefined : 1 / p;
  }
}

export async function openSearching(io: Io, mill: Mill, sought: Sought): Promise<Searching> {
  const { file, texts, flags } = sought;
  const { condition } = flags;
  // --kind of a world is part of the condition, not an option of the noun
  const own = condition === undefined ? flags : { ...flags, kind: undefined };
  const { source, name, options } = await openAny(io, mill, file, own);
  if (source instanceof Drops || source instanceof Pool || source instanceof Walk) {
    refuse("search needs results with an index, or a world", {
      expected: "a list, table, recipe, objects, dice or world",
    });
  }
  if (source instanceof World) {
    if (condition === undefined || texts.length > 0) {
      refuse("the condition of a world is given by options", { remedy: "Use --near or --window" });
    }
    return new WorldSearching(forkOf(source, flags), name, condition);
  }
  if (condition !== undefined) refuse("--near and --window need a world", { remedy: "Name a result as the condition" });
  if (texts.length === 0) refuse("no condition", { remedy: "Name a result, such as crown" });
  return new NounSearching(forkOf(source as never, flags), name, sought, options);
}
