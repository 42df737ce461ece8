import { error, fail } from "../../errors/index.js";
import { plainName } from "../show/kindNames.js";
import { meant } from "../show/report.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, ThemeSpec } from "../types.js";
import { NO_TVAL, tvalWord } from "./tvals.js";

/** How records are looked up: what they are called in messages, and what tells two of one name apart. */
interface Sort<T> {
  readonly what: string;
  readonly detail: (record: T) => string;
  /** The name as users write it; the record's own where left out. */
  readonly nameOf?: (record: T) => string;
}

/**
 * The kind of a name, in any case and without "& " and "~", or of a number. Kinds without a type are none.
 *
 * @throws RollmillError `object.name` where there is no such kind, or several of one name.
 */
export function kindNamed({ kinds }: ObjectFiles, name: string | number): KindSpec {
  const real = kinds.filter(({ tval }) => tval !== NO_TVAL);
  const nameOf = (kind: KindSpec) => plainName(kind.name);
  return lookUp(real, name, { what: "kind", detail: ({ tval }) => tvalWord(tval), nameOf });
}

/**
 * The affix of a name, in any case, or of a number.
 *
 * @throws RollmillError `object.name` where there is no such affix, or several that differ in case alone.
 */
export function affixNamed({ affixes }: ObjectFiles, name: string | number): AffixSpec {
  return lookUp(affixes, name, { what: "affix", detail: (affix) => affix.name });
}

/**
 * The theme of a name, in any case, or of a number.
 *
 * @throws RollmillError `object.name` where there is no such theme, or several of one name.
 */
export function themeNamed({ themes }: ObjectFiles, name: string | number): ThemeSpec {
  const detail = ({ targets }: ThemeSpec) => [...new Set(targets.map(({ tval }) => tvalWord(tval)))].join(", ");
  return lookUp(themes, name, { what: "theme", detail });
}

/**
 * The artifact of a name, in any case, or of a number.
 *
 * @throws RollmillError `object.name` where there is no such artifact, or several of one name.
 */
export function artifactNamed({ artifacts }: ObjectFiles, name: string | number): ArtifactSpec {
  return lookUp(artifacts, name, { what: "artifact", detail: ({ tval }) => tvalWord(tval) });
}

/** By the name as it is written, else in any case, else by the number; a number is one. */
function lookUp<T extends { readonly number: number; readonly name: string }>(
  records: readonly T[],
  name: string | number,
  { what, detail, nameOf = (record) => record.name }: Sort<T>,
): T {
  const text = String(name);
  const byName = [
    (record: T) => nameOf(record) === text || record.name === text,
    (record: T) => nameOf(record).toLowerCase() === text.toLowerCase(),
  ];
  const byNumber = ({ number }: T) => String(number) === text;
  for (const is of typeof name === "number" ? [byNumber] : [...byName, byNumber]) {
    const found = records.filter(is);
    if (found.length === 1) return found[0];
    if (found.length === 0) continue;
    return fail(
      error("object.name", {
        problem: `more than one ${what} has this name`,
        got: name,
        expected: "a number where the name is not enough",
        remedy: `Write one of ${found.map((record) => `${record.number} (${detail(record)})`).join(", ")}`,
      }),
    );
  }
  const one = `${what.startsWith("a") ? "an" : "a"} ${what}`;
  return fail(
    error("object.name", {
      problem: `there is no such ${what}`,
      got: name,
      expected: `the name or the number of ${one}`,
      ...meant(text, records.map(nameOf), `Name ${one} of the files`),
    }),
  );
}
