import { type Command, Option } from "commander";
import { didYouMean, error, fail } from "../../errors/index.js";
import type { ObjectFiles, ObjectPart, PartSpecs } from "../../objects/index.js";
import { listConstants } from "../../objects/law/constants.js";
import { NO_TVAL } from "../../objects/law/tvals.js";
import { affixNamed, artifactNamed, kindNamed, themeNamed, withoutCase } from "../../objects/parse/lookup.js";
import { plainName } from "../../objects/parse/nouns.js";
import { type RecordWords, recordWords } from "../../objects/show/recordWords.js";
import { withExamples } from "../examples.js";
import { chanceText, withProbability } from "../shared/chances.js";
import { printDocument } from "../shared/envelope.js";
import { type Io, print } from "../shared/io.js";
import { jsonOption } from "../shared/options.js";
import { DIR_CONTENTS, dirHead, readObjectDir } from "./dir.js";

export const SORTS: readonly ObjectPart[] = ["kind", "affix", "theme", "artifact"];

const NAMED: { readonly [Sort in ObjectPart]: (files: ObjectFiles, name: string) => PartSpecs[Sort] } = {
  kind: kindNamed,
  affix: affixNamed,
  theme: themeNamed,
  artifact: artifactNamed,
};

export function addObjectShow(object: Command, io: Io): void {
  withExamples(
    object.command("show"),
    io,
    "object show {data/lighthouse} Hawser",
    "object show {data/dungeon} Steady",
    "object show {data/dungeon}",
  )
    .argument("<dir>", DIR_CONTENTS)
    .argument("[record]", "name of a kind, an affix, a theme or an artifact; with --of, also its number")
    .description(
      "show a record in plain words: what it means, where it occurs, at which levels, and its exact odds; " +
        "without a record, show the constants of the rules (version 4 only)",
    )
    .addOption(new Option("--of <sort>", "the sort of the record").choices(SORTS))
    .addOption(jsonOption())
    .action((folder: string, name: string | undefined, flags: ShowFlags) =>
      name === undefined ? showConstants(io, folder, flags) : show(io, folder, { name, ...flags }),
    );
}

interface ShowFlags {
  readonly of?: ObjectPart;
  readonly json?: boolean;
}

async function showConstants(io: Io, folder: string, { of, json: asJson }: ShowFlags): Promise<void> {
  const remedy = "Name a record, or use object list";
  if (of !== undefined) fail(error("cli.usage", { problem: "--of needs the name of a record", remedy }));
  const files = await readObjectDir(io, folder);
  const isFixed = files.rules === "4.2";
  if (asJson === true) return printDocument(io, dirHead(io, folder, "show"), isFixed ? {} : files.constants);
  if (isFixed) {
    return print(io, "files of Angband 4.2 have no constants; to show a record, name it (object list has the names)\n");
  }
  const lines = listConstants(files).map(({ path, value, usual }) => {
    return `${path}\t${value}${value === usual ? "" : `\t(usually ${usual})`}\n`;
  });
  return print(io, lines.join(""));
}

async function show(
  io: Io,
  folder: string,
  { name, of, json: asJson }: ShowFlags & { readonly name: string },
): Promise<void> {
  const files = await readObjectDir(io, folder);
  const words = of === undefined ? wordsNamed(files, name) : wordsOf(files, of, name);
  if (asJson !== true) return print(io, recordText(words));
  const chances = words.chances.map(({ chance, ...rest }) => ({ ...rest, chance: withProbability(chance) }));
  await printDocument(io, dirHead(io, folder, "show"), { ...words, chances });
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
    return fail(
      error("object.name", {
        problem: "records of several sorts have this name",
        got: name,
        expected: found.map(({ sort }) => `--of ${sort}`).join(" or "),
        remedy: "Name the sort",
      }),
    );
  }
  return fail(
    error("object.name", {
      problem: "no record has this name",
      got: name,
      expected: "the name of a kind, an affix, a theme or an artifact",
      ...didYouMean(name, known, "Name a record of the files, or a sort with --of and a number"),
    }),
  );
}

function recordText({ sort, number, name, place, description, means, found, chancesOf, chances }: RecordWords): string {
  const at = place.file === undefined ? "" : `, ${place.file}:${place.line}`;
  const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}\n`).join("");
  const parts = [
    `${name} (${sort} ${number}${at})\n`,
    description === "" ? "" : indented([description]),
    indented(means),
    `found:\n${indented(found)}`,
    chances.length === 0 ? "" : `${chancesOf}:\n`,
    ...chances.map(({ level, of, chance }) => `  ${of} at level ${level}\t${chanceText(chance)}\n`),
  ];
  return parts.join("");
}
