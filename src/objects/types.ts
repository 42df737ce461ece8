import type { AtOptions, BulkOptions, LongCall } from "../calls/index.js";

/**
 * A random value, written `B+NdSMm`: base, dice and a bonus that grows with the level, each of which may be absent. A
 * leading minus negates the whole.
 */
export interface RandomValue {
  readonly base: number;
  readonly dice: number;
  readonly sides: number;
  /** The largest value of m_bonus(m, level). */
  readonly bonus: number;
  readonly negated: boolean;
}

/** A position in an edit file. Lines and columns count from 1. */
export interface FilePlace {
  readonly file: string | undefined;
  readonly line: number;
  readonly column: number;
}

/** A flag: its name, and its type (SLAY, BRAND, LRES …). An `R` line draws random flags by type. */
export interface FlagSpec {
  readonly name: string;
  readonly type: string;
}

/** Flags that share one value. */
export interface PvalSpec {
  readonly value: RandomValue;
  /** The object has at least this value afterwards; undefined for no minimum. */
  readonly least: number | undefined;
  readonly flags: readonly string[];
}

/** A range of depths, both ends inclusive. */
export interface DepthRange {
  readonly least: number;
  readonly most: number;
}

/** What kinds and artifacts both have. */
export interface ItemSpec {
  readonly number: number;
  /** With "& " and "~" as in the file. */
  readonly name: string;
  readonly place: FilePlace;
  readonly tval: number;
  readonly sval: number;
  readonly level: number;
  /** Tenths of a pound. */
  readonly weight: number;
  readonly cost: number;
  readonly ac: number;
  readonly dice: number;
  readonly sides: number;
  readonly flags: readonly string[];
  readonly pvals: readonly PvalSpec[];
  /** Lines stored as text, by letter. */
  readonly text: Readonly<Record<string, readonly string[]>>;
}

/** A base kind: a record of object.txt. Its flags are its own and those of its base. */
export interface KindSpec extends ItemSpec {
  readonly toHit: RandomValue;
  readonly toDam: RandomValue;
  readonly toAc: RandomValue;
  /** Where the kind is drawn, and how often (commonness 0: never); undefined without an `A` line. */
  readonly allocation: (DepthRange & { readonly commonness: number }) | undefined;
}

/** Defaults of a tval: a record of object_base.txt. */
export interface BaseSpec {
  readonly tval: number;
  readonly name: string;
  readonly place: FilePlace;
  readonly breakage: number;
  readonly flags: readonly string[];
}

/** Objects that can get an affix: a `T` line. */
export interface AffixTarget extends DepthRange {
  readonly place: FilePlace;
  readonly tval: number;
  readonly leastSval: number;
  readonly mostSval: number;
  /** Affix level: an index into {@link ObjectFiles.levels}. */
  readonly level: number;
  readonly probability: number;
}

/** Random flags: `count` of a list. An `R` line names the list by types, an `R2` line by flags. */
export interface RandomFlags {
  readonly count: number;
  readonly flags: readonly string[];
}

/** Random pval flags: a `Z` line. */
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
  /** Percentages, signed. */
  readonly acPercent: number;
  readonly weightPercent: number;
  /** Added, signed. */
  readonly dice: number;
  readonly sides: number;
  /** The object has at least these totals afterwards; undefined for no minimum. */
  readonly least: {
    readonly toHit: number | undefined;
    readonly toDam: number | undefined;
    readonly toAc: number | undefined;
  };
  readonly flags: readonly string[];
  readonly pvals: readonly PvalSpec[];
  readonly randomFlags: readonly RandomFlags[];
  readonly randomPvals: readonly RandomPvals[];
  readonly targets: readonly AffixTarget[];
  /** Numbers of the affixes that it excludes (`X` lines). Exclusion holds both ways. */
  readonly excludes: readonly number[];
  /** Letter or name of a colour (`G` line); undefined for no colour. */
  readonly colour: string | undefined;
  readonly description: string;
}

/** An affix of a theme: an `A` line. */
export interface ThemePart {
  readonly place: FilePlace;
  /** The affix's number. */
  readonly affix: number;
  readonly weight: number;
  /** Percent, 0 … 100: the chance that the theme adds this affix to an object that lacks it. */
  readonly chance: number;
}

/** Objects that can get a theme: a `T` line. */
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
  /** `A` lines, at most three: chances per thousand, by depth. */
  readonly allocations: readonly (DepthRange & { readonly probability: number })[];
  /** Numbers of the affixes that the object must have (`Q` lines). */
  readonly requires: readonly number[];
}

/** The records of edit files, as parsed: what `mill.objects` makes objects from. Records are ordered by number. */
export interface ObjectFiles {
  /** Names of affix levels, the lowest first. */
  readonly levels: readonly string[];
  readonly flags: readonly FlagSpec[];
  readonly bases: readonly BaseSpec[];
  readonly kinds: readonly KindSpec[];
  readonly affixes: readonly AffixSpec[];
  readonly themes: readonly ThemeSpec[];
  readonly artifacts: readonly ArtifactSpec[];
  /** SHA-256 of the texts and the affix levels, hexadecimal. Computed at the first access: O(bytes). */
  readonly digest: string;
}

/** The texts of the edit files. */
export interface ObjectTexts {
  readonly object: string;
  readonly objectBase: string;
  readonly egoItem: string;
  readonly egoThemes: string;
  readonly artifact: string;
  /** Lines of `flag,type`. Default: the built-in list. */
  readonly flags?: string | undefined;
}

/** Options of a maker of objects. */
export interface ObjectSetup {
  /** Names of the files in messages. Default: `FILE_NAMES`. */
  readonly files?: Partial<Readonly<Record<keyof ObjectTexts, string | undefined>>> | undefined;
  /** Names of affix levels, the lowest first. Default: `LEVELS`. */
  readonly levels?: readonly string[] | undefined;
}

/** The quality of an object: good and great ones get more and higher affixes. */
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
  /** Tenths of a pound. */
  readonly weight: number;
  /** Flags without a value, in the order of the flag list. */
  readonly flags: readonly string[];
  /** Flags with a value, in the order of the flag list. A value of 0 is left out. */
  readonly pvals: Readonly<Record<string, number>>;
}

/** An object: the records that it consists of, and its numbers and flags. */
export interface MadeObject extends ObjectBody {
  /** Index in the stream of its maker. */
  readonly index: number;
  /** The real depth, 0 … 255. */
  readonly level: number;
  readonly quality: Quality;
  readonly kind: KindSpec;
  readonly artifact: ArtifactSpec | undefined;
  readonly theme: ThemeSpec | undefined;
  /** In the order of the rolls; an affix can occur twice. Affixes that a theme added are not listed. */
  readonly affixes: readonly AffixSpec[];
  /** For each of the affixes, the depth at which it was chosen: the real depth or a boosted one. */
  readonly depths: readonly number[];
  /** The highest affix level allowed, an index into {@link ObjectFiles.levels}; −1 for an artifact without affixes. */
  readonly affixLevel: number;
  /** Number of affix slots that were rolled, 0 … 8; 0 for an artifact without affixes. `addAffix` may exceed it. */
  readonly slots: number;
  /** Number of random words read; `addAffix` continues with the next one. */
  readonly words: number;
}

/** The score of each property of an object, integers; a property that is left out scores 0. */
export interface ObjectScores {
  readonly toHit?: number;
  readonly toDam?: number;
  readonly toAc?: number;
  readonly ac?: number;
  /** Times dice · (sides + 1), twice the mean of a roll. */
  readonly dice?: number;
  /** By flag. The score of a flag with a value is multiplied by the value. */
  readonly flags?: Readonly<Record<string, number>>;
}

/** A limit on how good objects are: an affix or a theme that exceeds it is undone. It has `scores` or `power`. */
export interface ObjectLimit {
  /** The highest score that is allowed; an integer with `scores`. */
  readonly most: number;
  /** Integer scores. The kernel adds them up. */
  readonly scores?: ObjectScores;
  /**
   * Your own measure of the object after each affix and each theme. Same random words, but objects are made one by one.
   */
  readonly power?: (object: MadeObject) => number;
}

/** The objects to make. */
export interface ObjectOptions {
  /** The real depth, 0 … 255. */
  readonly level: number;
  readonly good?: boolean | undefined;
  /** Better than good. Wins if `good` is set too. */
  readonly great?: boolean | undefined;
  /** A kind, by number or by name without "& " and "~". It may be one that is never drawn. */
  readonly kind?: string | number | undefined;
  /** Only kinds of this type, by word ("sword") or number. */
  readonly tval?: string | number | undefined;
  /** Affixes that every object must have, by name or number. A name that is listed twice must occur twice. */
  readonly with?: readonly (string | number)[] | undefined;
  /** The theme that every object must have, by name or number. */
  readonly theme?: string | number | undefined;
  /** The artifact to make, by name or number. A mill makes each artifact once. */
  readonly artifact?: string | number | undefined;
  /** The affix level, by name, instead of a rolled one. Levels that are never rolled can be had this way. */
  readonly affixLevel?: string | undefined;
  /** Whether objects may be artifacts. Default true. */
  readonly artifacts?: boolean | undefined;
  readonly limit?: ObjectLimit | undefined;
  /** The most objects to discard for each one that fits `with` and `theme`, 1 … 2^24. Default 10,000,000. */
  readonly attempts?: number | undefined;
}

/** Options of `maker.make`. Indices of objects are 0 … 2^32 − 1. */
export interface MakeObjectOptions extends ObjectOptions, AtOptions, LongCall {}

/** Options of `maker.makeMany` and `maker.makeInto`. Indices of objects are 0 … 2^32 − 1. */
export interface MakeObjectsOptions extends ObjectOptions, BulkOptions {}

/** Options of `maker.count`. */
export interface CountObjectsOptions extends MakeObjectsOptions {
  /** What is counted. */
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

/** An artifact that was made, and the object that it became. */
export interface Claim {
  /** Number of the artifact. */
  readonly artifact: number;
  /** Index of the object. */
  readonly object: number;
}
