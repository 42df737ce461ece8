// The state of a plan: the stock of its families of pools. All other nouns have none. The words of a state:
//
//   │ magic │ CRC-32 of the plan │ of each family: next draw, low │ high │ quantity of each record, root by root │ CRC-32 │

import { setQuantity } from "../pools/stock";
import { crc32 } from "./crc";
import { planChecksum, recordAt, rootAt } from "./load";
import { MadePools, MOST_INDICES, madeOf, NounKind, nounCount, PlanStatus } from "./nouns";

/** The bytes "RMST". */
const MAGIC: u32 = 0x54534d52;
const HEAD_BYTES: u32 = 8;
const CRC_BYTES: u32 = 4;

const enum Step {
  COUNT,
  SAVE,
  CHECK,
  RESTORE,
}

/** Returns the size of a state in bytes. */
export function stateBytes(): u32 {
  return HEAD_BYTES + <u32>walk(0, Step.COUNT) + CRC_BYTES;
}

/** Writes the state, `stateBytes()` long, to an address that is a multiple of 4. */
export function saveState(state: usize): void {
  store<u32>(state, MAGIC);
  store<u32>(state + 4, planChecksum());
  const end = walk(state + HEAD_BYTES, Step.SAVE);
  store<u32>(end, crc32(state, <u32>(end - state)));
}

/** Restores a state. A state that is refused changes nothing. */
export function loadState(state: usize, bytes: u32): PlanStatus {
  if (bytes < HEAD_BYTES + CRC_BYTES) return PlanStatus.STATE;
  const end = state + bytes - CRC_BYTES;
  if (load<u32>(state) != MAGIC || load<u32>(end) != crc32(state, <u32>(end - state))) return PlanStatus.STATE;
  if (load<u32>(state + 4) != planChecksum()) return PlanStatus.OTHER_PLAN;
  if (bytes != stateBytes() || !walk(state + HEAD_BYTES, Step.CHECK)) return PlanStatus.STATE;
  walk(state + HEAD_BYTES, Step.RESTORE);
  return PlanStatus.OK;
}

/** Goes through all families. Returns the address after the last word, or 0 if a word is not valid. */
function walk(at: usize, step: Step): usize {
  for (let noun: u32 = 0; noun < nounCount(); ++noun) {
    const made = madeOf(noun, NounKind.POOLS);
    if (!made) continue;
    const family = changetype<MadePools>(made);
    if (step == Step.SAVE) store<u64>(at, family.next);
    if (step == Step.CHECK && load<u64>(at) > MOST_INDICES) return 0;
    if (step == Step.RESTORE) family.next = load<u64>(at);
    at += 8;
    for (let r: u32 = 0; r < family.rootCount; ++r) {
      const records = rootAt(family, r).recordCount;
      const root = rootAt(family, r).root;
      if (!root) continue;
      if (step != Step.COUNT && !stock(root, records, at, step)) return 0;
      at += (<usize>records) << 2;
    }
  }
  return at;
}

function stock(root: usize, records: u32, at: usize, step: Step): bool {
  for (let i: u32 = 0; i < records; ++i, at += 4) {
    const record = recordAt(root, i);
    if (step == Step.SAVE) store<u32>(at, record.quantity);
    else if (step == Step.RESTORE) setQuantity(root, i, load<u32>(at));
    // totals fit in 32 bits as long as no quantity exceeds its initial value
    else if (load<u32>(at) > record.initial) return false;
  }
  return true;
}
