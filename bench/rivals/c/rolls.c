/*
 * Table rolls: each row searched linearly through its cumulative weights, jumps followed until a result.
 * load: start row, rows, results, then for each row its columns and that many (weight, target) pairs; a target ≥ 0 is a
 * row, −1−i is result i. check N: how often each result occurred in N rolls, then rolls without a result.
 *
 * -DBRANCH_FREE compiles the rewrite that counts the cumulative weights ≤ r over a padded row, which gcc turns into SIMD.
 */
#include "rival.h"

enum { COLUMNS = 10, HOP_LIMIT = 10000 };
static const uint32_t DEAD = UINT32_MAX;

typedef struct {
  uint32_t columns, total;
  uint32_t cumulative[COLUMNS];
  int32_t target[COLUMNS];
} row;

static row *table;
static uint32_t start, results, *out;

static void load(char *text) {
  start = (uint32_t)number(&text);
  const size_t rows = (size_t)number(&text);
  results = (uint32_t)number(&text);
  table = need(calloc(rows, sizeof *table));
  out = need(malloc(BUFFER * sizeof *out));
  for (row *at = table; at < table + rows; at++) {
    at->columns = (uint32_t)number(&text);
    if (at->columns > COLUMNS) { fputs("too many columns\n", stderr); exit(1); }
    for (int c = 0; c < COLUMNS; c++) at->cumulative[c] = UINT32_MAX;
    for (uint32_t c = 0; c < at->columns; c++) {
      at->cumulative[c] = at->total += (uint32_t)number(&text);
      at->target[c] = (int32_t)number(&text);
    }
  }
}

static inline uint32_t roll(rng *g) {
  const row *at = table + start;
  for (int hop = 0; hop < HOP_LIMIT; hop++) {
    if (!at->total) return DEAD;
    const uint32_t r = below(g, at->total);
    uint32_t c = 0;
#ifdef BRANCH_FREE
    for (int i = 0; i < COLUMNS; i++) c += at->cumulative[i] <= r;
#else
    while (at->cumulative[c] <= r) c++;
#endif
    if (at->target[c] < 0) return (uint32_t)(-1 - at->target[c]);
    at = table + at->target[c];
  }
  return DEAD;
}

static void fill(size_t count) {
  rng g = saved;
  for (size_t k = 0; k < count; k++) out[k] = roll(&g);
  saved = g;
}

static size_t run(size_t count, uint64_t *checksum) {
  size_t done = 0;
  while (done < count) {
    fill(BUFFER);
    *checksum += out[done % BUFFER];
    done += BUFFER;
  }
  return done;
}

static void check(size_t count, size_t unused) {
  (void)unused;
  uint32_t *seen = need(calloc(results + 1, sizeof *seen));
  for (size_t done = 0; done < count; done += BUFFER) {
    const size_t part = count - done < BUFFER ? count - done : BUFFER;
    fill(part);
    for (size_t k = 0; k < part; k++) seen[out[k] == DEAD ? results : out[k]]++;
  }
  for (uint32_t i = 0; i <= results; i++) printf("%" PRIu32 " ", seen[i]);
  puts("");
  free(seen);
}

int main(void) { return serve(); }
