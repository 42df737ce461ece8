// Builds the alias tables, and finds the table for a pick. A table has either the kinds at a depth, or the affixes that
// a kind can get at a depth.
//
//   built    ├ list ┼ length ┼ ids ┼ weights ┤├ PickColumn 0 ┼ PickColumn 1 ┼ … ┤
//             └───────── BuiltTable ────────┘  └ its address is a multiple of 32
//
// A reference to a built table is one number: the address of its first column plus k, where 2^k is the number of
// columns. The address is a multiple of 32, so k fits in its five low bits. A pick knows k from the reference, so it
// loads only one column of the table. A table with one entry has two columns, both for this entry.

import { aliasBits, aliasOf, aliasShare, aliasWeights, buildAlias, createAlias, pickOne } from "../core/alias";
import { Status } from "../core/layout";
import { allocate } from "../core/memory";
import { affixAt } from "./affixes";
import {
  AffixSignature,
  AliasRecord,
  DEPTHS,
  KindRecord,
  SIGNATURE_BANDS,
  SIGNATURE_BOOSTED_BANDS,
  SIGNATURE_TABLES,
  TableRun,
} from "./layout";
import { hasAffix } from "./object";
import { hasExclusions, head, inPlan, kinds, levelCount, object, recordAt, request } from "./plan";
import { Next, seekLastWord } from "./words";

const K_MASK: u32 = 31;

@unmanaged
class BuiltTable {
  /**
   * Address of the table that core/alias.ts builds. Most picks read only a PickColumn. A pick also needs this table if
   * x = share (see PickColumn).
   */
  list: u32;
  /** Number of entries. */
  length: u32;
  /** Address of the entries' ids, u16. */
  ids: u32;
  /** Address of the entries' weights, u32. */
  weights: u32;
}

@unmanaged
class PickColumn {
  /**
   * Let x be the word, shifted left by k. If x < share, the word picks the column's own entry. If x > share, it picks
   * the alias. If x = share, extra words decide (`aliasShare`).
   */
  share: u32;
  /** Lower half: the id of the column's own entry. Upper half: the id of its alias. */
  ids: u32;
}

/** Builds the alias tables of the current plan, in new memory. */
export function buildTables(): u32 {
  const tables = inPlan(head.tables);
  const end = tables + <usize>head.tableCount * offsetof<AliasRecord>();
  for (let at = tables; at < end; at += offsetof<AliasRecord>()) {
    const table = changetype<AliasRecord>(at);
    table.built = build(table);
    if (!table.built) return Status.OUT_OF_MEMORY;
  }
  const runs = inPlan(head.runs);
  const endOfRuns = runs + <usize>head.runCount * offsetof<TableRun>();
  for (let at = runs; at < endOfRuns; at += offsetof<TableRun>()) linkRun(changetype<TableRun>(at), tables);
  return Status.OK;
}

/** Replaces each table number in a run by a reference to the built table. */
function linkRun(run: TableRun, tables: usize): void {
  const first = inPlan(run.first);
  for (let at = first, end = first + ((<usize>run.count) << 2); at < end; at += 4) {
    const which = load<u32>(at);
    if (!which) continue;
    store<u32>(at, changetype<AliasRecord>(tables + <usize>(which - 1) * offsetof<AliasRecord>()).built);
  }
}

function build(table: AliasRecord): u32 {
  const n = table.length;
  const ids = inPlan(table.ids);
  const list = createAlias(n);
  if (!list) return 0;
  memory.copy(aliasWeights(list), inPlan(table.weights), (<usize>n) << 2);
  if (buildAlias(list, n) != Status.OK) return 0;
  const k = max(aliasBits(list), 1);
  const room = allocate(offsetof<BuiltTable>() + K_MASK + (offsetof<PickColumn>() << k));
  if (!room) return 0;
  const columns = (room + offsetof<BuiltTable>() + K_MASK) & ~(<usize>K_MASK);
  const built = changetype<BuiltTable>(columns - offsetof<BuiltTable>());
  built.list = <u32>list;
  built.length = n;
  built.ids = <u32>ids;
  built.weights = <u32>inPlan(table.weights);
  for (let c: u32 = 0; c < 1 << k; ++c) {
    const column = changetype<PickColumn>(columns + <usize>c * offsetof<PickColumn>());
    column.share = aliasShare(list, c);
    // there can be more columns than entries. The extra columns have share 0, so their own id is never picked
    const own = <u32>load<u16>(ids + ((<usize>min(c, n - 1)) << 1));
    const other = <u32>load<u16>(ids + ((<usize>aliasOf(list, c)) << 1));
    column.ids = own | (other << 16);
  }
  return <u32>columns | k;
}

/** Returns the id that the next word picks from a built table. */
export function pickFrom(table: u32): u32 {
  const word = Next.word();
  const k = table & K_MASK;
  const column = changetype<PickColumn>(<usize>(table & ~K_MASK) + <usize>(word >>> (32 - k)) * offsetof<PickColumn>());
  const lower = word << k;
  const share = column.share;
  if (lower == share) return pickTied(table, word);
  const ids = column.ids;
  return select<u32>(ids & 0xffff, ids >>> 16, lower < share);
}

function pickTied(table: u32, word: u32): u32 {
  seekLastWord();
  return tableId(table, pickOne(builtTable(table).list, word));
}

function tableLength(table: u32): u32 {
  return builtTable(table).length;
}

function tableId(table: u32, i: u32): u32 {
  return load<u16>(<usize>builtTable(table).ids + ((<usize>i) << 1));
}

function tableWeight(table: u32, i: u32): u32 {
  return load<u32>(<usize>builtTable(table).weights + ((<usize>i) << 2));
}

function builtTable(table: u32): BuiltTable {
  return changetype<BuiltTable>(<usize>(table & ~K_MASK) - offsetof<BuiltTable>());
}

/**
 * Returns the table of the kinds that occur at a depth. If `good` is true, the table has only kinds that can be good.
 */
export function kindTable(good: bool, depth: u32): u32 {
  const own = <usize>min(depth, DEPTHS - 1);
  const band = <usize>load<u8>(inPlan(good ? head.goodKindBands : head.kindBands) + own);
  return load<u32>(inPlan(good ? head.goodKindTables : head.kindTables) + (band << 2));
}

/**
 * Returns the table of possible affixes for a slot, or 0 if there are none. The object has affix level `level` and
 * depth `depth`; its slot has depth `boosted`.
 */
function affixTable(signature: usize, depth: u32, boosted: u32, level: u32): u32 {
  const own = <u32>load<u8>(signature + <usize>depth, SIGNATURE_BANDS);
  const band = <u32>load<u8>(signature + <usize>min(boosted, DEPTHS - 1), SIGNATURE_BOOSTED_BANDS);
  const cell = (own * changetype<AffixSignature>(signature).boostedBands + band) * levelCount + level - 1;
  return load<u32>(signature + ((<usize>cell) << 2), SIGNATURE_TABLES);
}

// ── affixes ──

/** Stands for "no affix". */
export const NONE: u32 = 0xffffffff;

/**
 * Returns the address of the AffixSignature (objects/layout.ts) of the object's kind. Returns 0 if the kind can get no
 * affix.
 */
export function signatureOf(): usize {
  const kind = changetype<KindRecord>(recordAt(kinds, object.kind));
  return kind.signature ? inPlan(kind.signature) : 0;
}

/** Returns the table of possible affixes for a slot with this depth, or 0 if there are none. */
export function tableFor(signature: usize, depth: u32): u32 {
  return signature ? affixTable(signature, request.level, depth, object.affixLevel) : 0;
}

/** Picks an affix from a table. Returns NONE if the table is 0 or every affix in it is excluded. */
export function pickAffix(table: u32): u32 {
  if (!table) return NONE;
  const affix = pickFrom(table);
  return hasExclusions && isExcluded(affix) ? pickAnother(table) : affix;
}

/**
 * Picks again, after a first pick chose an excluded affix. This pick is only among the allowed affixes, which are not
 * excluded. The two picks together choose each allowed affix with probability (its weight) / (total weight of the
 * allowed affixes). Returns NONE if all affixes are excluded.
 */
function pickAnother(table: u32): u32 {
  const n = tableLength(table);
  let total: u32 = 0;
  for (let i: u32 = 0; i < n; ++i) if (!isExcluded(tableId(table, i))) total += tableWeight(table, i);
  if (!total) return NONE;
  let x = Next.below(total);
  let i: u32 = 0;
  while (true) {
    const affix = tableId(table, i);
    const weight: u32 = isExcluded(affix) ? 0 : tableWeight(table, i);
    if (x < weight) return affix;
    x -= weight;
    ++i;
  }
}

function isExcluded(index: u32): bool {
  const affix = affixAt(index);
  const others = inPlan(affix.excluded);
  for (let i: usize = 0, n = <usize>affix.excludedCount; i < n; ++i) {
    if (hasAffix(load<u16>(others + (i << 1)))) return true;
  }
  return false;
}
