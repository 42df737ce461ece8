// The plan of objects holds the contents of the edit files as numbers. src/objects/compile.ts writes one image of
// bytes. After the image, `buildObjects` allocates the room, which is the kernel's working memory. After the room, it
// builds the alias tables:
//
//   ├ ObjectHead ┼ ObjectRoom ┼ records, lines, masks, forms ┤├ claims … columns ┤├ alias tables ┤
//    └───────────── the image, written by TypeScript ───────┘  └──── built by the kernel ─────────┘
//
// An offset is a number of bytes from the plan's start. A table of records is an array with the offset of each record,
// u32. Each part of the image is aligned to a vector. `tval` and `sval` are Angband's numbers of an object's type and
// subtype.
//
// A mask of flags has one bit for each flag without a value. An element x has the flags RES_x, IM_x and VULN_x. The
// first words of a mask hold these flags, for ELEMENTS_OF_WORD elements in each word: first the RES_x bits of all
// elements of the word, then the IM_x bits, then the VULN_x bits.

/** Size of a vector in bytes. Masks, pvals and objects are padded to whole vectors. */
export const VECTOR_BYTES: usize = sizeof<v128>();

/** Maximum number of objects that one call makes. */
export const OBJECT_BATCH: u32 = 1024;

/** Maximum number of affixes of an object. The affixes of one object, u16 each, fill one vector. */
export const MOST_AFFIXES: u32 = 8;

/** Number of depths. A depth is 0 … DEPTHS − 1. */
export const DEPTHS: u32 = 256;

/**
 * A boosted slot has the depth 1 + BOOST_SIDES · depth / (a roll of a die with BOOST_SIDES sides). `boostOneIn` in
 * ObjectHead sets the share of boosted slots.
 */
export const BOOST_SIDES: u32 = 128;

/** Unit of the chances by which the affix level rises: LIFT_CASES units are 100 %. */
export const LIFT_CASES: u32 = 100;

// ── the rules of Angband 4.2: an object gets at most one affix, its ego ──

/** An object whose requested quality is normal becomes good with a chance of (POWER_BASE + depth) %. */
export const POWER_BASE: u32 = 33;
/** A good object is great with a chance of GREAT_PERCENT %. */
export const GREAT_PERCENT: u32 = 30;
/** The kind of a good or great object is picked at the object's depth + KIND_DEEPER. */
export const KIND_DEEPER: u32 = 10;
/**
 * One in KIND_BOOST_ONE_IN picks of a kind is boosted. Its depth is 1 + KIND_BOOST_SIDES · depth / (a roll of a die
 * with KIND_BOOST_SIDES sides). Every pick, boosted or not, has a depth of at most KIND_BOOST_SIDES.
 */
export const KIND_BOOST_ONE_IN: u32 = 20;
export const KIND_BOOST_SIDES: u32 = 100;
/** One in SPECIAL_ONE_IN normal objects tries to become a special artifact. */
export const SPECIAL_ONE_IN: u32 = 1000;
/** One in GOOD_SPECIAL_ONE_IN good or great objects tries to become a special artifact. */
export const GOOD_SPECIAL_ONE_IN: u32 = 10;
/** An object of affix level GREAT_POWER tries this many times to become an artifact of its kind. */
export const TRIES: u32 = 1;
/** If a great object was requested, it tries this many times to become an artifact of its kind. */
export const GREAT_TRIES: u32 = 2;
/** Objects of this affix level can get an ego. The levels are 1 (average), 2 (good) and 3 (great). */
export const GREAT_POWER: u32 = 3;
/**
 * An ego has a usual depth U. At a depth below U, it is a candidate with probability 1 / max(LEAST_ODDS, (U − depth) /
 * ODDS_STEP).
 */
export const LEAST_ODDS: u32 = 2;
export const ODDS_STEP: u32 = 3;

/** Unit of the chances of themes: THEME_SCALE units are 100 %, so one unit is 0.5 %. */
export const THEME_SCALE: u32 = 200;

/** Number of the game's elements (fire, cold, …) whose flags are in one word of a mask of flags. */
export const ELEMENTS_OF_WORD: u32 = 10;

/** Number of themes in one word of a mask of themes. */
export const THEMES_OF_WORD: u32 = 64;

export const enum ObjectQuality {
  NORMAL,
  GOOD,
  GREAT,
}

// ── the head ──

/**
 * The head of the plan has the offsets, counts and sizes of the plan's parts. `kinds`, `affixes`, `themes` and
 * `artifacts` are offsets of tables of records.
 *
 *   ├ room ┼ kinds … requiringLineCount ┼ flagCount … objectBytes ┼ ammunition … goodKindTables ┼ tables … runCount ┤
 */
@unmanaged
export class ObjectHead {
  /** Offset of the ObjectRoom. */
  room: u32;
  kinds: u32;
  kindCount: u32;
  affixes: u32;
  themes: u32;
  themeCount: u32;
  artifacts: u32;
  artifactCount: u32;
  /** Offset of the ArtifactLines whose artifacts require no affix. */
  lines: u32;
  lineCount: u32;
  /** Offset of the ArtifactLines whose artifacts require affixes. */
  requiringLines: u32;
  requiringLineCount: u32;
  /** Number of flags in the flag list, with and without a value. */
  flagCount: u32;
  /** Sizes in bytes of a mask of flags and of an object's pvals, padded to whole vectors. */
  flagBytes: u32;
  pvalBytes: u32;
  /** Sizes in bytes of one object's flags and pvals in the columns of a batch, without padding. */
  flagStride: u32;
  pvalStride: u32;
  /** Number of words that hold elements in a mask of flags. */
  elementWords: u32;
  /** Size of a mask of themes, in bytes. */
  themeBytes: u32;
  /** Size of an ObjectRecord and its arrays, in bytes. */
  objectBytes: u32;
  /** Offset of a mask: the flags that ammunition keeps. */
  ammunition: u32;
  /** Offset of a mask of pvals. All bits of a pval are 1 if ammunition keeps it, else 0. */
  ammunitionPvals: u32;
  /** Number of affix levels. */
  levelCount: u32;
  /** 1 if at least one affix excludes other affixes, else 0. */
  hasExclusions: u32;
  /**
   * 1 if objects are made by the rules of Angband 4.2, else 0. If 1, `lines` has only the lines of special artifacts.
   */
  isOneAffix: u32;
  /** Maximum number of EgoLines of a single kind. */
  mostEgos: u32;
  /**
   * Offset of a BonusTable. Its roll is added to the depth at which the kind of a good or great object is picked.
   * Without levels (`levelBytes` is 0), nothing is rolled.
   */
  kindBonus: u32;
  // The next fields are constants, which the user can change (src/objects/law/constants.ts).
  /** If the depth is k less than the least depth of an ArtifactLine, it passes with the chance 1 / (outOfDepth · k). */
  outOfDepth: u32;
  /** A kind with the flag GOOD has this many slots fewer. */
  fewerSlots: u32;
  /** Maximum number of slots of an object. This number is at most MOST_AFFIXES. */
  mostSlots: u32;
  /** On average, one of boostOneIn slots has a boosted depth. */
  boostOneIn: u32;
  /** A factor: a theme's chance in units of 1 / THEME_SCALE is ⌊themeFactor · w² / t⌋, with w and t as in themes.ts. */
  themeFactor: u32;
  /** To get a theme, an object needs this many different affixes whose weight in the theme is > 0. At least 2. */
  themeParts: u32;
  /**
   * Offsets of two arrays, u8, that map each depth to its band. A band is a range of depths with the same alias table.
   * The first array is for all kinds, the second for kinds that can be good.
   */
  kindBands: u32;
  goodKindBands: u32;
  /**
   * Offsets of two arrays, u32: the alias table of each band. The first is for all kinds, the second for kinds that can
   * be good.
   */
  kindTables: u32;
  goodKindTables: u32;
  /** Offset of the AliasRecords. */
  tables: u32;
  tableCount: u32;
  /** Offset of the TableRuns. */
  runs: u32;
  runCount: u32;
}

/**
 * The room: offsets of the parts that the kernel fills.
 *
 *   claims       ClaimRecord × artifacts
 *   candidates   Candidate × the maximum number of candidates of a choice:
 *                max(themeCount, lineCount, requiringLineCount, mostEgos)
 *   choices      u16 × (flags + 1): the flags of the current choice
 *   request      RequestRecord and its arrays
 *   able         u8 × kinds: 1 if the kind can have the requested affixes and theme
 *   object       ObjectRecord and its arrays, twice: the object and its copy
 *   columns      OBJECT_BATCH × ObjectColumns, column by column
 *
 * The last four fields are the offsets of columns with several numbers for each object: affixColumn, depthColumn,
 * flagColumn, pvalColumn.
 */
@unmanaged
export class ObjectRoom {
  claims: u32;
  candidates: u32;
  choices: u32;
  request: u32;
  able: u32;
  object: u32;
  columns: u32;
  affixColumn: u32;
  depthColumn: u32;
  flagColumn: u32;
  pvalColumn: u32;
}

// ── the current object, and the form that it starts from ──

/**
 *   ├ ObjectRecord ┼ affixes, u16 × 8 ┼ depths, u16 × 8 ┼ flags ┼ pvals, i16 ┼ themes of one ┼ themes of two ┤
 *                  └ at OBJECT_AFFIXES; each part is padded to whole vectors
 *
 * `affixes` holds index + 1 of each affix, then zeros. `depths` holds the depth at which each affix was chosen. The
 * last two parts are masks of themes. A theme is in the first mask if it has a weight > 0 for at least one affix of the
 * object. A theme is also in the second mask if it has a weight > 0 for at least two different affixes of the object.
 */
@unmanaged
export class ObjectRecord {
  kind: u32;
  /** Index + 1 of the artifact, or 0. */
  artifact: u32;
  /** Index + 1 of the theme, or 0. */
  theme: u32;
  /** The affix level, counted from 1. It is 0 for an artifact that can get no affixes. */
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
  /** 1 if the object is ammunition, else 0. */
  isAmmunition: u32;
}

export const OBJECT_AFFIXES: usize = (offsetof<ObjectRecord>() + VECTOR_BYTES - 1) & ~(VECTOR_BYTES - 1);
export const OBJECT_DEPTHS: usize = OBJECT_AFFIXES + VECTOR_BYTES;
export const OBJECT_FLAGS: usize = OBJECT_DEPTHS + VECTOR_BYTES;

/**
 * The columns of a batch. First come the columns with one number for each object: field f begins at byte OBJECT_BATCH ×
 * (offset of f). Then come the columns with several numbers, at the offsets in ObjectRoom.
 *
 *   ├ words, u32 × batch ┼ kind, u16 × batch ┼ … ┼ weight ┼ affixes, u16 × 8 × batch ┼ depths ┼ flags ┼ pvals, i16 ┤
 */
@unmanaged
export class ObjectColumns {
  /** Number of random words that the object read. */
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

// ── the request of the caller ──

/**
 *   ├ RequestRecord ┼ affixes, u16 × 8 ┼ scores of flags, i32 × bits of a mask ┼ scores of pvals, i32 ┤
 *                   └ REQUEST_AFFIXES  └ REQUEST_SCORES
 */
@unmanaged
export class RequestRecord {
  /** The depth of the objects, before boosts. */
  level: u32;
  quality: u32;
  /** Index + 1 of the kind, or 0. */
  kind: u32;
  /** The requested tval, or 0 for any tval. */
  tval: u32;
  /** 0 to roll the affix level, else the requested level. */
  affixLevel: u32;
  // The next fields are computed from constants, level and quality. A secondOneIn or extraSides of 0 is not rolled.
  /** One in tryOneIn objects tries to become an artifact. */
  tryOneIn: u32;
  /** The kind of a good or great object is picked at this depth + a random bonus (`kindBonus` in ObjectHead). */
  kindDepth: u32;
  /**
   * The affix level begins as 1 + lifts. The first roll raises it by 1 with probability liftChance / LIFT_CASES. The
   * second roll raises it by 1 with probability 1 / secondOneIn.
   */
  lifts: u32;
  liftChance: u32;
  secondOneIn: u32;
  /** An object has below(slotSides) + addedSlots + below(extraSides) slots. below(m) is uniform on 0 … m − 1. */
  slotSides: u32;
  addedSlots: u32;
  extraSides: u32;
  /** 1 if objects try to become an artifact, else 0. */
  triesArtifacts: u32;
  /** 1 if affixes or a theme are requested, else 0. */
  isSelective: u32;
  affixCount: u32;
  /** Index + 1 of the theme, or 0. */
  theme: u32;
  /** Index + 1 of the requested artifact, or 0. */
  artifact: u32;
  /** 1 if the score of an object is limited, else 0. */
  isLimited: u32;
  /** The maximum score, inclusive: an i64 in two words. */
  limitLow: u32;
  limitHigh: i32;
  /** Scores for each unit of to-hit, to-dam, to-ac and ac. */
  toHitScore: i32;
  toDamScore: i32;
  toAcScore: i32;
  acScore: i32;
  /** Score for each unit of dice · (sides + 1). */
  diceScore: i32;
}

export const REQUEST_AFFIXES: usize = (offsetof<RequestRecord>() + VECTOR_BYTES - 1) & ~(VECTOR_BYTES - 1);
export const REQUEST_SCORES: usize = REQUEST_AFFIXES + VECTOR_BYTES;

// ── random values ──

export const enum RandomBit {
  HAS_BONUS = 1,
  /** Set if the value has at most one die, and a bonus table with SIMPLE_VECTORS vectors for each level. */
  IS_SIMPLE = 2,
}

/**
 * A random value, base + sign · (dice + bonus):
 *
 *   ├ base, i32 ┼ dice, u16 ┼ sides, u16 ┼ bonus, u32 ┼ sign, i16 ┼ bits, u16 ┤
 */
@unmanaged
export class RandomNumber {
  /** The base, multiplied by `sign` in advance. */
  base: i32;
  dice: u16;
  /** 1 or more, even if there are no dice. */
  sides: u16;
  /** Offset of a BonusTable. */
  bonus: u32;
  /** 1 or −1. */
  sign: i16;
  bits: u16;
}

/** The fast path of `randomValue` can only read bonus tables with exactly this many vectors for each level. */
export const SIMPLE_VECTORS: u32 = 3;

/** Number of levels of a bonus table. Greater depths use the last level. */
export const BONUS_LEVELS: u32 = 128;

/**
 * The distribution of m_bonus, Angband's random bonus that grows with the level (docs/determinism.md). Each level has a
 * weight for each value, and stores the prefix sums of these weights. The total weight is 2^31. The last vector of a
 * level is padded with 2^32 − 1. The table for "no bonus" has one level, which is all padding, and its levelBytes is 0.
 *
 *   ├ BonusTable ┼ level 0: u32 × 4 · vectors ┼ level 1 ┼ … ┤
 *                └ BONUS_SUMS
 */
@unmanaged
export class BonusTable {
  /** Number of vectors for each level. */
  vectors: u32;
  /** Distance from one level to the next, in bytes. */
  levelBytes: u32;
}

export const BONUS_SUMS: usize = (offsetof<BonusTable>() + VECTOR_BYTES - 1) & ~(VECTOR_BYTES - 1);

// ── kinds ──

/**
 *   ├ form ┼ tval ┼ signature ┼ hasGood ┼ pvals … modifierCount ┼ themes ┼ egos … artifactLineCount ┤   u32 each
 */
@unmanaged
export class KindRecord {
  /** Offset of the form: an object of this kind before any roll. */
  form: u32;
  tval: u32;
  /** Offset of an AffixSignature, or 0 if the kind can get no affix. */
  signature: u32;
  /** 1 if the kind has the flag GOOD, else 0. */
  hasGood: u32;
  /** Offset of the PvalLines. */
  pvals: u32;
  pvalCount: u32;
  /** Offset of the ModifierLines. */
  modifiers: u32;
  modifierCount: u32;
  /** Offset of a mask: the themes that have a T line for the kind, at any depth. */
  themes: u32;
  // Only the rules of Angband 4.2 use the following fields. By the rules of version 4, all are 0.
  /** Offset of the EgoLines. */
  egos: u32;
  egoCount: u32;
  /**
   * Offset of extra ModifierLines. Good objects roll the first goodCount lines. Great objects roll the first greatCount
   * lines.
   */
  enchantments: u32;
  goodCount: u32;
  greatCount: u32;
  /** Offset of the ArtifactLines for artifacts that have this kind and are not special. */
  artifactLines: u32;
  artifactLineCount: u32;
}

/**
 * An ego that a kind can get. `most` is the greatest depth at which the ego occurs.
 *
 *   ├ affix ┼ weight ┼ usual ┼ most ┤   u32 each
 */
@unmanaged
export class EgoLine {
  affix: u32;
  weight: u32;
  /** The ego's usual depth. From this depth on, the ego is always a candidate. */
  usual: u32;
  most: u32;
}

// ── affixes ──

/** Stands for "no minimum". */
export const NO_LEAST: i32 = i32.MIN_VALUE;

/**
 * Few affixes have the parts that are listed here. Each of these parts has a bit among the low bits of the affix's
 * offset in the table `affixes`. The bit is 1 if the affix has the part. So the kernel can test for the part without
 * loading the record.
 */
export const enum AffixPart {
  RANDOM_FLAGS = 1,
  PVALS = 2,
  RANDOM_PVALS = 4,
  /** The affix changes ac, weight, dice or sides, or removes flags. */
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
  /** Offset of the ModifierLines. */
  modifiers: u32;
  modifierCount: u32;
  /** Offset of a mask: the flags that the affix adds. */
  flags: u32;
  /** Offset of a mask: the flags that the affix removes. 0 if it removes none. */
  removes: u32;
  /** Offset of the FlagLines. */
  randomFlags: u32;
  randomFlagCount: u32;
  /** Offset of the PvalLines. */
  pvals: u32;
  pvalCount: u32;
  /** Offset of the random PvalLines. A random line chooses its pvals at random. */
  randomPvals: u32;
  randomPvalCount: u32;
  /** Offset of an array, u16: the indices of the affixes that this affix excludes. */
  excluded: u32;
  excludedCount: u32;
  /** Offset of a mask: the themes in which the affix has a weight > 0. */
  themes: u32;
}

/**
 *   ├ RandomNumber ┼ least, i32 ┼ field, u32 ┤
 */
@unmanaged
export class ModifierLine extends RandomNumber {
  /** Minimum of the modifier, or NO_LEAST. */
  least: i32;
  /** Byte offset of the modifier in ObjectRecord. */
  field: u32;
}

/**
 *   ├ RandomNumber ┼ least, i32 ┼ flags, u32 ┼ flagCount, u32 ┼ count, u32 ┤
 */
@unmanaged
export class PvalLine extends RandomNumber {
  /** Minimum of each pval, or NO_LEAST. */
  least: i32;
  /** Offset of an array, u16: the indices of the line's pvals. */
  flags: u32;
  flagCount: u32;
  /** Number of pvals that a random line chooses. 0 in all other lines. */
  count: u32;
}

/**
 *   ├ flags ┼ flagCount ┼ count ┼ sides ┼ first ┼ share ┤   u32 each
 */
@unmanaged
export class FlagLine {
  /** Offset of an array, u16: the line's flags, as bit numbers of a mask, in the order of the flag list. */
  flags: u32;
  flagCount: u32;
  /** Number of flags that the line chooses. */
  count: u32;
  /**
   * Several consecutive lines can be alternatives. One roll of a die chooses between them. In the first of these lines,
   * this is the number of sides of the die. In all other lines, it is 0.
   */
  sides: u32;
  /**
   * The line applies if the last roll (0 … sides − 1) is in first … first + share − 1. If share is 0, the line
   * always applies.
   */
  first: u32;
  share: u32;
}

// ── themes ──

/**
 *   ├ targets ┼ targetCount ┼ lines ┼ lineCount ┼ weights ┼ total ┤   u32 each
 */
@unmanaged
export class ThemeRecord {
  /** Offset of the ThemeTargets. */
  targets: u32;
  targetCount: u32;
  /** Offset of the ThemeLines. */
  lines: u32;
  lineCount: u32;
  /** Offset of an array, u32: the weight of each affix in the theme. */
  weights: u32;
  /** Sum of the weights of all affixes in the theme. */
  total: u32;
}

/**
 * A T line of a theme. All bounds are inclusive:
 *
 *   ├ tval ┼ leastSval ┼ mostSval ┼ least ┼ most ┤   u16 each
 */
@unmanaged
export class ThemeTarget {
  tval: u16;
  leastSval: u16;
  mostSval: u16;
  /** The line fits if the depth of the last affix is ≥ least and the depth of the object is ≤ most. */
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
  /** The chance that the affix is applied, in percent. */
  chance: u32;
  /** 1 if an earlier line has the same affix, else 0. */
  comesAgain: u32;
}

// ── artifacts ──

/**
 *   ├ kind ┼ form ┼ pvals ┼ pvalCount ┼ required ┼ requiredCount ┤   u32 each
 */
@unmanaged
export class ArtifactRecord {
  kind: u32;
  /** Offset of the form: the object before its pvals are rolled. */
  form: u32;
  /** Offset of the PvalLines. */
  pvals: u32;
  pvalCount: u32;
  /** Offset of an array, u16: the indices of the affixes that the Q lines require. */
  required: u32;
  requiredCount: u32;
}

/**
 * An A line of an artifact. The lines are in the order of the artifacts. `least` and `most` are depths, inclusive:
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
 * Records whether an artifact was made, and by which object:
 *
 *   ├ isMade, 0 or 1 ┼ objectLow ┼ objectHigh ┤   u32 each
 */
@unmanaged
export class ClaimRecord {
  isMade: u32;
  /**
   * Index of the object that became the artifact, objectHigh · 2^32 + objectLow. The value 2^64 − 1 means that the
   * artifact was made, but not by this maker.
   */
  objectLow: u32;
  objectHigh: u32;
}

// ── alias tables ──

/**
 * An alias table. TypeScript numbers the tables from 1; 0 means "no table". The kernel builds all tables. Then it
 * replaces each table number in the runs by the table's `built`.
 *
 *   ├ built ┼ length ┼ ids ┼ weights ┤   u32 each
 */
@unmanaged
export class AliasRecord {
  /** The reference to the built table, for `pickFrom`. 0 until the kernel has built the table. */
  built: u32;
  length: u32;
  /** Offset of the ids, u16 each. */
  ids: u32;
  /** Offset of the weights, u32 each. */
  weights: u32;
}

/**
 * A run is an array of table numbers, u32 each. This record has the offset and the length of the array:
 *
 *   ├ first ┼ count ┤   u32 each
 */
@unmanaged
export class TableRun {
  /** Offset of the first number. */
  first: u32;
  count: u32;
}

/**
 * The affixes that a kind can get at each depth. Kinds to which the same T lines apply share a signature. A band is a
 * range of depths in which no T line begins or ends.
 *
 *   ├ AffixSignature ┼ band of a depth, u8 × DEPTHS ┼ band of a boosted depth, u8 × DEPTHS ┼ tables, u32 ┤
 *                    └ SIGNATURE_BANDS              └ SIGNATURE_BOOSTED_BANDS              └ SIGNATURE_TABLES
 *
 * Let b be the band of an object's depth, and c the band of the slot's depth (boosted or not). Then table (b ·
 * boostedBands + c) · levels + level − 1 is for affix level `level`, 1 … levels.
 */
@unmanaged
export class AffixSignature {
  boostedBands: u32;
}

export const SIGNATURE_BANDS: usize = offsetof<AffixSignature>();
export const SIGNATURE_BOOSTED_BANDS: usize = SIGNATURE_BANDS + DEPTHS;
export const SIGNATURE_TABLES: usize = SIGNATURE_BOOSTED_BANDS + DEPTHS;
