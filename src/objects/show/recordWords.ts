import { type Fraction, ZERO } from "../../fractions.js";
import { kindOfArtifact } from "../compile/reach.js";
import { affixOddsAt } from "../odds/affixes.js";
import { levelOddsOf } from "../odds/decisions.js";
import { canBeDrawn, kindOdds } from "../odds/kinds.js";
import { fits, type SortRange } from "../odds/law.js";
import { plainName } from "../parse/nouns.js";
import { NO_TVAL, typeWord } from "../parse/tvals.js";
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

interface LevelChance {
  readonly level: number;
  /** The object that the chance is for, such as "a normal object". */
  readonly of: string;
  readonly chance: Fraction;
}

export interface RecordWords {
  readonly sort: ObjectPart;
  readonly number: number;
  readonly name: string;
  readonly place: { readonly file: string | undefined; readonly line: number };
  /** The descriptions of the file; "" for none. */
  readonly description: string;
  /** Phrases that say what the record is, and what it does to an object. */
  readonly means: readonly string[];
  readonly found: readonly string[];
  /** The heading above the chances; "" if there are none. */
  readonly chancesOf: string;
  readonly chances: readonly LevelChance[];
}

const LEVELS = [1, 5, 10, 20, 30, 40, 50, 60, 80, 100, 127];
const SHOWN_KINDS = 3;

const WORDS: { readonly [Sort in ObjectPart]: (files: ObjectFiles, record: PartSpecs[Sort]) => RecordWords } = {
  kind: kindWords,
  affix: affixWords,
  theme: themeWords,
  artifact: artifactWords,
};

/**
 * Describes a record in plain words: its meaning, where it occurs, and its exact chances. Cost: several odds queries.
 */
export function recordWords<Sort extends ObjectPart>(
  files: ObjectFiles,
  sort: Sort,
  record: PartSpecs[Sort],
): RecordWords {
  return WORDS[sort](files, record);
}

// ── kinds ──

function kindWords(files: ObjectFiles, kind: KindSpec): RecordWords {
  const { number, place, type, allocation } = kind;
  const isDrawn = canBeDrawn(kind, { rules: files.rules, quality: "normal" });
  const found =
    !isDrawn || allocation === undefined
      ? ["made only on request, or as an artifact"]
      : [`drawn at depths ${rangeText(allocation)}, with a commonness of ${allocation.commonness}`];
  return {
    sort: "kind",
    number,
    name: plainName(kind.fullName),
    place,
    description: joined(kind.text.D ?? kind.text.desc),
    means: [withArticle(type.word), ...bodyWords(kind), ...amountWords(kind), ...ownWords(files, kind)],
    found: [...found, ...affixesOf(files, kind)],
    chancesOf: isDrawn ? "exact chance that a drawn object has this kind" : "",
    chances: isDrawn ? kindChances(files, kind) : [],
  };
}

function kindChances(files: ObjectFiles, kind: KindSpec): readonly LevelChance[] {
  const { rules } = files;
  const qualities = (["normal", "good"] as const).filter((quality) => canBeDrawn(kind, { rules, quality }));
  return qualities.flatMap((quality) =>
    LEVELS.map((level) => {
      const chance = kindOdds(files, { level, quality }).kinds.get(kind) ?? ZERO;
      return { level, of: `a ${quality} object`, chance };
    }),
  );
}

function affixesOf(files: ObjectFiles, kind: KindSpec): readonly string[] {
  const noun = files.rules === "v4" ? "affix" : "ego";
  const own = files.affixes.filter(({ targets }) =>
    targets.some((target) => target.probability > 0 && fits(target, kind)),
  );
  if (own.length === 0) return [`can get no ${noun}`];
  const names = [...new Set(own.map(({ name }) => name))].join(", ");
  return [`can get ${own.length} ${own.length === 1 ? noun : pluralOf(noun)}: ${names}`];
}

function pluralOf(noun: string): string {
  return noun === "affix" ? "affixes" : `${noun}s`;
}

// ── affixes ──

function affixWords(files: ObjectFiles, affix: AffixSpec): RecordWords {
  const { number, name, place, kind, description } = affix;
  const chances = affixChances(files, affix);
  return {
    sort: "affix",
    number,
    name,
    place,
    description,
    means: [
      files.rules === "v4" ? `a ${kind} of names` : "an ego",
      ...amountWords(affix),
      ...leastWords(affix),
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

/**
 * Returns the chances of an affix for a few kinds that can get it. Finds the most common kind of each type, and keeps
 * the most common of these kinds.
 */
function affixChances(files: ObjectFiles, affix: AffixSpec): readonly LevelChance[] {
  const commonness = ({ allocation }: KindSpec) => allocation?.commonness ?? 0;
  const best = new Map<number, KindSpec>();
  for (const kind of files.kinds) {
    if (kind.tval === NO_TVAL || !affix.targets.some((target) => target.probability > 0 && fits(target, kind)))
      continue;
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
  return levelOddsOf(files, { level: LEVELS[LEVELS.length - 1], quality: "great" }).findLastIndex(
    ({ numerator }) => numerator > 0n,
  );
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
    const asked = level > highest ? ", only on request" : "";
    const depths = rangeText({ least: usual ?? least, most });
    const rarer = usual === undefined || usual === 0 ? "" : ", more rarely at lesser depths";
    return `${sortsText(files, sorts)} at depths ${depths}${rarer}${from}${asked}, with a weight of ${probability}`;
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

// ── themes ──

function themeWords(files: ObjectFiles, theme: ThemeSpec): RecordWords {
  const { number, name, place, kind, description, targets, parts } = theme;
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const byNumber = new Map(files.affixes.map((affix) => [affix.number, affix.name]));
  const lines = parts.map(({ affix, weight, chance }) => {
    const added = chance === 100 ? "" : `, added in ${chance} % of the cases`;
    return `${byNumber.get(affix) ?? affix}: weight ${weight} of ${total}${added}`;
  });
  return {
    sort: "theme",
    number,
    name,
    place,
    description,
    means: [
      `a theme, shown as a ${kind}: an object with at least ${files.constants.themes.leastAffixes} of these affixes can ` +
        "get it, and gets the others",
      ...lines,
    ],
    found: targets.map((target) => `${sortsText(files, target)} at depths ${rangeText(target)}`),
    chancesOf: "",
    chances: [],
  };
}

// ── artifacts ──

function artifactWords(files: ObjectFiles, artifact: ArtifactSpec): RecordWords {
  const { number, name, place, allocations, requires } = artifact;
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
    sort: "artifact",
    number,
    name,
    place,
    description: joined(artifact.text.D ?? artifact.text.desc),
    means: [
      kind === undefined
        ? "an artifact without a kind, which is never made"
        : `an artifact: ${withArticle(plainName(kind.fullName))}`,
      ...bodyWords(artifact),
      ...plainAmounts(artifact),
      ...ownWords(files, artifact),
    ],
    found: lines.length === 0 ? ["never made by chance"] : [...lines, ...needed, "made at most once"],
    chancesOf: "",
    chances: [],
  };
}

// ── parts of records ──

function bodyWords({ ac, dice, sides, weight }: Pick<KindSpec, "ac" | "dice" | "sides" | "weight">): readonly string[] {
  return [
    ...(ac === 0 ? [] : [`base armour class ${ac}`]),
    ...(dice * sides === 0 ? [] : [`dice ${dice}d${sides}`]),
    ...(weight === 0 ? [] : [`weighs ${Math.trunc(weight / 10)}.${weight % 10} lb`]),
  ];
}

const AMOUNTS = [
  ["to-hit", "toHit"],
  ["to-dam", "toDam"],
  ["to-ac", "toAc"],
] as const;

function amountWords(record: Pick<AffixSpec, "toHit" | "toDam" | "toAc">): readonly string[] {
  return AMOUNTS.flatMap(([word, field]) => {
    const text = valueText(record[field]);
    return text === "0" ? [] : [`${word} ${signed(text)}`];
  });
}

function plainAmounts(record: Pick<ArtifactSpec, "toHit" | "toDam" | "toAc">): readonly string[] {
  return AMOUNTS.flatMap(([word, field]) => (record[field] === 0 ? [] : [`${word} ${signed(String(record[field]))}`]));
}

function leastWords({ least }: AffixSpec): readonly string[] {
  return AMOUNTS.flatMap(([word, field]) => (least[field] === undefined ? [] : [`${word} at least ${least[field]}`]));
}

function changeWords({ acPercent, weightPercent, dice, sides, removes }: AffixSpec): readonly string[] {
  const percent = (what: string, value: number) => (value === 0 ? [] : [`${what} ${signed(String(value))} %`]);
  return [
    ...percent("base armour class", acPercent),
    ...percent("weight", weightPercent),
    ...(dice === 0 ? [] : [`dice ${signed(String(dice))}`]),
    ...(sides === 0 ? [] : [`sides ${signed(String(sides))}`]),
    ...(removes.length === 0 ? [] : [`removes ${removes.join(", ")}`]),
  ];
}

function ownWords(
  files: ObjectFiles,
  { flags, pvals }: { readonly flags: readonly string[]; readonly pvals: readonly PvalSpec[] },
): readonly string[] {
  const known = new Map(files.flags.map((flag) => [flag.name, flag]));
  return [...pvals.map(pvalText), ...flags.map((name) => flagText(known.get(name) ?? { name, type: "" }))];
}

function pvalText({ value, least, flags }: PvalSpec): string {
  const text = valueText(value);
  const words = text === "0" ? [] : [signed(text)];
  if (least !== undefined) words.push(`at least ${least}`);
  return `${flags.join(", ")} ${words.join(", ")}`;
}

/**
 * For each type of flags, the words that introduce a flag. The flag's name follows without its prefix: "resists fire"
 * stands for RES_FIRE.
 */
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
  return `${lead} ${name
    .replace(/^[A-Z]+_/, "")
    .toLowerCase()
    .replaceAll("_", " ")} (${meaning ?? name})`;
}

function randomWords({ randomFlags, randomPvals }: AffixSpec): readonly string[] {
  const flags = randomFlags.map(({ count, flags: list, alternative }) => {
    const share = alternative === undefined ? "" : `in ${alternative.share} of ${alternative.of} cases, `;
    return `${share}${count} random of ${list.join(", ")}`;
  });
  const values = randomPvals.map(({ count, value, flags: list }) => {
    return `${count} random of ${list.join(", ")}: ${signed(valueText(value))}`;
  });
  return [...flags, ...values];
}

/** Formats a random value as the files write it. */
function valueText({ base, dice, sides, bonus, negated }: RandomValue): string {
  const parts = [
    ...(base === 0 ? [] : [String(base)]),
    ...(dice === 0 ? [] : [`${dice === 1 ? "" : dice}d${sides}`]),
    ...(bonus === 0 ? [] : [`M${bonus}`]),
  ];
  const text = parts.length === 0 ? "0" : parts.join("+").replace(/\+(M)/, "$1");
  return negated ? `-${parts.length > 1 ? `(${text})` : text}` : text;
}

function signed(text: string): string {
  return text.startsWith("-") ? text : `+${text}`;
}

function rangeText({ least, most }: DepthRange): string {
  return `${least} to ${most}`;
}

function joined(lines: readonly string[] = []): string {
  return lines.map((line) => line.trim()).join(" ");
}
