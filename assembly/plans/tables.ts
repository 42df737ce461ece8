// Tables of a plan file.

import { rollAmounts } from "../core/amounts";
import { window } from "../core/buffers";
import { Status } from "../core/layout";
import { allocate } from "../core/memory";
import { JUMP, RowState, TableHead, TableRow } from "../tables/layout";
import { buildTable, createTable, rollTable } from "../tables/roll";
import { MadeTable, Noun, PlanStatus } from "./nouns";
import { amounts, at, has, refuse, sumOf, take, word } from "./reader";

const MAX_ROWS: u32 = 1 << 24;
/** A limit on the hops of one roll is a limit on the time of a batch: a table may have a circle that is seldom left. */
const MAX_HOPS: u32 = 1 << 16;
/** The first plane of the dice of quantities (docs/determinism.md). */
const QUANTITIES_HIGH: u32 = 1;

/** Builds a table noun. */
export function buildTableNoun(noun: Noun): PlanStatus {
  noun.made = allocate(offsetof<MadeTable>());
  if (!noun.made) return PlanStatus.MEMORY;
  const table = changetype<MadeTable>(noun.made);
  const status = readTable(table);
  noun.hasQuantities = u32(table.amounts != 0);
  return status;
}

/**
 * Reads and builds a table:
 *
 * │ rows │ columns │ results │ start │ max hops │ number of amounts, 0 or results + 1 │
 * │ number of columns of each row │ weight of each column │ target of each column │ amounts │
 */
export function readTable(made: MadeTable): PlanStatus {
  const head = at;
  if (!has(6)) return refuse(at);
  const rows = word();
  const columns = word();
  const results = word();
  const first = word();
  const maxHops = word();
  const amountCount = word();
  if (rows == 0 || rows > MAX_ROWS || first >= rows || results >= JUMP - 1) return refuse(head);
  if (maxHops == 0 || maxHops > MAX_HOPS || (amountCount != 0 && amountCount != results + 1)) return refuse(head);
  const counts = take(rows);
  const weights = counts ? take(columns) : 0;
  const targets = weights ? take(columns) : 0;
  const quantities = targets ? amounts(amountCount) : 0;
  if (!quantities || sumOf(counts, rows) != columns) return refuse(head);
  for (let c: u32 = 0; c < columns; ++c) {
    const target = load<u32>(targets + ((<usize>c) << 2));
    if (target & JUMP ? (target ^ JUMP) >= rows : target >= results) return refuse(targets + ((<usize>c) << 2));
  }
  const table = createTable(rows, columns, results);
  if (!table) return PlanStatus.MEMORY;
  for (let row: u32 = 0, c: u32 = 0, written: u32 = 0; row < rows; ++row) {
    const n = load<u32>(counts + ((<usize>row) << 2));
    const own = (<usize>c) << 2;
    if (sumOf(weights + own, n) > u32.MAX_VALUE) return refuse(weights + own);
    written += writeRow(table, row, written, weights + own, targets + own, n);
    c += n;
  }
  buildTable(table);
  made.table = table;
  made.amounts = amountCount ? quantities : 0;
  made.start = first;
  made.maxHops = maxHops;
  return PlanStatus.OK;
}

/** Writes a row and its columns of a weight above 0, the first of them at `first`. Returns their number. */
function writeRow(table: usize, row: u32, first: u32, weights: usize, targets: usize, n: u32): u32 {
  const head = changetype<TableHead>(table);
  let total: u32 = 0;
  let written: u32 = 0;
  for (let c: usize = 0; c < <usize>n; ++c) {
    const weight = load<u32>(weights + (c << 2));
    if (weight == 0) continue;
    total += weight;
    const place = (<usize>(first + written)) << 2;
    store<u32>(head.sums + place, total);
    store<u32>(head.targets + place, load<u32>(targets + (c << 2)));
    ++written;
  }
  const place = changetype<TableRow>(head.rows + <usize>row * offsetof<TableRow>());
  place.first = first;
  place.columns = written;
  place.total = total;
  place.state = RowState.READY;
  return written;
}

/**
 * Rolls on the current stream, and writes codes to the window, u32. A code is the number of a result; the number of
 * results stands for no result. Writes quantities to `out`, i32, unless `out` is 0.
 */
export function rollCodes(own: MadeTable, out: usize, block: u32, offset: u32, count: u32): PlanStatus {
  const status = rollTable(own.table, own.start, own.maxHops, block, offset, count);
  if (status != Status.OK) return PlanStatus.HOPS;
  const wide = changetype<TableHead>(own.table).wide;
  if (out) rollAmounts(own.amounts, wide, out, 0, QUANTITIES_HIGH, block, offset, count);
  if (!wide) widen(count);
  return PlanStatus.OK;
}

/** Turns the first `count` codes of the window, u16, into u32, the last first: a code moves to a higher address. */
function widen(count: u32): void {
  for (let i = <usize>count; i > 0; --i) {
    store<u32>(window + ((i - 1) << 2), load<u16>(window + ((i - 1) << 1)));
  }
}
