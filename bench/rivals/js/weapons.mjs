// Weapons one by one as objects, at power 1, tier 0 and without requests. Each word is an object with the amounts that it
// adds, and a weapon begins as the amounts of its type. Sums in a typed array, as in recipes.mjs, take 1.4 of the time.

import { CONDITIONS, RUNGS, SLOTS } from "../../inputs/recipes.mjs";
import { Words } from "./words.mjs";

const INV_2_32 = 2 ** -32;
const BLOCK = 4096;

/** Returns a function that makes a weapon, for the tables of inputs/recipes.mjs. */
export function jsWeapons({ slots, special, bonus }) {
  const [elements, seconds, prefixes, types, adjectives, abstracts] = slots.map(({ rows, words, ids }) =>
    rows.map((row, number) => entryOf(row, words[number], ids[number])),
  );
  const [none] = elements;
  const active = slots.map((slot) => Uint16Array.from(slot.active));
  const [ELEMENT, SECOND, PREFIX, TYPE, ADJECTIVE, ABSTRACT] = SLOTS.keys();
  const rungs = bonus.map((row) => entryOf(row, null, null));
  const requests = { met: [], unknown: [] };
  const words = new Words(5);
  const block = new Uint32Array(BLOCK);
  let at = BLOCK;
  let index = 0;

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

  function pick(slot) {
    return active[slot][below(active[slot].length)];
  }

  return function make() {
    let element = none;
    let second = none;
    if (rand(0, 100) >= 95) {
      if (rand(0, 100) >= 99) element = elements[special];
      else {
        const first = below(active[ELEMENT].length);
        element = elements[active[ELEMENT][first]];
        if (rand(0, 100) >= 98) {
          const other = below(active[SECOND].length - 1);
          second = seconds[active[SECOND][other < first ? other : other + 1]];
        }
      }
    }
    const prefix = rand(0, 100) >= 75 ? prefixes[pick(PREFIX)] : none;
    const type = types[pick(TYPE)];
    const item = {
      name: "",
      hands: type.hands,
      multiplier: type.multiplier,
      attack: type.attack,
      defense: type.defense,
      magic: type.magic,
      flaming: type.flaming,
      freezing: type.freezing,
      shocking: type.shocking,
      holy: type.holy,
      evil: type.evil,
      sneak: type.sneak,
      crit: type.crit,
      str: type.str,
      requests,
      words: null,
      ids: null,
      outcomes: null,
      index: index++,
      seed: "bench",
    };
    if (element !== none) add(item, element);
    if (second !== none) add(item, second);
    if (prefix !== none) add(item, prefix);

    const { attack } = item;
    const most = ((4 * attack + (attack < 0 ? -5 : 5)) / 10) | 0;
    const change = most < 0 ? -rand(0, -most) : rand(0, most);
    const condition = rand(0, 100) >= 98 ? 2 : rand(0, 100) > 38 ? 1 : 0;
    item.attack += condition === 2 ? attack : condition === 1 ? change : -change;

    let adjective = none;
    let abstract = none;
    if (rand(0, 100) >= 65) {
      if (rand(0, 100) >= 60) adjective = adjectives[pick(ADJECTIVE)];
      abstract = abstracts[pick(ABSTRACT)];
      if (adjective !== none) add(item, adjective);
      add(item, abstract);
    }
    let rung = 0;
    if (rand(0, 100) >= 90) {
      const roll = rand(1, 100);
      rung = roll >= 98 ? 1 : roll >= 92 ? 2 : roll >= 85 ? 3 : roll >= 70 ? 4 : 5;
      add(item, rungs[rung - 1]);
    }

    item.hands = Math.min(Math.max(item.hands, 1), 2);
    item.multiplier = tenths(item.multiplier);
    item.flaming = tenths(item.flaming);
    item.freezing = tenths(item.freezing);
    item.shocking = tenths(item.shocking);
    item.holy = tenths(item.holy);
    item.evil = tenths(item.evil);
    item.sneak = tenths(item.sneak);
    item.crit = tenths(item.crit);
    let name = type.text;
    if (prefix !== none) name = `${prefix.text} ${name}`;
    if (second !== none) name = `& ${second.text} ${name}`;
    if (element !== none) name = `${element.text} ${name}`;
    if (abstract !== none)
      name += adjective === none ? ` of ${abstract.text}` : ` of ${adjective.text} ${abstract.text}`;
    if (rung > 0) name += ` ${RUNGS[rung]}`;
    item.name = name;
    item.words = {
      element: element.word,
      secondElement: second.word,
      prefix: prefix.word,
      type: type.word,
      adjective: adjective.word,
      abstract: abstract.word,
    };
    item.ids = {
      element: element.id,
      secondElement: second.id,
      prefix: prefix.id,
      type: type.id,
      adjective: adjective.id,
      abstract: abstract.id,
    };
    item.outcomes = { condition: CONDITIONS[condition], bonus: RUNGS[rung] };
    return item;
  };
}

/** A word with its amounts: those of `row`, which has tenths for some stats. */
function entryOf(row, word, id) {
  return {
    word,
    id,
    text: word?.replace(/(^|\s)\S/g, (first) => first.toUpperCase()),
    hands: row[0],
    multiplier: row[1] / 10,
    attack: row[2],
    defense: row[3],
    magic: row[4],
    flaming: row[5] / 10,
    freezing: row[6] / 10,
    shocking: row[7] / 10,
    holy: row[8] / 10,
    evil: row[9] / 10,
    sneak: row[10] / 10,
    crit: row[11] / 10,
    str: row[12],
  };
}

/** Removes the errors of sums of tenths. */
function tenths(value) {
  return Math.round(value * 10) / 10;
}

function add(item, row) {
  item.hands += row.hands;
  item.multiplier += row.multiplier;
  item.attack += row.attack;
  item.defense += row.defense;
  item.magic += row.magic;
  item.flaming += row.flaming;
  item.freezing += row.freezing;
  item.shocking += row.shocking;
  item.holy += row.holy;
  item.evil += row.evil;
  item.sneak += row.sneak;
  item.crit += row.crit;
  item.str += row.str;
}
