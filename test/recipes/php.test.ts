import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decisionsOf, placesOf, recipeTwin } from "../oracle/recipeTwin.js";
import { createWeapon, UNIT } from "../oracle/weaponPhp.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { read, weapon } from "./cases.js";
import { answers, phpArgs, phpTables } from "./php.js";

const shipped = read(weapon);

/** The shipped words, with attacks of both signs. */
const gentle = read({
  recipe: weapon.recipe,
  tables: Object.fromEntries(
    [...shipped.tables].map(([name, { rows }]) => [
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
])("weapons of %s", (_, { spec, tables: words }) => {
  const tables = phpTables(words);
  const places = placesOf(spec, words);
  const random = streamWords(streamKey("php", "weapon"));

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
