// Weapons by the statements of the original program in their order, one weapon per call, at power 1, tier 0 and without
// requests. Each `rand` reads a random word. Each row is added to the weapon's sums stat by stat, and the finished
// weapon is stored in the columns. The rows of a slot's words are in one array and include the strength.

import { Words } from "./words.mjs";

const INV_2_32 = 2 ** -32;
const BLOCK = 4096;
const STATS = 13;
const HANDS = 0;
const ATTACK = 2;

/**
 * {makeInto(columns)} for the tables of inputs/recipes.mjs; columns are {words, outcomes, stats}, arrays of typed
 * arrays.
 */
export function jsRecipes({ slots, special, bonus }) {
  const rows = slots.map((slot) => Int16Array.from(slot.rows.flat()));
  const active = slots.map((slot) => Uint16Array.from(slot.active));
  const rungs = Int16Array.from(bonus.flat());
  const words = new Words(5);
  const block = new Uint32Array(BLOCK);
  let at = BLOCK;

  const weapon = new Int32Array(STATS);
  const chosen = new Int32Array(slots.length);
  const [ELEMENT, SECOND, PREFIX, TYPE, ADJECTIVE, ABSTRACT] = slots.keys();
  let condition = 0;
  let rung = 0;

  function below(m) {
    if (at === BLOCK) {
      words.fill(block);
      at = 0;
    }
    return (block[at++] * m * INV_2_32) | 0;
  }

  /** A number from a to b, both inclusive. */
  function rand(a, b) {
    return a + below(b - a + 1);
  }

  function sumAttributes(table, row) {
    for (let stat = 0; stat < STATS; stat++) weapon[stat] += table[row * STATS + stat];
  }

  function choose(slot, word) {
    chosen[slot] = word;
    sumAttributes(rows[slot], word);
  }

  function createWeapon() {
    weapon.fill(0);
    chosen.fill(0);

    if (rand(0, 100) >= 95) {
      if (rand(0, 100) >= 99) {
        choose(ELEMENT, special);
      } else {
        const first = below(active[ELEMENT].length);
        choose(ELEMENT, active[ELEMENT][first]);
        if (rand(0, 100) >= 98) {
          const other = below(active[ELEMENT].length - 1);
          choose(SECOND, active[ELEMENT][other < first ? other : other + 1]);
        }
      }
    }
    if (rand(0, 100) >= 75) choose(PREFIX, active[PREFIX][below(active[PREFIX].length)]);
    choose(TYPE, active[TYPE][below(active[TYPE].length)]);

    // (4a ± 5) / 10, truncated towards zero, is 0.4 a rounded to the nearest integer, halves away from zero
    const attack = weapon[ATTACK];
    const most = ((4 * attack + (attack < 0 ? -5 : 5)) / 10) | 0;
    const change = most < 0 ? -rand(0, -most) : rand(0, most);
    condition = 0;
    if (rand(0, 100) >= 98) {
      condition = 2;
      weapon[ATTACK] *= 2;
    } else if (rand(0, 100) > 38) {
      condition = 1;
      weapon[ATTACK] += change;
    } else {
      weapon[ATTACK] -= change;
    }

    if (rand(0, 100) >= 65) {
      if (rand(0, 100) >= 60) choose(ADJECTIVE, active[ADJECTIVE][below(active[ADJECTIVE].length)]);
      choose(ABSTRACT, active[ABSTRACT][below(active[ABSTRACT].length)]);
    }

    rung = 0;
    if (rand(0, 100) >= 90) {
      const roll = rand(1, 100);
      rung = roll >= 98 ? 1 : roll >= 92 ? 2 : roll >= 85 ? 3 : roll >= 70 ? 4 : 5;
      sumAttributes(rungs, rung - 1);
    }
    weapon[HANDS] = Math.min(Math.max(weapon[HANDS], 1), 2);
  }

  function makeInto({ words: wordColumns, outcomes, stats }) {
    const [conditions, bonuses] = outcomes;
    for (let k = 0; k < conditions.length; k++) {
      createWeapon();
      for (let slot = 0; slot < chosen.length; slot++) wordColumns[slot][k] = chosen[slot];
      conditions[k] = condition;
      bonuses[k] = rung;
      for (let stat = 0; stat < STATS; stat++) stats[stat][k] = weapon[stat];
    }
  }

  return { makeInto };
}
