import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILE_NAMES } from "../../src/objects/index.js";
import type { ObjectTexts } from "../../src/objects/types.js";

/** Makes a folder of edit files; a text that is left out is a file that is missing. */
export function writeObjectFolder(path: string, texts: Partial<ObjectTexts>): void {
  mkdirSync(path);
  for (const [key, text] of Object.entries(texts)) {
    if (text !== undefined) writeFileSync(join(path, FILE_NAMES[key as keyof ObjectTexts]), text);
  }
}
