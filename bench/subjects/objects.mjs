// Good objects in bulk from the edit files, at one level: columns of kinds, affixes, themes and the numbers that these
// change.

import { apart } from "../apart.mjs";
import { hasRealFiles, LEVEL, MOST_AFFIXES, NUMBERS, objectTexts } from "../inputs/objects.mjs";
import { objectChecks } from "../inputs/objectsCheck.mjs";
import { objectLine, objectTables } from "../inputs/objectsTables.mjs";
import { keepLoop } from "../loops.mjs";
import { objectSource, ours } from "../ours.mjs";

const BUFFER = 16_384; // objects per call
const SINGLES = 1_024; // calls per timed function
const FILES = hasRealFiles ? "" : " (data/dungeon)";

export const objects = {
  name: "objects",
  unit: "object",
  cases: [
    { name: `level ${LEVEL}, good${FILES}`, open },
    { name: `level ${LEVEL}, good${FILES} single`, open: oneByOne },
  ],
};

async function open() {
  const source = await objectSource(objectTexts());
  const tables = objectTables(source);
  const { law, draws, check } = await objectChecks(source);
  const { make } = ours(await import("rollmill")).objects(objectTexts(), { level: LEVEL, length: BUFFER });
  const contenders = [into("rollmill", make, check), await c(tables, check), apart("js", import.meta.url, "openJs")];
  return { law, draws, contenders: contenders.filter(Boolean) };
}

/** Checks and counts a contender's objects. `next` makes objects and returns their columns. */
async function counted(next, check) {
  const started = check();
  while (!started.isFull) started.add(await next());
  return started.counts;
}

/** Opens the contender `js` of {@link open}, which runs in a separate process. */
export async function openJs() {
  const { jsObjects } = await import("../rivals/js/objects.mjs");
  const source = await objectSource(objectTexts());
  const tables = objectTables(source);
  const made = columns(tables);
  const { make } = jsObjects(tables, made);
  const next = () => {
    make();
    return made;
  };
  const sample = async () => counted(next, (await objectChecks(source)).check);
  return { ...into("js", next), sample };
}

/** One object a call. The checks are those of the columns from which the same program reads its objects. */
async function oneByOne() {
  const source = await objectSource(objectTexts());
  const { law, draws, check } = await objectChecks(source);
  const { make, makeOne } = ours(await import("rollmill")).objects(objectTexts(), { level: LEVEL, length: BUFFER });
  return {
    law,
    draws,
    contenders: [calls(into("rollmill", make, check), makeOne), apart("js", import.meta.url, "openJsSingles")],
  };
}

/** Opens the contender `js` of {@link oneByOne}, which runs in a separate process. */
export async function openJsSingles() {
  const { jsObjects, objectOf } = await import("../rivals/js/objects.mjs");
  const tables = objectTables(await objectSource(objectTexts()));
  const one = columns(tables, 1);
  const { make } = jsObjects(tables, one);
  const makeOne = () => {
    make();
    return objectOf(one);
  };
  return calls(await openJs(), makeOne);
}

/** A contender that is called once per object. Its checks are those of `bulk`. */
function calls({ name, sample }, makeOne) {
  const loop = keepLoop(makeOne);
  return { name, sample, ops: SINGLES, run: () => loop(SINGLES).weight };
}

/** Lets a contender make all artifacts, each of which is made at most once, before the time is measured. */
function into(name, make, check) {
  return { name, ops: BUFFER, run: () => make().kind[0], sample: () => counted(make, check) };
}

/** The columns of one call, by name. */
function columns({ sizes: [, , flagWords, , pvals] }, length = BUFFER) {
  const signed = ["toHit", "toDam", "toAc"];
  const numbers = NUMBERS.map((name) => [
    name,
    signed.includes(name) ? new Int16Array(length) : new Uint16Array(length),
  ]);
  return {
    ...Object.fromEntries(numbers),
    affixes: new Uint16Array(length * MOST_AFFIXES),
    depths: new Uint16Array(length * MOST_AFFIXES),
    flags: new Uint32Array(length * flagWords),
    pvals: new Int16Array(length * pvals),
  };
}

/** The C rival. It sends its columns one after the other. */
async function c(tables, check) {
  const { cRival } = await import("../rivals/c.mjs");
  const rival = await cRival("objects", objectLine(tables));
  if (rival === null) return null;
  const next = async () => {
    const made = columns(tables);
    const numbers = await rival.sample(BUFFER);
    let at = 0;
    for (const column of Object.values(made)) {
      column.set(numbers.slice(at, at + column.length));
      at += column.length;
    }
    return made;
  };
  return { ...rival, sample: () => counted(next, check) };
}
