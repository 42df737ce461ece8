import { didYouMean, error, fail } from "../../errors/index.js";
import { refuseArgument } from "../../spec/index.js";
import type { AffixSpec, AffixTarget, ArtifactSpec, KindSpec, ObjectFiles, ThemeSpec, TypeSpec } from "../types.js";
import { plainName } from "./nouns.js";
import { comparable, NO_TVAL, typeWord } from "./tvals.js";

// Records that a caller requests by name or number.

interface Sort<T> {
  readonly what: string;
  /** Tells records with the same name apart. */
  readonly detail: (record: T) => string;
  /** The names of a record. Messages suggest the first one. Default: the record's name. */
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

/** Finds a type by its word or number. At least one kind must have the type. */
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

/** Finds an affix level by its name, in any case. Returns its index. */
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

/** Compares a text with the names, then with the names {@link withoutCase}, then with the numbers. */
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
