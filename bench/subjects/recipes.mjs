// Weapons at default settings: in bulk as columns of words and stats, without names, and one by one as objects.

import { apart } from "../apart.mjs";
import {
  numberOf,
  PARTS,
  SLOTS,
  STATS,
  weaponColumns,
  weaponCounts,
  weaponLaw,
  weaponLine,
  weaponTables,
} from "../inputs/recipes.mjs";
import { keepLoop } from "../loops.mjs";
import { ours } from "../ours.mjs";

const BUFFER = 65_536; // weapons per call
const SINGLES = 4_096; // calls per timed function
const CHECKED = 4; // number of calls whose weapons are checked
const CACHE_LINE = 64; // bytes
const REQUESTED = "sword";

export const recipes = {
  name: "recipes",
  unit: "weapon",
  cases: [
    { name: "weapon", open: () => open(bulk, PARTS) },
    {
      name: "weapon, type requested",
      open: () =>
        open(
          requested,
          PARTS.filter((part) => part !== "type"),
        ),
    },
    { name: "weapon single", open: () => open(oneByOne, PARTS) },
  ],
};

/** Opens a case. `parts` are the parts of a weapon whose law is the same for every contender of the case. */
async function open(form, parts) {
  const tables = weaponTables();
  const count = (made) => weaponCounts(made, tables, parts);
  return {
    law: weaponLaw(tables, parts),
    draws: parts.length * CHECKED * BUFFER,
    contenders: await form(tables, count),
  };
}

async function bulk(tables, count) {
  const contenders = [
    await rollmill("rollmill", count),
    await c(tables, count),
    await c(tables, count, { name: "c, branch-free", defines: ["BRANCH_FREE"] }),
    apart("js", import.meta.url, "openJs"),
    { ...apart("js, tuned", import.meta.url, "openJsTuned"), reference: true },
  ];
  return contenders.filter(Boolean);
}

/** With and without a request. A request changes only the requested slot; all other parts keep their law. */
async function requested(_, count) {
  const type = numberOf("type", REQUESTED);
  const countRequested = (made) => {
    if (made.words[TYPE].some((word) => word !== type)) throw new Error(`A weapon is not the ${REQUESTED} asked for.`);
    return count(made);
  };
  return [
    await rollmill("rollmill", countRequested, { request: { type: REQUESTED } }),
    { ...(await rollmill("rollmill, unrequested", count)), reference: true },
  ];
}

async function oneByOne() {
  const { makeOne } = ours(await import("rollmill")).weapon();
  return [calls("rollmill", makeOne), apart("js", import.meta.url, "openJsSingles")];
}

/** Opens the contender `js` of {@link oneByOne}, which runs in a separate process. */
export async function openJsSingles() {
  const { jsWeapons } = await import("../rivals/js/weapons.mjs");
  return calls("js", jsWeapons(weaponTables()));
}

/** A contender that is called once per weapon. */
function calls(name, make) {
  const tables = weaponTables();
  const loop = keepLoop(make);
  return {
    name,
    ops: SINGLES,
    run: () => loop(SINGLES).str,
    sample: () =>
      summed(() => weaponCounts(weaponColumns(Array.from({ length: BUFFER }, make), tables), tables, PARTS)),
  };
}

const TYPE = SLOTS.findIndex(({ slot }) => slot === "type");

/** Our recipe, which fills the same columns in every call. */
async function rollmill(name, count, options = {}) {
  const { items, make } = ours(await import("rollmill")).weapons(BUFFER, options);
  const { words, outcomes, stats } = items;
  const made = {
    words: SLOTS.map(({ slot }) => words[slot]),
    outcomes: [outcomes.condition, outcomes.bonus],
    stats: STATS.map((stat) => stats[stat]),
  };
  return into(name, made, make, count);
}

/** Open the contenders of {@link bulk} that run in separate processes. */
export async function openJs() {
  const { jsRecipes } = await import("../rivals/js/recipes.mjs");
  return js("js", jsRecipes);
}

export async function openJsTuned() {
  const { jsTunedRecipes } = await import("../rivals/js/recipesTuned.mjs");
  return js("js, tuned", jsTunedRecipes);
}

function js(name, recipesOf) {
  const tables = weaponTables();
  const { makeInto } = recipesOf(tables);
  const made = jsColumns();
  return into(
    name,
    made,
    () => makeInto(made),
    () => weaponCounts(made, tables, PARTS),
  );
}

/**
 * Makes columns whose offsets from a page boundary differ by a cache line. With equal offsets, they would evict one
 * another.
 */
function jsColumns() {
  const stride = BUFFER * Uint16Array.BYTES_PER_ELEMENT + CACHE_LINE;
  const buffer = new ArrayBuffer((SLOTS.length + 2 + STATS.length) * stride);
  let next = 0;
  const columns = (Column, length) => Array.from({ length }, () => new Column(buffer, stride * next++, BUFFER));
  return {
    words: columns(Uint16Array, SLOTS.length),
    outcomes: columns(Uint16Array, 2),
    stats: columns(Int16Array, STATS.length),
  };
}

/** A contender that fills its own columns. */
function into(name, made, make, count) {
  return {
    name,
    ops: BUFFER,
    run() {
      make();
      return made.stats[0][0];
    },
    sample: () =>
      summed(() => {
        make();
        return count(made);
      }),
  };
}

/** Adds up the counts of several calls. */
async function summed(counts) {
  const sums = [];
  for (let call = 0; call < CHECKED; call++) {
    for (const [cell, times] of (await counts()).entries()) sums[cell] = (sums[cell] ?? 0) + times;
  }
  return sums;
}

/** The C rival. It sends its columns one after the other. */
async function c(tables, count, options) {
  const { cRival } = await import("../rivals/c.mjs");
  const columns = (numbers, first, length) =>
    Array.from({ length }, (_, i) => numbers.slice((first + i) * BUFFER, (first + i + 1) * BUFFER));
  const made = (numbers) => ({
    words: columns(numbers, 0, SLOTS.length),
    outcomes: columns(numbers, SLOTS.length, 2),
    stats: columns(numbers, SLOTS.length + 2, STATS.length),
  });
  const rival = await cRival("recipes", weaponLine(tables), { ...options, count: (numbers) => count(made(numbers)) });
  return rival && { ...rival, sample: () => summed(() => rival.sample(BUFFER)) };
}
