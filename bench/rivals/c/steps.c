/*
 * Hex walks with visit counts: one bounded draw a step over a cumulative table per heading. The direction is the number
 * of cumulative weights ≤ r, counted without a branch: a loop that stops early takes twice the time.
 * A call on a torus continues where the last one ended; each call on an unbounded map makes it anew, as a job would.
 * load: rows and columns of the torus (powers of two; 0 0 for an unbounded map of 64² chunks in a hash table), walkers,
 * steps per call, six absolute and six relative weights. check W T: the end cells "row col …" of W walkers after T steps.
 */
#include "rival.h"
#include "tensor.h"

enum { CHUNK_BITS = 6, CHUNK_MASK = 63 };

typedef struct { int32_t row, column; uint32_t heading; } walker;
typedef struct { uint64_t key; uint32_t *visits; } slot;

static uint32_t rows, columns, *visits;
static slot *slots;
static size_t slot_count, chunks;
static walker *walkers;
static size_t walker_count, call_steps;

static inline size_t slot_of(uint64_t key) {
  size_t i = (size_t)((key * 0x9e3779b97f4a7c15u) >> 32) & (slot_count - 1);
  while (slots[i].visits && slots[i].key != key) i = (i + 1) & (slot_count - 1);
  return i;
}

static void grow(void) {
  slot *old = slots;
  const size_t old_count = slot_count;
  slot_count = old_count ? old_count * 2 : 1024;
  slots = need(calloc(slot_count, sizeof *slots));
  for (size_t i = 0; i < old_count; i++) {
    if (old[i].visits) slots[slot_of(old[i].key)] = old[i];
  }
  free(old);
}

static uint32_t *chunk_of(uint64_t key) {
  size_t i = slot_of(key);
  if (slots[i].visits) return slots[i].visits;
  if (++chunks * 2 > slot_count) {
    grow();
    i = slot_of(key);
  }
  slots[i].key = key;
  return slots[i].visits = need(calloc((size_t)1 << (2 * CHUNK_BITS), sizeof(uint32_t)));
}

static inline uint32_t turn(rng *g, uint32_t heading) {
  return direction_of(heading, below(g, cumulative[heading][5]));
}

static void walk_torus(walker *w, size_t steps) {
  rng g = saved;
  uint32_t row = (uint32_t)w->row, column = (uint32_t)w->column, heading = w->heading;
  for (size_t t = 0; t < steps; t++) {
    heading = turn(&g, heading);
    row = (row + (uint32_t)ROW_STEP[heading]) & (rows - 1);
    column = (column + (uint32_t)COLUMN_STEP[heading]) & (columns - 1);
    visits[(size_t)row * columns + column]++;
  }
  *w = (walker){(int32_t)row, (int32_t)column, heading};
  saved = g;
}

static void walk_unbounded(walker *w, size_t steps) {
  rng g = saved;
  int32_t row = w->row, column = w->column;
  uint32_t heading = w->heading, *chunk = NULL;
  uint64_t chunk_key = 0;
  for (size_t t = 0; t < steps; t++) {
    heading = turn(&g, heading);
    row += ROW_STEP[heading];
    column += COLUMN_STEP[heading];
    const uint64_t key = (uint64_t)(uint32_t)(row >> CHUNK_BITS) << 32 | (uint32_t)(column >> CHUNK_BITS);
    if (!chunk || key != chunk_key) {
      chunk = chunk_of(key);
      chunk_key = key;
    }
    chunk[(row & CHUNK_MASK) << CHUNK_BITS | (column & CHUNK_MASK)]++;
  }
  *w = (walker){row, column, heading};
  saved = g;
}

static inline void walk(walker *w, size_t steps) {
  if (rows) walk_torus(w, steps);
  else walk_unbounded(w, steps);
}

static void start_over(void) {
  for (size_t i = 0; i < slot_count; i++) free(slots[i].visits);
  memset(slots, 0, slot_count * sizeof *slots);
  chunks = 0;
  for (size_t w = 0; w < walker_count; w++) walkers[w] = (walker){0, 0, RESTING};
}

static void load(char *text) {
  rows = (uint32_t)number(&text);
  columns = (uint32_t)number(&text);
  walker_count = (size_t)number(&text);
  call_steps = (size_t)number(&text);
  uint32_t absolute[6], relative[6];
  for (int i = 0; i < 6; i++) absolute[i] = (uint32_t)number(&text);
  for (int i = 0; i < 6; i++) relative[i] = (uint32_t)number(&text);
  tensor(absolute, relative);
  if (rows) visits = need(calloc((size_t)rows * columns, sizeof *visits));
  else grow();
  walkers = need(malloc(walker_count * sizeof *walkers));
  for (size_t w = 0; w < walker_count; w++) walkers[w] = (walker){0, 0, RESTING};
}

static size_t run(size_t count, uint64_t *checksum) {
  size_t done = 0;
  while (done < count) {
    if (!rows) start_over();
    for (size_t w = 0; w < walker_count; w++) walk(&walkers[w], call_steps);
    *checksum += (uint64_t)walkers[0].row;
    done += walker_count * call_steps;
  }
  return done;
}

static void check(size_t count, size_t steps) {
  for (size_t i = 0; i < count; i++) {
    walker w = {0, 0, RESTING};
    walk(&w, steps);
    printf("%" PRId32 " %" PRId32 " ", w.row, w.column);
  }
  puts("");
}

int main(void) { return serve(); }
