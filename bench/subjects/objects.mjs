// Objects in bulk from the edit files, good, at one level: columns of kinds, affixes, themes and all that they change.

import { apart } from "../apart.mjs";
import { hasRealFiles, LEVEL, MOST_AFFIXES, NUMBERS, objectFiles, objectTexts } from "../inputs/objects.mjs";
import { lawOfObjects, ObjectCheck } from "../inputs/objectsCheck.mjs";
import { objectLine, objectTables } from "../inputs/objectsTables.mjs";

const BUFFER = 16_384; // objects per call

export const objects = {
  name: "objects",
  unit: "object",
  cases: [{ name: `level ${LEVEL}, good${hasRealFiles ? "" : " (data/dungeon)"}`, open }],
};

async function open() {
  const source = await objectFiles();
  const tables = objectTables(source);
  const contenders = [
    await rollmill(source),
    await c(source, tables),
    apart("js", import.meta.url, "openJs"),
    { ...apart("js, tuned", import.meta.url, "openJsTuned"), reference: true },
  ];
  return { ...lawOfObjects(source), contenders: contenders.filter(Boolean) };
}

/** Counts of a contender's objects: `next` makes some and answers their columns. */
async function counted(source, next) {
  const check = new ObjectCheck(source);
  while (!check.isFull) check.add(await next());
  return check.counts;
}

/** Artifacts are made once, by anybody: they run out before the clock starts. */
async function rollmill(source) {
  const { createMill } = await import("rollmill");
  const maker = createMill({ seed: "bench" }).objects("drops", objectTexts());
  let from = 0;
  const made = maker.makeMany(BUFFER, { level: LEVEL, good: true, from });
  const make = () => {
    from = from + 2 * BUFFER > 2 ** 32 ? 0 : from + BUFFER;
    return maker.makeInto(made, { level: LEVEL, good: true, from });
  };
  return into("rollmill", make, source);
}

/** The contenders of {@link open} that run apart. */
export async function openJs() {
  const { jsSearch } = await import("../rivals/js/objectsSearch.mjs");
  return js("js", jsSearch);
}

export async function openJsTuned() {
  const { jsSearchTuned } = await import("../rivals/js/objectsSearchTuned.mjs");
  return js("js, tuned", jsSearchTuned);
}

async function js(name, searchOver) {
  const { jsAffixes } = await import("../rivals/js/objects.mjs");
  const source = await objectFiles();
  const tables = objectTables(source);
  const made = columns(tables);
  const { make } = jsAffixes(tables, made, searchOver);
  const next = () => {
    make();
    return made;
  };
  return into(name, next, source);
}

function into(name, make, source) {
  return { name, ops: BUFFER, run: () => make().kind[0], sample: () => counted(source, make) };
}

/** Columns of one call, by name. */
function columns({ sizes: [, , flagWords, , pvals] }) {
  const signed = ["toHit", "toDam", "toAc"];
  const numbers = NUMBERS.map((name) => [
    name,
    signed.includes(name) ? new Int16Array(BUFFER) : new Uint16Array(BUFFER),
  ]);
  return {
    ...Object.fromEntries(numbers),
    affixes: new Uint16Array(BUFFER * MOST_AFFIXES),
    depths: new Uint16Array(BUFFER * MOST_AFFIXES),
    flags: new Uint32Array(BUFFER * flagWords),
    pvals: new Int16Array(BUFFER * pvals),
  };
}

/** The C rival; its columns come one after the other. */
async function c(source, tables) {
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
  return { ...rival, sample: () => counted(source, next) };
}
