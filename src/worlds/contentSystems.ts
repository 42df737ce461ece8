import { objects } from "../objects/system.js";
import { pools } from "../pools/system.js";
import { recipes } from "../recipes/system.js";
import { drops } from "../tables/drops/system.js";
import { tables } from "../tables/system.js";
import type { SourceSpecs } from "./types.js";

/** The systems that make the contents of a world. */
export interface ContentSystems {
  /** The system `tables` of `rollmill/tables`. */
  readonly tables?: typeof tables | undefined;
  /** The system `drops` of `rollmill/tables`. */
  readonly drops?: typeof drops | undefined;
  /** The system `recipes` of `rollmill/recipes`. */
  readonly recipes?: typeof recipes | undefined;
  /** The system `objects` of `rollmill/objects`. */
  readonly objects?: typeof objects | undefined;
  /** The system `pools` of `rollmill/pools`. */
  readonly pools?: typeof pools | undefined;
}

export const ALL_SYSTEMS = { tables, drops, recipes, objects, pools } as const satisfies ContentSystems;

/** Returns the message for a world with sources whose system was not passed to `worldsWith`. */
export function systemMissing(list: keyof SourceSpecs) {
  return {
    problem: `the world has "${list}", but was not given the system that reads them`,
    expected: "no sources of this system",
    remedy: `Pass the system: worldsWith({ ${list} }), with \`${list}\` from rollmill/${list === "drops" ? "tables" : list}`,
  };
}
