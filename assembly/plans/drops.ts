// Drops of a plan file. A result has a code for each result of `always`, and then for each roll of the table, up to the
// greatest number of rolls. So all results have the same width. The code of a roll that was not made is that of a roll
// without a result.

import { rollAmounts } from "../core/amounts";
import { window } from "../core/buffers";
import { AmountRecord } from "../core/layout";
import { allocate } from "../core/memory";
import { SPAN_BLOCKS, SPAN_WORDS, useStream } from "../core/words";
import { TableHead } from "../tables/layout";
import { forkInteger } from "./keys";
import { MadeTable, Noun, PlanStatus } from "./nouns";
import { amounts, at, has, mostOf, refuse, word } from "./reader";
import { quantities, rows } from "./results";
import { readTable, rollCodes } from "./tables";

const MAX_ALWAYS: u32 = 1000;
const MAX_ROLLS: i64 = 1000;
/** The planes of the dice, high halves: of the number of rolls, and of the quantities of `always`. */
const ROLLS_HIGH: u32 = 2;
const ALWAYS_HIGH: u32 = 4;
/** log2 of the number of planes for each entry of `always`. */
const PLANES_SHIFT: u32 = 20;

/** `rolls` and `amounts` are addresses of AmountRecords: of the number of rolls, and of each entry of `always`. */
@unmanaged
export class MadeDrops extends MadeTable {
  always: u32;
  rolls: usize;
  fixed: usize;
}

/** │ number of entries of `always` │ the amount of rolls │ an amount for each entry │ a table │ */
export function buildDrops(noun: Noun): PlanStatus {
  const head = at;
  if (!has(1)) return refuse(at);
  const always = word();
  const rolls = amounts(1);
  const fixed = rolls && always <= MAX_ALWAYS ? amounts(always) : 0;
  if (!fixed) return refuse(head);
  const most = mostOf(changetype<AmountRecord>(rolls));
  if (changetype<AmountRecord>(rolls).least < 0 || most > MAX_ROLLS || always + most == 0) return refuse(head);
  noun.made = allocate(offsetof<MadeDrops>());
  if (!noun.made) return PlanStatus.MEMORY;
  const drops = changetype<MadeDrops>(noun.made);
  drops.always = always;
  drops.rolls = rolls;
  drops.fixed = fixed;
  noun.width = always + <u32>most;
  noun.out = rows;
  const status = readTable(drops);
  noun.hasQuantities = u32(drops.amounts != 0);
  return status;
}

/** A number for each drop of a span: of its rolls, and a quantity. */
const rollCounts = memory.data(4 * SPAN_WORDS, 16);
const column = memory.data(4 * SPAN_WORDS, 16);

export function makeDrops(
  drops: MadeDrops,
  width: u32,
  key: u64,
  block: u32,
  offset: u32,
  count: u32,
  withQuantities: u32,
): PlanStatus {
  const none = changetype<TableHead>(drops.table).none;
  for (let done: u32 = 0; done < count; ) {
    const n = min(SPAN_WORDS - offset, count - done);
    useStream(<u32>key, <u32>(key >>> 32));
    rollFor(drops.rolls, rollCounts, 0, ROLLS_HIGH, block, offset, n);
    for (let i: u32 = 0; i < drops.always; ++i) {
      const amount = drops.fixed + <usize>i * offsetof<AmountRecord>();
      if (withQuantities) rollFor(amount, column, i << PLANES_SHIFT, ALWAYS_HIGH, block, offset, n);
      for (let k: u32 = 0; k < n; ++k) put((done + k) * width + i, i, k);
    }
    let most: u32 = 0;
    for (let k: u32 = 0; k < n; ++k) most = max(most, rollsOf(k));
    for (let roll: u32 = 0; roll < width - drops.always; ++roll) {
      if (roll < most) {
        const stream = forkInteger(key, roll);
        useStream(<u32>stream, <u32>(stream >>> 32));
        const status = rollCodes(drops, withQuantities ? column : 0, block, offset, n);
        if (status) return status;
      }
      for (let k: u32 = 0; k < n; ++k) {
        const made = roll < rollsOf(k);
        if (!made) store<i32>(column + ((<usize>k) << 2), 0);
        const code = made ? load<u32>(window + ((<usize>k) << 2)) : none;
        put((done + k) * width + drops.always + roll, drops.always + code, k);
      }
    }
    done += n;
    offset = 0;
    block += SPAN_BLOCKS;
  }
  return PlanStatus.OK;
}

/** Rolls one amount for each drop of a span, and writes the numbers to `out`. */
function rollFor(amount: usize, out: usize, planeLow: u32, planeHigh: u32, block: u32, offset: u32, n: u32): void {
  memory.fill(window, 0, (<usize>n) << 2);
  rollAmounts(amount, 1, out, planeLow, planeHigh, block, offset, n);
}

function rollsOf(k: u32): u32 {
  return load<u32>(rollCounts + ((<usize>k) << 2));
}

/** Writes a code, and the number of drop k in `column` as its quantity. */
function put(place: u32, code: u32, k: u32): void {
  store<u32>(rows + ((<usize>place) << 2), code);
  store<u32>(quantities + ((<usize>place) << 2), load<u32>(column + ((<usize>k) << 2)));
}
