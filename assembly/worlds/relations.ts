// Relations of a kind of placement to placements that stand already. A search in a sorted list jumps over rows without
// cells, so its cost grows with the number of rows that have cells, and not with the distance.

import { PlacedCell, PlacementKind, PlacementRelation } from "./layout";

const PLACED_BYTES: usize = offsetof<PlacedCell>();

/** Returns true if the cell meets all relations of a kind. */
export function meetsRelations(kind: PlacementKind, row: i32, col: i32, oddR: u32): bool {
  const end = kind.relations + <usize>kind.relationCount * offsetof<PlacementRelation>();
  for (let at = kind.relations; at < end; at += offsetof<PlacementRelation>()) {
    const relation = changetype<PlacementRelation>(at);
    if (hasNear(relation, row, col, oddR) != <bool>relation.isNear) return false;
  }
  return true;
}

/** Returns true if one of the cells of a relation is within its distance of (row, col). */
function hasNear(relation: PlacementRelation, row: i32, col: i32, oddR: u32): bool {
  const distance = <i64>relation.distance;
  const last = <i64>row + distance;
  let k: u32 = 0;
  // 64 bits, because these rows and columns can be outside the 32-bit range
  for (let r = <i64>row - distance; r <= last; ) {
    // within the distance, axial columns differ by at most `distance`, and so do the sums row + axial column
    const down = r - <i64>row;
    const middle = oddR ? <i64>col + (r >> 1) - <i64>(row >> 1) : <i64>col;
    k = firstFrom(relation, k, r, middle + max(-distance, -distance - down));
    if (k == relation.count) return false;
    const cell = cellAt(relation, k);
    if (<i64>cell.row == r && <i64>cell.col <= middle + min(distance, distance - down)) return true;
    r = max(r + 1, <i64>cell.row);
  }
  return false;
}

/** Returns the index of the first cell that is not before (row, col), and not before index `from`. */
function firstFrom(relation: PlacementRelation, from: u32, row: i64, col: i64): u32 {
  let low = from;
  let high = relation.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const cell = cellAt(relation, middle);
    if (<i64>cell.row < row || (<i64>cell.row == row && <i64>cell.col < col)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cellAt(relation: PlacementRelation, k: u32): PlacedCell {
  return changetype<PlacedCell>(relation.cells + <usize>k * PLACED_BYTES);
}
