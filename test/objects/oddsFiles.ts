import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { formatIssue } from "../../src/errors/index.js";
import { add, type Fraction, ZERO } from "../../src/fractions.js";
import { FILE_NAMES, parseObjects } from "../../src/objects/index.js";
import { caseOdds, depthCases } from "../../src/objects/law/slots.js";
import type { AffixSpec, KindSpec, ObjectFiles, ObjectTexts, ThemeSpec } from "../../src/objects/types.js";

/** The chance of each depth of a slot. */
export function depthOdds(level: number): ReadonlyMap<number, Fraction> {
  return new Map([...depthCases(level)].map(([depth, cases]) => [depth, caseOdds(cases)]));
}

/** Files with nothing in them but what a test is about: swords and some armour, and two records that nothing needs. */
const PLAIN: ObjectTexts = {
  object: "N:1:& Kris~\nI:23:4\nA:30:1 to 40\nN:2:& Jerkin~\nI:36:2\nA:20:1 to 127\n",
  objectBase: "N:sword:Blade~\n",
  egoItem: "N:1:prefix:Hewn\n",
  egoThemes: "N:1:suffix:of Nothing\n",
  artifact: "N:1:'Oar'\nI:sword:4\n",
};

/** The files of some texts; the rest is plain. Throws where there is an error. */
export function filesOf(changes: Partial<ObjectTexts>): ObjectFiles {
  const { spec: files, issues } = parseObjects({ ...PLAIN, ...changes });
  if (files === undefined) throw new Error(issues.map(formatIssue).join("\n"));
  return files;
}

/** Records by name: a test's own names are there. */
export function named(files: ObjectFiles) {
  return {
    kind: (name: string): KindSpec => one(files.kinds, name),
    affix: (name: string): AffixSpec => one(files.affixes, name),
    affixes: (...names: readonly string[]): AffixSpec[] => names.map((name) => one(files.affixes, name)),
    theme: (name: string): ThemeSpec => one(files.themes, name),
  };
}

function one<T extends { readonly name: string }>(records: readonly T[], name: string): T {
  const found = records.find((record) => record.name.replace(/^& /, "").replaceAll("~", "") === name);
  if (found === undefined) throw new Error(`${name} is none of ${records.map((record) => record.name).join(", ")}`);
  return found;
}

/** "23/100". */
export function text({ numerator, denominator }: Fraction): string {
  return `${numerator}/${denominator}`;
}

/** The sum of chances, as text. */
export function sum(chances: Iterable<Fraction>): string {
  return text([...chances].reduce(add, ZERO));
}

/** The files of a folder; undefined where it is not there and need not be. */
export function folderFiles(url: URL): ObjectFiles | undefined {
  if (!existsSync(url) && process.env.CI === undefined) return undefined;
  const textOf = (name: string) => readFileSync(new URL(name, url), "utf8");
  return filesOf({
    object: textOf(FILE_NAMES.object),
    objectBase: textOf(FILE_NAMES.objectBase),
    egoItem: textOf(FILE_NAMES.egoItem),
    egoThemes: textOf(FILE_NAMES.egoThemes),
    artifact: textOf(FILE_NAMES.artifact),
    flags: existsSync(new URL(FILE_NAMES.flags, url)) ? textOf(FILE_NAMES.flags) : undefined,
  });
}

/** The project's own edit files, and real ones, which stand beside it and are never part of it. */
export const OWN = new URL("../../data/dungeon/", import.meta.url);
export const REAL = new URL("../../../shared/data/angband-v4/", import.meta.url);

const depths = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }));
const range = depths.map(([a, b]) => `${Math.min(a, b)} to ${Math.max(a, b)}`);
const svals = fc.constantFrom("0:9", "1:2", "2:3", "4:4");
const sorts = fc.tuple(fc.constantFrom("sword", "soft armour"), svals).map((parts) => parts.join(":"));
const target = fc
  .tuple(sorts, fc.constantFrom("good", "great", "uber", "artifact"), fc.integer({ min: 0, max: 9 }), range)
  .map((parts) => `T:${parts.join(":")}`);
const themeTarget = fc.tuple(sorts, range).map((parts) => `T:${parts.join(":")}`);
const numbers = [1, 2, 3, 4, 5];
const affix = fc.record({
  targets: fc.array(target, { maxLength: 4 }),
  excludes: fc.option(fc.constantFrom(...numbers)),
});
const part = fc.tuple(fc.constantFrom(...numbers), fc.integer({ min: 0, max: 40 })).map(([n, w]) => `A:${n}:${w}`);
const theme = fc.record({
  targets: fc.array(themeTarget, { minLength: 1, maxLength: 2 }),
  parts: fc.array(part, { minLength: 1, maxLength: 5 }),
});
const kind = fc.record({
  commonness: fc.integer({ min: 0, max: 9 }),
  depths: range,
  flag: fc.constantFrom("", "GOOD", "INSTA_ART"),
});
const artifact = fc.record({
  sort: fc.constantFrom("sword:1", "sword:4", "soft armour:2"),
  probability: fc.integer({ min: 0, max: 2 }),
  depths: range,
  requires: fc.array(fc.constantFrom(...numbers), { maxLength: 2 }),
});

/** Files of six kinds, five affixes, three themes and three artifacts, at random: depths 0 … 60, some of it never made. */
export const anyFiles: fc.Arbitrary<ObjectFiles> = fc
  .record({
    kinds: fc.array(kind, { minLength: 6, maxLength: 6 }),
    affixes: fc.array(affix, { minLength: 5, maxLength: 5 }),
    themes: fc.array(theme, { minLength: 3, maxLength: 3 }),
    artifacts: fc.array(artifact, { minLength: 3, maxLength: 3 }),
  })
  .map(({ kinds, affixes, themes, artifacts }) => {
    const sortOf = ["23:1", "23:2", "23:4", "36:2", "36:4", "45:1"];
    return filesOf({
      object: records(kinds, ({ commonness, depths: at, flag }, i) => [
        `N:${i + 1}:Kind ${i + 1}`,
        `I:${sortOf[i]}`,
        `A:${commonness}:${at}`,
        ...(flag === "" ? [] : [`F:${flag}`]),
      ]),
      egoItem: records(affixes, ({ targets, excludes }, i) => [
        `N:${i + 1}:prefix:Affix ${i + 1}`,
        ...targets,
        ...(excludes === null ? [] : [`X:${excludes}`]),
      ]),
      egoThemes: records(themes, ({ targets, parts }, i) => [`N:${i + 1}:suffix:Theme ${i + 1}`, ...targets, ...parts]),
      artifact: records(artifacts, ({ sort, probability, depths: at, requires }, i) => [
        `N:${i + 1}:Artifact ${i + 1}`,
        `I:${sort}`,
        `A:${probability}:${at}`,
        ...[...new Set(requires)].map((number) => `Q:${number}`),
      ]),
    });
  });

function records<T>(list: readonly T[], lines: (record: T, index: number) => readonly string[]): string {
  return list.map((record, i) => `${lines(record, i).join("\n")}\n`).join("\n");
}
