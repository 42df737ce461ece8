import { readFileSync } from "node:fs";
import type { ObjectTexts } from "../../src/objects/index.js";

const read = (file: string) => readFileSync(new URL(`../../data/lighthouse/${file}`, import.meta.url), "utf8");

/** The project's own set in the format of Angband 4.2. */
export const LIGHTHOUSE: ObjectTexts & Record<"slay" | "brand" | "curse", string> = {
  object: read("object.txt"),
  objectBase: read("object_base.txt"),
  egoItem: read("ego_item.txt"),
  artifact: read("artifact.txt"),
  slay: read("slay.txt"),
  brand: read("brand.txt"),
  curse: read("curse.txt"),
};
