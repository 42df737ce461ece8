// Reads a plan file (docs/formats/plans.md). A file is hostile input: everything is checked before a noun is built, so
// that no file can make a later call trap, loop without an end, or read another noun's memory.

import { aliasWeights, buildAlias, createAlias } from "../core/alias";
import { window } from "../core/buffers";
import { BATCH_RESULTS, Status } from "../core/layout";
import { allocate, allocateZeroed, mark, release } from "../core/memory";
import { PoolEntry, PoolHead, PoolRecord, PoolRoot } from "../pools/layout";
import { buildRoot, createPool, createRoot } from "../pools/stock";
import { createOrder } from "../samples/draw";
import { crc32 } from "./crc";
import { buildDrops } from "./drops";
import { buildWorld } from "./loadWorld";
import {
  findNounBefore,
  MadeList,
  MadePool,
  MadePools,
  MadeRoot,
  MadeSampler,
  Noun,
  NounKind,
  nounAt,
  PlanStatus,
  setNouns,
} from "./nouns";
import { buildMaker } from "./objects";
import {
  amounts,
  at,
  beginFile,
  end,
  has,
  MAX_ENTRIES,
  MAX_PLAN_BYTES,
  refuse,
  seek,
  sumOf,
  take,
  text,
  word,
} from "./reader";
import { buildRecipe } from "./recipes";
import { buildTableNoun } from "./tables";
import { closeWorld } from "./walkEngine";

const FORMAT_VERSION: u32 = 1;
const STREAM_VERSION: u32 = 2;
/** Version of the exports of ./index.ts. */
const ABI_VERSION: u32 = 1;

/** The bytes 89 "RMPLAN" 0A, as two words. */
const MAGIC_0: u32 = 0x504d5289;
const MAGIC_1: u32 = 0x0a4e414c;

/** Each name is compared with all names before it, so their number and their length have limits. */
const MAX_NOUNS: u32 = 1 << 12;
const MAX_NAME_BYTES: u32 = 1 << 8;
const MAX_ITEMS: u32 = 10_000_000;
const MAX_FINITE_RECORDS: u32 = 1 << 20;
const MAX_POOLS: u32 = 1 << 16;

let checksum: u32 = 0;

export function abiVersion(): u32 {
  return ABI_VERSION;
}

export function streamVersion(): u32 {
  return STREAM_VERSION;
}

/** Returns the CRC-32 of the plan that was loaded. A state belongs to the plan with this number. */
export function planChecksum(): u32 {
  return checksum;
}

/**
 * Builds the nouns of a plan. `plan` must be a multiple of 4, and its bytes must stay as they are: names, labels and
 * quantities are read there. If the plan is refused, frees what was built, and the instance has no nouns.
 */
export function loadPlan(plan: usize, bytes: u32): PlanStatus {
  const before = mark();
  setNouns(0, 0);
  closeWorld();
  beginFile(plan);
  const status = bytes < 24 || bytes & 3 || bytes > MAX_PLAN_BYTES ? refuse(plan) : readFile(plan, bytes);
  if (status) {
    setNouns(0, 0);
    release(before);
  }
  return status;
}

function readFile(start: usize, bytes: u32): PlanStatus {
  seek(start, start + bytes - 4);
  if (word() != MAGIC_0 || word() != MAGIC_1) return refuse(start);
  for (let part = 0; part < 2; ++part) {
    refuse(at);
    if (word() != (part ? STREAM_VERSION : FORMAT_VERSION)) return PlanStatus.VERSION;
  }
  checksum = crc32(start, bytes - 4);
  if (load<u32>(end) != checksum) return refuse(end);
  const count = word();
  if (count > MAX_NOUNS) return refuse(at - 4);
  const nouns = allocateZeroed(<usize>count * offsetof<Noun>());
  if (!nouns) return PlanStatus.MEMORY;
  setNouns(nouns, count);
  for (let noun: u32 = 0; noun < count; ++noun) {
    const status = readNoun(noun);
    if (status) return status;
  }
  return at == end ? PlanStatus.OK : refuse(at);
}

function readNoun(which: u32): PlanStatus {
  const head = at;
  if (!has(4)) return refuse(at);
  const noun = nounAt(which);
  const kind = word();
  noun.nameBytes = word();
  noun.labelsBytes = word();
  const data = word();
  noun.name = text(noun.nameBytes);
  noun.labels = noun.name ? text(noun.labelsBytes) : 0;
  if (!noun.labels || noun.nameBytes == 0 || noun.nameBytes > MAX_NAME_BYTES || !has(data)) return refuse(head);
  if (findNounBefore(which, noun.name, noun.nameBytes) < which) return refuse(noun.name);
  const fileEnd = end;
  seek(at, at + ((<usize>data) << 2));
  noun.kind = kind;
  noun.width = 1;
  noun.out = window;
  const status = build(noun, which);
  if (status) return status;
  if (at != end) return refuse(at);
  seek(at, fileEnd);
  return PlanStatus.OK;
}

function build(noun: Noun, which: u32): PlanStatus {
  switch (noun.kind) {
    case NounKind.LIST:
      return buildList(noun);
    case NounKind.TABLE:
      return buildTableNoun(noun);
    case NounKind.DICE:
      noun.made = amounts(1);
      return noun.made ? PlanStatus.OK : refuse(at);
    case NounKind.SAMPLER:
      return buildSampler(noun);
    case NounKind.POOLS:
      return buildPools(noun);
    case NounKind.DROPS:
      return buildDrops(noun);
    case NounKind.RECIPE:
      return buildRecipe(noun);
    case NounKind.OBJECTS:
      return buildMaker(noun, which);
    case NounKind.WALK:
    case NounKind.WORLD:
      return buildWorld(noun);
  }
  return refuse(at);
}

// ── lists and samplers ──

/** Builds an alias table. Its weights have a total of 1 … 2^32 − 1. Returns 0 if memory runs out. */
function aliasOf(weights: usize, n: u32): usize {
  const alias = createAlias(n);
  if (!alias) return 0;
  memory.copy(aliasWeights(alias), weights, (<usize>n) << 2);
  return buildAlias(alias, n) == Status.OK ? alias : 0;
}

/** │ n │ number of amounts, 0 or n │ n weights │ amounts │ */
function buildList(noun: Noun): PlanStatus {
  const head = at;
  if (!has(2)) return refuse(at);
  const n = word();
  const amountCount = word();
  const weights = take(n);
  if (n == 0 || n > MAX_ENTRIES || (amountCount != 0 && amountCount != n) || !weights) return refuse(head);
  const total = sumOf(weights, n);
  if (total == 0 || total > u32.MAX_VALUE) return refuse(weights);
  const quantities = amounts(amountCount);
  if (!quantities) return refuse(at);
  const made = allocate(offsetof<MadeList>());
  const alias = aliasOf(weights, n);
  if (!made || !alias) return PlanStatus.MEMORY;
  changetype<MadeList>(made).alias = alias;
  changetype<MadeList>(made).amounts = amountCount ? quantities : 0;
  noun.hasQuantities = u32(amountCount != 0);
  noun.made = made;
  return PlanStatus.OK;
}

/** │ items │ size │ */
function buildSampler(noun: Noun): PlanStatus {
  const head = at;
  if (!has(2)) return refuse(at);
  const items = word();
  const size = word();
  if (items > MAX_ITEMS || size == 0 || size > items) return refuse(head);
  const made = allocate(offsetof<MadeSampler>());
  const order = createOrder(items);
  const out = size > BATCH_RESULTS ? allocate((<usize>size) << 2) : window;
  if (!made || !order || !out) return PlanStatus.MEMORY;
  const sampler = changetype<MadeSampler>(made);
  sampler.order = order;
  sampler.items = items;
  noun.width = size;
  noun.out = out;
  noun.made = made;
  return PlanStatus.OK;
}

// ── pools ──

const FINITE: u32 = 1;
const REFILLS: u32 = 2;

/**
 * │ roots │ pools │
 * each root: │ flags │ records │ quantity of each record, if the root is finite │
 * each pool: │ root │ n │ n records │ n masses │
 */
function buildPools(noun: Noun): PlanStatus {
  const head = at;
  if (!has(2)) return refuse(at);
  const rootCount = word();
  const poolCount = word();
  if (rootCount > MAX_POOLS || poolCount > MAX_POOLS) return refuse(head);
  const made = allocateZeroed(offsetof<MadePools>());
  const roots = allocateZeroed(<usize>rootCount * offsetof<MadeRoot>());
  const pools = allocateZeroed(<usize>poolCount * offsetof<MadePool>());
  if (!made || !roots || !pools) return PlanStatus.MEMORY;
  const family = changetype<MadePools>(made);
  family.roots = roots;
  family.pools = pools;
  family.rootCount = rootCount;
  family.poolCount = poolCount;
  for (let r: u32 = 0; r < rootCount; ++r) {
    const status = readRoot(rootAt(family, r));
    if (status) return status;
  }
  const first = at;
  const checked = checkPools(family);
  if (checked) return checked;
  seek(first, end);
  for (let p: u32 = 0; p < poolCount; ++p) if (!readPool(family, poolAt(family, p))) return PlanStatus.MEMORY;
  for (let r: u32 = 0; r < rootCount; ++r) {
    const root = rootAt(family, r).root;
    if (root && !buildRoot(root)) return PlanStatus.MEMORY;
  }
  noun.made = made;
  noun.width = 0;
  return PlanStatus.OK;
}

export function rootAt(family: MadePools, root: u32): MadeRoot {
  return changetype<MadeRoot>(family.roots + <usize>root * offsetof<MadeRoot>());
}

export function poolAt(family: MadePools, pool: u32): MadePool {
  return changetype<MadePool>(family.pools + <usize>pool * offsetof<MadePool>());
}

/** Returns the stock of a record of a finite root. */
export function recordAt(root: usize, record: u32): PoolRecord {
  return changetype<PoolRecord>(changetype<PoolRoot>(root).records + <usize>record * offsetof<PoolRecord>());
}

function readRoot(root: MadeRoot): PlanStatus {
  const head = at;
  if (!has(2)) return refuse(at);
  const flags = word();
  const records = word();
  if (flags > (FINITE | REFILLS)) return refuse(head);
  root.recordCount = records;
  root.refills = flags & REFILLS;
  if (!(flags & FINITE)) return records <= MAX_ENTRIES ? PlanStatus.OK : refuse(head);
  const quantities = records <= MAX_FINITE_RECORDS ? take(records) : 0;
  if (!quantities) return refuse(head);
  root.root = createRoot(records);
  if (!root.root) return PlanStatus.MEMORY;
  for (let i: u32 = 0; i < records; ++i) {
    const record = recordAt(root.root, i);
    record.initial = load<u32>(quantities + ((<usize>i) << 2));
    record.quantity = record.initial;
  }
  return PlanStatus.OK;
}

/** Checks all pools, and skips them. */
function checkPools(family: MadePools): PlanStatus {
  let most: u32 = 0;
  for (let r: u32 = 0; r < family.rootCount; ++r) most = max(most, rootAt(family, r).recordCount);
  const before = mark();
  // for each record, 1 + the number of the last pool that lists it: no pool may list a record twice
  const listed = allocateZeroed((<usize>most) << 2);
  if (!listed) return PlanStatus.MEMORY;
  for (let p: u32 = 0; p < family.poolCount; ++p) {
    const head = at;
    if (!has(2)) return refuse(at);
    const root = word();
    const n = word();
    const records = take(n);
    const masses = records ? take(n) : 0;
    if (root >= family.rootCount || !masses) return refuse(head);
    if (!isPool(rootAt(family, root), records, masses, n, listed, p + 1)) return refuse(head);
  }
  release(before);
  return PlanStatus.OK;
}

/** Whether the records exist, are listed once, and have a total of at most 2^32 − 1 if their stock is full. */
function isPool(root: MadeRoot, records: usize, masses: usize, n: u32, listed: usize, stamp: u32): bool {
  let total: u64 = 0;
  for (let i: usize = 0; i < <usize>n; ++i) {
    const record = load<u32>(records + (i << 2));
    if (record >= root.recordCount) return false;
    const seen = listed + ((<usize>record) << 2);
    if (load<u32>(seen) == stamp) return false;
    store<u32>(seen, stamp);
    const copies = root.root ? recordAt(root.root, record).initial : 1;
    const weight = <u64>load<u32>(masses + (i << 2)) * copies;
    // the total before is at most 2^32 − 1, so the sum of a weight of at most 2^32 − 1 does not overflow
    if (weight > u32.MAX_VALUE) return false;
    total += weight;
    if (total > u32.MAX_VALUE) return false;
  }
  return true;
}

/** Builds a checked pool. Returns false if memory runs out. */
function readPool(family: MadePools, pool: MadePool): bool {
  const root = rootAt(family, word());
  const n = word();
  const records = take(n);
  const masses = take(n);
  pool.root = changetype<usize>(root);
  pool.records = records;
  if (!root.root) {
    if (sumOf(masses, n) == 0) return true;
    pool.pool = aliasOf(masses, n);
    return pool.pool != 0;
  }
  pool.pool = createPool(root.root, n);
  if (!pool.pool) return false;
  const entries = changetype<PoolHead>(pool.pool).entries;
  for (let i: usize = 0; i < <usize>n; ++i) {
    const entry = changetype<PoolEntry>(entries + i * offsetof<PoolEntry>());
    entry.record = load<u32>(records + (i << 2));
    entry.mass = load<u32>(masses + (i << 2));
  }
  return true;
}
