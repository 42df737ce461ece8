import { isBlank, lineReader } from "../../formats/lines.js";
import type { ObjectRules } from "../types.js";

/** Types of lines with which a gamedata file of Angband 4.2 can begin. */
const GAMEDATA_LINES = ["name", "default", "code"];

/** Returns the first line of a text that is neither blank nor a comment; undefined if the text has no such line. */
export function firstLineOf(text: string): { readonly line: number; readonly text: string } | undefined {
  const next = lineReader(text.replace(/^\ufeff/, ""));
  for (let read = next(); read !== undefined; read = next()) {
    if (!isBlank(read.text) && !read.text.trimStart().startsWith("#")) {
      return { line: read.number, text: read.text.trim() };
    }
  }
  return undefined;
}

/**
 * Whether a text of ego_item.txt has the last form of version 4. Only this form has affixes of the type quality, make
 * or material, or T lines of the level bad or average.
 */
export function isLastVersion4(text: string): boolean {
  return /^[ \t]*(?:N:\d+:[ \t]*(?:quality|make|material):|T:(?:[^:\n]*:){3}[ \t]*(?:bad|average):)/m.test(text);
}

/** Returns the rules to which the format of a text belongs. A text without lines has the format of version 4. */
export function formatOf(text: string): ObjectRules {
  const [, type] = /^([^:]*?)\s*:/.exec(firstLineOf(text)?.text ?? "") ?? [];
  return type !== undefined && GAMEDATA_LINES.includes(type) ? "4.2" : "v4";
}
