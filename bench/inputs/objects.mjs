// The edit files of the objects: the real ones, or the project's own where these are absent.

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

/** What is asked of every object. */
export const LEVEL = 30;

/** What all contenders write: a column of u16 or i16 each, one number an object. */
export const NUMBERS = [
  ...["kind", "artifact", "theme", "affixLevel", "slots", "affixCount"],
  ...["toHit", "toDam", "toAc", "ac", "dice", "sides", "weight"],
];

/** Affixes that an object has room for. */
export const MOST_AFFIXES = 8;

/** Whether the real files are beside the project. */
export const hasRealFiles = existsSync(SHARED);

/** The texts of the real files, or of the project's own without the lines that the original does not know. */
export function objectTexts() {
  const folder = hasRealFiles ? SHARED : OWN;
  const read = (name) => readFileSync(new URL(name, folder), "utf8");
  const texts = Object.fromEntries(Object.entries(FILES).map(([key, name]) => [key, read(name)]));
  if (hasRealFiles) return { ...texts, flags: read("flags.csv") };
  const original = (text) => text.replace(/^[XQZ]:.*$/gm, "");
  return { ...texts, egoItem: original(texts.egoItem), artifact: original(texts.artifact) };
}

/** The parsed files, where each flag is a bit or a pval, and the odds of m_bonus: all from the library. */
export async function objectFiles() {
  const { parseObjects } = await import("../../dist/objects/index.js");
  const { FlagBits } = await import("../../dist/objects/compile/flagBits.js");
  const { mBonusOdds } = await import("../../dist/objects/compile/mBonus.js");
  const { spec: files, issues } = parseObjects(objectTexts());
  if (files === undefined) throw new Error(issues[0].message);
  return { files, bits: new FlagBits(files.flags), mBonusOdds };
}

/** Whether a kind is ever drawn for a good object. */
export function isDrawnGood({ tval, flags, allocation }) {
  if (tval === 0 || flags.includes("INSTA_ART") || !allocation?.commonness) return false;
  return flags.includes("GOOD") || (tval >= 16 && tval <= 23) || (tval >= 30 && tval <= 38);
}

/** Whether a kind is ever drawn. */
function isDrawn({ tval, flags, allocation }) {
  return tval !== 0 && !flags.includes("INSTA_ART") && Boolean(allocation?.commonness);
}

/** The deepest depth that kinds are drawn at. */
export function deepestOf({ kinds }) {
  return Math.max(...kinds.filter(isDrawn).map(({ allocation }) => allocation.most));
}

export function isAmmunition({ tval }) {
  return tval >= 16 && tval <= 18;
}
