import type { Command } from "commander";
import { didYouMean, error, fail } from "../../errors/index.js";
import type { ObjectFiles, ObjectPart, PartSpecs } from "../../objects/index.js";
import { listConstants } from "../../objects/law/constants.js";
import { NO_TVAL } from "../../objects/law/tvals.js";
import { affixNamed, artifactNamed, kindNamed, plainName, themeNamed, withoutCase } from "../../objects/parse/names.js";
import { type RecordWords, recordWords } from "../../objects/show/recordWords.js";
import { choice, define } from "../command.js";
import { chanceText, report, withProbability } from "../shared/documents.js";
import { type Io, refuse } from "../shared/io.js";
import { JSON_DOCUMENT } from "../shared/options.js";
import { DIR, dirHead, readObjectDir } from "./dir.js";

export const SORTS: readonly ObjectPart[] = ["kind", "affix", "theme", "artifact"];

const NAMED: { readonly [Sort in ObjectPart]: (files: ObjectFiles, name: string) => PartSpecs[Sort] } = {
  kind: kindNamed,
  affix: affixNamed,
  theme: themeNamed,
  artifact: artifactNamed,
};

export function addObjectShow(object: Command, io: Io): void {
  define(object.command("show"), io, {
    examples: [
      "object show {data/lighthouse} Hawser",
      "object show {data/dungeon} Steady",
      "object show {data/dungeon}",
    ],
    takes: [DIR, ["[record]", "name of a kind, an affix, a theme or an artifact; with --of, also its number"]],
    description:
      "show a record in plain words: what it means, where it occurs, at which levels, and its exact odds; " +
      "without a record, show the constants of the rules (version 4 only)",
    options: [choice("--of <sort>", "the sort of the record", SORTS), JSON_DOCUMENT],
    async run(flags, folder, name) {
      const { of } = flags;
      if (name === undefined && of !== undefined) {
        const remedy = "Name a record, or use object list";
        refuse("--of needs the name of a record", { remedy });
      }
      const files = await readObjectDir(io, folder);
      const head = dirHead(io, folder, "show");
      if (name === undefined) {
        const isFixed = files.rules === "4.2";
        const data = () => (isFixed ? {} : files.constants);
        return report(io, flags, { head, data, lines: () => (isFixed ? [NO_CONSTANTS] : constantLines(files)) });
      }
      const words = of === undefined ? wordsNamed(files, name) : wordsOf(files, of, name);
      await report(io, flags, {
        head,
        data: () => {
          const chances = words.chances.map(({ chance, ...rest }) => ({ ...rest, chance: withProbability(chance) }));
          return { ...words, chances };
        },
        lines: () => recordLines(words),
      });
    },
  });
}

const NO_CONSTANTS = "files of Angband 4.2 have no constants; to show a record, name it (object list has the names)";

function constantLines(files: ObjectFiles): string[] {
  return listConstants(files).map(({ path, value, usual }) => {
    return `${path}\t${value}${value === usual ? "" : `\t(usually ${usual})`}`;
  });
}

function wordsOf<Sort extends ObjectPart>(files: ObjectFiles, sort: Sort, name: string): RecordWords {
  return recordWords(files, sort, NAMED[sort](files, name));
}

function namesOf(files: ObjectFiles, sort: ObjectPart): readonly string[] {
  const { kinds, affixes, themes, artifacts } = files;
  if (sort !== "kind") return { affix: affixes, theme: themes, artifact: artifacts }[sort].map((one) => one.name);
  const real = kinds.filter(({ tval }) => tval !== NO_TVAL);
  return real.flatMap(({ name, fullName }) => [plainName(fullName), plainName(name)]);
}

/** Finds the record with this name among all sorts, and describes it. */
function wordsNamed(files: ObjectFiles, name: string): RecordWords {
  const found = SORTS.flatMap((sort) => {
    const own = namesOf(files, sort).find((one) => withoutCase(one) === withoutCase(name));
    return own === undefined ? [] : [{ sort, own }];
  });
  if (found.length === 1) return wordsOf(files, found[0].sort, found[0].own);
  const known = SORTS.flatMap((sort) => namesOf(files, sort));
  if (found.length > 1) {
    const expected = found.map(({ sort }) => `--of ${sort}`).join(" or ");
    const problem = "records of several sorts have this name";
    return fail(error("object.name", { problem, got: name, expected, remedy: "Name the sort" }));
  }
  const expected = "the name of a kind, an affix, a theme or an artifact";
  const remedy = didYouMean(name, known, "Name a record of the files, or a sort with --of and a number");
  return fail(error("object.name", { problem: "no record has this name", got: name, expected, ...remedy }));
}

function recordLines({ sort, number, name, place, description, means, found, ...odds }: RecordWords): string[] {
  const at = place.file === undefined ? "" : `, ${place.file}:${place.line}`;
  const said = [...(description === "" ? [] : [description]), ...means];
  const chances = odds.chances.map(({ level, of, chance }) => `${of} at level ${level}\t${chanceText(chance)}`);
  return [
    `${name} (${sort} ${number}${at})`,
    ...said.map((line) => `  ${line}`),
    "found:",
    ...found.map((line) => `  ${line}`),
    ...(chances.length === 0 ? [] : [`${odds.chancesOf}:`]),
    ...chances.map((line) => `  ${line}`),
  ];
}
