import { type Fraction, ZERO } from "../../fractions.js";
import { canBeDrawn, kindOdds, levelOddsOf } from "../law/kinds.js";
import { kindOfArtifact } from "../law/reach.js";
import { fits, type SortRange } from "../law/slots.js";
import { NO_TVAL, typeWord } from "../law/tvals.js";
import { merged } from "../odds/impossible.js";
import { affixOddsAt } from "../odds/themes.js";
import { plainName } from "../parse/names.js";
import type {
  AffixSpec,
  ArtifactSpec,
  DepthRange,
  FlagSpec,
  KindSpec,
  ObjectFiles,
  ObjectPart,
  PartSpecs,
  PvalSpec,
  RandomValue,
  ThemeSpec,
} from "../types.js";
import { fileDescription, pounds } from "./describe.js";
import { MODIFIERS } from "./names.js";

export interface RecordWords {
  readonly sort: ObjectPart;
  readonly number: number;
  readonly name: string;
  readonly place: { readonly file: string | undefined; readonly line: number };
  readonly description: string;
  /** Phrases that say what the record is, and what it does to an object. */
  readonly means: readonly string[];
  readonly found: readonly string[];
  /** The heading above the chances; "" if `chances` is empty. */
  readonly chancesOf: string;
  /** `of` is the object that the chance is for, such as "a normal object". */
  readonly chances: readonly { readonly level: number; readonly of: string; readonly chance: Fraction }[];
}

const LEVELS = [1, 5, 10, 20, 30, 40, 50, 60, 80, 100, 127];
const SHOWN_KINDS = 3;

/** The fields of {@link RecordWords} that are composed differently for kinds, affixes, themes and artifacts. */
type Words = Omit<RecordWords, "sort" | "number" | "name" | "place">;

const WORDS: { readonly [Sort in ObjectPart]: (files: ObjectFiles, record: PartSpecs[Sort]) => Words } = {
  kind: kindWords,
  affix: affixWords,
  theme: themeWords,
  artifact: artifactWords,
};

/** Describes a record in words: its meaning, where it occurs, and its exact chances. Cost: several odds queries. */
export function recordWords<Sort extends ObjectPart>(files: ObjectFiles, sort: Sort, record: PartSpecs[Sort]) {
  const { number, place } = record;
  const name = "fullName" in record ? plainName(record.fullName) : record.name;
  return { sort, number, name, place, ...WORDS[sort](files, record) };
}

const NO_CHANCES = { chancesOf: "", chances: [] };

function kindWords(files: ObjectFiles, kind: KindSpec): Words {
  const { type, allocation } = kind;
  const isDrawn = canBeDrawn(kind, { rules: files.rules, quality: "normal" });
  const found =
    !isDrawn || allocation === undefined
      ? "made only on request, or as an artifact"
      : `drawn at depths ${rangeText(allocation)}, with a commonness of ${allocation.commonness}`;
  return {
    description: fileDescription(kind.text),
    means: [withArticle(type.word), ...bodyWords(kind), ...amountWords(kind), ...ownWords(files, kind)],
    found: [found, affixesOf(files, kind)],
    chancesOf: isDrawn ? "exact chance that a drawn object has this kind" : "",
    chances: isDrawn ? kindChances(files, kind) : [],
  };
}

function kindChances(files: ObjectFiles, kind: KindSpec): RecordWords["chances"] {
  const { rules } = files;
  const qualities = (["normal", "good"] as const).filter((quality) => canBeDrawn(kind, { rules, quality }));
  return qualities.flatMap((quality) =>
    LEVELS.map((level) => {
      const chance = kindOdds(files, { level, quality }).kinds.get(kind) ?? ZERO;
      return { level, of: `a ${quality} object`, chance };
    }),
  );
}

function affixesOf(files: ObjectFiles, kind: KindSpec): string {
  const noun = files.rules === "v4" ? "affix" : "ego";
  const own = files.affixes.filter((affix) => canGet(kind, affix));
  if (own.length === 0) return `can get no ${noun}`;
  const names = [...new Set(own.map(({ name }) => name))].join(", ");
  const counted = own.length === 1 ? noun : { affix: "affixes", ego: "egos" }[noun];
  return `can get ${own.length} ${counted}: ${names}`;
}

function canGet(kind: KindSpec, { targets }: AffixSpec): boolean {
  return targets.some((target) => target.probability > 0 && fits(target, kind));
}

function affixWords(files: ObjectFiles, affix: AffixSpec): Words {
  const { kind, description, least } = affix;
  const chances = affixChances(files, affix);
  return {
    description,
    means: [
      files.rules === "v4" ? `a ${kind} of names` : "an ego",
      ...amountWords(affix),
      ...MODIFIERS.flatMap(([word, field]) => (least[field] === undefined ? [] : [`${word} at least ${least[field]}`])),
      ...changeWords(affix),
      ...ownWords(files, affix),
      ...randomWords(affix),
    ],
    found: targetWords(files, affix),
    chancesOf:
      chances.length === 0 ? "" : `exact chance in a slot of the affix level "${files.levels[highestLevel(files)]}"`,
    chances,
  };
}

/** Returns the chances of an affix for a few common kinds of different types that can get the affix. */
function affixChances(files: ObjectFiles, affix: AffixSpec): RecordWords["chances"] {
  const commonness = ({ allocation }: KindSpec) => allocation?.commonness ?? 0;
  const best = new Map<number, KindSpec>();
  for (const kind of files.kinds) {
    if (kind.tval === NO_TVAL || !canGet(kind, affix)) continue;
    const known = best.get(kind.tval);
    if (known === undefined || commonness(kind) > commonness(known)) best.set(kind.tval, kind);
  }
  const kinds = [...best.values()].sort((a, b) => commonness(b) - commonness(a)).slice(0, SHOWN_KINDS);
  const affixLevel = highestLevel(files);
  return kinds.flatMap((kind) =>
    LEVELS.map((level) => {
      const odds = affixOddsAt(files, { kind, level, depth: level, affixLevel });
      return { level, of: withArticle(plainName(kind.fullName)), chance: odds.affixes.get(affix) ?? ZERO };
    }),
  );
}

/** Returns the highest affix level that great objects can roll. */
function highestLevel(files: ObjectFiles): number {
  const odds = levelOddsOf(files, { level: LEVELS[LEVELS.length - 1], quality: "great" });
  return odds.findLastIndex(({ numerator }) => numerator > 0n);
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

function targetWords(files: ObjectFiles, { targets }: AffixSpec): readonly string[] {
  const live = targets.filter(({ probability }) => probability > 0);
  if (live.length === 0) return ["never occurs by chance"];
  const highest = highestLevel(files);
  return live.map(({ level, probability, least, most, usual, ...sorts }) => {
    const word = files.levels[level];
    const from = level === 0 ? "" : `, from the affix level "${word}" on`;
    const only = level > highest ? ", only on request" : "";
    const depths = rangeText({ least: usual ?? least, most });
    const rarer = usual === undefined || usual === 0 ? "" : ", more rarely at lesser depths";
    return `${sortsText(files, sorts)} at depths ${depths}${rarer}${from}${only}, with a weight of ${probability}`;
  });
}

function sortsText(files: ObjectFiles, range: SortRange): string {
  const word = typeWord(files, range.tval);
  const ofType = files.kinds.filter(({ tval }) => tval === range.tval);
  const own = ofType.filter((kind) => fits(range, kind));
  if (own.length === ofType.length) return `every ${word}`;
  const names = own.map(({ fullName }) => plainName(fullName));
  return names.length === 0 ? `no ${word} of the files` : `the ${word} ${names.join(", ")}`;
}

function themeWords(files: ObjectFiles, { kind, description, targets, parts }: ThemeSpec): Words {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const byNumber = new Map(files.affixes.map((affix) => [affix.number, affix.name]));
  const lines = parts.map(({ affix, weight, chance }) => {
    const added = chance === 100 ? "" : `, added in ${chance} % of the cases`;
    return `${byNumber.get(affix) ?? affix}: weight ${weight} of ${total}${added}`;
  });
  return {
    description,
    means: [
      `a theme, shown as a ${kind}: an object with at least ${files.constants.themes.leastAffixes} of these affixes can ` +
        "get it, and then gets the others",
      ...lines,
    ],
    found: targets.map((target) => `${sortsText(files, target)} at depths ${rangeText(target)}`),
    ...NO_CHANCES,
  };
}

function artifactWords(files: ObjectFiles, artifact: ArtifactSpec): Words {
  const { allocations, requires } = artifact;
  const kind = kindOfArtifact(files, artifact);
  const unit = files.rules === "v4" ? "weight" : "chance";
  const byNumber = new Map(files.affixes.map((affix) => [affix.number, affix.name]));
  const lines = allocations
    .filter(({ probability }) => probability > 0)
    .map(({ probability, ...depths }) => {
      const often = files.rules === "v4" ? `${probability} of 1000` : `${probability} %`;
      return `at depths ${rangeText(depths)}, more rarely at lesser depths, with a ${unit} of ${often}`;
    });
  const needed = requires.map((affix) => `only on an object with the affix ${byNumber.get(affix) ?? affix}`);
  return {
    description: fileDescription(artifact.text),
    means: [
      kind === undefined
        ? "an artifact without a kind, which is never made"
        : `an artifact: ${withArticle(plainName(kind.fullName))}`,
      ...bodyWords(artifact),
      ...amountWords(artifact),
      ...ownWords(files, artifact),
    ],
    found: lines.length === 0 ? ["never made by chance"] : [...lines, ...needed, "made at most once"],
    ...NO_CHANCES,
  };
}

function bodyWords({ ac, dice, sides, weight }: Pick<KindSpec, "ac" | "dice" | "sides" | "weight">): readonly string[] {
  return [
    ...(ac === 0 ? [] : [`base armour class ${ac}`]),
    ...(dice * sides === 0 ? [] : [`dice ${dice}d${sides}`]),
    ...(weight === 0 ? [] : [`weighs ${pounds(weight)}`]),
  ];
}

function amountWords(record: Readonly<Record<"toHit" | "toDam" | "toAc", RandomValue | number>>): readonly string[] {
  return MODIFIERS.flatMap(([word, field]) => {
    const value = record[field];
    return signedLine(word, typeof value === "number" ? String(value) : valueText(value));
  });
}

function signedLine(what: string, value: string, unit = ""): readonly string[] {
  return value === "0" ? [] : [`${what} ${signedText(value)}${unit}`];
}

function changeWords({ acPercent, weightPercent, dice, sides, removes }: AffixSpec): readonly string[] {
  return [
    ...signedLine("base armour class", String(acPercent), " %"),
    ...signedLine("weight", String(weightPercent), " %"),
    ...signedLine("dice", String(dice)),
    ...signedLine("sides", String(sides)),
    ...(removes.length === 0 ? [] : [`removes ${removes.join(", ")}`]),
  ];
}

function ownWords(files: ObjectFiles, { flags, pvals }: Pick<AffixSpec, "flags" | "pvals">): readonly string[] {
  const known = new Map(files.flags.map((flag) => [flag.name, flag]));
  return [...pvals.map(pvalText), ...flags.map((name) => flagText(known.get(name) ?? { name, type: "" }))];
}

function pvalText({ value, least, flags }: PvalSpec): string {
  const text = valueText(value);
  const words = [...(text === "0" ? [] : [signedText(text)]), ...(least === undefined ? [] : [`at least ${least}`])];
  return `${flags.join(", ")} ${words.join(", ")}`;
}

/** The words before a flag of each type. The flag's name follows without its prefix: "resists fire" for RES_FIRE. */
const MEANINGS: Readonly<Record<string, string>> = {
  SLAY: "slays",
  KILL: "kills",
  BRAND: "brand of",
  SUST: "sustains",
  LRES: "resists",
  HRES: "resists",
  ORES: "resists",
  IMM: "is immune to",
  VULN: "is vulnerable to",
  IGNORE: "is not damaged by",
  HATES: "is damaged by",
  CURSE: "curse:",
};

function flagText({ name, type, meaning }: FlagSpec): string {
  const lead = MEANINGS[type];
  if (lead === undefined) return name;
  const words = name.replace(/^[A-Z]+_/, "").replaceAll("_", " ");
  return `${lead} ${words.toLowerCase()} (${meaning ?? name})`;
}

function randomWords({ randomFlags, randomPvals }: AffixSpec): readonly string[] {
  const flags = randomFlags.map(({ count, flags: list, alternative }) => {
    const share = alternative === undefined ? "" : `in ${alternative.share} of ${alternative.of} cases, `;
    return `${share}${count} at random from ${list.join(", ")}`;
  });
  const values = randomPvals.map(({ count, value, flags: list }) => {
    return `${count} at random from ${list.join(", ")}: ${signedText(valueText(value))}`;
  });
  return [...flags, ...values];
}

function valueText({ base, dice, sides, bonus, negated }: RandomValue): string {
  const parts = [
    ...(base === 0 ? [] : [String(base)]),
    ...(dice === 0 ? [] : [`${dice === 1 ? "" : dice}d${sides}`]),
    ...(bonus === 0 ? [] : [`M${bonus}`]),
  ];
  const text = parts.length === 0 ? "0" : parts.join("+").replace(/\+(M)/, "$1");
  return negated ? `-${parts.length > 1 ? `(${text})` : text}` : text;
}

function signedText(text: string): string {
  return text.startsWith("-") ? text : `+${text}`;
}

function rangeText({ least, most }: DepthRange): string {
  return `${least} to ${most}`;
}

export interface ListedRecord {
  readonly sort: ObjectPart;
  readonly number: number;
  readonly name: string;
  /** The words of the types of objects that the record is for. */
  readonly types: readonly string[];
  /** The depths at which the record occurs by chance, such as "1 to 40". Empty if it never occurs by chance. */
  readonly depths: readonly string[];
}

interface Placed extends Pick<ListedRecord, "sort" | "number" | "name"> {
  readonly places: readonly { readonly tval: number; readonly depths: DepthRange | undefined }[];
}

/** Lists records with their depths in the files. Boosts, draws for good objects, and artifacts can go deeper. */
export function listRecords(
  files: ObjectFiles,
  { of, tval, level }: { of?: ObjectPart | undefined; tval?: number | undefined; level?: number | undefined },
): readonly ListedRecord[] {
  return placedRecords(files).flatMap(({ sort, number, name, places }) => {
    const own = places.filter((place) => (tval ?? place.tval) === place.tval);
    const depths = own.flatMap((place) => place.depths ?? []);
    const isHere = level === undefined || depths.some(({ least, most }) => least <= level && level <= most);
    if ((of ?? sort) !== sort || (tval !== undefined && own.length === 0) || !isHere) return [];
    const types = [...new Set(own.map((place) => typeWord(files, place.tval)))];
    return [{ sort, number, name, types, depths: merged(depths) }];
  });
}

function placedRecords({ rules, kinds, affixes, themes, artifacts }: ObjectFiles): readonly Placed[] {
  const real = kinds.filter(({ tval }) => tval !== NO_TVAL);
  return [
    ...real.map((kind): Placed => {
      const { number, fullName, tval, allocation } = kind;
      const depths = canBeDrawn(kind, { rules, quality: "normal" }) ? allocation : undefined;
      return { sort: "kind", number, name: plainName(fullName), places: [{ tval, depths }] };
    }),
    ...affixes.map(({ number, name, targets }): Placed => {
      const places = targets.map((line) => ({ tval: line.tval, depths: line.probability > 0 ? line : undefined }));
      return { sort: "affix", number, name, places };
    }),
    ...themes.map(({ number, name, targets }): Placed => {
      return { sort: "theme", number, name, places: targets.map((line) => ({ tval: line.tval, depths: line })) };
    }),
    ...artifacts.map(({ number, name, tval, allocations }): Placed => {
      // the first entry lists the type of an artifact even if the artifact has no lines with a chance
      const lines = [undefined, ...allocations.filter(({ probability }) => probability > 0)];
      return { sort: "artifact", number, name, places: lines.map((depths) => ({ tval, depths })) };
    }),
  ];
}
