import { isBlank, lineReader } from "../../formats/read/lines.js";
import type { ObjectRules } from "../types.js";

/** In Angband 4.2, the first line of a gamedata file has one of these types. */
const GAMEDATA_LINES = ["name", "default", "code"];

export function firstLineOf(text: string): { readonly line: number; readonly text: string } | undefined {
  const next = lineReader(text.replace(/^\ufeff/, ""));
  for (let read = next(); read !== undefined; read = next()) {
    if (!isBlank(read.text) && !read.text.trimStart().startsWith("#")) {
      return { line: read.number, text: read.text.trim() };
    }
  }
  return undefined;
}

/** Whether a text of ego_item.txt has the last form of version 4: with classes of affixes, or the levels bad and average. */
export function isLastVersion4(text: string): boolean {
  return /^[ \t]*(?:N:\d+:[ \t]*(?:quality|make|material):|T:(?:[^:\n]*:){3}[ \t]*(?:bad|average):)/m.test(text);
}

interface OlderFiles {
  readonly release: string;
  readonly line: number;
  readonly text: string;
}

/** Returns the line that only object.txt of Angband 4.0 or 4.1 has. Records of 4.0 have numbers, too. */
export function olderGamedata(text: string): OlderFiles | undefined {
  if (formatOf(text) !== "4.2" || /^[ \t]*level[ \t]*:/m.test(text)) return undefined;
  const properties = /^[ \t]*properties[ \t]*:.*$/m.exec(text);
  if (properties === null) return undefined;
  const release = /^[ \t]*name[ \t]*:[ \t]*\d+[ \t]*:/m.test(text) ? "4.0" : "4.1";
  return { release, line: text.slice(0, properties.index).split("\n").length, text: properties[0].trim() };
}

/** Returns the rules that a text is written for, judged by its first line. A text without lines counts as version 4. */
export function formatOf(text: string): ObjectRules {
  const [type, ...fields] = (firstLineOf(text)?.text ?? "").split(":", 2);
  return fields.length > 0 && GAMEDATA_LINES.includes(type.trimEnd()) ? "4.2" : "v4";
}
