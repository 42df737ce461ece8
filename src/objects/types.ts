/**
 * A random value, written `B+NdSMm`: base, dice and a bonus that grows with the level, each of which may be left out. A leading
 * minus negates the whole.
 */
export interface RandomValue {
  readonly base: number;
  readonly dice: number;
  readonly sides: number;
  /** The largest value of m_bonus(m, level). */
  readonly bonus: number;
  readonly negated: boolean;
}

/** Where something stands in its file: both from 1. */
export interface FilePlace {
  readonly file: string | undefined;
  readonly line: number;
  readonly column: number;
}

/** A flag by name, and its type: SLAY, BRAND, LRES … Types decide what random flags an `R` line draws from. */
export interface FlagSpec {
  readonly name: string;
  readonly type: string;
}

/** Flags that share one value. */
export interface PvalSpec {
  readonly value: RandomValue;
  /** The least value that it leaves the object with; undefined where there is none. */
  readonly least: number | undefined;
  readonly flags: readonly string[];
}

/** How often between two depths, both included. */
export interface DepthRange {
  readonly least: number;
  readonly most: number;
}

/** A base kind: a record of object.txt. */
export interface KindSpec {
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
  readonly toHit: RandomValue;
  readonly toDam: RandomValue;
  readonly toAc: RandomValue;
  /** Commonness, 0 for never; undefined without an `A` line. */
  readonly allocation: (DepthRange & { readonly commonness: number }) | undefined;
  /** Its own flags, and those of its base. */
  readonly flags: readonly string[];
  readonly pvals: readonly PvalSpec[];
  /** Lines that are kept as text (G, C, M, E, D), by their letter. */
  readonly text: Readonly<Record<string, readonly string[]>>;
}

/** Defaults of a tval: a record of object_base.txt. */
export interface BaseSpec {
  readonly tval: number;
  readonly name: string;
  readonly place: FilePlace;
  readonly breakage: number;
  readonly flags: readonly string[];
}

/** On which objects an affix may come: a `T` line. */
export interface AffixTarget extends DepthRange {
  readonly place: FilePlace;
  readonly tval: number;
  readonly leastSval: number;
  readonly mostSval: number;
  /** Index into {@link ObjectFiles.levels}: good, great, uber, artifact, and whatever else is declared. */
  readonly level: number;
  readonly probability: number;
}

/** Random flags: an `R` line draws `count` flags of some types, an `R2` line of some flags. */
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
  /** Least totals; undefined where there is none. */
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
  /** Numbers of affixes that it does not go with (`X` lines, which hold both ways). */
  readonly excludes: readonly number[];
  /** A colour's letter or name (`G` line); undefined where there is none. */
  readonly colour: string | undefined;
  readonly description: string;
}

/** An affix of a theme: an `A` line. */
export interface ThemePart {
  readonly place: FilePlace;
  /** The affix's number. */
  readonly affix: number;
  readonly weight: number;
  /** Percent, 0 … 100: how likely it is to come with the theme. */
  readonly chance: number;
}

/** On which objects a theme may come. */
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
export interface ArtifactSpec {
  readonly number: number;
  readonly name: string;
  readonly place: FilePlace;
  readonly tval: number;
  readonly sval: number;
  readonly level: number;
  readonly weight: number;
  readonly cost: number;
  readonly ac: number;
  readonly dice: number;
  readonly sides: number;
  readonly toHit: number;
  readonly toDam: number;
  readonly toAc: number;
  /** `A` lines, at most three: how often, per thousand, at which depths. */
  readonly allocations: readonly (DepthRange & { readonly probability: number })[];
  readonly flags: readonly string[];
  readonly pvals: readonly PvalSpec[];
  /** Numbers of affixes that the object must have (`Q` lines). */
  readonly requires: readonly number[];
  readonly text: Readonly<Record<string, readonly string[]>>;
}

/** All that objects are made from. Records are in the order of their numbers. */
export interface ObjectFiles {
  /** Names of affix levels, the lowest first. */
  readonly levels: readonly string[];
  readonly flags: readonly FlagSpec[];
  readonly bases: readonly BaseSpec[];
  readonly kinds: readonly KindSpec[];
  readonly affixes: readonly AffixSpec[];
  readonly themes: readonly ThemeSpec[];
  readonly artifacts: readonly ArtifactSpec[];
}

/** The texts of the files, and what they are called in messages. */
export interface ObjectTexts {
  readonly object: string;
  readonly objectBase: string;
  readonly egoItem: string;
  readonly egoThemes: string;
  readonly artifact: string;
  /** "flag,type" lines; the built-in list where it is left out. */
  readonly flags?: string | undefined;
}

/** How good an object is to be. */
export type Quality = "normal" | "good" | "great";

/** A made object, by the records that it is of. */
export interface MadeObject {
  /** Its index: with the seed, the name and what was asked it says all, but for artifacts made before. */
  readonly index: number;
  /** The real depth that it was made for, 0 … 255. */
  readonly level: number;
  readonly quality: Quality;
  readonly kind: KindSpec;
  readonly artifact: ArtifactSpec | undefined;
  readonly theme: ThemeSpec | undefined;
  /** In the order in which they came; one may come again. What came with the theme is not among them. */
  readonly affixes: readonly AffixSpec[];
  /** For each of the affixes the depth that it was chosen at, boosted or not. */
  readonly depths: readonly number[];
  /** Index into {@link ObjectFiles.levels}: affixes up to this level could come; −1 for an artifact that was made at once. */
  readonly affixLevel: number;
  /** How many affixes were tried for at most, 0 … 8; 0 for an artifact that was made at once. `addAffix` goes beyond it. */
  readonly slots: number;
  readonly toHit: number;
  readonly toDam: number;
  readonly toAc: number;
  readonly ac: number;
  readonly dice: number;
  readonly sides: number;
  /** Tenths of a pound. */
  readonly weight: number;
  /** Flags without a value, in the order of the flag list. */
  readonly flags: readonly string[];
  /** Flags with a value, by name, in the order of the flag list: never 0. */
  readonly pvals: Readonly<Record<string, number>>;
  /** How many of its random words were read: one more affix goes on with the next. */
  readonly words: number;
}
