// The linear memory of one kernel instance:
//
//   0            __heap_base                                       memory.size
//   ├─ static data ─┼─ words ─┼─ output window ─┼─ plans, tiles … ┼─ free ─┤
//                   └── fixed buffers, which ───┘                 ↑        ↑
//                       their modules allocate                   top     limit
//
// Allocating advances one pointer, `top`. Memory is freed only by moving `top` back: after a failed build, after
// temporary work, and when maps or sums are cleared. Most of the memory is never freed: an instance needs the plans of
// a mill, or the tensor and the walkers of a layer, to the end.

const PAGE_BYTES: usize = 65536;
const ALIGNMENT: usize = 16;
/**
 * If a memory of at most this many pages (16 MiB) must grow, its size doubles. Growths must be rare: after each growth,
 * an engine may count the whole memory anew, and collect garbage.
 */
const DOUBLED_PAGES: usize = 256;
/**
 * A memory of more than DOUBLED_PAGES grows by 1/8 of its size, or by more if an allocation needs more. It does not
 * double, because a program with a limit on its memory must count what a kernel reserves, even if it stays unused.
 */
const GROWTH_SHIFT: usize = 3;
/** 4 GiB in pages: the address range of 32 bits. */
const MOST_PAGES: usize = 65536;

let top: usize = (__heap_base + (ALIGNMENT - 1)) & ~(ALIGNMENT - 1);
/** No byte from this address on was ever written. So all of these bytes are still zero. */
let dirty: usize = top;
let limitPages: usize = MOST_PAGES;

/**
 * Sets the maximum memory of this instance, in pages, including static data. A limit below the present size does not
 * shrink the memory, but stops its growth.
 */
export function limitMemory(pages: u32): void {
  limitPages = pages;
}

/**
 * Grows the memory to this many pages, but not above the limit. Called before many allocations, because one growth
 * takes less time than many. Does nothing if V8 refuses.
 */
export function reserveMemory(pages: u32): void {
  const more = min(pages, <u32>limitPages) - <u32>memory.size();
  if (<i32>more > 0) memory.grow(<i32>more);
}

/** Size of the last refused allocation, in bytes. */
let refused: u64 = 0;

/** Returns the low 32 bits of the size of the last refused allocation, in bytes. */
export function failedBytes(): u32 {
  return <u32>refused;
}

/** Returns the high 32 bits of the size of the last refused allocation, in bytes. */
export function failedBytesHigh(): u32 {
  return <u32>(refused >>> 32);
}

/** Records the size of a refused allocation, and returns 0. */
export function refuse(bytes: u64): usize {
  refused = bytes;
  return 0;
}

/** Allocates `bytes`, 16-byte aligned, with undefined content. Returns 0 if the limit or the engine refuses. */
export function allocate(bytes: usize): usize {
  const at = top;
  const size = padded(bytes);
  if (size < bytes || at + size < at || !reach(at + size)) {
    return refuse(bytes);
  }
  top = at + size;
  if (top > dirty) dirty = top;
  return at;
}

/**
 * Allocates `bytes` of zeros. Memory that was never used is zero already, so no zeros are written there. Returns 0 if
 * the limit or the engine refuses.
 */
export function allocateZeroed(bytes: usize): usize {
  const used = dirty;
  const at = allocate(bytes);
  if (at && at < used) memory.fill(at, 0, min(bytes, used - at));
  return at;
}

/** Returns the number of bytes that `allocate` takes for `bytes` bytes. */
export function padded(bytes: usize): usize {
  return (bytes + (ALIGNMENT - 1)) & ~(ALIGNMENT - 1);
}

/** Returns the current top, to pass to {@link release}. */
export function mark(): usize {
  return top;
}

/** Frees everything allocated since `mark` returned `to`. */
export function release(to: usize): void {
  top = to;
}

function reach(end: usize): bool {
  const pages = <usize>memory.size();
  // this form rounds up without overflow; `end` is never 0
  const needed = (end - 1) / PAGE_BYTES + 1;
  if (needed <= pages) return true;
  if (needed > limitPages) return false;
  const growth = pages <= DOUBLED_PAGES ? pages : pages >> GROWTH_SHIFT;
  const generous = min(limitPages, max(needed, pages + growth));
  return memory.grow(<i32>(generous - pages)) >= 0 || memory.grow(<i32>(needed - pages)) >= 0;
}
