// Opens the noun of a document.

import { isJson, jsonIn, kindOfJson, kindOfLines } from "../../../src/cli/shared/texts.js";
import type { Files } from "../document.js";
import { folderOf, type Open, type Opened, textOf } from "./kinds/kind.js";
import type { NounKind } from "./protocol.js";
import type { Source } from "./source.js";

const KINDS: Readonly<Record<NounKind, () => Promise<{ readonly open: Open }>>> = {
  list: () => import("./kinds/lists.js"),
  table: () => import("./kinds/tables.js"),
  drops: () => import("./kinds/drops.js"),
  pools: () => import("./kinds/pools.js"),
  recipe: () => import("./kinds/recipes.js"),
  objects: () => import("./kinds/objects.js"),
  walk: () => import("./kinds/walks.js"),
  world: () => import("./kinds/worlds.js"),
};
/** The edit files of objects. */
const EDIT_FILE = /(?:^|\/)(?:object(?:_base)?|ego_(?:item|themes)|artifact|brand|slay|curse)\.txt$/;

export async function open(source: Source): Promise<Opened> {
  const { open: openKind } = await KINDS[kindOf(source.files, source.file)]();
  return openKind(source);
}

/** The kind follows from the name and the text, as on the command line. */
export function kindOf(files: Files, file: string): NounKind {
  if (EDIT_FILE.test(file) && Object.hasOwn(files, `${folderOf(file)}object.txt`)) return "objects";
  const text = textOf(files, file);
  if (/\.2da$/i.test(file)) return "table";
  return isJson(text, file) ? kindOfJson(jsonIn(text, file)) : kindOfLines(text);
}
