// The input of every recipe contender: the word tables of weapons as numbers, and the exact law of a weapon at power 1,
// tier 0 and without requests. The tables are read by the short reader below, so that the rivals do not depend on the
// library.

import { readFileSync } from "node:fs";

const WORDS = new URL("../../data/recipes/words/weapon/", import.meta.url);

/** The stats of a weapon, in the order of every contender's columns. */
export const STATS = [
  "hands",
  "multiplier",
  "attack",
  "defense",
  "magic",
  "flaming",
  "freezing",
  "shocking",
  "holy",
  "evil",
  "sneak",
  "crit",
  "str",
];

/**
 * The slots of a weapon, in the order of every contender's columns: each slot's table, and the strength that it adds to
 * str.
 */
export const SLOTS = [
  { slot: "element", table: "element", strength: 6 },
  { slot: "secondElement", table: "element", strength: 11 },
  { slot: "prefix", table: "prefix", strength: 3 },
  { slot: "type", table: "type", strength: 1 },
  { slot: "adjective", table: "adjective", strength: 4 },
  { slot: "abstract", table: "abstract", strength: 2 },
];

const SPECIAL = { slot: "element", word: "crippling", strength: 12 };
const BONUS = { multiplier: [1, 0.8, 0.6, 0.4, 0.2], str: [10, 9, 8, 7, 5] };

/** The outcomes of the condition, and the texts of the bonus, best rung first, by number. */
export const CONDITIONS = ["down", "up", "doubled"];
export const RUNGS = [null, "+5", "+4", "+3", "+2", "+1"];

const hands = STATS.indexOf("hands");
const attack = STATS.indexOf("attack");

/** The number of a word in its table: the position of its row in the order of ids, from 1. */
export function numberOf(table, word) {
  return 1 + readTable(table).findIndex((row) => row.word === word);
}

/** Reads a CSV file without quotes: returns objects from column name to cell, ordered by id. */
function readTable(name) {
  const [head, ...lines] = readFileSync(new URL(`${name}.csv`, WORDS), "utf8")
    .trim()
    .split(/\r?\n/);
  const columns = head.split(",");
  const rows = lines.map((line) => Object.fromEntries(line.split(",").map((cell, i) => [columns[i], cell])));
  return rows.toSorted((a, b) => a.id - b.id);
}

/** The power of ten by which all values of a stat must be multiplied to become integers. */
function scaleOf(stat, rows) {
  const texts = rows.map((row) => row[stat] ?? "0");
  if (BONUS[stat]) texts.push(...BONUS[stat].map(String));
  return 10 ** Math.max(...texts.map((text) => text.split(".")[1]?.length ?? 0));
}

/**
 * The word tables as numbers. `scales` has the factor of each stat. Each slot has `rows`, `words`, `ids` and `active`.
 * `words` and `ids` have the word and the id of each number, null for number 0. `rows` maps the
 * number of a word to the scaled amounts that it adds to the stats, the slot's strength included: number 0 is no word,
 * number v is row v − 1 of the table, and the last number is the special word with its strength. `active` has the
 * numbers of the words that can be chosen at random. `special` is the number of the special word. `bonus` has the
 * amounts that each rung adds, best rung first.
 */
export function weaponTables() {
  const tables = new Map(["element", "prefix", "type", "adjective", "abstract"].map((name) => [name, readTable(name)]));
  const all = [...tables.values()].flat();
  const scales = STATS.map((stat) => scaleOf(stat, all));
  if (scales[hands] !== 1 || scales[attack] !== 1)
    throw new Error("The rivals expect no decimals in hands and attack.");
  const scaled = (row, strength) =>
    STATS.map(
      (stat, s) => Math.round(Number(row[stat] || 0) * scales[s]) + (stat === "str" ? strength * scales[s] : 0),
    );
  const slots = SLOTS.map(({ slot, table, strength }) => {
    const words = tables.get(table);
    const rows = [STATS.map(() => 0), ...words.map((row) => scaled(row, strength))];
    const special = slot === SPECIAL.slot ? words.filter(({ word }) => word === SPECIAL.word) : [];
    rows.push(...special.map((row) => scaled(row, SPECIAL.strength)));
    return {
      rows,
      words: [null, ...[...words, ...special].map(({ word }) => word)],
      ids: [null, ...[...words, ...special].map(({ id }) => Number(id))],
      active: words.flatMap(({ active }, i) => (active === "1" ? [i + 1] : [])),
    };
  });
  const bonus = BONUS.multiplier.map((_, rung) =>
    STATS.map((stat, s) => Math.round((BONUS[stat]?.[rung] ?? 0) * scales[s])),
  );
  return { scales, slots, special: slots[0].rows.length - 1, bonus };
}

/** Returns the line of numbers that c/recipes.c loads the tables from. */
export function weaponLine({ slots, special, bonus }) {
  const lists = slots.map(({ rows, active }) => [rows.length, ...rows.flat(), active.length, ...active]);
  return [special, ...lists.flat(), ...bonus.flat()].join(" ");
}

/** The chance that a roll 0 … 100 is at least `least`. */
function from(least) {
  return (101 - least) / 101;
}

/**
 * The parts of a weapon. Each has its law, and a function that returns the cell of a weapon in this law. An adjective
 * needs an abstract, so the law of the adjective has one more cell, for weapons without an abstract.
 */
const BLOCKS = {
  element: {
    cell: ({ words: [element, second] }, { slots }) => element * slots[1].rows.length + second,
    law({ slots: [first, second], special }) {
      const law = new Array(first.rows.length * second.rows.length).fill(0);
      const width = second.rows.length;
      law[0] = 1 - from(95);
      law[special * width] = from(95) * from(99);
      const random = (from(95) * (1 - from(99))) / first.active.length;
      for (const a of first.active) {
        law[a * width] = random * (1 - from(98));
        const others = second.active.filter((b) => b !== a);
        for (const b of others) law[a * width + b] = (random * from(98)) / others.length;
      }
      return law;
    },
  },
  prefix: {
    cell: ({ words }) => words[2],
    law: ({ slots }) => picked(slots[2], from(75)),
  },
  type: {
    cell: ({ words }) => words[3],
    law: ({ slots }) => picked(slots[3], 1),
  },
  adjective: {
    cell: ({ words }, { slots }) => (words[5] === 0 ? slots[4].rows.length : words[4]),
    law: ({ slots }) => [...picked(slots[4], from(60)).map((p) => from(65) * p), 1 - from(65)],
  },
  abstract: {
    cell: ({ words }) => words[5],
    law: ({ slots }) => picked(slots[5], from(65)),
  },
  condition: {
    cell: ({ outcomes }) => outcomes[0],
    law: () => [(1 - from(98)) * (1 - from(39)), (1 - from(98)) * from(39), from(98)],
  },
  bonus: {
    cell: ({ outcomes }) => outcomes[1],
    law: () => [1 - from(90), ...[3, 6, 7, 15, 69].map((hundredths) => (from(90) * hundredths) / 100)],
  },
};

/** The law of a slot that gets a random active word with probability `chance`, and otherwise none. */
function picked({ rows, active }, chance) {
  const law = new Array(rows.length).fill(0);
  law[0] = 1 - chance;
  for (const number of active) law[number] += chance / active.length;
  return law;
}

/** The names of the parts. */
export const PARTS = Object.keys(BLOCKS);

/** The law of the cells of {@link weaponCounts}. A weapon is counted in one cell of each part. */
export function weaponLaw(tables, parts = PARTS) {
  return parts.flatMap((part) => BLOCKS[part].law(tables).map((p) => p / parts.length));
}

/** The law of the first slot alone. */
export function firstSlotLaw(tables) {
  const width = tables.slots[1].rows.length;
  const law = new Array(tables.slots[0].rows.length).fill(0);
  for (const [cell, p] of BLOCKS.element.law(tables).entries()) law[Math.floor(cell / width)] += p;
  return law;
}

/**
 * Counts weapons. They are columns {words, outcomes, stats}, in the order of SLOTS, of condition and bonus, and of
 * STATS. Throws if a stat is not the sum over the weapon's words and bonus, or if the condition is not uniform in its
 * range.
 */
export function weaponCounts(made, tables, parts = PARTS) {
  assertSums(made, tables);
  const counts = parts.map((part) => new Array(BLOCKS[part].law(tables).length).fill(0));
  const weapon = { words: made.words.map(() => 0), outcomes: made.outcomes.map(() => 0) };
  for (let k = 0; k < made.stats[0].length; k++) {
    for (const [i, column] of made.words.entries()) weapon.words[i] = column[k];
    for (const [i, column] of made.outcomes.entries()) weapon.outcomes[i] = column[k];
    for (const [p, part] of parts.entries()) counts[p][BLOCKS[part].cell(weapon, tables)]++;
  }
  return counts.flat();
}

/** Converts items to the columns of {@link weaponCounts}. The special word cannot be chosen at random. */
export function weaponColumns(items, { scales, slots }) {
  const column = (read) => Array.from(items, read);
  return {
    words: SLOTS.map(({ slot }, s) => column(({ ids }) => slots[s].ids.lastIndexOf(ids[slot]))),
    outcomes: [
      column(({ outcomes }) => CONDITIONS.indexOf(outcomes.condition)),
      column(({ outcomes }) => RUNGS.indexOf(outcomes.bonus)),
    ],
    stats: STATS.map((stat, s) => column((item) => Math.round(item[stat] * scales[s]))),
  };
}

function add(sums, values) {
  for (let s = 0; s < sums.length; s++) sums[s] += values[s];
}

/** Largest accepted difference of a mean, in standard deviations. A right mean differs by more once in a million. */
const Z = 4.9;

function assertSums({ words, outcomes, stats }, { slots, bonus }) {
  const sums = STATS.map(() => 0);
  const off = { sum: 0, variance: 0 };
  for (let k = 0; k < stats[0].length; k++) {
    sums.fill(0);
    let before = 0;
    for (const [s, { rows }] of slots.entries()) {
      add(sums, rows[words[s][k]]);
      if (s === 3) before = sums[attack];
    }
    if (outcomes[1][k] > 0) add(sums, bonus[outcomes[1][k] - 1]);
    const most = Math.sign(before) * Math.round(Math.abs(before) * 0.4);
    const change = stats[attack][k] - sums[attack];
    if (outcomes[0][k] === 2) sums[attack] += before;
    else {
      const c = outcomes[0][k] === 1 ? change : -change;
      if (c * Math.sign(most) < 0 || Math.abs(c) > Math.abs(most)) {
        throw new Error(`Weapon ${k} has its attack of ${before} changed by ${c}, expected 0 to ${most}.`);
      }
      off.sum += Math.abs(c) - Math.abs(most) / 2;
      off.variance += (Math.abs(most) * (Math.abs(most) + 2)) / 12;
      sums[attack] += change;
    }
    sums[hands] = Math.min(2, Math.max(1, sums[hands]));
    const wrong = STATS.findIndex((_, s) => stats[s][k] !== sums[s]);
    if (wrong >= 0) throw new Error(`Weapon ${k} has ${STATS[wrong]} ${stats[wrong][k]}, expected ${sums[wrong]}.`);
  }
  if (Math.abs(off.sum) > Z * Math.sqrt(off.variance)) throw new Error("The condition is not uniform in its range.");
}
