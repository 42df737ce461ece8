import { existsSync, readFileSync } from "node:fs";
import { createMill } from "../../src/index.js";
import type { MadeObject, MadeObjects, ObjectOptions, ObjectTexts } from "../../src/objects/index.js";
import { ObjectTwin, type TwinOptions } from "../oracle/objectTwin.js";
import { streamKey } from "../oracle/words.js";

const REAL = new URL("../../../shared/data/angband-v4/", import.meta.url);

/** Whether the game's own files are not there; in CI that is a failure of the tests that need them. */
export const realIsMissing = !existsSync(REAL) && process.env.CI === undefined;

/** The game's own files. */
export function realTexts(): ObjectTexts {
  const read = (file: string) => readFileSync(new URL(file, REAL), "utf8");
  return {
    object: read("object.txt"),
    objectBase: read("object_base.txt"),
    egoItem: read("ego_item.txt"),
    egoThemes: read("ego_themes.txt"),
    artifact: read("artifact.txt"),
    flags: read("flags.csv"),
  };
}

/** A maker and its twin, from the same address. */
export function pairOf(texts: ObjectTexts, { seed = "moria", name = "drops" } = {}) {
  const maker = createMill({ seed }).objects(name, texts);
  const twin = new ObjectTwin(maker.files, streamKey(seed, name));
  return { maker, twin };
}

/** All objects, by the records. */
export function all(objects: MadeObjects): readonly MadeObject[] {
  return Array.from({ length: objects.length }, (_, k) => objects.at(k));
}

/** What is asked of the twin, in the words of the maker's options; names are found in its files. */
export function asTwin(
  { maker }: Pick<ReturnType<typeof pairOf>, "maker">,
  { level, good, great, kind, tval, affixLevel, artifacts, with: affixes, theme, artifact }: ObjectOptions,
): TwinOptions {
  const { files } = maker;
  const numbered = <T extends { readonly number: number }>(
    records: readonly T[],
    number: string | number | undefined,
  ) => records.find((record) => record.number === number);
  return {
    level,
    quality: great === true ? "great" : good === true ? "good" : "normal",
    kind: numbered(files.kinds, kind),
    tval: tval === undefined ? undefined : Number(tval),
    affixLevel: affixLevel === undefined ? undefined : files.levels.indexOf(affixLevel),
    artifacts,
    withAffixes: affixes?.flatMap((number) => numbered(files.affixes, number) ?? []),
    theme: numbered(files.themes, theme),
    artifact: numbered(files.artifacts, artifact),
  };
}
