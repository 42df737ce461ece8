import { parseObjects } from "../../src/objects/index.js";
import type { ObjectFiles, ObjectTexts } from "../../src/objects/types.js";
import type { StreamWords } from "../oracle/words.js";

/** A word that makes below(`m`) answer `value`, without extra words. */
export function wordFor(value: number, m: number): number {
  return Math.ceil((value * 2 ** 32) / m);
}

/**
 * The same words for every object: `3/8` makes below(8) answer 3, a number is a word as it is, blanks stand between them.
 * Reading beyond them is an error.
 */
export function scripted(script: string): StreamWords {
  const entries = script.split(" ").map((entry) => entry.split("/").map(Number));
  return {
    word(_, index) {
      if (index >= entries.length) throw new Error(`word ${index} was not foreseen`);
      const [value, m] = entries[index];
      return m === undefined ? value : wordFor(value, m);
    },
    extra(_, index, i) {
      throw new Error(`extra word ${i} of word ${index} was not foreseen`);
    },
  };
}

/** Reads files, of which those left out hold a record that nothing comes of. */
export function filesOf(texts: Partial<ObjectTexts>): ObjectFiles {
  const { spec: files, issues } = parseObjects({
    object: "N:99:Nothing\nI:0:0",
    objectBase: "N:gold:Coin~",
    egoItem: "N:99:suffix:of Nothing",
    egoThemes: "N:99:suffix:of Nothing",
    artifact: "N:99:of Nothing\nI:gold:0",
    ...texts,
  });
  if (files === undefined) throw new Error(issues.map(({ message }) => message).join("\n"));
  return files;
}

/** A record by its name, or by the plain name of a kind. */
export function named<T extends { readonly name: string }>(records: readonly T[], name: string): T {
  const found = records.find((record) => record.name.replace(/^& /, "").replaceAll("~", "") === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
