import type { AtOptions, BulkOptions, LongCall } from "../calls/index.js";
import type { ObjectConstants } from "./law/constants.js";

/**
 * A random value, written `B+NdSMm`: the base B, N dice with S sides, and a random bonus of at most m that grows with
 * the level. A minus in front negates the sum.
 */
export interface RandomValue {
  readonly base: number;
  readonly dice: number;
  readonly sides: number;
  /** The largest bonus, which the game calls m_bonus. */
  readonly bonus: number;
  readonly negated: boolean;
}

/** A position in an edit file. Lines and columns count from 1. */
export interface FilePlace {
  readonly file: string | undefined;
  readonly line: number;
  readonly column: number;
}

/**
 * The group of a type of object. Objects of every group except "other" can be good. In version 4, ammunition with an
 * affix keeps only some types of flags.
 */
export type TypeGroup = "weapon" | "launcher" | "ammunition" | "armour" | "other";

/** A type of object: a record of object_base.txt, or a built-in type. */
export interface TypeSpec {
  /** 1 … 65,535. Types without a number in the files get numbers from 256 on. */
  readonly tval: number;
  /** The word by which the files name the type, such as "sword". */
  readonly word: string;
  readonly group: TypeGroup;
}

/** A flag. Its type is a word such as SLAY, BRAND or LRES. An `R` line names types, and draws random flags of them. */
export interface FlagSpec {
  readonly name: string;
  readonly type: string;
  /** The meaning of the flag in words. Only flags from brand.txt and slay.txt have a meaning. */
  readonly meaning?: string;
}

/** The bonuses to hit rolls, damage and armour class. `T` is the type of each bonus, or of its minimum. */
type Modifiers<T> = Readonly<Record<"toHit" | "toDam" | "toAc", T>>;

/** Flags that share one value. */
export interface PvalSpec {
  readonly value: RandomValue;
  /** If an object's value of a flag is less than `least` after `value` was added, it is raised to `least`. */
  readonly least: number | undefined;
  readonly flags: readonly string[];
}

/** A range, such as a range of depths. Both ends are inclusive. */
export interface DepthRange {
  readonly least: number;
  readonly most: number;
}

/** The fields that kinds and artifacts have in common. */
export interface ItemSpec {
  readonly number: number;
  /** The name as written in the file, with marks such as "& " and "~". */
  readonly name: string;
  readonly place: FilePlace;
  readonly tval: number;
  readonly sval: number;
  readonly level: number;
  /** Weight in tenths of a pound. */
  readonly weight: number;
  readonly cost: number;
  readonly ac: number;
  readonly dice: number;
  readonly sides: number;
  readonly flags: readonly string[];
  readonly pvals: readonly PvalSpec[];
  /** Lines that are stored as text. The keys are the types of the lines: `text.D` has the texts of the `D` lines. */
  readonly text: Readonly<Record<string, readonly string[]>>;
}

/** A base kind: a record of object.txt. `flags` includes the flags of the kind's type in object_base.txt. */
export interface KindSpec extends ItemSpec, Modifiers<RandomValue> {
  readonly type: TypeSpec;
  /** The name with the noun of the type. Keeps marks such as "& " and "~": "& Amulet~ of Protection". */
  readonly fullName: string;
  /** The depths at which the kind can be drawn, and its weight in the draw. */
  readonly allocation: (DepthRange & { readonly commonness: number }) | undefined;
}

/** A record of object_base.txt: a type, and the properties that all its kinds share. */
export interface BaseSpec extends TypeSpec {
  /** The noun of the type, with its marks, such as "Amulet~". */
  readonly name: string;
  readonly place: FilePlace;
  /** The chance that an object breaks, in percent. It does not affect how objects are made. */
  readonly breakage: number;
  readonly flags: readonly string[];
}

/** A `T` line of a theme: the objects that can get the theme. */
export interface ThemeTarget extends DepthRange {
  readonly place: FilePlace;
  readonly tval: number;
  readonly leastSval: number;
  readonly mostSval: number;
}

/** A `T` line of an affix: the objects that can get the affix. */
export interface AffixTarget extends ThemeTarget {
  /** The line matches objects of this or a higher affix level (an index into {@link ObjectFiles.levels}). */
  readonly level: number;
  /** Weight of the affix in the draw among all affixes that are possible in a slot, 0 … 65,535. */
  readonly probability: number;
  /**
   * The usual depth of the affix, only in files of Angband 4.2. At a lesser depth D, the draw includes the affix with
   * a chance of 1 in max(2, ⌊(`usual` − D) / 3⌋).
   */
  readonly usual?: number;
}

/** Gives an object `count` random flags of the list `flags`: flags of an `R2` line, or of the types of an `R` line. */
export interface RandomFlags {
  readonly count: number;
  readonly flags: readonly string[];
  /**
   * Only in files of Angband 4.2, for an affix with several alternatives. The affix rolls one number 0 … `of` − 1.
   * This entry takes effect if the number is `first` … `first` + `share` − 1.
   */
  readonly alternative?: { readonly first: number; readonly share: number; readonly of: number };
}

/** A `Z` line. It gives an object `count` random flags of the list `flags`. Each of them gets the value `value`. */
export interface RandomPvals extends RandomFlags {
  readonly value: RandomValue;
  readonly least: number | undefined;
}

interface NamedSpec {
  readonly number: number;
  readonly kind: "prefix" | "suffix";
  readonly name: string;
  readonly place: FilePlace;
  readonly description: string;
}

/** An affix: a record of ego_item.txt. */
export interface AffixSpec extends NamedSpec, Modifiers<RandomValue> {
  /** Changes of the base armour class and of the weight, in percent; may be negative. */
  readonly acPercent: number;
  readonly weightPercent: number;
  /** Numbers that are added to the kind's dice and sides; may be negative. */
  readonly dice: number;
  readonly sides: number;
  /** If a number of the object is lower than its minimum after the affix was added, it is raised to the minimum. */
  readonly least: Modifiers<number | undefined>;
  readonly flags: readonly string[];
  /** Flags that the affix removes after it has added its own flags, only in files of Angband 4.2. */
  readonly removes: readonly string[];
  readonly pvals: readonly PvalSpec[];
  readonly randomFlags: readonly RandomFlags[];
  readonly randomPvals: readonly RandomPvals[];
  readonly targets: readonly AffixTarget[];
  /** Numbers of the affixes that this affix excludes (`X` lines). An object never has both affixes. */
  readonly excludes: readonly number[];
  /** Letter or name of a colour (`G` line). */
  readonly colour: string | undefined;
}

/** An `A` line of a theme. It names, by number, an affix that leads to the theme. */
export interface ThemePart {
  readonly place: FilePlace;
  readonly affix: number;
  readonly weight: number;
  /** If the object lacks the affix: the chance that the theme adds it, in percent, 0 … 100. */
  readonly chance: number;
}

/** A theme: a record of ego_themes.txt. */
export interface ThemeSpec extends NamedSpec {
  readonly targets: readonly ThemeTarget[];
  readonly parts: readonly ThemePart[];
}

/** An artifact: a record of artifact.txt. */
export interface ArtifactSpec extends ItemSpec, Modifiers<number> {
  /** Ranges of depths and their chances: per thousand in version 4 (at most three), in percent in Angband 4.2. */
  readonly allocations: readonly (DepthRange & { readonly probability: number })[];
  /** Numbers of the affixes that the object must have (`Q` lines). */
  readonly requires: readonly number[];
}

/**
 * The rules by which objects are made.
 * - "v4": files with lines such as `N:1:prefix:Keen`. An object can have several affixes.
 * - "4.2": the gamedata files of Angband 4.2, with lines such as `name:of Flame`. An object has at most one affix.
 */
export type ObjectRules = "v4" | "4.2";

/** The records of the edit files, for `mill.objects`. Each list is sorted by record number. */
export interface ObjectFiles {
  readonly rules: ObjectRules;
  readonly constants: ObjectConstants;
  /** Names of affix levels, the lowest first. */
  readonly levels: readonly string[];
  readonly flags: readonly FlagSpec[];
  /** All types, sorted by number. A built-in type is listed only if no record of object_base.txt replaces it. */
  readonly types: readonly TypeSpec[];
  readonly bases: readonly BaseSpec[];
  readonly kinds: readonly KindSpec[];
  readonly affixes: readonly AffixSpec[];
  readonly themes: readonly ThemeSpec[];
  readonly artifacts: readonly ArtifactSpec[];
}

/** The texts of the edit files. The format of `object` decides which {@link ObjectRules} apply. */
export interface ObjectTexts {
  readonly object: string;
  readonly objectBase: string;
  readonly egoItem: string;
  /** Required with files of version 4; refused with files of Angband 4.2. */
  readonly egoThemes?: string | undefined;
  readonly artifact: string;
  /** The flag list, with one `flag,type` per line. Default: the built-in list for these {@link ObjectRules}. */
  readonly flags?: string | undefined;
  /**
   * brand.txt, slay.txt and curse.txt of Angband 4.2 define the codes that lines of the other files use. If one of
   * these texts is missing, its codes are not checked. Refused with the older files (version 4).
   */
  readonly brand?: string | undefined;
  readonly slay?: string | undefined;
  readonly curse?: string | undefined;
  /** The constants of the rules, as JSON. Default: the usual constants. Refused with files of Angband 4.2. */
  readonly constants?: string | undefined;
}

/** Options of a maker of objects. */
export interface ObjectSetup {
  /** File names for messages. Default: `FILE_NAMES`. */
  readonly files?: Partial<Readonly<Record<keyof ObjectTexts, string | undefined>>> | undefined;
  /**
   * Name of the stock of artifacts, at least 1 character. Default: the mill's own stock, which all makers without this
   * option share.
   */
  readonly stock?: string | undefined;
  /** With "drop", the stock forgets artifacts that a snapshot has and the files lack. Default: throw an error. */
  readonly missing?: "drop" | undefined;
}

/** The quality of an object. Good and great objects get more affixes, and affixes of higher levels. */
export type Quality = "normal" | "good" | "great";

export interface ObjectBody extends Modifiers<number> {
  /** Base armour class. */
  readonly ac: number;
  readonly dice: number;
  readonly sides: number;
  /** Weight in tenths of a pound. */
  readonly weight: number;
  /** Flags without a value, in the order of the flag list. */
  readonly flags: readonly string[];
  /** Flags with a value, in the order of the flag list. A value of 0 is left out. */
  readonly pvals: Readonly<Record<string, number>>;
}

/** An object: the records that it consists of, and its numbers and flags. */
export interface MadeObject extends ObjectBody {
  /** Index of the object in the maker's stream. */
  readonly index: number;
  /** The real depth, 0 … 255: the `level` of the request. A slot can have a greater, boosted depth. */
  readonly level: number;
  readonly quality: Quality;
  readonly kind: KindSpec;
  readonly artifact: ArtifactSpec | undefined;
  readonly theme: ThemeSpec | undefined;
  /** The affixes in the order of the rolls. An affix can occur twice. Affixes that a theme added are not listed. */
  readonly affixes: readonly AffixSpec[];
  /** For each of `affixes`, the depth at which it was chosen: the real depth or a boosted depth. */
  readonly depths: readonly number[];
  /**
   * Index into {@link ObjectFiles.levels}; −1 for an artifact without affixes. `T` lines of higher levels cannot match.
   */
  readonly affixLevel: number;
  /** Number of affix slots that were rolled, 0 … 8; 0 for an artifact without affixes. `addAffix` needs no slot. */
  readonly slots: number;
  /** Number of affixes that `addAffix` added. They are the last entries of `affixes`. */
  readonly added: number;
  /** Number of random words that the object has read. `addAffix` continues with the next word. */
  readonly words: number;
}

/** An integer factor for each property, by default 0. The score of an object is the sum of property × factor. */
export interface ObjectScores {
  readonly toHit?: number;
  readonly toDam?: number;
  readonly toAc?: number;
  readonly ac?: number;
  /** Factor of dice · (sides + 1), which is twice the mean roll of the dice. */
  readonly dice?: number;
  /** Factor of each flag. It is multiplied by the value of the flag. A flag without a value counts as 1. */
  readonly flags?: Readonly<Record<string, number>>;
}

/**
 * A limit on the score of an object. If an affix or a theme raises the score above the limit, the maker removes the
 * last affix, and the theme that followed it. Set either `scores` or `power`.
 */
export interface ObjectLimit {
  /** The highest allowed score. With `scores`, it must be an integer. */
  readonly most: number;
  readonly scores?: ObjectScores;
  /**
   * Returns the score of an object. The random words are the same as with `scores`. Slower: makes one object at a time.
   */
  readonly power?: (object: MadeObject) => number;
}

/** Options that select the objects to make. */
export interface ObjectOptions {
  /** The real depth, 0 … 255. Some kinds and affixes are drawn at a greater, boosted depth. */
  readonly level: number;
  /** Whether objects are good. Default false. */
  readonly good?: boolean | undefined;
  /** Whether objects are great, which overrides `good`. Default false. */
  readonly great?: boolean | undefined;
  /** The kind to make, by number or by name without "& " and "~". It may be a kind that is never drawn. */
  readonly kind?: string | number | undefined;
  /** Makes only kinds of this type, by word ("sword") or number. */
  readonly tval?: string | number | undefined;
  /** Affixes that every object must have, by name or number. An affix that is listed twice must occur twice. */
  readonly with?: readonly (string | number)[] | undefined;
  /** The theme that every object must have, by name or number. */
  readonly theme?: string | number | undefined;
  /** The artifact to make, by name or number. Each artifact is made at most once in each stock. */
  readonly artifact?: string | number | undefined;
  /** The affix level of all objects, by name. Default: the level is rolled. A level that is never rolled is allowed. */
  readonly affixLevel?: string | undefined;
  /** Whether objects may be artifacts. Default true. */
  readonly artifacts?: boolean | undefined;
  readonly limit?: ObjectLimit | undefined;
  /** If `with` or `theme` is set: the maximum number of attempts for each object, 1 … 2^24. Default 10,000,000. */
  readonly attempts?: number | undefined;
}

/** Options of `maker.make`. Indices of objects are 0 … 2^42 − 1. */
export interface MakeObjectOptions extends ObjectOptions, AtOptions, LongCall {}

/** Options of `maker.makeMany` and `maker.makeInto`. Indices of objects are 0 … 2^42 − 1. */
export interface MakeObjectsOptions extends ObjectOptions, BulkOptions {}

/** Options of `maker.count`. */
export interface CountObjectsOptions extends MakeObjectsOptions {
  /** What to count: the kinds, affixes, themes or artifacts of the objects. */
  readonly of: ObjectPart;
}

/** A part of an object that can be counted. */
export type ObjectPart = "kind" | "affix" | "theme" | "artifact";

/** Maps each {@link ObjectPart} to the type of its records. */
export interface PartSpecs {
  readonly kind: KindSpec;
  readonly affix: AffixSpec;
  readonly theme: ThemeSpec;
  readonly artifact: ArtifactSpec;
}

/** An artifact that was made, and its owner. */
export interface Claim {
  readonly artifact: ArtifactSpec;
  /** Name of the maker that made the artifact: any of the makers that share the stock. */
  readonly maker: string;
  /** The object that became the artifact: its index in the stream of `maker`. */
  readonly object: number;
}
