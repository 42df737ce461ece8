import { didYouMean, error, fail, likely } from "../../errors/index.js";
import type { EditField } from "../../formats/read/editFile.js";
import { refuseArgument } from "../../spec/index.js";
import { comparable, NO_TVAL, typeWord } from "../law/tvals.js";
import type {
  AffixSpec,
  AffixTarget,
  ArtifactSpec,
  BaseSpec,
  KindSpec,
  ObjectFiles,
  ThemeSpec,
  TypeSpec,
} from "../types.js";
import { readName, readSval } from "./lines.js";
import { type Place, type Read, reportAt, reportUnknown } from "./report.js";

/** Reads the name or the number of an affix. A name may be in another case, unless names differ only in case. */
export function affixReader(affixes: readonly { readonly number: number; readonly name: string }[]): Read<number> {
  const byName = new Map(affixes.map(({ name, number }) => [name, number]));
  const numbers = new Set(byName.values());
  /** Maps each name in lower case to its affix. If names differ only in case, maps to undefined. */
  const byAnyCase = new Map<string, number | undefined>();
  for (const [name, number] of byName) {
    const key = name.toLowerCase();
    byAnyCase.set(key, byAnyCase.has(key) ? undefined : number);
  }
  return (at, field) => {
    const named = byName.get(field.text) ?? byAnyCase.get(field.text.toLowerCase());
    const number = named ?? (/^\d{1,5}$/.test(field.text) ? Number(field.text) : undefined);
    if (number !== undefined && numbers.has(number)) return number;
    return reportUnknown(at, field, {
      problem: "unknown affix",
      expected: "the name or the number of an affix",
      ...didYouMean(field.text, byName.keys(), "Add the affix to ego_item.txt, or name another affix"),
    });
  };
}

/** Finds the sval of a kind by type, and by full name or name in object.txt. The last kind with a name counts. */
export class KindNames {
  readonly #svals = new Map<number, Map<string, number>>();

  constructor(kinds: readonly KindSpec[]) {
    for (const { tval, name, fullName, sval } of kinds) {
      const own = this.#svals.get(tval) ?? new Map<string, number>();
      this.#svals.set(tval, own.set(plainName(fullName), sval).set(plainName(name), sval));
    }
  }

  find(name: string, { tval }: TypeSpec): number | undefined {
    return this.#svals.get(tval)?.get(plainName(name));
  }

  /** Whether a name is empty, or similar to the name of a kind of the type, but not equal to any. */
  isMisspelt(name: string, type: TypeSpec): boolean {
    if (name === "") return true;
    return this.find(name, type) === undefined && likely(name, this.#namesOf(type)) !== undefined;
  }

  read(at: Place, field: EditField, type: TypeSpec): number | undefined {
    if (/^-?\d+$/.test(field.text)) return readSval(at, field);
    const sval = this.find(field.text, type);
    if (sval !== undefined) return sval;
    return reportUnknown(at, field, {
      problem: `no kind of type ${type.word} has this name`,
      expected: "an sval, or the name of a kind of this type",
      ...didYouMean(field.text, this.#namesOf(type), "Name a kind of object.txt, or write its sval"),
    });
  }

  #namesOf({ tval }: TypeSpec): Iterable<string> {
    return this.#svals.get(tval)?.keys() ?? [];
  }
}

/** A part of a name that has one form for one object and another form for several objects: `|one|several|`. */
const FORMS = /\|([^|]*)\|([^|]*)\|/g;

/**
 * Returns a kind's name for a number of objects, without the marks of the files:
 * - "& " marks the place of the article.
 * - "~" marks the place of the plural ending, which is "es" after s, h or x, else "s".
 * - `|fe|ves|` gives the ending for one object and the ending for several.
 * Source: obj_desc_name_format of Angband's obj-desc.c.
 */
export function inNumber(name: string, number: number): string {
  const formed = name.replace(FORMS, (_, one: string, several: string) => (number === 1 ? one : several));
  const endingAfter = (letter: string) => (number === 1 ? "" : /[shx]/.test(letter) ? "es" : "s");
  const ended = formed.replace(/([^~]?)~+/gu, (_, before: string) => before + endingAfter(before));
  return ended
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:& ?)+/, "");
}

/** Returns a kind's name for one object: "& Cloak & Hood~" becomes "Cloak & Hood". Requests accept this name. */
export function plainName(name: string): string {
  return inNumber(name, 1);
}

export function takesArticle(name: string): boolean {
  return name.startsWith("&");
}

/**
 * Adds the noun of the type to a kind's name that has no marks. Amulets and potions, for example, have names without
 * marks, which lack the noun. For the type "Amulet~", "Protection" becomes "& Amulet~ of Protection". For the type
 * "Magic Book~", "[Magic for Beginners]" becomes "& Magic Book~ [Magic for Beginners]".
 * @param base - The type; undefined if it has no noun.
 */
export function withNoun(name: string, base: Pick<BaseSpec, "name" | "group"> | undefined): string {
  if (base === undefined || base.group !== "other" || hasMark(name)) return name;
  const noun = base.name;
  const counted = hasMark(noun) && !takesArticle(noun) ? `& ${noun}` : noun;
  return name.startsWith("[") ? `${counted} ${name}` : `${counted} of ${name}`;
}

function hasMark(name: string): boolean {
  return takesArticle(name) || /[~|]/.test(name);
}

/** Reads the name of a kind or a type. Reports an invalid name, or bars that do not form `|one|several|`. */
export function readNoun(at: Place, field: EditField): string | undefined {
  const name = readName(at, field);
  if (name === undefined || !name.replace(FORMS, "").includes("|")) return name;
  return reportAt(at, field, "object.line", {
    problem: "the forms of the name are incomplete",
    expected: "three bars for each pair of forms, such as Sta|ff|ves|",
    remedy: "Add the missing bar, or remove the extra bar",
  });
}

interface Sort<T> {
  readonly what: string;
  /** Returns a text that distinguishes records with the same name. */
  readonly detail: (record: T) => string;
  readonly namesOf?: (record: T) => readonly string[];
  readonly remedy?: string | undefined;
}

/** Finds a kind by number, full name or name in object.txt. Ignores marks and case. Skips kinds without a type. */
export function kindNamed({ kinds, types }: ObjectFiles, name: string | number): KindSpec {
  const real = kinds.filter(({ number, tval }) => tval !== NO_TVAL && (typeof name === "string" || number === name));
  const namesOf = (kind: KindSpec) => [plainName(kind.fullName), plainName(kind.name)];
  const isType = typeof name === "string" && types.some(({ word }) => comparable(word) === comparable(name));
  const remedy = isType ? 'This is the word of a type: request it as "tval"' : undefined;
  return lookUp(real, name, { what: "kind", detail: ({ type }) => type.word, namesOf, remedy });
}

export function affixNamed(files: ObjectFiles, name: string | number): AffixSpec {
  return lookUp(files.affixes, name, { what: "affix", detail: ({ targets }) => typesOf(files, targets) });
}

export function themeNamed(files: ObjectFiles, name: string | number): ThemeSpec {
  return lookUp(files.themes, name, { what: "theme", detail: ({ targets }) => typesOf(files, targets) });
}

export function artifactNamed(files: ObjectFiles, name: string | number): ArtifactSpec {
  return lookUp(files.artifacts, name, { what: "artifact", detail: ({ tval }) => typeWord(files, tval) });
}

function typesOf(files: ObjectFiles, targets: readonly Pick<AffixTarget, "tval">[]): string {
  return [...new Set(targets.map(({ tval }) => typeWord(files, tval)))].join(", ");
}

export function tvalNamed(files: ObjectFiles, name: string | number): number {
  checkName("type", name);
  const text = comparable(String(name));
  const isNamed = ({ word, tval }: TypeSpec) =>
    typeof name === "number" ? tval === name : comparable(word) === text || String(tval) === text;
  const used = new Set(files.kinds.map((kind) => kind.tval));
  const types = files.types.filter(({ tval }) => tval !== NO_TVAL && used.has(tval));
  return (
    types.find(isNamed)?.tval ??
    refuse(
      "no kind has this type",
      name,
      types.map(({ word }) => word),
    )
  );
}

export function levelNamed({ levels }: ObjectFiles, name: string): number {
  if (typeof name !== "string") refuseArgument("affixLevel", name, `one of ${levels.join(", ")}`);
  const exact = levels.indexOf(name);
  const index = exact >= 0 ? exact : levels.findIndex((level) => withoutCase(level) === withoutCase(name));
  return index >= 0 ? index : refuse("unknown affix level", name, levels);
}

function refuse(problem: string, name: string | number, known: readonly string[]): never {
  const hint = didYouMean(String(name), known, "Request one of these");
  return fail(error("object.request", { problem, got: name, expected: `one of ${known.join(", ")}`, ...hint }));
}

/** Finds the record with this exact name, else with this name {@link withoutCase}, else with this number. */
function lookUp<T extends { readonly number: number; readonly name: string }>(
  records: readonly T[],
  name: string | number,
  { what, detail, namesOf = ({ name: own }) => [own], remedy }: Sort<T>,
): T {
  checkName(what, name);
  const one = `${what.startsWith("a") ? "an" : "a"} ${what}`;
  const text = String(name);
  const byName = [
    (record: T) => record.name === text || namesOf(record).includes(text),
    (record: T) => namesOf(record).some((own) => withoutCase(own) === withoutCase(text)),
  ];
  const byNumber = ({ number }: T) => (typeof name === "number" ? number === name : String(number) === text);
  for (const is of typeof name === "number" ? [byNumber] : [...byName, byNumber]) {
    const found = records.filter(is);
    if (found.length === 1) return found[0];
    if (found.length === 0) continue;
    return fail(
      error("object.name", {
        problem: `more than one ${what} has this name`,
        got: name,
        expected: `the number of ${one}`,
        remedy: `Use one of the numbers ${found.map((record) => `${record.number} (${detail(record)})`).join(", ")}`,
      }),
    );
  }
  return fail(
    error("object.name", {
      problem: `unknown ${what}`,
      got: name,
      expected: `the name or the number of ${one}`,
      ...didYouMean(text, records.flatMap(namesOf), remedy ?? `Use ${one} that the files have`),
    }),
  );
}

/** Prepares a name for comparisons: in lower case, and without the quotes around an artifact's name. */
export function withoutCase(name: string): string {
  return name.toLowerCase().replace(/^'(.*)'$/, "$1");
}

function checkName(what: string, name: unknown): void {
  if (typeof name !== "string" && typeof name !== "number") refuseArgument(what, name, "a name or a number");
}
