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
} from "../../instruments/index.js";
import type { Segment } from "../../instruments/search.js";
import { Pool } from "../../pools/pool.js";
import { Drops } from "../../tables/drops/drops.js";
import type { Flags } from "../command.js";
import { type Io, refuse } from "../shared/io.js";
import { type FORK, forkOf } from "../shared/options.js";
import { openSource, type SourceFlags } from "./source.js";

/** What to search. Another thread can open it again. */
export interface Sought {
  readonly file: string;
  readonly texts: readonly string[];
  readonly flags: SourceFlags &
    Partial<Flags<readonly [typeof FORK]>> & {
      readonly name?: string | undefined;
      readonly seeds?: boolean | undefined;
      readonly first?: number | undefined;
    };
}

export type Found = SearchResult<number | SeedMatch>;

/** An opened noun and a condition, ready to be searched. */
export class Searching {
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

  /**
   * The expected number of results, or of seeds, for one match. Undefined if nothing can match.
   *
   * @throws RollmillError if the condition has no exact odds.
   */
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
  const { source, name, options } = await openSource(io, mill, sought.file, sought.flags);
  if (source instanceof Drops || source instanceof Pool) {
    refuse("search needs results with an index", { expected: "a list, table, recipe, objects or dice" });
  }
  return new Searching(forkOf(source as never, sought.flags), name, sought, options);
}
