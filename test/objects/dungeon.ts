import { readFileSync } from "node:fs";
import type { ObjectTexts } from "../../src/objects/index.js";

const read = (file: string) => readFileSync(new URL(`../../data/dungeon/${file}`, import.meta.url), "utf8");

/** The project's own set. */
export const DUNGEON: ObjectTexts & { readonly egoThemes: string } = {
  object: read("object.txt"),
  objectBase: read("object_base.txt"),
  egoItem: read("ego_item.txt"),
  egoThemes: read("ego_themes.txt"),
  artifact: read("artifact.txt"),
};
