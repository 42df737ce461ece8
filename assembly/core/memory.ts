// The linear memory of one kernel instance:
//
//   0            __heap_base                                       memory.size
//   ├─ static data ─┼─ words ─┼─ output window ─┼─ plans, tiles … ┼─ free ─┤
//                   └── fixed buffers, carved ──┘                 ↑        ↑
//                       by the modules that own them             top     limit
//
// One bump pointer, `top`, never below what a live plan uses. A failed build goes back to its mark; nothing else is
// ever freed, for an instance lives no longer than what it holds: a mill's plans, or one layer of a walk.

const PAGE_BYTES: usize = 65536;
const ALIGNMENT: usize = 16;
/**
 * Memory grows by 1/256, and by no less than this many pages: what is in use stays in proportion to what was asked for.
 * The engine has reserved the addresses, so growing moves nothing.
 */
const GROWTH_PAGES: usize = 4;
const GROWTH_SHIFT: usize = 8;

let top: usize = (__heap_base + (ALIGNMENT - 1)) & ~(ALIGNMENT - 1);
/** No byte at or above `dirty` was ever written: fresh pages are zero. */
let dirty: usize = top;
let limitPages: usize = 65536;

/** Bounds the memory of this instance, static data included; a limit below what is in use stops further growth. */
export function limitMemory(pages: u32): void {
  limitPages = pages;
}

/** Takes `bytes`, 16-byte aligned and with any content; 0 where the limit or the engine refuses. */
export function allocate(bytes: usize): usize {
  const at = top;
  const padded = (bytes + (ALIGNMENT - 1)) & ~(ALIGNMENT - 1);
  if (padded < bytes || at + padded < at) return 0;
  if (!reach(at + padded)) return 0;
  top = at + padded;
  if (top > dirty) dirty = top;
  return at;
}

/** Takes `bytes` of zeros; pages that were never used are not touched. 0 on refusal. */
export function allocateZeroed(bytes: usize): usize {
  const used = dirty;
  const at = allocate(bytes);
  if (at && at < used) memory.fill(at, 0, min(bytes, used - at));
  return at;
}

/** The current top: what `release` goes back to. */
export function mark(): usize {
  return top;
}

/** Frees all that was taken since `to` was marked. */
export function release(to: usize): void {
  top = to;
}

function reach(end: usize): bool {
  const pages = <usize>memory.size();
  // (end is never 0, and rounding it up could wrap)
  const needed = (end - 1) / PAGE_BYTES + 1;
  if (needed <= pages) return true;
  if (needed > limitPages) return false;
  const generous = min(limitPages, max(needed, pages + max(GROWTH_PAGES, pages >> GROWTH_SHIFT)));
  return memory.grow(<i32>(generous - pages)) >= 0 || memory.grow(<i32>(needed - pages)) >= 0;
}
