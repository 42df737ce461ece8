// The plan of objects: the edit files as numbers. src/objects/compile.ts writes one image; `buildObjects` takes the
// room behind it, which the kernel fills, and builds the alias tables behind that:
//
//   ├ ObjectHead ┼ ObjectRoom ┼ records, lines, masks, forms ┤├ claims … columns ┤├ alias tables ┤
//    └───────────── the image, written by TypeScript ───────┘  └──── built by the kernel ─────────┘
//
// An offset is a number of bytes from the plan's start. A table of records is an array of their offsets, u32. Each part
// of the image is aligned to a vector. A mask of flags has a bit for each flag without a value; its first words hold
// elements, ELEMENTS_OF_WORD each: first the bits of RES_x, then those of IM_x, then those of VULN_x.

/** Bytes of a vector. Masks, pvals and objects are whole vectors. */
export const VECTOR_BYTES: usize = sizeof<v128>();

/** Objects that one call makes. */
export const OBJECT_BATCH: u32 = 1024;

/** The most affixes of an object: their u16 fill one vector. */
export const MOST_AFFIXES: u32 = 8;

/** Depths are 0 … DEPTHS − 1. */
export const DEPTHS: u32 = 256;

/** A boosted depth is divided by a die of so many sides. One slot in BOOST_ONE_IN is boosted. */
export const BOOST_SIDES: u32 = 128;
export const BOOST_ONE_IN: u32 = 20;

/** The affix level rises by one in LIFT_BASE + depth of LIFT_CASES cases, and for one good object in SECOND_LIFT_ONE_IN. */
export const LIFT_CASES: u32 = 100;
export const LIFT_BASE: u32 = 10;
export const SECOND_LIFT_ONE_IN: u32 = 4;

/** Slots are below(SLOT_SIDES + depth / LEVELS_PER_SLOT), and for good and great objects so many and below(EXTRA_SIDES). */
export const SLOT_SIDES: u32 = 2;
export const LEVELS_PER_SLOT: u32 = 25;
export const GOOD_SLOTS: u32 = 1;
export const GREAT_SLOTS: u32 = 3;
export const EXTRA_SIDES: u32 = 2;

/** Depths that are added for the kinds of good and great objects, besides the bonus. */
export const GOOD_DEEPER: u32 = 5;
export const GREAT_DEEPER: u32 = 10;

/** The chances of themes are half-percents: so many make a whole. */
export const THEME_SCALE: u32 = 200;

/** Elements of one word of a mask. */
export const ELEMENTS_OF_WORD: u32 = 10;

/** Themes of one word of a mask of themes. */
export const THEMES_OF_WORD: u32 = 64;

export const enum ObjectQuality {
  NORMAL,
  GOOD,
  GREAT,
}

// ── the head ──

/**
 * Offsets and counts of the parts, and sizes:
 *
 *   ├ room ┼ kinds … requiringLineCount ┼ flagCount … objectBytes ┼ ammunition … goodKindTables ┼ tables … runCount ┤
 */
@unmanaged
export class ObjectHead {
  /** The ObjectRoom. */
  room: u32;
  kinds: u32;
  kindCount: u32;
  affixes: u32;
  themes: u32;
  themeCount: u32;
  artifacts: u32;
  artifactCount: u32;
  /** ArtifactLines of artifacts that require no affix. */
  lines: u32;
  lineCount: u32;
  /** ArtifactLines of artifacts that require affixes. */
  requiringLines: u32;
  requiringLineCount: u32;
  /** Flags of the flag list, with and without a value. */
  flagCount: u32;
  /** Bytes of a mask of flags and of an object's pvals: whole vectors. */
  flagBytes: u32;
  pvalBytes: u32;
  /** Bytes of an object's flags and pvals in a batch: without padding. */
  flagStride: u32;
  pvalStride: u32;
  /** Words of a mask of flags that hold elements. */
  elementWords: u32;
  /** Bytes of a mask of themes. */
  themeBytes: u32;
  /** Bytes of an ObjectRecord and its arrays. */
  objectBytes: u32;
  /** The mask of the flags that ammunition keeps. */
  ammunition: u32;
  levelCount: u32;
  /** Whether any affix excludes another, 0 or 1. */
  hasExclusions: u32;
  /** The BonusTable of the depth that is added for the kinds of good and great objects. */
  kindBonus: u32;
  /** By depth, u8: the band, for all kinds and for kinds that can be good. */
  kindBands: u32;
  goodKindBands: u32;
  /** By band, u32: the alias table. */
  kindTables: u32;
  goodKindTables: u32;
  tables: u32;
  tableCount: u32;
  runs: u32;
  runCount: u32;
}

/**
 * What the kernel fills, by offset:
 *
 *   claims       ClaimRecord × artifacts
 *   candidates   pairs of u32, as many as lines of either kind and as themes: a choice among them
 *   choices      u16 × (flags + 1): a choice of flags
 *   asked        AskedRecord and its arrays
 *   able         u8 × kinds: 1 for a kind that can have the affixes and the theme asked for
 *   object       ObjectRecord and its arrays, twice: the object and its copy
 *   columns      OBJECT_BATCH × ObjectColumns, column by column
 *   affixColumn, depthColumn, flagColumn, pvalColumn   the columns of several numbers an object
 */
@unmanaged
export class ObjectRoom {
  claims: u32;
  candidates: u32;
  choices: u32;
  asked: u32;
  able: u32;
  object: u32;
  columns: u32;
  affixColumn: u32;
  depthColumn: u32;
  flagColumn: u32;
  pvalColumn: u32;
}

// ── the object being made, and the form that it starts from ──

/**
 *   ├ ObjectRecord ┼ affixes, u16 × 8 ┼ depths, u16 × 8 ┼ flags ┼ pvals, i16 ┼ themes met once ┼ themes met twice ┤
 *                  └ from OBJECT_AFFIXES on, each part a number of vectors
 *
 * `affixes` holds index + 1, 0 behind the last; `depths` the depth that each was chosen at.
 */
@unmanaged
export class ObjectRecord {
  kind: u32;
  /** Index + 1, or 0. */
  artifact: u32;
  /** Index + 1, or 0. */
  theme: u32;
  /** From 1; 0 for an artifact that had no affixes to get. */
  affixLevel: u32;
  slots: u32;
  affixCount: u32;
  toHit: i32;
  toDam: i32;
  toAc: i32;
  ac: i32;
  dice: i32;
  sides: i32;
  weight: i32;
  tval: u32;
  sval: u32;
  /** 0 or 1. */
  isAmmunition: u32;
}

export const OBJECT_AFFIXES: usize = (offsetof<ObjectRecord>() + VECTOR_BYTES - 1) & ~(VECTOR_BYTES - 1);
export const OBJECT_DEPTHS: usize = OBJECT_AFFIXES + VECTOR_BYTES;
export const OBJECT_FLAGS: usize = OBJECT_DEPTHS + VECTOR_BYTES;

/**
 * The columns of a batch: those of one number an object first. Column f of them begins OBJECT_BATCH × (offset of f)
 * bytes behind the start; the others follow, at the offsets that ObjectRoom has.
 *
 *   ├ words, u32 × batch ┼ kind, u16 × batch ┼ … ┼ weight ┼ affixes, u16 × 8 × batch ┼ depths ┼ flags ┼ pvals, i16 ┤
 */
@unmanaged
export class ObjectColumns {
  /** Random words that the object read. */
  words: u32;
  kind: u16;
  artifact: u16;
  theme: u16;
  affixLevel: u16;
  slots: u16;
  affixCount: u16;
  toHit: i16;
  toDam: i16;
  toAc: i16;
  ac: u16;
  dice: u16;
  sides: u16;
  weight: u16;
}

// ── what the caller asks ──

/**
 *   ├ AskedRecord ┼ affixes, u16 × 8 ┼ scores of flags, i32 × bits of a mask ┼ scores of pvals, i32 ┤
 *                 └ ASKED_AFFIXES    └ ASKED_SCORES
 */
@unmanaged
export class AskedRecord {
  /** The real depth. */
  level: u32;
  quality: u32;
  /** Index + 1, or 0. */
  kind: u32;
  /** 0 for any. */
  tval: u32;
  /** From 1; 0 to roll it. */
  affixLevel: u32;
  /** Whether objects try for an artifact, 0 or 1. */
  triesArtifacts: u32;
  /** Whether affixes or a theme are asked for, 0 or 1. */
  isSelective: u32;
  affixCount: u32;
  /** Index + 1, or 0. */
  theme: u32;
  /** Index + 1 of the artifact that the object is to be, or 0. */
  artifact: u32;
  /** Whether an object may score no more than a limit, 0 or 1. */
  isLimited: u32;
  /** The limit, i64, in two words. */
  limitLow: u32;
  limitHigh: i32;
  toHitScore: i32;
  toDamScore: i32;
  toAcScore: i32;
  acScore: i32;
  /** For each unit of dice · (sides + 1). */
  diceScore: i32;
}

export const ASKED_AFFIXES: usize = (offsetof<AskedRecord>() + VECTOR_BYTES - 1) & ~(VECTOR_BYTES - 1);
export const ASKED_SCORES: usize = ASKED_AFFIXES + VECTOR_BYTES;

// ── random values ──

export const enum RandomBit {
  HAS_BONUS = 1,
  /** At most one die, and a bonus table of SIMPLE_VECTORS. */
  IS_SIMPLE = 2,
}

/**
 * base + sign · (dice + bonus):
 *
 *   ├ base, i32 ┼ dice, u16 ┼ sides, u16 ┼ bonus, u32 ┼ sign, i16 ┼ bits, u16 ┤
 */
@unmanaged
export class RandomNumber {
  /** Negated already where the sign is −1. */
  base: i32;
  dice: u16;
  /** 1 or more, even without dice. */
  sides: u16;
  /** A BonusTable. */
  bonus: u32;
  /** 1 or −1. */
  sign: i16;
  bits: u16;
}

/** Vectors of a level that every bonus table has. */
export const SIMPLE_VECTORS: u32 = 3;

/** Levels of a bonus table; deeper levels use the last. */
export const BONUS_LEVELS: u32 = 128;

/**
 * A table of m_bonus: for each level the prefix sums of weights whose total is 2^31. The last vector is filled up with
 * 2^32 − 1. The table of no bonus has one level of 0 bytes' stride, filled up entirely.
 *
 *   ├ BonusTable ┼ level 0: u32 × 4 · vectors ┼ level 1 ┼ … ┤
 *                └ BONUS_SUMS
 */
@unmanaged
export class BonusTable {
  /** Vectors of a level. */
  vectors: u32;
  /** Bytes from one level to the next. */
  levelBytes: u32;
}

export const BONUS_SUMS: usize = (offsetof<BonusTable>() + VECTOR_BYTES - 1) & ~(VECTOR_BYTES - 1);

// ── kinds ──

/**
 *   ├ form ┼ tval ┼ signature ┼ hasGood ┼ pvals ┼ pvalCount ┼ modifiers ┼ modifierCount ┼ themes ┤   u32 each
 */
@unmanaged
export class KindRecord {
  /** An object of the kind before anything is rolled. */
  form: u32;
  tval: u32;
  /** An AffixSignature, or 0 for a kind that no affix can come to. */
  signature: u32;
  /** Whether the kind has the flag GOOD, 0 or 1. */
  hasGood: u32;
  /** PvalLines. */
  pvals: u32;
  pvalCount: u32;
  /** The modifiers that are rolled: ModifierLines. */
  modifiers: u32;
  modifierCount: u32;
  /** The mask of the themes whose T lines match the kind, whatever the depth. */
  themes: u32;
}

// ── affixes ──

/** Stands for "no minimum". */
export const NO_LEAST: i32 = i32.MIN_VALUE;

/**
 * The lower bits of an affix's offset: which of the parts that few affixes have it has. The kernel knows them before it
 * has loaded the record.
 */
export const enum AffixPart {
  RANDOM_FLAGS = 1,
  PVALS = 2,
  RANDOM_PVALS = 4,
  BODY = 8,
}

/**
 *   ├ acPercent … sides, i32 each ┼ modifiers … excluded: offset and count of lines ┼ themes ┤
 */
@unmanaged
export class AffixRecord {
  acPercent: i32;
  weightPercent: i32;
  dice: i32;
  sides: i32;
  /** ModifierLines. */
  modifiers: u32;
  modifierCount: u32;
  /** A mask of flags. */
  flags: u32;
  /** FlagLines. */
  randomFlags: u32;
  randomFlagCount: u32;
  /** PvalLines. */
  pvals: u32;
  pvalCount: u32;
  /** PvalLines with a count. */
  randomPvals: u32;
  randomPvalCount: u32;
  /** Indices of the affixes that it excludes, u16. */
  excluded: u32;
  excludedCount: u32;
  /** The mask of the themes in which it weighs something. */
  themes: u32;
}

/**
 *   ├ RandomNumber ┼ least, i32 ┼ field, u32 ┤
 */
@unmanaged
export class ModifierLine extends RandomNumber {
  least: i32;
  /** The byte offset of the modifier in ObjectRecord. */
  field: u32;
}

/**
 *   ├ RandomNumber ┼ least, i32 ┼ flags, u32 ┼ flagCount, u32 ┼ count, u32 ┤
 */
@unmanaged
export class PvalLine extends RandomNumber {
  least: i32;
  /** Indices into the pvals, u16. */
  flags: u32;
  flagCount: u32;
  /** How many of the flags a random line chooses; 0 on other lines. */
  count: u32;
}

/**
 *   ├ flags, u32 ┼ flagCount, u32 ┼ count, u32 ┤
 */
@unmanaged
export class FlagLine {
  /** Bits of a mask, u16, in the order of the flag list. */
  flags: u32;
  flagCount: u32;
  /** How many of the flags the line chooses. */
  count: u32;
}

// ── themes ──

/**
 *   ├ targets ┼ targetCount ┼ lines ┼ lineCount ┼ weights ┼ total ┤   u32 each
 */
@unmanaged
export class ThemeRecord {
  /** ThemeTargets. */
  targets: u32;
  targetCount: u32;
  /** ThemeLines. */
  lines: u32;
  lineCount: u32;
  /** What each affix weighs in the theme, by its index, u32. */
  weights: u32;
  total: u32;
}

/**
 * A T line of a theme; all bounds are inclusive:
 *
 *   ├ tval ┼ leastSval ┼ mostSval ┼ least ┼ most ┤   u16 each
 */
@unmanaged
export class ThemeTarget {
  tval: u16;
  leastSval: u16;
  mostSval: u16;
  /** Depths. */
  least: u16;
  most: u16;
}

/**
 * An A line of a theme:
 *
 *   ├ affix ┼ chance ┼ comesAgain ┤   u32 each
 */
@unmanaged
export class ThemeLine {
  affix: u32;
  /** In percent. */
  chance: u32;
  /** Whether an earlier line has the same affix, 0 or 1. */
  comesAgain: u32;
}

// ── artifacts ──

/**
 *   ├ kind ┼ form ┼ pvals ┼ pvalCount ┼ required ┼ requiredCount ┤   u32 each
 */
@unmanaged
export class ArtifactRecord {
  kind: u32;
  /** An object that is the artifact, before its pvals are rolled. */
  form: u32;
  /** PvalLines. */
  pvals: u32;
  pvalCount: u32;
  /** Indices of the affixes that the Q lines require, u16. */
  required: u32;
  requiredCount: u32;
}

/**
 * An A line of an artifact, in the order of the artifacts; bounds are inclusive depths:
 *
 *   ├ artifact ┼ kind ┼ probability ┼ least ┼ most ┤   u32 each
 */
@unmanaged
export class ArtifactLine {
  artifact: u32;
  kind: u32;
  probability: u32;
  least: u32;
  most: u32;
}

/**
 *   ├ isMade, 0 or 1 ┼ object ┤   u32 each
 */
@unmanaged
export class ClaimRecord {
  isMade: u32;
  /** The index of the object that is the artifact. */
  object: u32;
}

// ── alias tables ──

/**
 * TypeScript numbers the tables from 1; 0 stands for "no table". The kernel builds each, and then replaces the numbers
 * in all runs by what `pickFrom` takes.
 *
 *   ├ built ┼ length ┼ ids ┼ weights ┤   u32 each
 */
@unmanaged
export class AliasRecord {
  /** What `pickFrom` takes; 0 until the kernel has built the table. */
  built: u32;
  length: u32;
  /** u16 each. */
  ids: u32;
  /** u32 each. */
  weights: u32;
}

/**
 * Numbers of tables, one behind the other:
 *
 *   ├ first ┼ count ┤   u32 each
 */
@unmanaged
export class TableRun {
  first: u32;
  count: u32;
}

/**
 * Which affixes may come where. Kinds to which the same T lines apply share a signature. A band is a range of depths in
 * which no T line begins or ends.
 *
 *   ├ AffixSignature ┼ band of a depth, u8 × DEPTHS ┼ band of a boosted depth, u8 × DEPTHS ┼ tables, u32 ┤
 *                    └ SIGNATURE_BANDS              └ SIGNATURE_BOOSTED_BANDS              └ SIGNATURE_TABLES
 *
 * Table (band · boostedBands + boosted band) · levels + level − 1 is for one affix level, from 1.
 */
@unmanaged
export class AffixSignature {
  boostedBands: u32;
}

export const SIGNATURE_BANDS: usize = offsetof<AffixSignature>();
export const SIGNATURE_BOOSTED_BANDS: usize = SIGNATURE_BANDS + DEPTHS;
export const SIGNATURE_TABLES: usize = SIGNATURE_BOOSTED_BANDS + DEPTHS;
