/*
 * Weighted picks by Vose's alias method, as in every textbook: one 64-bit word gives the column (its high half, by
 * multiply-shift) and the coin (its low half). load: n, then n weights > 0. check N: how often each entry was picked in N picks.
 *
 * -DBRANCH_FREE compiles the rewrite that kernel authors use: column and alias in one load, and a choice without
 * a branch. gcc compiles the textbook form to a branch, which is mispredicted half of the time.
 */
#include "rival.h"

typedef struct { uint32_t threshold, alias; } column;

static uint32_t n, *threshold, *alias, *out;
static column *columns;

/* Vose, "A linear algorithm for generating random numbers with a given distribution" (1991). */
static void build(double *p) {
  uint32_t *small = need(malloc(n * sizeof *small)), *large = need(malloc(n * sizeof *large));
  uint32_t smalls = 0, larges = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (p[i] < 1) small[smalls++] = i;
    else large[larges++] = i;
  }
  while (smalls && larges) {
    const uint32_t l = small[--smalls], g = large[--larges];
    threshold[l] = (uint32_t)(p[l] * 4294967296.0);
    alias[l] = g;
    p[g] = (p[g] + p[l]) - 1;
    if (p[g] < 1) small[smalls++] = g;
    else large[larges++] = g;
  }
  while (smalls + larges) {
    const uint32_t i = larges ? large[--larges] : small[--smalls];
    threshold[i] = UINT32_MAX;
    alias[i] = i;
  }
  free(small);
  free(large);
}

static void load(char *text) {
  n = (uint32_t)number(&text);
  threshold = need(malloc(n * sizeof *threshold));
  alias = need(malloc(n * sizeof *alias));
  out = need(malloc(BUFFER * sizeof *out));
  double *p = need(malloc(n * sizeof *p)), total = 0;
  for (uint32_t i = 0; i < n; i++) total += p[i] = (double)number(&text);
  for (uint32_t i = 0; i < n; i++) p[i] *= n / total;
  build(p);
  free(p);
  columns = need(malloc(n * sizeof *columns));
  for (uint32_t i = 0; i < n; i++) columns[i] = (column){threshold[i], alias[i]};
}

static void fill(size_t count) {
  rng g = saved;
  for (size_t k = 0; k < count; k++) {
    const uint64_t word = next(&g);
    const uint32_t i = (uint32_t)(((word >> 32) * n) >> 32);
    const uint32_t r = (uint32_t)word;
#ifdef BRANCH_FREE
    const column at = columns[i];
    out[k] = at.alias ^ ((i ^ at.alias) & -(uint32_t)(r < at.threshold));
#else
    out[k] = r < threshold[i] ? i : alias[i];
#endif
  }
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
  uint32_t *seen = need(calloc(n, sizeof *seen));
  for (size_t done = 0; done < count; done += BUFFER) {
    const size_t part = count - done < BUFFER ? count - done : BUFFER;
    fill(part);
    for (size_t k = 0; k < part; k++) seen[out[k]]++;
  }
  for (uint32_t i = 0; i < n; i++) printf("%" PRIu32 " ", seen[i]);
  puts("");
  free(seen);
}

int main(void) { return serve(); }
