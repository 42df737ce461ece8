import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyOf, purposeOf } from "../../src/address.js";
import type { ItemOptions, WordTables } from "../../src/recipes/types.js";
import { type Decide, decisionsOf, placesOf, recipeTwin } from "../oracle/recipeTwin.js";
import { createWeapon, type PhpArgs, type PhpChance, type PhpRow, type PhpTables, UNIT } from "../oracle/weaponPhp.js";
import { purposeWords } from "../oracle/words.js";
import { read, weapon } from "./recipeCases.js";

/** The decision number of each call of the source, 16 a step: docs/determinism.md. */
const ROLLS: Readonly<Record<string, number>> = {
  ...{ element: 0, crippling: 1, "second element": 3, prefix: 16, swing: 32 },
  ...{ condition: 48, doubled: 49, up: 50, attribute: 64, adjective: 65, bonus: 80, modifier: 81 },
};
const PICKS: Readonly<Record<string, number>> = {
  ...{ element: 2, "second element": 4, prefix: 17, type: 33, adjective: 66, abstract: 67 },
};

/** The source's calls, answered by the decisions of a recipe's item. */
function answers(decide: Decide): PhpChance {
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

function phpTables(tables: WordTables): PhpTables {
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

function phpArgs({ tier = 0, tierVariance = 0, power = 1, request = {} }: ItemOptions): PhpArgs {
  return { tier, power, "tier-variance": tierVariance, attribute: request };
}

const shipped = read(weapon);

/** The shipped words, with attacks of both signs. */
const gentle = read({
  recipe: weapon.recipe,
  tables: Object.fromEntries(
    [...shipped.words].map(([name, { rows }]) => [
      name,
      rows.map(({ stats, ...row }) => ({ ...row, ...stats, attack: (row.id % 2 ? -3 : 2) * (stats.attack ?? 1) })),
    ]),
  ),
});

const requests = fc.record(
  {
    element: fc.constantFrom("crippling", "hallowed", "magmatic", "' OR 1=1"),
    prefix: fc.constantFrom("keen", "star-forged", "Keen"),
    type: fc.constantFrom("sword", "moon-drinker", "table leg", ""),
    adjective: fc.constantFrom("bitter", "unspeakable", "no such word"),
    abstract: fc.constantFrom("ruin", "the last hour", "__proto__"),
  },
  { requiredKeys: [] },
);

const asked = fc.record({
  tier: fc.constantFrom(0, 0, 1, 3, 6),
  tierVariance: fc.constantFrom(0, 1),
  power: fc.constantFrom(0, 0.6, 1, 1, 1.05, 1.7, 1.7, 30),
  request: requests,
});

describe.each([
  ["the shipped words", shipped],
  ["words that take attack away", gentle],
])("weapons of %s", (_, { spec, words }) => {
  const tables = phpTables(words);
  const places = placesOf(spec, words);
  const random = purposeWords(keyOf("php"), purposeOf("weapon"));

  test("are what the source makes of the same decisions, whatever is asked", () => {
    const seen = { elements: 0, bonuses: 0, negative: 0 };
    fc.assert(
      fc.property(asked, fc.nat(60_000), (options, from) => {
        const make = recipeTwin(spec, words, options);
        for (let k = from; k < from + 40; k++) {
          const decide = decisionsOf(random, k);
          const made = make(decide);
          const php = createWeapon(phpArgs(options), tables, answers(decide));
          expect(made.name).toBe(php.name);
          for (const [stat, value] of php.stats) {
            expect(made.stats[stat] * UNIT, stat).toBe(value * 10n ** BigInt(places.get(stat) ?? 0));
          }
          if (made.words.secondElement > 0) seen.elements++;
          if (made.outcomes.bonus > 0) seen.bonuses++;
          if (made.stats.attack < 0n) seen.negative++;
        }
      }),
      { seed: 41, numRuns: 150 },
    );
    expect(seen.elements).toBeGreaterThan(30);
    expect(seen.bonuses).toBeGreaterThan(500);
    expect(seen.negative).toBeGreaterThan(5);
  });
});
