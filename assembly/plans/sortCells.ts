// Sorts cells by priority, then by row, then by column: heap sort. Source: Williams, Algorithm 232 (1964).

/** A cell with a priority. Cells compare as their keys do. */
@unmanaged
export class RankedCell {
  priority: i64;
  key: u64;
}

export const RANKED_BYTES: usize = offsetof<RankedCell>();
const SIGN: u32 = 0x80000000;

export function keyOfCell(row: i32, col: i32): u64 {
  return ((<u64>(<u32>row ^ SIGN)) << 32) | (<u32>col ^ SIGN);
}

export function rowOfKey(key: u64): i32 {
  return <i32>(<u32>(key >>> 32) ^ SIGN);
}

export function colOfKey(key: u64): i32 {
  return <i32>(<u32>key ^ SIGN);
}

export function rankedAt(cells: usize, i: u32): RankedCell {
  return changetype<RankedCell>(cells + <usize>i * RANKED_BYTES);
}

export function sortCells(cells: usize, count: u32): void {
  for (let i = count >>> 1; i > 0; --i) sink(cells, i - 1, count);
  for (let end = count; end > 1; ) {
    --end;
    swap(rankedAt(cells, 0), rankedAt(cells, end));
    sink(cells, 0, end);
  }
}

function sink(cells: usize, i: u32, count: u32): void {
  for (let child: u32 = 2 * i + 1; child < count; child = 2 * i + 1) {
    if (child + 1 < count && isBefore(rankedAt(cells, child), rankedAt(cells, child + 1))) ++child;
    if (!isBefore(rankedAt(cells, i), rankedAt(cells, child))) return;
    swap(rankedAt(cells, i), rankedAt(cells, child));
    i = child;
  }
}

function isBefore(a: RankedCell, b: RankedCell): bool {
  return a.priority < b.priority || (a.priority == b.priority && a.key < b.key);
}

function swap(a: RankedCell, b: RankedCell): void {
  const priority = a.priority;
  const key = a.key;
  a.priority = b.priority;
  a.key = b.key;
  b.priority = priority;
  b.key = key;
}
