// Object makers of a plan file. The file has the image of a maker's plan (assembly/objects/layout.ts), in which records
// refer to each other by offsets, and the request of the objects. This file copies the image, and checks every record
// that an object can reach before the first object is made:
//
//   part      each record, list and mask lies in the image; their sizes follow from counts that have limits
//   written   the kernel writes to the room, to the alias tables and to the cells that refer to these. No other record
//             may overlap them, because what was checked must stay as it is
//   index     each number of a kind, an affix, a theme, an artifact, a flag or a table exists
//   time      the lines of a record have a limit on the rolls that they cause

import { allocate, allocateZeroed } from "../core/memory";
import {
  AffixRecord,
  AffixSignature,
  AliasRecord,
  ArtifactLine,
  ArtifactRecord,
  BONUS_LEVELS,
  BONUS_SUMS,
  BonusTable,
  ClaimRecord,
  DEPTHS,
  EgoLine,
  FlagLine,
  KindRecord,
  MOST_AFFIXES,
  ModifierLine,
  OBJECT_BATCH,
  OBJECT_FLAGS,
  ObjectColumns,
  ObjectHead,
  ObjectQuality,
  ObjectRecord,
  ObjectRoom,
  PvalLine,
  RandomBit,
  RandomNumber,
  RequestRecord,
  SIGNATURE_BANDS,
  SIGNATURE_BOOSTED_BANDS,
  SIGNATURE_TABLES,
  SIMPLE_VECTORS,
  THEMES_OF_WORD,
  ThemeLine,
  ThemeRecord,
  ThemeTarget,
  VECTOR_BYTES,
} from "../objects/layout";
import { buildObjects, makeObjects } from "../objects/make";
import { MadeObjects, Noun, NounKind, nounAt, PlanStatus } from "./nouns";
import { at, beginChecks, check, has, isValid, refuse, take, word } from "./reader";
import { rows } from "./results";

const MAX_RECORDS: u32 = 0xfffe;
const MAX_LINES: u32 = 1 << 16;
const MAX_MASK_BYTES: u32 = 1 << 12;
const MAX_LEVELS: u32 = 1 << 8;
const MAX_DICE: u32 = 255;
/** The most rolls that one record may cause, and the most bytes that the check of an image reads. */
const MAX_ROLLS: u32 = 1 << 16;
const MAX_WORK: u64 = 1 << 28;
const MAX_LIFTS: u32 = 1 << 8;
const REQUEST_WORDS: u32 = <u32>offsetof<AskedRequest>() >>> 2;

/** The request of a file: numbers of a RequestRecord. */
@unmanaged
class AskedRequest {
  level: u32;
  quality: u32;
  kind: u32;
  affixLevel: u32;
  tryOneIn: u32;
  kindDepth: u32;
  lifts: u32;
  liftChance: u32;
  secondOneIn: u32;
  slotSides: u32;
  addedSlots: u32;
  extraSides: u32;
  triesArtifacts: u32;
}

/** An artifact that was made: by object `low`, `high` of the stream with this key. */
@unmanaged
export class Owner {
  isMade: u32;
  low: u32;
  high: u32;
  key0: u32;
  key1: u32;
}

// ── the parts of the image that is checked ──

const READ: u8 = 1;
const WRITTEN: u8 = 2;
/** Marks the first unit of a signature whose cells are still table numbers, and then of one whose cells refer to tables. */
const SIGNATURE: u8 = 3;
const LINKED: u8 = 4;
const UNIT_BITS: u32 = 4;

let image: usize = 0;
let imageBytes: u32 = 0;
/** For each 16 bytes of the image, u8: whether they are only read, or also written. */
let units: usize = 0;
let work: u64 = 0;
let rolls: u64 = 0;
let head: ObjectHead = changetype<ObjectHead>(0);
let affixCount: u32 = 0;
/** The number of a table of kinds. */
let spare: u32 = 0;

/**
 * Returns the address of a part of the image, and marks its units. If the part is not valid, returns the address of
 * the head: reading it is harmless, because the image is longer than any record.
 */
function part(offset: u32, bytes: u64, mark: u8 = READ): usize {
  work += bytes + VECTOR_BYTES;
  if (!check(isValid && offset <= imageBytes && bytes <= imageBytes - offset && work <= MAX_WORK)) return image;
  const last = <usize>((<u64>offset + bytes + VECTOR_BYTES - 1) >>> UNIT_BITS);
  for (let unit = <usize>(offset >>> UNIT_BITS); unit < last; ++unit) {
    const had = load<u8>(units + unit);
    check(had == 0 || (mark == READ && had == READ));
    store<u8>(units + unit, mark);
  }
  return image + <usize>offset;
}

/** Returns the address of `count` records, at most `most`. Without a valid count, no record must be read. */
function list(offset: u32, count: u32, bytes: usize, most: u32 = MAX_LINES): usize {
  return check(count <= most) ? part(offset, <u64>count * bytes) : image;
}

/** Returns record i of a table of offsets. */
function recordOf(table: usize, i: u32, bytes: usize, partBits: u32 = 0): usize {
  return part(load<u32>(table + ((<usize>i) << 2)) & ~partBits, bytes);
}

// ── the section ──

/** │ request │ 0 │ affixes │ words │ the image, in words │, or with the image of an earlier noun: │ request │ 1 │ noun │ */
export function buildMaker(noun: Noun, which: u32): PlanStatus {
  if (!has(REQUEST_WORDS + 2)) return refuse(at);
  const request = take(REQUEST_WORDS);
  const isShared = word();
  const first = word();
  noun.made = allocateZeroed(offsetof<MadeObjects>());
  if (!noun.made) return PlanStatus.MEMORY;
  const made = changetype<MadeObjects>(noun.made);
  made.request = request;
  noun.out = rows;
  if (isShared) {
    if (isShared > 1 || first >= which || nounAt(first).kind != NounKind.OBJECTS) return refuse(at - 8);
    const base = changetype<MadeObjects>(nounAt(first).made);
    made.plan = base.plan;
    made.owners = base.owners;
    made.isShared = 1;
  } else {
    affixCount = first;
    const status = buildImage(made);
    if (status) return status;
  }
  head = changetype<ObjectHead>(made.plan);
  noun.width = 13 + 2 * MOST_AFFIXES + (head.flagStride >>> 2) + (head.pvalStride >>> 1);
  return isRequest(changetype<AskedRequest>(request)) ? PlanStatus.OK : refuse(request);
}

function isRequest(asked: AskedRequest): bool {
  return (
    asked.level < DEPTHS &&
    asked.quality <= <u32>ObjectQuality.GREAT &&
    asked.kind <= head.kindCount &&
    asked.affixLevel <= head.levelCount &&
    asked.lifts < MAX_LIFTS
  );
}

function buildImage(made: MadeObjects): PlanStatus {
  const words = has(1) ? word() : 0;
  const from = take(words);
  if (!from || words < <u32>offsetof<ObjectHead>() >>> 2 || words > 1 << 28) return refuse(at);
  imageBytes = words << 2;
  image = allocate(imageBytes);
  units = allocateZeroed((imageBytes >>> UNIT_BITS) + 1);
  if (!image || !units) return PlanStatus.MEMORY;
  memory.copy(image, from, imageBytes);
  head = changetype<ObjectHead>(image);
  // this file links the cells itself: the runs of the image could name others
  head.runCount = 0;
  beginChecks();
  work = 0;
  spare = 0;
  checkHead();
  if (isValid) checkRecords();
  if (!isValid) return refuse(from);
  if (buildObjects(image)) return PlanStatus.MEMORY;
  linkTables();
  made.plan = image;
  made.owners = allocateZeroed(<usize>head.artifactCount * offsetof<Owner>());
  return made.owners ? PlanStatus.OK : PlanStatus.MEMORY;
}

function checkHead(): void {
  check(head.kindCount > 0 && head.kindCount <= MAX_RECORDS && affixCount <= MAX_RECORDS);
  check(head.themeCount <= MAX_RECORDS && head.artifactCount <= MAX_RECORDS);
  check(head.lineCount <= MAX_LINES && head.requiringLineCount <= MAX_LINES && head.mostEgos <= MAX_LINES);
  check(head.flagCount <= MAX_LINES && isMaskSize(head.flagBytes) && isMaskSize(head.pvalBytes));
  check(head.flagStride <= head.flagBytes && (head.flagStride & 3) == 0);
  check(head.pvalStride <= head.pvalBytes && (head.pvalStride & 1) == 0);
  check(head.elementWords <= head.flagBytes >>> 2);
  check(head.levelCount > 0 && head.levelCount <= MAX_LEVELS && head.mostSlots <= MOST_AFFIXES && head.themeParts > 0);
  const themes = (head.themeCount + THEMES_OF_WORD - 1) / THEMES_OF_WORD;
  check(head.themeBytes == themes * (THEMES_OF_WORD >>> 3));
  const bytes = <u32>OBJECT_FLAGS + head.flagBytes + head.pvalBytes + 2 * head.themeBytes;
  check(head.objectBytes == ((bytes + <u32>VECTOR_BYTES - 1) & ~(<u32>VECTOR_BYTES - 1)));
}

function isMaskSize(bytes: u32): bool {
  return bytes <= MAX_MASK_BYTES && (bytes & (<u32>VECTOR_BYTES - 1)) == 0;
}

function checkRecords(): void {
  part(0, offsetof<ObjectHead>());
  part(head.room, offsetof<ObjectRoom>(), WRITTEN);
  part(head.ammunition, head.flagBytes);
  part(head.ammunitionPvals, head.pvalBytes);
  checkBonus(head.kindBonus, false);
  const tables = checkTables();
  checkCells(head.kindBands, head.kindTables, tables);
  checkCells(head.goodKindBands, head.goodKindTables, tables);
  check(spare != 0);
  checkArtifactLines(head.lines, head.lineCount);
  checkArtifactLines(head.requiringLines, head.requiringLineCount);
  const affixes = list(head.affixes, affixCount, 4);
  for (let i: u32 = 0; i < affixCount && isValid; ++i) checkAffix(affixes, i);
  const kinds = list(head.kinds, head.kindCount, 4);
  for (let i: u32 = 0; i < head.kindCount && isValid; ++i) checkKind(kinds, i, tables);
  const themes = list(head.themes, head.themeCount, 4);
  for (let i: u32 = 0; i < head.themeCount && isValid; ++i) checkTheme(themes, i);
  const artifacts = list(head.artifacts, head.artifactCount, 4);
  for (let i: u32 = 0; i < head.artifactCount && isValid; ++i) checkArtifact(artifacts, i);
}

// ── alias tables, and the cells that refer to them ──

/** Checks all alias tables. Returns the address of the first. */
function checkTables(): usize {
  const tables = check(head.tableCount <= 1 << 24)
    ? part(head.tables, <u64>head.tableCount * offsetof<AliasRecord>(), WRITTEN)
    : image;
  for (let i: u32 = 0; i < head.tableCount && isValid; ++i) {
    const table = changetype<AliasRecord>(tables + <usize>i * offsetof<AliasRecord>());
    if (!check(table.length > 0 && table.length <= MAX_RECORDS)) break;
    part(table.ids, 2 * <u64>table.length);
    const weights = part(table.weights, 4 * <u64>table.length);
    let total: u64 = 0;
    for (let j: u32 = 0; j < table.length && isValid; ++j) total += load<u32>(weights + ((<usize>j) << 2));
    check(total > 0 && total <= u32.MAX_VALUE);
  }
  return tables;
}

/** Checks that a cell is 0 or the number of a table, whose ids are below `end`. */
function checkCell(cell: usize, tables: usize, end: u32): void {
  const which = load<u32>(cell);
  if (!which || !check(which <= head.tableCount)) return;
  const table = changetype<AliasRecord>(tables + <usize>(which - 1) * offsetof<AliasRecord>());
  work += table.length;
  const ids = image + <usize>table.ids;
  for (let j: u32 = 0; j < table.length; ++j) check(<u32>load<u16>(ids + ((<usize>j) << 1)) < end);
}

/** Returns 1 + the greatest of the DEPTHS bands at an address. */
function bandsAt(bands: usize): u32 {
  let most: u32 = 0;
  for (let depth: usize = 0; depth < <usize>DEPTHS; ++depth) most = max(most, <u32>load<u8>(bands + depth));
  return most + 1;
}

/** Checks the tables of kinds. */
function checkCells(bandsOffset: u32, cellsOffset: u32, tables: usize): void {
  const bands = bandsAt(part(bandsOffset, DEPTHS));
  const cells = part(cellsOffset, (<u64>bands) << 2, WRITTEN);
  for (let band: u32 = 0; band < bands && isValid; ++band) {
    const cell = cells + ((<usize>band) << 2);
    checkCell(cell, tables, head.kindCount);
    if (!spare) spare = load<u32>(cell);
  }
}

/** Checks the signature of a kind, unless another kind has it too. */
function checkSignature(offset: u32, tables: usize): void {
  if (!check((offset & (<u32>VECTOR_BYTES - 1)) == 0 && offset < imageBytes)) return;
  const unit = units + <usize>(offset >>> UNIT_BITS);
  if (load<u8>(unit) == SIGNATURE) return;
  const cells = cellsOf(part(offset, SIGNATURE_TABLES, WRITTEN));
  if (!isValid) return;
  // the units of the head are marked already: the last one may be shared with the first cells
  const start = offset + <u32>SIGNATURE_TABLES;
  const after = (start + <u32>VECTOR_BYTES - 1) & ~(<u32>VECTOR_BYTES - 1);
  const end = <u64>start + ((<u64>cells) << 2);
  if (end > after) part(after, end - after, WRITTEN);
  if (!check(end <= imageBytes)) return;
  for (let i: u32 = 0; i < cells && isValid; ++i) {
    checkCell(image + <usize>start + ((<usize>i) << 2), tables, affixCount);
  }
  store<u8>(unit, SIGNATURE);
}

function cellsOf(signature: usize): u32 {
  const boosted = changetype<AffixSignature>(signature).boostedBands;
  const bands = bandsAt(signature + SIGNATURE_BANDS);
  check(boosted <= DEPTHS && bandsAt(signature + SIGNATURE_BOOSTED_BANDS) <= boosted);
  return bands * boosted * head.levelCount;
}

/** Replaces all table numbers of cells by references to the built tables. */
function linkTables(): void {
  const kinds = image + <usize>head.kinds;
  // bake refuses a request that can draw a kind without members, so any table will do
  linkCells(image + <usize>head.kindTables, bandsAt(image + <usize>head.kindBands), spare);
  linkCells(image + <usize>head.goodKindTables, bandsAt(image + <usize>head.goodKindBands), spare);
  for (let i: u32 = 0; i < head.kindCount; ++i) {
    const kind = changetype<KindRecord>(image + <usize>load<u32>(kinds + ((<usize>i) << 2)));
    const unit = units + <usize>(kind.signature >>> UNIT_BITS);
    if (!kind.signature || load<u8>(unit) == LINKED) continue;
    const signature = image + <usize>kind.signature;
    linkCells(signature + SIGNATURE_TABLES, cellsOf(signature), 0);
    store<u8>(unit, LINKED);
  }
}

function linkCells(cells: usize, n: u32, ifNone: u32): void {
  const tables = image + <usize>head.tables;
  for (let i: usize = 0; i < <usize>n; ++i) {
    const which = load<u32>(cells + (i << 2));
    const table = which ? which : ifNone;
    if (!table) continue;
    store<u32>(cells + (i << 2), changetype<AliasRecord>(tables + <usize>(table - 1) * offsetof<AliasRecord>()).built);
  }
}

// ── lines ──

/** Checks a BonusTable. A simple value reads exactly SIMPLE_VECTORS vectors. */
function checkBonus(offset: u32, isSimple: bool): void {
  const table = changetype<BonusTable>(part(offset, offsetof<BonusTable>()));
  if (!check(isValid && table.vectors <= MAX_LINES && (table.vectors == SIMPLE_VECTORS || !isSimple))) return;
  const last = <u64>table.levelBytes * (BONUS_LEVELS - 1);
  part(offset, BONUS_SUMS + last + <u64>table.vectors * VECTOR_BYTES);
}

function checkRandom(value: RandomNumber): void {
  check(value.dice <= MAX_DICE);
  rolls += 1 + value.dice;
  const isSimple = (value.bits & RandomBit.IS_SIMPLE) != 0;
  check(!isSimple || value.dice <= 1);
  checkBonus(value.bonus, isSimple);
}

function checkModifiers(offset: u32, count: u32): void {
  const lines = list(offset, count, offsetof<ModifierLine>());
  for (let i: u32 = 0; i < count && isValid; ++i) {
    const line = changetype<ModifierLine>(lines + <usize>i * offsetof<ModifierLine>());
    checkRandom(line);
    const field = <usize>line.field;
    check(
      field == offsetof<ObjectRecord>("toHit") ||
        field == offsetof<ObjectRecord>("toDam") ||
        field == offsetof<ObjectRecord>("toAc"),
    );
  }
}

/** Checks a list of numbers below `end`. A choice among them needs a place for each. */
function checkNumbers(offset: u32, count: u32, end: u32): void {
  const numbers = list(offset, count, 2, head.flagCount);
  for (let i: u32 = 0; i < count && isValid; ++i) check(<u32>load<u16>(numbers + ((<usize>i) << 1)) < end);
}

function checkPvals(offset: u32, count: u32): void {
  const lines = list(offset, count, offsetof<PvalLine>());
  for (let i: u32 = 0; i < count && isValid; ++i) {
    const line = changetype<PvalLine>(lines + <usize>i * offsetof<PvalLine>());
    checkRandom(line);
    check(line.count <= MAX_DICE);
    rolls += <u64>(line.count + 1) * (line.flagCount + line.dice);
    checkNumbers(line.flags, line.flagCount, head.pvalBytes >>> 1);
  }
}

function checkFlags(offset: u32, count: u32): void {
  const lines = list(offset, count, offsetof<FlagLine>());
  for (let i: u32 = 0; i < count && isValid; ++i) {
    const line = changetype<FlagLine>(lines + <usize>i * offsetof<FlagLine>());
    check(line.count <= MAX_DICE);
    rolls += 1 + <u64>line.count * line.flagCount;
    checkNumbers(line.flags, line.flagCount, head.flagBytes << 3);
  }
}

function checkArtifactLines(offset: u32, count: u32): void {
  const lines = list(offset, count, offsetof<ArtifactLine>());
  for (let i: u32 = 0; i < count && isValid; ++i) {
    const line = changetype<ArtifactLine>(lines + <usize>i * offsetof<ArtifactLine>());
    check(line.artifact < head.artifactCount && line.kind < head.kindCount);
  }
}

// ── records ──

/** A form is an object of an existing kind without affixes. */
function checkForm(offset: u32): void {
  const form = changetype<ObjectRecord>(part(offset, head.objectBytes));
  check(isValid && form.kind < head.kindCount && form.affixCount == 0);
}

/** Ends the check of a record: its lines may not cause too many rolls. */
function endRecord(): void {
  check(rolls <= MAX_ROLLS);
}

function checkKind(kinds: usize, i: u32, tables: usize): void {
  const kind = changetype<KindRecord>(recordOf(kinds, i, offsetof<KindRecord>()));
  if (!isValid) return;
  rolls = 0;
  checkForm(kind.form);
  if (kind.signature) checkSignature(kind.signature, tables);
  checkPvals(kind.pvals, kind.pvalCount);
  checkModifiers(kind.modifiers, kind.modifierCount);
  const themes = part(kind.themes, head.themeBytes);
  for (let bit = head.themeCount; bit < head.themeBytes << 3 && isValid; ++bit) {
    check(!((load<u8>(themes + <usize>(bit >>> 3)) >>> (bit & 7)) & 1));
  }
  const egos = list(kind.egos, kind.egoCount, offsetof<EgoLine>(), head.mostEgos);
  for (let e: u32 = 0; e < kind.egoCount && isValid; ++e) {
    check(changetype<EgoLine>(egos + <usize>e * offsetof<EgoLine>()).affix < affixCount);
  }
  checkModifiers(kind.enchantments, max(kind.goodCount, kind.greatCount));
  checkArtifactLines(kind.artifactLines, kind.artifactLineCount);
  endRecord();
}

function checkAffix(affixes: usize, i: u32): void {
  const record = recordOf(affixes, i, offsetof<AffixRecord>(), <u32>VECTOR_BYTES - 1);
  const affix = changetype<AffixRecord>(record);
  if (!isValid) return;
  rolls = 0;
  checkModifiers(affix.modifiers, affix.modifierCount);
  part(affix.flags, head.flagBytes);
  if (affix.removes) part(affix.removes, head.flagBytes);
  checkFlags(affix.randomFlags, affix.randomFlagCount);
  checkPvals(affix.pvals, affix.pvalCount);
  checkPvals(affix.randomPvals, affix.randomPvalCount);
  list(affix.excluded, affix.excludedCount, 2);
  part(affix.themes, head.themeBytes);
  endRecord();
}

function checkTheme(themes: usize, i: u32): void {
  const theme = changetype<ThemeRecord>(recordOf(themes, i, offsetof<ThemeRecord>()));
  if (!isValid) return;
  list(theme.targets, theme.targetCount, offsetof<ThemeTarget>());
  const lines = list(theme.lines, theme.lineCount, offsetof<ThemeLine>(), MAX_LEVELS);
  for (let l: u32 = 0; l < theme.lineCount && isValid; ++l) {
    check(changetype<ThemeLine>(lines + <usize>l * offsetof<ThemeLine>()).affix < affixCount);
  }
  // an object with a weight above 0 divides by the total
  const weights = list(theme.weights, affixCount, 4);
  let total: u64 = 0;
  for (let a: u32 = 0; a < affixCount && isValid; ++a) total += load<u32>(weights + ((<usize>a) << 2));
  check(total == <u64>theme.total);
}

function checkArtifact(artifacts: usize, i: u32): void {
  const artifact = changetype<ArtifactRecord>(recordOf(artifacts, i, offsetof<ArtifactRecord>()));
  if (!isValid) return;
  rolls = 0;
  checkForm(artifact.form);
  checkPvals(artifact.pvals, artifact.pvalCount);
  list(artifact.required, artifact.requiredCount, 2);
  endRecord();
}

// ── objects ──

/** Makes objects on the current stream, and writes their rows: the numbers, affixes, depths, flags and pvals. */
export function makeMaker(made: MadeObjects, width: u32, key: u64, from: u64, count: u32): void {
  const plan = made.plan;
  head = changetype<ObjectHead>(plan);
  const room = changetype<ObjectRoom>(plan + <usize>head.room);
  openRequest(changetype<RequestRecord>(plan + <usize>room.request), changetype<AskedRequest>(made.request));
  showOwners(made.owners, plan + <usize>room.claims, <u32>key, <u32>(key >>> 32));
  for (let done: u32 = 0; done < count; done += OBJECT_BATCH) {
    const n = min(OBJECT_BATCH, count - done);
    const index = from + done;
    makeObjects(plan, <u32>index, <u32>(index >>> 32), n, 0, 1);
    writeRows(plan, room, rows + ((<usize>done * width) << 2), width, n);
  }
  noteOwners(made.owners, plan + <usize>room.claims, <u32>key, <u32>(key >>> 32));
}

function openRequest(request: RequestRecord, asked: AskedRequest): void {
  memory.fill(changetype<usize>(request), 0, offsetof<RequestRecord>());
  request.level = asked.level;
  request.quality = asked.quality;
  request.kind = asked.kind;
  request.affixLevel = asked.affixLevel;
  request.tryOneIn = asked.tryOneIn;
  request.kindDepth = asked.kindDepth;
  request.lifts = asked.lifts;
  request.liftChance = asked.liftChance;
  request.secondOneIn = asked.secondOneIn;
  request.slotSides = asked.slotSides;
  request.addedSlots = asked.addedSlots;
  request.extraSides = asked.extraSides;
  request.triesArtifacts = asked.triesArtifacts;
}

export function artifactsOf(made: MadeObjects): u32 {
  return changetype<ObjectHead>(made.plan).artifactCount;
}

/** Puts all artifacts back: each can be made again. */
export function releaseAll(made: MadeObjects): void {
  memory.fill(made.owners, 0, <usize>artifactsOf(made) * offsetof<Owner>());
}

function ownerAt(owners: usize, artifact: u32): Owner {
  return changetype<Owner>(owners + <usize>artifact * offsetof<Owner>());
}

/** Shows the artifacts that were made to the kernel. An object of another stream has the index 2^64 − 1. */
function showOwners(owners: usize, claims: usize, key0: u32, key1: u32): void {
  for (let i: u32 = 0; i < head.artifactCount; ++i) {
    const owner = ownerAt(owners, i);
    const isOwn = owner.key0 == key0 && owner.key1 == key1;
    const claim = changetype<ClaimRecord>(claims + <usize>i * offsetof<ClaimRecord>());
    claim.isMade = owner.isMade;
    claim.objectLow = isOwn ? owner.low : u32.MAX_VALUE;
    claim.objectHigh = isOwn ? owner.high : u32.MAX_VALUE;
  }
}

function noteOwners(owners: usize, claims: usize, key0: u32, key1: u32): void {
  for (let i: u32 = 0; i < head.artifactCount; ++i) {
    const owner = ownerAt(owners, i);
    const claim = changetype<ClaimRecord>(claims + <usize>i * offsetof<ClaimRecord>());
    if (owner.isMade || !claim.isMade) continue;
    owner.isMade = 1;
    owner.low = claim.objectLow;
    owner.high = claim.objectHigh;
    owner.key0 = key0;
    owner.key1 = key1;
  }
}

function writeRows(plan: usize, room: ObjectRoom, out: usize, width: u32, n: u32): void {
  const step = (<usize>width) << 2;
  const columns = plan + <usize>room.columns;
  for (let field = offsetof<ObjectColumns>("kind"); field < offsetof<ObjectColumns>(); field += 2, out += 4) {
    const isSigned = field >= offsetof<ObjectColumns>("toHit") && field <= offsetof<ObjectColumns>("toAc");
    const from = columns + <usize>OBJECT_BATCH * field;
    for (let k: usize = 0; k < <usize>n; ++k) {
      store<u32>(out + k * step, isSigned ? <u32>load<i16>(from + (k << 1)) : <u32>load<u16>(from + (k << 1)));
    }
  }
  const flags = head.flagStride >>> 2;
  const pvals = head.pvalStride >>> 1;
  for (let k: usize = 0; k < <usize>n; ++k, out += step) {
    let to = out;
    for (let i: usize = 0; i < <usize>MOST_AFFIXES; ++i, to += 4) {
      const place = (k * <usize>MOST_AFFIXES + i) << 1;
      store<u32>(to, load<u16>(plan + <usize>room.affixColumn + place));
      store<u32>(to + ((<usize>MOST_AFFIXES) << 2), load<u16>(plan + <usize>room.depthColumn + place));
    }
    to += (<usize>MOST_AFFIXES) << 2;
    memory.copy(to, plan + <usize>room.flagColumn + k * <usize>head.flagStride, head.flagStride);
    to += (<usize>flags) << 2;
    for (let i: usize = 0; i < <usize>pvals; ++i, to += 4) {
      store<i32>(to, load<i16>(plan + <usize>room.pvalColumn + k * <usize>head.pvalStride + (i << 1)));
    }
  }
}
