import type { AtOptions, BulkOptions, LongCall } from "../calls/index.js";

/**
 * A random value, written `B+NdSMm`: a base, dice, and a bonus that grows with the level. Each part is optional. A
 * leading minus negates the sum.
 */
export interface RandomValue {
  readonly base: number;
  readonly dice: number;
  readonly sides: number;
  /** Largest value of the bonus. The bonus is random, and its mean grows with the level. The game calls it m_bonus. */
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
 * The group of a type. Weapons, launchers, ammunition and armour can be good. Names show the dice of weapons and
 * ammunition, and the armour class of armour. Ammunition keeps only some types of flags.
 */
export type TypeGroup = "weapon" | "launcher" | "ammunition" | "armour" | "other";

/** A type of object: a record of object_base.txt, or a built-in type. */
export interface TypeSpec {
  /** The number of the type, 1 … 65,535. Types without a number in the files have a number from 256 on. */
  readonly tval: number;
  /** The word by which the files name the type, such as "sword". */
  readonly word: string;
  readonly group: TypeGroup;
}

/** A flag: its name, and its type (SLAY, BRAND, LRES …). An `R` line names the types from which it draws flags. */
export interface FlagSpec {
  readonly name: string;
  readonly type: string;
  /** The meaning of the flag in words. Only the flags of brand.txt and slay.txt have it. */
  readonly meaning?: string;
}

/** Flags that share one value. */
export interface PvalSpec {
  readonly value: RandomValue;
  /**
   * If the object's total for a flag is less than this minimum, it is raised to the minimum. Undefined for no minimum.
   */
  readonly least: number | undefined;
  readonly flags: readonly string[];
}

/** A range of depths, both ends inclusive. */
export interface DepthRange {
  readonly least: number;
  readonly most: number;
}

/** The fields that kinds and artifacts have in common. */
export interface ItemSpec {
  readonly number: number;
  /** The name as written in the file, with "& " and "~". */
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
  /** The lines that are stored as text. The key is the first letter of the lines, the value the list of their texts. */
  readonly text: Readonly<Record<string, readonly string[]>>;
}

/** A base kind: a record of object.txt. Its flags include the flags of the record of object_base.txt with its tval. */
export interface KindSpec extends ItemSpec {
  readonly type: TypeSpec;
  /**
   * The name with the noun of the type, and with the marks of the files. The kind "Protection" of the type "Amulet~"
   * has the full name "& Amulet~ of Protection". Weapons, armour and names with marks have a noun of their own, so
   * their full name is `name`.
   */
  readonly fullName: string;
  readonly toHit: RandomValue;
  readonly toDam: RandomValue;
  readonly toAc: RandomValue;
  /**
   * The depths at which the kind can be drawn, and its weight at these depths. A kind of commonness 0 is never drawn.
   * Undefined if the record has no `A` line.
   */
  readonly allocation: (DepthRange & { readonly commonness: number }) | undefined;
}

/** A record of object_base.txt: a type, and what all kinds of the type have in common. */
export interface BaseSpec extends TypeSpec {
  /** The noun of the type, with its marks, such as "Amulet~". */
  readonly name: string;
  readonly place: FilePlace;
  /** The chance that an object breaks, in percent, 0 … 100. It has no effect on making objects. */
  readonly breakage: number;
  readonly flags: readonly string[];
}

/** A `T` line of an affix: the objects that can get the affix. */
export interface AffixTarget extends DepthRange {
  readonly place: FilePlace;
  readonly tval: number;
  readonly leastSval: number;
  readonly mostSval: number;
  /** Affix level: an index into {@link ObjectFiles.levels}. */
  readonly level: number;
  /** Weight of the affix among the affixes that are possible in a slot, 0 … 65,535. */
  readonly probability: number;
  /**
   * By the rules of Angband 4.2: from this depth on, the affix takes part in every choice. At a lesser depth D it takes
   * part with a chance of 1 in max(2, ⌊(`usual` − D) / 3⌋). Undefined by the rules of version 4.
   */
  readonly usual?: number;
}

/**
 * `count` random flags of the list `flags`. The list has all flags of the types that an `R` line names, or the flags
 * that an `R2` line names.
 */
export interface RandomFlags {
  readonly count: number;
  readonly flags: readonly string[];
  /**
   * Makes the entry one of several alternatives. The affix rolls one die with `of` sides for all its alternatives. An
   * alternative takes effect if the roll, counted from 0, is `first` … `first` + `share` − 1. The first alternative has
   * `first` = 0. Only affixes of Angband 4.2 have alternatives.
   */
  readonly alternative?: { readonly first: number; readonly share: number; readonly of: number };
}

/** A `Z` line: `count` random flags of the list `flags` get the value. */
export interface RandomPvals extends RandomFlags {
  readonly value: RandomValue;
  readonly least: number | undefined;
}

/** An affix: a record of ego_item.txt. */
export interface AffixSpec {
  readonly number: number;
  readonly kind: "prefix" | "suffix";
  readonly name: string;
  readonly place: FilePlace;
  readonly toHit: RandomValue;
  readonly toDam: RandomValue;
  readonly toAc: RandomValue;
  /** Changes of the base armour class and of the weight, in percent; may be negative. */
  readonly acPercent: number;
  readonly weightPercent: number;
  /** Added to the kind's dice and sides; may be negative. */
  readonly dice: number;
  readonly sides: number;
  /** Minimum of each total of the object. A lesser total is raised to the minimum. Undefined for no minimum. */
  readonly least: {
    readonly toHit: number | undefined;
    readonly toDam: number | undefined;
    readonly toAc: number | undefined;
  };
  readonly flags: readonly string[];
  /** Flags that the affix removes after it has added its own flags. Only affixes of Angband 4.2 remove flags. */
  readonly removes: readonly string[];
  readonly pvals: readonly PvalSpec[];
  readonly randomFlags: readonly RandomFlags[];
  readonly randomPvals: readonly RandomPvals[];
  readonly targets: readonly AffixTarget[];
  /** Numbers of the affixes in its `X` lines. If one of two affixes excludes the other, no object is given both. */
  readonly excludes: readonly number[];
  /** Letter or name of a colour (`G` line); undefined for no colour. */
  readonly colour: string | undefined;
  readonly description: string;
}

/** An `A` line of a theme: one of the affixes that lead to the theme. */
export interface ThemePart {
  readonly place: FilePlace;
  /** The affix's number. */
  readonly affix: number;
  readonly weight: number;
  /** The chance that the theme adds this affix to an object that lacks it, in percent, 0 … 100. */
  readonly chance: number;
}

/** A `T` line of a theme: the objects that can get the theme. */
export interface ThemeTarget extends DepthRange {
  readonly place: FilePlace;
  readonly tval: number;
  readonly leastSval: number;
  readonly mostSval: number;
}

/** A theme: a record of ego_themes.txt. */
export interface ThemeSpec {
  readonly number: number;
  readonly kind: "prefix" | "suffix";
  readonly name: string;
  readonly place: FilePlace;
  readonly targets: readonly ThemeTarget[];
  readonly parts: readonly ThemePart[];
  readonly description: string;
}

/** An artifact: a record of artifact.txt. */
export interface ArtifactSpec extends ItemSpec {
  readonly toHit: number;
  readonly toDam: number;
  readonly toAc: number;
  /**
   * The `A` lines, at most three. Each gives a chance for a range of depths: per thousand by the rules of version 4, in
   * percent by the rules of Angband 4.2.
   */
  readonly allocations: readonly (DepthRange & { readonly probability: number })[];
  /** Numbers of the affixes that the object must have (`Q` lines). */
  readonly requires: readonly number[];
}

/**
 * The rules by which objects are made. They follow from the format of the files. By "v4", files have lines such as
 * `N:1:prefix:Keen`, and an object can have several affixes. By "4.2", files are the gamedata files of Angband 4.2 with
 * lines such as `name:of Flame`, and an object has at most one affix (an ego).
 */
export type ObjectRules = "v4" | "4.2";

/**
 * The parsed records of the edit files, each list in the order of record numbers. `mill.objects` makes objects from
 * them.
 */
export interface ObjectFiles {
  readonly rules: ObjectRules;
  /** Names of affix levels, the lowest first. */
  readonly levels: readonly string[];
  readonly flags: readonly FlagSpec[];
  /** The types of object_base.txt, and the built-in types that it does not replace, in the order of their numbers. */
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
  /** The themes. Required with files of version 4; refused with files of Angband 4.2. */
  readonly egoThemes?: string | undefined;
  readonly artifact: string;
  /** The flag list, one `flag,type` a line. Default: the built-in list of the rules. */
  readonly flags?: string | undefined;
  /**
   * The brands, slays and curses of Angband 4.2. Other files use their codes. If the text of a sort is missing, every
   * code of this sort is valid. Refused with files of version 4.
   */
  readonly brand?: string | undefined;
  readonly slay?: string | undefined;
  readonly curse?: string | undefined;
}

/** Options of a maker of objects. */
export interface ObjectSetup {
  /** File names for messages. Default: `FILE_NAMES`. */
  readonly files?: Partial<Readonly<Record<keyof ObjectTexts, string | undefined>>> | undefined;
  /**
   * Name of the stock of artifacts, a text of at least 1 character. Each artifact is made at most once in each stock.
   * Default: the stock that all makers of the mill share unless they name another one.
   */
  readonly stock?: string | undefined;
  /**
   * What to do if the mill's snapshot has artifacts that this maker made and that the files no longer have. Default: an
   * error. With "drop", the stock forgets them.
   */
  readonly missing?: "drop" | undefined;
}

/** The quality of an object. Good and great objects get more affixes, and affixes of higher levels. */
export type Quality = "normal" | "good" | "great";

/** The numbers and the flags of an object. */
export interface ObjectBody {
  readonly toHit: number;
  readonly toDam: number;
  readonly toAc: number;
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
  /** The real depth, 0 … 255. */
  readonly level: number;
  readonly quality: Quality;
  readonly kind: KindSpec;
  readonly artifact: ArtifactSpec | undefined;
  readonly theme: ThemeSpec | undefined;
  /** The affixes in the order of the rolls; an affix can occur twice. Affixes that a theme added are not listed. */
  readonly affixes: readonly AffixSpec[];
  /** For each of the affixes, the depth at which it was chosen: the real depth or a boosted one. */
  readonly depths: readonly number[];
  /**
   * Affix level, an index into {@link ObjectFiles.levels}: only `T` lines of this level or a lower level can match. −1
   * for an artifact without affixes.
   */
  readonly affixLevel: number;
  /**
   * Number of affix slots that were rolled, 0 … 8; 0 for an artifact without affixes. `addAffix` can add affixes beyond
   * this number.
   */
  readonly slots: number;
  /** Number of affixes that `addAffix` added. They are the last ones of `affixes`. */
  readonly added: number;
  /** Number of random words read; `addAffix` continues with the next one. */
  readonly words: number;
}

/**
 * An integer factor for each property of an object. The score of the object is the sum of its properties, each
 * multiplied by its factor. A factor that is left out is 0.
 */
export interface ObjectScores {
  readonly toHit?: number;
  readonly toDam?: number;
  readonly toAc?: number;
  readonly ac?: number;
  /** Factor of dice · (sides + 1), which is twice the mean roll of the dice. */
  readonly dice?: number;
  /** Factor of each flag. A flag without a value counts as 1, a flag with a value as this value. */
  readonly flags?: Readonly<Record<string, number>>;
}

/**
 * A limit on the score of an object. If an affix or a theme raises the score above the limit, the maker takes the
 * affix back, and the theme that followed it. Set either `scores` or `power`.
 */
export interface ObjectLimit {
  /** The highest score that is allowed; an integer with `scores`. */
  readonly most: number;
  /** Integer factors, from which the kernel computes the score. */
  readonly scores?: ObjectScores;
  /**
   * A function that returns the score of an object. The maker calls it after each affix and each theme. Objects read
   * the same random words as with `scores`, but are made one at a time, which is slower.
   */
  readonly power?: (object: MadeObject) => number;
}

/** Options that select the objects to make. */
export interface ObjectOptions {
  /** The real depth, 0 … 255. */
  readonly level: number;
  /** Whether objects are good: they get more affixes, and affixes of higher levels. Default false. */
  readonly good?: boolean | undefined;
  /** Whether objects are great, which is better than good. Overrides `good`. Default false. */
  readonly great?: boolean | undefined;
  /** The kind to make, by number or by name without "& " and "~". It may be a kind that is never drawn. */
  readonly kind?: string | number | undefined;
  /** Only kinds of this type, by word ("sword") or number. */
  readonly tval?: string | number | undefined;
  /** Affixes that every object must have, by name or number. An affix that is listed twice must occur twice. */
  readonly with?: readonly (string | number)[] | undefined;
  /** The theme that every object must have, by name or number. */
  readonly theme?: string | number | undefined;
  /** The artifact to make, by name or number. Each artifact is made at most once in each stock. */
  readonly artifact?: string | number | undefined;
  /** The affix level, by name, in place of a rolled level. It may be a level that is never rolled. */
  readonly affixLevel?: string | undefined;
  /** Whether objects may be artifacts. Default true. */
  readonly artifacts?: boolean | undefined;
  /** A limit on the score of each object. Default: no limit. */
  readonly limit?: ObjectLimit | undefined;
  /** Maximum number of attempts for each object that must fit `with` and `theme`, 1 … 2^24. Default 10,000,000. */
  readonly attempts?: number | undefined;
}

/** Options of `maker.make`. Indices of objects are 0 … 2^32 − 1. */
export interface MakeObjectOptions extends ObjectOptions, AtOptions, LongCall {}

/** Options of `maker.makeMany` and `maker.makeInto`. Indices of objects are 0 … 2^32 − 1. */
export interface MakeObjectsOptions extends ObjectOptions, BulkOptions {}

/** Options of `maker.count`. */
export interface CountObjectsOptions extends MakeObjectsOptions {
  /** The part of the objects to count. */
  readonly of: ObjectPart;
}

/** A part of objects that can be counted. */
export type ObjectPart = "kind" | "affix" | "theme" | "artifact";

/** The records of each {@link ObjectPart}. */
export interface PartSpecs {
  readonly kind: KindSpec;
  readonly affix: AffixSpec;
  readonly theme: ThemeSpec;
  readonly artifact: ArtifactSpec;
}

/** A made artifact, and its owner: the object that made it. */
export interface Claim {
  readonly artifact: ArtifactSpec;
  /** Name of the maker that made the owner. It can be another maker with the same stock of artifacts. */
  readonly maker: string;
  /** Index of the owner in the stream of that maker. */
  readonly object: number;
}
