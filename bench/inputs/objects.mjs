// The edit files of the objects: the files of a real game, or the project's own files if the real files are absent.

import { existsSync, readFileSync } from "node:fs";

const SHARED = new URL("../../../shared/data/angband-v4/", import.meta.url);
const OWN = new URL("../../data/dungeon/", import.meta.url);
const FILES = {
  object: "object.txt",
  objectBase: "object_base.txt",
  egoItem: "ego_item.txt",
  egoThemes: "ego_themes.txt",
  artifact: "artifact.txt",
};

/** The level at which every object is made. */
export const LEVEL = 30;

/** The columns of u16 or i16 that all contenders write, one number for each object. */
export const NUMBERS = [
  "kind",
  "artifact",
  "theme",
  "affixLevel",
  "slots",
  "affixCount",
  "toHit",
  "toDam",
  "toAc",
  "ac",
  "dice",
  "sides",
  "weight",
];

/** Maximum number of affixes of an object. */
export const MOST_AFFIXES = 8;

/** Whether the files of the real game are in the folder next to the project. */
export const hasRealFiles = existsSync(SHARED);

/**
 * The texts of the real files, or of the project's own files without the lines that the original program cannot read.
 */
export function objectTexts() {
  if (hasRealFiles) return { ...textsIn(SHARED), flags: readFileSync(new URL("flags.csv", SHARED), "utf8") };
  const texts = ownTexts();
  const original = (text) => text.replace(/^[XQZ]:.*$/gm, "");
  return { ...texts, egoItem: original(texts.egoItem), artifact: original(texts.artifact) };
}

/** The texts of the project's own files. */
export function ownTexts() {
  return textsIn(OWN);
}

function textsIn(folder) {
  const read = (name) => readFileSync(new URL(name, folder), "utf8");
  return Object.fromEntries(Object.entries(FILES).map(([key, name]) => [key, read(name)]));
}

/** Whether a good object can be of this kind. */
export function isDrawnGood({ tval, flags, allocation }) {
  if (tval === 0 || flags.includes("INSTA_ART") || !allocation?.commonness) return false;
  return flags.includes("GOOD") || (tval >= 16 && tval <= 23) || (tval >= 30 && tval <= 38);
}

/** Whether an object can be of this kind by chance. */
function isDrawn({ tval, flags, allocation }) {
  return tval !== 0 && !flags.includes("INSTA_ART") && Boolean(allocation?.commonness);
}

/** The greatest depth at which an object can be of some kind by chance. */
export function deepestOf({ kinds }) {
  return Math.max(...kinds.filter(isDrawn).map(({ allocation }) => allocation.most));
}

export function isAmmunition({ tval }) {
  return tval >= 16 && tval <= 18;
}
