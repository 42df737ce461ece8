/*
 * Draws without replacement from a binary sum tree, as in every textbook: an implicit tree in an array, root at 1, children of
 * node i at 2i and 2i + 1, leaf i holding mass × quantity of record i. A draw descends by comparing with the left subtotal
 * and subtracts the mass on its way back up; an exhausted pool is built anew.
 * load: records, quantity, then the masses > 0. check N 0: how often each record was drawn in N draws from the full pool,
 * each put back. check N M: the same for M whole pools, drawn until they are empty.
 *
 * -DBRANCH_FREE compiles the rewrite that descends without a branch, which would be mispredicted half of the time.
 */
#include "rival.h"

static uint32_t n, leaves, quantity, *mass, *tree, *out;

static void refresh(void) {
  for (uint32_t i = 0; i < n; i++) tree[leaves + i] = mass[i] * quantity;
  for (uint32_t i = leaves - 1; i > 0; i--) tree[i] = tree[2 * i] + tree[2 * i + 1];
}

static void load(char *text) {
  n = (uint32_t)number(&text);
  quantity = (uint32_t)number(&text);
  for (leaves = 1; leaves < n;) leaves *= 2;
  mass = need(malloc(n * sizeof *mass));
  tree = need(calloc(2 * leaves, sizeof *tree));
  out = need(malloc(BUFFER * sizeof *out));
  for (uint32_t i = 0; i < n; i++) mass[i] = (uint32_t)number(&text);
  refresh();
}

static inline uint32_t draw(rng *g) {
  if (!tree[1]) refresh();
  uint32_t r = below(g, tree[1]), node = 1;
  while (node < leaves) {
    node *= 2;
    const uint32_t left = tree[node];
#ifdef BRANCH_FREE
    const uint32_t right = r >= left;
    r -= left & -right;
    node += right;
#else
    if (r >= left) {
      r -= left;
      node++;
    }
#endif
  }
  const uint32_t record = node - leaves, taken = mass[record];
  for (; node; node /= 2) tree[node] -= taken;
  return record;
}

static void put_back(uint32_t record) {
  for (uint32_t node = leaves + record; node; node /= 2) tree[node] += mass[record];
}

static void fill(size_t count) {
  rng g = saved;
  for (size_t k = 0; k < count; k++) out[k] = draw(&g);
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

static void check(size_t count, size_t whole) {
  uint32_t *seen = need(calloc(n, sizeof *seen));
  const size_t draws = whole ? whole * n * quantity : count;
  refresh();
  for (size_t k = 0; k < draws; k++) {
    const uint32_t record = draw(&saved);
    seen[record]++;
    if (!whole) put_back(record);
  }
  for (uint32_t i = 0; i < n; i++) printf("%" PRIu32 " ", seen[i]);
  puts("");
  free(seen);
}

int main(void) { return serve(); }
