import type { ItemOptions, WordTables } from "../../src/recipes/types.js";
import type { Decide } from "../oracle/recipeTwin.js";
import type { PhpArgs, PhpChance, PhpRow, PhpTables } from "../oracle/weaponPhp.js";

/** The decision number of each call of the source, 16 a step: docs/determinism.md. */
const ROLLS: Readonly<Record<string, number>> = {
  ...{ element: 0, crippling: 1, "second element": 3, prefix: 16, swing: 32 },
  ...{ condition: 48, doubled: 49, up: 50, attribute: 64, adjective: 65, bonus: 80, modifier: 81 },
};
const PICKS: Readonly<Record<string, number>> = {
  ...{ element: 2, "second element": 4, prefix: 17, type: 33, adjective: 66, abstract: 67 },
};

/** The source's calls, answered by the decisions of a recipe's item. */
export function answers(decide: Decide): PhpChance {
  const place = (numbers: Readonly<Record<string, number>>, what: string) => {
    if (what in numbers) return numbers[what];
    throw new Error(`${what} is no decision`);
  };
  return {
    rand(what, a, b) {
      const value = decide(place(ROLLS, what), Math.abs(b - a) + 1);
      return b < a ? a - value : a + value;
    },
    choose: (what, rows) => rows[decide(place(PICKS, what), rows.length)],
  };
}

/** The tables of the weapon, as the source has them. */
export function phpTables(tables: WordTables): PhpTables {
  const rows = (table: string): PhpRow[] =>
    (tables.get(table)?.rows ?? []).map(({ stats, ...row }) => ({ ...stats, ...row }));
  return {
    element: rows("element"),
    prefix: rows("prefix"),
    type: rows("type"),
    adjective: rows("adjective"),
    abstract: rows("abstract"),
  };
}

/** What is asked, as the source has it. */
export function phpArgs({ tier = 0, tierVariance = 0, power = 1, request = {} }: ItemOptions): PhpArgs {
  return { tier, power, "tier-variance": tierVariance, attribute: request };
}
