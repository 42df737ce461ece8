// The plan of objects: what the edit files say, as numbers; one allocation, written by src/objects/compile.ts. Offsets are
// of bytes, from the plan's start.
//
//   head │ kinds, affixes, themes, artifacts │ alias tables │ claims │ what is asked │ the object, its copy │ columns
//
// A table of records is an array of their offsets. A mask has a bit for each flag without a value. The first words of a mask
// hold the elements, ten each: RES_x at bits 0 … 9, IM_x at 10 … 19, VULN_x at 20 … 29.

import { aliasBits, aliasOf, aliasShare, aliasWeights, buildAlias, createAlias, pickOne } from "../core/alias";
import { Status } from "../core/layout";
import { allocate } from "../core/memory";
import { Next, stand } from "./words";

const KINDS: usize = 0;
const AFFIXES: usize = 4;
const THEMES: usize = 8;
const ARTIFACTS: usize = 12;
const LINE_COUNT: usize = 16;
const FLAG_BYTES: usize = 20;
const PVAL_BYTES: usize = 24;
const FLAG_STRIDE: usize = 28;
const PVAL_STRIDE: usize = 32;
const ELEMENT_WORDS: usize = 36;
const AMMO_MASK: usize = 40;
const TABLES: usize = 44;
const TABLE_COUNT: usize = 48;
const KIND_BANDS: usize = 52;
const KIND_TABLES: usize = 56;
const GOOD_TABLES: usize = 60;
const LEVEL_COUNT: usize = 64;
const THEME_WORDS: usize = 68;
const CLAIMS: usize = 72;
const WEIGHTS: usize = 76;
const ASKED: usize = 80;
const OBJECT: usize = 84;
const OBJECT_BYTES: usize = 88;
const COLUMNS: usize = 92;
const BATCH: usize = 96;
const LINE_OF_AFFIXES_COUNT: usize = 100;
const EFFECTS: usize = 104;
const KINDS_BONUS: usize = 108;
const ABLE: usize = 112;
const LINES: usize = 116;
const LINES_OF_AFFIXES: usize = 120;
const CHOICES: usize = 124;
const CHOICES_COUNT: usize = 128;
const HAS_EXCLUSIONS: usize = 132;

export let plan: usize = 0;
export let kinds: usize = 0;
export let affixes: usize = 0;
export let themes: usize = 0;
export let artifacts: usize = 0;
/** A lines of artifacts, and of those that ask for affixes. */
export let lines: usize = 0;
export let lineCount: u32 = 0;
export let linesOfAffixes: usize = 0;
export let lineOfAffixesCount: u32 = 0;
/** Bytes of a mask and of an object's pvals, both whole vectors; what a column has of them. */
export let flagBytes: usize = 0;
export let pvalBytes: usize = 0;
export let flagStride: usize = 0;
export let pvalStride: usize = 0;
/** Words of a mask that hold elements. */
export let elementWords: usize = 0;
/** What ammunition keeps. */
export let ammoMask: usize = 0;
/** How many affix levels there are. */
export let levelCount: u32 = 0;
/** Words of 64 themes. */
export let themeWords: usize = 0;
/** By artifact: whether it was made, and by which object. */
export let claims: usize = 0;
/** Room for a choice among A lines or themes: what it is, and the sum of the weights so far. */
export let weights: usize = 0;
/** Room for a choice of flags. */
export let effects: usize = 0;
/** What the caller asks for (objects/asked.ts). */
export let asked: usize = 0;
/** The object being made, and its copy behind it. */
export let object: usize = 0;
export let objectBytes: usize = 0;
export let columns: usize = 0;
/** Objects of a column. */
export let batch: usize = 0;

/** The table of m_bonus by which good and great objects are of kinds of deeper down. */
export let kindsBonus: usize = 0;
/** Whether any affix excludes another. */
export let hasExclusions: bool = false;
/** By kind, u8: whether it can have what is asked for. */
export let able: usize = 0;

let tables: usize = 0;
let kindBands: usize = 0;
let kindTables: usize = 0;
let goodTables: u32 = 0;

/** Makes a plan the one that all of this is of. */
export function openPlan(at: usize): void {
  plan = at;
  kinds = part(KINDS);
  affixes = part(AFFIXES);
  themes = part(THEMES);
  artifacts = part(ARTIFACTS);
  lines = part(LINES);
  lineCount = load<u32>(plan, LINE_COUNT);
  linesOfAffixes = part(LINES_OF_AFFIXES);
  lineOfAffixesCount = load<u32>(plan, LINE_OF_AFFIXES_COUNT);
  flagBytes = load<u32>(plan, FLAG_BYTES);
  pvalBytes = load<u32>(plan, PVAL_BYTES);
  flagStride = load<u32>(plan, FLAG_STRIDE);
  pvalStride = load<u32>(plan, PVAL_STRIDE);
  elementWords = load<u32>(plan, ELEMENT_WORDS);
  ammoMask = part(AMMO_MASK);
  levelCount = load<u32>(plan, LEVEL_COUNT);
  themeWords = load<u32>(plan, THEME_WORDS);
  claims = part(CLAIMS);
  weights = part(WEIGHTS);
  effects = part(EFFECTS);
  asked = part(ASKED);
  able = part(ABLE);
  hasExclusions = load<u32>(plan, HAS_EXCLUSIONS) != 0;
  object = part(OBJECT);
  objectBytes = load<u32>(plan, OBJECT_BYTES);
  columns = part(COLUMNS);
  batch = load<u32>(plan, BATCH);
  tables = part(TABLES);
  kindBands = part(KIND_BANDS);
  kindTables = part(KIND_TABLES);
  goodTables = load<u32>(plan, GOOD_TABLES);
  kindsBonus = part(KINDS_BONUS);
}

/** What an offset in the plan stands for. */
export function inPlan(at: usize, offset: usize): usize {
  return plan + <usize>load<u32>(at + offset);
}

/** Record i of a table of offsets. */
export function record(table: usize, i: u32): usize {
  return inPlan(table, (<usize>i) << 2);
}

function part(offset: usize): usize {
  return inPlan(plan, offset);
}

// ── alias tables ──
//
//   in the plan   +0 where it was built   +4 n   +8 ids, u16   +12 weights, u32      ids and weights by offset
//   built         −16 alias list (core/alias.ts)   −12 n   −8 ids   −4 weights   then the columns
//   column        +0 the word's lower bits up to which it is its own   +4 own id, u16   +6 alias's id, u16
//
// A table is said by where its columns are, a multiple of 32, with k in the lower bits: a pick is one load. A table of one
// entry has two columns, both of it. Choices are said by the number of their table from 1, 0 for none, until tables are built.

const N: usize = 4;
const IDS: usize = 8;
const TABLE_WEIGHTS: usize = 12;
const TABLE_BYTES: usize = 16;

const HEAD_BYTES: usize = 16;
const LIST: usize = 0;
const BUILT_N: usize = 4;
const BUILT_IDS: usize = 8;
const BUILT_WEIGHTS: usize = 12;
const K_MASK: u32 = 31;

/** Builds the alias tables of a plan that was just written; what that needs above the plan stays. */
export function buildTables(at: usize): u32 {
  openPlan(at);
  const end = tables + <usize>load<u32>(plan, TABLE_COUNT) * TABLE_BYTES;
  for (let table = tables; table < end; table += TABLE_BYTES) {
    const built = buildTable(table);
    if (!built) return Status.OUT_OF_MEMORY;
    store<u32>(table, built);
  }
  let choices = part(CHOICES);
  for (let n = load<u32>(plan, CHOICES_COUNT); n > 0; --n, choices += 8) {
    let choice = inPlan(choices, 0);
    for (let left = load<u32>(choices, 4); left > 0; --left, choice += 4) {
      const table = load<u32>(choice);
      if (table) store<u32>(choice, load<u32>(tables + <usize>(table - 1) * TABLE_BYTES));
    }
  }
  return Status.OK;
}

function buildTable(table: usize): u32 {
  const n = load<u32>(table, N);
  const ids = inPlan(table, IDS);
  const ofWeights = inPlan(table, TABLE_WEIGHTS);
  const list = createAlias(n);
  if (!list) return 0;
  memory.copy(aliasWeights(list), ofWeights, (<usize>n) << 2);
  if (buildAlias(list, n) != Status.OK) return 0;
  const k = max(aliasBits(list), 1);
  const room = allocate(HEAD_BYTES + K_MASK + ((<usize>8) << k));
  if (!room) return 0;
  const columnsAt = (room + HEAD_BYTES + K_MASK) & ~(<usize>K_MASK);
  const head = columnsAt - HEAD_BYTES;
  store<u32>(head, <u32>list, LIST);
  store<u32>(head, n, BUILT_N);
  store<u32>(head, <u32>ids, BUILT_IDS);
  store<u32>(head, <u32>ofWeights, BUILT_WEIGHTS);
  for (let c: u32 = 0; c < 1 << k; ++c) {
    const column = columnsAt + ((<usize>c) << 3);
    store<u32>(column, aliasShare(list, c));
    // (columns behind the last entry keep nothing of their own)
    store<u16>(column, load<u16>(ids + ((<usize>min(c, n - 1)) << 1)), 4);
    store<u16>(column, load<u16>(ids + ((<usize>aliasOf(list, c)) << 1)), 6);
  }
  return <u32>columnsAt | k;
}

/** The id that the next word picks from a table. */
export function pickFrom(table: u32): u32 {
  const word = Next.word();
  const k = table & K_MASK;
  const column = <usize>(table & ~K_MASK) + ((<usize>(word >>> (32 - k))) << 3);
  const lower = word << k;
  const share = load<u32>(column);
  if (lower == share) return pickTied(table, word);
  const both = load<u32>(column, 4);
  return select<u32>(both & 0xffff, both >>> 16, lower < share);
}

function pickTied(table: u32, word: u32): u32 {
  stand();
  return tableId(table, pickOne(load<u32>(headOf(table), LIST), word));
}

export function tableLength(table: u32): u32 {
  return load<u32>(headOf(table), BUILT_N);
}

export function tableId(table: u32, i: u32): u32 {
  return load<u16>(<usize>load<u32>(headOf(table), BUILT_IDS) + ((<usize>i) << 1));
}

export function tableWeights(table: u32): usize {
  return load<u32>(headOf(table), BUILT_WEIGHTS);
}

function headOf(table: u32): usize {
  return <usize>(table & ~K_MASK) - HEAD_BYTES;
}

/** The table of the kinds of a depth, of those that may be good or of all. */
export function kindTable(good: bool, depth: u32): u32 {
  const own = <usize>min(depth, 255);
  const at = good ? goodTables + <u32>load<u8>(kindBands + own, 256) : <u32>load<u8>(kindBands + own);
  return load<u32>(kindTables + ((<usize>at) << 2));
}

// ── where affixes may come: a signature, shared by kinds to which the same T lines apply ──
//
//   +0 band of a depth, u8 × 256   +256 band of a boosted depth, u8 × 256   +512 bands of these   +516 tables, by
//   (band of the depth, band of the boosted depth, affix level)

const BOOSTED: usize = 256;
const BOOSTED_BANDS: usize = 512;
const CELLS: usize = 516;

/** The table of the affixes that may come at a depth, boosted to another, up to an affix level; 0 where there are none. */
export function affixTable(signature: usize, depth: u32, boosted: u32, level: u32): u32 {
  const own = <u32>load<u8>(signature + <usize>depth);
  const band = <u32>load<u8>(signature + <usize>min(boosted, 255), BOOSTED);
  const cell = (own * load<u32>(signature, BOOSTED_BANDS) + band) * levelCount + level - 1;
  return load<u32>(signature + ((<usize>cell) << 2), CELLS);
}
