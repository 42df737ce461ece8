import type { Progress } from "../../calls/index.js";
import type { Mill } from "../../index.js";
import { parseCondition } from "../../instruments/conditionText.js";
import {
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

function worldSearching(noun: World, name: string, condition: WorldCondition): Searching {
  return {
    noun,
    name,
    in: (segment, onProgress) => searchSeeds(noun, condition, { ...segment, onProgress }),
    get tries() {
      return refuse("the condition of a world has no exact odds");
    },
  };
}

function nounSearching(noun: Searched, name: string, { texts, flags }: Sought, options: SourceOptions): Searching {
  const { seeds = false, first } = flags;
  const condition = parseCondition(noun, texts);
  return {
    noun,
    name,
    in(segment, onProgress) {
      const call = { ...segment, with: options, onProgress };
      return seeds ? searchSeeds(noun, condition, { ...call, first }) : search(noun, condition, call);
    },
    get tries() {
      if (!seeds) {
        const tries = expectedTries(noun, condition, options);
        return tries === undefined ? undefined : numberOf(tries);
      }
      const p = numberOf(chance(noun, condition, { in: first ?? 1, with: options }));
      return p === 0 ? undefined : 1 / p;
    },
  };
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
    return worldSearching(forkOf(source, flags), name, condition);
  }
  if (condition !== undefined) refuse("--near and --window need a world", { remedy: "Name a result as the condition" });
  if (texts.length === 0) refuse("no condition", { remedy: "Name a result, such as crown" });
  return nounSearching(forkOf(source as never, flags), name, sought, options);
}
