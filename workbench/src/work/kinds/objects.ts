import { type Fraction, fraction, toNumber } from "../../../../src/fractions.js";
import {
  descriptionOf,
  FILE_NAMES,
  type MadeObject,
  type MadeObjects,
  type ObjectFiles,
  type ObjectMaker,
  type ObjectOptions,
  type ObjectPart,
  type ObjectTexts,
  objects,
  parseObjects,
} from "../../../../src/objects/index.js";
import { MOST_AFFIXES } from "../../../../src/objects/law/slots.js";
import { NO_TVAL } from "../../../../src/objects/law/tvals.js";
import { plainName } from "../../../../src/objects/parse/names.js";
import type { Files } from "../../document.js";
import type { Choice, Field, Item, Work } from "../protocol.js";
import type { Source } from "../source.js";
import { explained, folderOf, millOf, type Open, oddsOf, SAMPLES, specOf } from "./kind.js";
import { type Asked, COUNTED, choicesOf, countsOf, fillForm, histogramOf } from "./requests.js";

const MAX_LEVEL = 127;
/** The page gives up an object that must have certain affixes or a theme after so many attempts. */
const ATTEMPTS = 200_000;
/** Beyond this number of states, the odds of whole objects are bounds. */
const STATES = 2 ** 12;
/** The objects that are counted read about so many words at most: some requests need many attempts for an object. */
const MAX_WORDS = 2 ** 23;
const AFFIX = "affix ";

export const open: Open = async (source) => {
  const { files, file } = source;
  const mill = await millOf(source, [objects]);
  const { texts, paths } = textsBeside(files, file);
  const parsed = parseObjects(texts, { files: paths });
  const maker = mill.open(objects, folderOf(file).replace(/\/$/, "") || "objects", specOf(parsed));
  const make = (some: Asked, n = SAMPLES) => {
    return maker.makeMany(some.artifact === undefined ? n : 1, { ...optionsOf(some), attempts: ATTEMPTS, from: 0 });
  };
  // made once, because each artifact is made at most once
  const { asked, fields, made } = fillForm(fieldsOf(maker.files, source.options), source.options, make);
  const options = optionsOf(asked);
  const items = made === undefined ? [] : Array.from(made, (object) => itemOf(maker.files, object));
  const counted = made === undefined ? 0 : sizeFor(made);
  return {
    issues: parsed.issues,
    planned: { noun: maker, options },
    look: () => ({ view: "items", items, fields, options: { ...options }, parts: partsOf(maker.files) }),
    part: (part) => partOf(part as ObjectPart, maker, options, counted),
    numbers: () => ({ counted, histograms: histogramsOf(make(asked, counted)) }),
    explain: (at) => explained(maker, at, { ...options }),
    [Symbol.dispose]: () => mill.dispose(),
  };
};

/** The edit files in the folder of one of them. */
function textsBeside(files: Files, file: string) {
  const found = Object.entries(FILE_NAMES).flatMap(([key, name]) => {
    const path = `${folderOf(file)}${name}`;
    return Object.hasOwn(files, path) ? [[key, path] as const] : [];
  });
  // the cast is safe: the parser says which texts are missing
  const texts = Object.fromEntries(found.map(([key, path]) => [key, files[path]])) as unknown as ObjectTexts;
  return { texts, paths: Object.fromEntries(found) };
}

/** A requested affix adds a field for one more. */
function fieldsOf(files: ObjectFiles, options: Source["options"] = {}): Field[] {
  const kinds = files.kinds.filter(({ tval }) => tval !== NO_TVAL);
  const types = files.types.filter(({ tval }) => kinds.some((kind) => kind.tval === tval)).map(({ word }) => word);
  const most = files.rules === "4.2" ? 1 : MOST_AFFIXES;
  const places = Array.from({ length: most }, (_, i) => `${AFFIX}${i + 1}`);
  const open = places.filter((_, i) => i === 0 || options[`with ${places[i]}`] || options[`with ${places[i - 1]}`]);
  const affixes = namesOf(files.affixes);
  const fields = [
    { name: "quality", label: "quality", empty: "normal", choices: choicesOf(["good", "great"]) },
    { name: "tval", label: "type", empty: "any", choices: choicesOf(types) },
    { name: "kind", label: "kind", empty: "any", choices: namesOf(kinds) },
    { name: "affixLevel", label: "affix level", empty: "any", choices: choicesOf(files.levels) },
    ...open.map((name) => ({ name, label: name.replace(/ 1$/, ""), empty: "any", choices: affixes })),
    { name: "theme", label: "theme", empty: "any", choices: namesOf(files.themes) },
    { name: "artifact", label: "this artifact", empty: "any", choices: namesOf(files.artifacts) },
    {
      name: "artifacts",
      label: "allow artifacts",
      empty: "yes",
      choices: files.artifacts.length === 0 ? [] : choicesOf(["no"]),
    },
  ];
  return [
    { name: "level", label: "depth", empty: "0", most: MAX_LEVEL },
    ...fields.filter((one) => one.choices.length > 0),
  ];
}

interface Named {
  readonly number: number;
  readonly name: string;
  readonly fullName?: string;
}

/** The names of records. A name that several have is requested by the number. */
function namesOf(records: readonly Named[]): Choice[] {
  const counts = countsOf(records.map(nameOf));
  return records.map((record) => {
    const [name, number] = [nameOf(record), String(record.number)];
    return counts.get(name) === 1 ? { value: name, label: name } : { value: number, label: `${name} (${number})` };
  });
}

function nameOf({ name, fullName }: Named): string {
  return fullName === undefined ? name : plainName(fullName);
}

function optionsOf({ level = "0", quality, artifacts, ...asked }: Asked): ObjectOptions {
  const names = Object.keys(asked).filter((name) => name.startsWith(AFFIX));
  const others = Object.entries(asked).filter(([name]) => !names.includes(name));
  return {
    level: Number(level),
    ...(quality !== undefined && { [quality]: true }),
    ...Object.fromEntries(others),
    ...(names.length > 0 && { with: names.map((name) => asked[name]) }),
    ...(artifacts !== undefined && { artifacts: false }),
  };
}

function itemOf(files: ObjectFiles, object: MadeObject): Item {
  const { name, theme = "", affixes, description } = descriptionOf(files, object);
  const parts = [
    ["theme", theme],
    ["affixes", affixes.map((affix) => affix.name).join(", ")],
    ["text", description.join(" ")],
  ] as const;
  return { name, parts: parts.filter(([, part]) => part !== "") };
}

function sizeFor({ words, length }: MadeObjects): number {
  const mean = words.reduce((sum, one) => sum + one, 0) / length;
  return Math.max(SAMPLES, Math.min(COUNTED, Math.floor(MAX_WORDS / mean)));
}

const WHOLE = { kind: "kinds", affix: "affixes", theme: "themes", artifact: "artifacts" } as const;

function partsOf({ themes, artifacts }: ObjectFiles): Choice[] {
  const own = { kind: 1, affix: 1, theme: themes.length, artifact: artifacts.length };
  return choicesOf(Object.keys(own).filter((part) => own[part as ObjectPart] > 0));
}

/** Exact odds. They are unknown for objects that are made until one fits, so these are counted. */
function partOf(of: ObjectPart, maker: ObjectMaker, options: ObjectOptions, size: number): Work["part"]["answer"] {
  const { with: affixes, theme, artifact: _, ...query } = options;
  const isExclusive = of !== "affix";
  if (affixes !== undefined || theme !== undefined) {
    const { total, counts, none } = maker.count(size, { ...options, of, attempts: ATTEMPTS, from: 0 });
    const share = (count: number) => fraction(BigInt(count), BigInt(total));
    const seen = [...counts].filter(([, count]) => count > 0).map(([one, count]) => [one, share(count)] as const);
    return { ...oddsOf({ odds: seen.map(namedOdds), none: share(none) }, isExclusive), counted: total };
  }
  const { unexplored, ...whole } = maker.odds({ ...query, of: "object", states: STATES });
  const { odds, none } = whole[WHOLE[of]];
  const named = odds.map(({ result, probability }) => namedOdds([result, probability]));
  return { ...oddsOf({ odds: named, none }, isExclusive), unexplored: toNumber(unexplored) };
}

function namedOdds([record, probability]: readonly [Named, Fraction]) {
  return { result: nameOf(record), probability };
}

/** The numbers of objects, in units. Objects that lack a number, such as damage, have 0 there, and are left out. */
const NUMBERS: readonly (readonly [label: string, of: (object: MadeObject) => number, units?: number])[] = [
  ["mean damage of the dice", ({ dice, sides }) => dice * (sides + 1), 2],
  ["to-hit", ({ toHit }) => toHit],
  ["to-dam", ({ toDam }) => toDam],
  ["armour class", ({ ac }) => ac],
  ["to-ac", ({ toAc }) => toAc],
  ["weight in pounds", ({ weight }) => weight, 10],
  ["value", ({ kind, artifact }) => (artifact ?? kind).cost],
];

function histogramsOf(made: MadeObjects) {
  const all = [...made];
  return NUMBERS.flatMap(([label, of, units]) => {
    const weights = countsOf(all.map(of).filter((value) => value !== 0));
    return histogramOf({ label, weights, units });
  });
}
