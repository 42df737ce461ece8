// The linear memory of one kernel instance:
//
//   0            __heap_base                                       memory.size
//   ├─ static data ─┼─ words ─┼─ output window ─┼─ plans, tiles … ┼─ free ─┤
//                   └── fixed buffers, taken ───┘                 ↑        ↑
//                       by the modules that own them             top     limit
//
// Memory is taken by advancing one pointer, `top`. A failed build sets it back to its mark. Nothing else is ever freed:
// an instance lives as long as its content, the plans of a mill or one layer of a walk.

const PAGE_BYTES: usize = 65536;
const ALIGNMENT: usize = 16;
/** Memory grows by at least this many pages. Engines reserve the addresses in advance, so growing copies nothing. */
const GROWTH_PAGES: usize = 4;
/** Memory grows by at least 1/256 of its size, so that a long build grows it rarely and wastes little. */
const GROWTH_SHIFT: usize = 8;
/** 4 GiB: the most that 32-bit addresses reach. */
const MOST_PAGES: usize = 65536;

let top: usize = (__heap_base + (ALIGNMENT - 1)) & ~(ALIGNMENT - 1);
/** No byte at or above `dirty` has been written: fresh pages are zero. */
let dirty: usize = top;
let limitPages: usize = MOST_PAGES;

/** Sets the most memory of this instance, static data included. A limit below the present size stops further growth. */
export function limitMemory(pages: u32): void {
  limitPages = pages;
}

/** Takes `bytes`, 16-byte aligned, with undefined content. Returns 0 if the limit or the engine refuses. */
export function allocate(bytes: usize): usize {
  const at = top;
  const padded = (bytes + (ALIGNMENT - 1)) & ~(ALIGNMENT - 1);
  if (padded < bytes || at + padded < at) return 0;
  if (!reach(at + padded)) return 0;
  top = at + padded;
  if (top > dirty) dirty = top;
  return at;
}

/** Takes `bytes` of zeros. Does not touch pages that have never been used. Returns 0 as {@link allocate}. */
export function allocateZeroed(bytes: usize): usize {
  const used = dirty;
  const at = allocate(bytes);
  if (at && at < used) memory.fill(at, 0, min(bytes, used - at));
  return at;
}

/** The current top, for {@link release}. */
export function mark(): usize {
  return top;
}

/** Frees everything taken since `mark` returned `to`. */
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
