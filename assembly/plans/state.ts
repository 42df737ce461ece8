// The state of a plan: the stock of its families of pools, and the artifacts of its object makers that were made. All
// other nouns have none. The words of a state:
//
//   │ magic │ CRC-32 of the plan │ each noun │ CRC-32 │
//   a family: │ next draw, low │ high │ quantity of each record, root by root │
//   objects: │ of each artifact: 1 if it was made │ its object, low │ high │ the key of the stream, low │ high │

import { planeOf } from "../core/words";
import { setQuantity } from "../pools/stock";
import { crc32 } from "./crc";
import { planChecksum, recordAt, rootAt } from "./load";
import { MadeObjects, MadePools, MOST_INDICES, madeOf, NounKind, nounCount, PlanStatus } from "./nouns";
import { artifactsOf, Owner } from "./objects";

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

/** Goes through all nouns. Returns the address after the last word, or 0 if a word is not valid. */
function walk(at: usize, step: Step): usize {
  for (let noun: u32 = 0; noun < nounCount(); ++noun) {
    const objects = madeOf(noun, NounKind.OBJECTS);
    if (objects) {
      at = walkOwners(changetype<MadeObjects>(objects), at, step);
      if (!at && step == Step.CHECK) return 0;
    }
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

/** Returns the address after the words of a maker, or 0 if a word is not valid. */
function walkOwners(made: MadeObjects, at: usize, step: Step): usize {
  const count: u32 = made.isShared ? 0 : artifactsOf(made);
  const bytes = <usize>count * offsetof<Owner>();
  if (step == Step.SAVE) memory.copy(at, made.owners, bytes);
  if (step == Step.RESTORE) memory.copy(made.owners, at, bytes);
  for (let i: u32 = 0; i < count && step == Step.CHECK; ++i) {
    const owner = changetype<Owner>(at + <usize>i * offsetof<Owner>());
    if (owner.isMade > 1 || planeOf(owner.low, owner.high) >= MOST_INDICES) return 0;
    if (!owner.isMade && (owner.low | owner.high | owner.key0 | owner.key1) != 0) return 0;
  }
  return at + bytes;
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
