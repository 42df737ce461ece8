// Weapons in typed arrays, into existing columns: the rules in the order of the original program, at power 1, tier 0
// and without requests. The rows of a slot's words are in one array and include the strength. The loop stores the row
// of the type and adds the other rows to it. In V8 this takes three quarters of the time of adding the rows in a small
// array of sums.

import { Words } from "./words.mjs";

const INV_2_32 = 2 ** -32;
const BLOCK = 4096;
const MOST_WORDS = 18; // maximum number of random words of one weapon
const STATS = 13;
const ATTACK = 2;
const ROLL = 101;

/**
 * {makeInto(columns)} for the tables of inputs/recipes.mjs; columns are {words, outcomes, stats}, arrays of typed
 * arrays.
 */
export function jsTunedRecipes({ slots, special, bonus }) {
  const flat = (slot) => Int16Array.from(slots[slot].rows.flat());
  const [elements, seconds, prefixes, types, adjectives, abstracts] = slots.map((_, slot) => flat(slot));
  const [active, , activePrefixes, activeTypes, activeAdjectives, activeAbstracts] = slots.map((slot) =>
    Uint16Array.from(slot.active),
  );
  const rungs = Int16Array.from(bonus.flat());
  const words = new Words(5);
  const block = new Uint32Array(BLOCK);
  let at = BLOCK;

  function below(m) {
    return (block[at++] * m * INV_2_32) | 0;
  }

  function makeInto({ words: wordColumns, outcomes, stats }) {
    const [elementOut, secondOut, prefixOut, typeOut, adjectiveOut, abstractOut] = wordColumns;
    const [conditionOut, bonusOut] = outcomes;
    const [hands, multiplier, attack, defense, magic, flaming, freezing, shocking, holy, evil, sneak, crit, str] =
      stats;

    function add(k, rows, row) {
      const f = row * STATS;
      hands[k] += rows[f];
      multiplier[k] += rows[f + 1];
      attack[k] += rows[f + 2];
      defense[k] += rows[f + 3];
      magic[k] += rows[f + 4];
      flaming[k] += rows[f + 5];
      freezing[k] += rows[f + 6];
      shocking[k] += rows[f + 7];
      holy[k] += rows[f + 8];
      evil[k] += rows[f + 9];
      sneak[k] += rows[f + 10];
      crit[k] += rows[f + 11];
      str[k] += rows[f + 12];
    }

    for (let k = 0; k < hands.length; k++) {
      if (at > BLOCK - MOST_WORDS) {
        words.fill(block);
        at = 0;
      }

      let element = 0;
      let second = 0;
      if (below(ROLL) >= 95) {
        if (below(ROLL) >= 99) {
          element = special;
        } else {
          const first = below(active.length);
          element = active[first];
          if (below(ROLL) >= 98) {
            const other = below(active.length - 1);
            second = active[other < first ? other : other + 1];
          }
        }
      }
      elementOut[k] = element;
      secondOut[k] = second;

      let prefix = 0;
      if (below(ROLL) >= 75) {
        prefix = activePrefixes[below(activePrefixes.length)];
      }
      prefixOut[k] = prefix;

      const type = activeTypes[below(activeTypes.length)];
      typeOut[k] = type;

      // (4a ± 5) / 10, truncated towards zero, is 0.4 a rounded to the nearest integer, halves away from zero
      let before = types[type * STATS + ATTACK];
      if (element > 0) before += elements[element * STATS + ATTACK];
      if (second > 0) before += seconds[second * STATS + ATTACK];
      if (prefix > 0) before += prefixes[prefix * STATS + ATTACK];
      const most = ((4 * before + (before < 0 ? -5 : 5)) / 10) | 0;
      const c = most < 0 ? -below(1 - most) : below(most + 1);
      let condition = 0;
      let change = -c;
      if (below(ROLL) >= 98) {
        condition = 2;
        change = before;
      } else if (below(ROLL) > 38) {
        condition = 1;
        change = c;
      }
      conditionOut[k] = condition;

      let adjective = 0;
      let abstract = 0;
      if (below(ROLL) >= 65) {
        if (below(ROLL) >= 60) {
          adjective = activeAdjectives[below(activeAdjectives.length)];
        }
        abstract = activeAbstracts[below(activeAbstracts.length)];
      }
      adjectiveOut[k] = adjective;
      abstractOut[k] = abstract;

      let rung = 0;
      if (below(ROLL) >= 90) {
        const m = 1 + below(100);
        rung = m >= 98 ? 1 : m >= 92 ? 2 : m >= 85 ? 3 : m >= 70 ? 4 : 5;
      }
      bonusOut[k] = rung;

      const f = type * STATS;
      hands[k] = types[f];
      multiplier[k] = types[f + 1];
      attack[k] = types[f + 2] + change;
      defense[k] = types[f + 3];
      magic[k] = types[f + 4];
      flaming[k] = types[f + 5];
      freezing[k] = types[f + 6];
      shocking[k] = types[f + 7];
      holy[k] = types[f + 8];
      evil[k] = types[f + 9];
      sneak[k] = types[f + 10];
      crit[k] = types[f + 11];
      str[k] = types[f + 12];
      if (element > 0) add(k, elements, element);
      if (second > 0) add(k, seconds, second);
      if (prefix > 0) add(k, prefixes, prefix);
      if (adjective > 0) add(k, adjectives, adjective);
      if (abstract > 0) add(k, abstracts, abstract);
      if (rung > 0) add(k, rungs, rung - 1);
      if (hands[k] > 2) hands[k] = 2;
      else if (hands[k] < 1) hands[k] = 1;
    }
  }

  return { makeInto };
}
