/*
 * Additions of which each needs the result of the one before, or four such chains beside each other. A processor takes
 * about the same time for four chains as for one, unless someone else uses the other half of its core.
 *
 * load CHAINS: 1 or 4.
 */
#include "rival.h"

static int64_t chains;

static void load(char *text) { chains = number(&text); }

/* The compiler must neither leave out an addition nor merge two of them. */
#define ADD(sum) __asm__ volatile("" : "+r"(sum)); sum += 1;
#define FOUR(a, b, c, d) ADD(a) ADD(b) ADD(c) ADD(d)
#define SIXTEEN(a, b, c, d) FOUR(a, b, c, d) FOUR(a, b, c, d) FOUR(a, b, c, d) FOUR(a, b, c, d)

static size_t run(size_t n, uint64_t *checksum) {
  uint64_t a = 0, b = 0, c = 0, d = 0;
  if (chains == 1) for (size_t i = 0; i < n; i += 16) { SIXTEEN(a, a, a, a) }
  else for (size_t i = 0; i < n; i += 16) { SIXTEEN(a, b, c, d) }
  *checksum += a + b + c + d;
  return n;
}

static void check(size_t n, size_t m) { (void)n; (void)m; }

int main(void) { return serve(); }
