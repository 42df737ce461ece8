/*
 * What a loop of the kernel cannot do without, if all its random choices were known before: the loads, the stores, and the
 * sums between them. -DSTEPS, -DPICKS and -DDRAWS choose the loop.
 *
 * load (steps) SIDE: a walker counts its visits on a map of SIDE × SIDE cells. A list has its directions, and leaves out
 *   those that would leave the map, so that no step needs a wrap.
 * load (picks) BITS: each word chooses one of 2^BITS columns with its top bits. A column is one u32, which is copied.
 * load (draws) QUANTITY, and eight masses: the chain from the total before a draw to the total after it. This is a product,
 *   a compare with the prefix sums, the sum of the mass drawn, and two differences. The words are there, nobody counts
 *   the quantities, and an empty pool gets its sums back.
 */
#include <stddef.h>
#include "rival.h"

enum { KNOWN = 262144 };

#if defined STEPS

static const int32_t ROWS[6] = {-1, -1, 0, 1, 1, 0}, COLUMNS[6] = {0, 1, 1, 0, -1, -1};

static uint32_t side, *visits, *start;
static uint8_t *directions;
static ptrdiff_t moves[6];

static void load(char *text) {
  side = (uint32_t)number(&text);
  visits = need(calloc((size_t)side * side, sizeof *visits));
  start = visits + (size_t)(side / 2) * side + side / 2;
  directions = need(malloc(KNOWN));
  for (int d = 0; d < 6; d++) moves[d] = (ptrdiff_t)ROWS[d] * side + COLUMNS[d];
  for (uint32_t t = 0, row = side / 2, column = side / 2; t < KNOWN;) {
    const uint32_t d = below(&saved, 6);
    const uint32_t to_row = row + (uint32_t)ROWS[d], to_column = column + (uint32_t)COLUMNS[d];
    if (to_row >= side || to_column >= side) continue;
    directions[t++] = (uint8_t)d;
    row = to_row;
    column = to_column;
  }
}

/* As in the kernel, a count of which all bits are 1 ends the loop. */
static uint64_t loop(void) {
  uint32_t *at = start;
  for (size_t t = 0; t < KNOWN; t++) {
    at += moves[directions[t]];
    const uint32_t count = *at;
    if (count == UINT32_MAX) break;
    *at = count + 1;
  }
  return (uint64_t)(at - visits);
}

#elif defined PICKS

enum { SPAN = 2048 };

static uint32_t bits, *columns, *words, *out;

static void load(char *text) {
  bits = (uint32_t)number(&text);
  columns = need(malloc(sizeof *columns << bits));
  words = need(malloc(SPAN * sizeof *words));
  out = need(malloc(KNOWN * sizeof *out));
  for (size_t i = 0; i < (size_t)1 << bits; i++) columns[i] = (uint32_t)next(&saved);
  for (size_t i = 0; i < SPAN; i++) words[i] = (uint32_t)next(&saved);
}

static uint64_t loop(void) {
  const uint32_t shift = 32 - bits;
  for (size_t span = 0; span < KNOWN; span += SPAN) {
    for (size_t k = 0; k < SPAN; k++) out[span + k] = columns[words[k] >> shift];
  }
  return out[KNOWN - 1];
}

#elif defined DRAWS

#include <smmintrin.h>

enum { ENTRIES = 8 };

static uint32_t words[KNOWN];
static __m128i sums[2], falls[2], full;

static void load(char *text) {
  const uint32_t quantity = (uint32_t)number(&text);
  uint32_t mass[ENTRIES + 1] = {0}, sum[ENTRIES], fall[ENTRIES];
  for (int i = 0; i < ENTRIES; i++) mass[i] = (uint32_t)number(&text);
  for (int i = 0; i < ENTRIES; i++) {
    sum[i] = (i ? sum[i - 1] : 0) + mass[i] * quantity;
    fall[i] = mass[i] - mass[i + 1];
  }
  memcpy(sums, sum, sizeof sum);
  memcpy(falls, fall, sizeof fall);
  full = _mm_set1_epi32((int)sum[ENTRIES - 1]);
  for (size_t t = 0; t < KNOWN; t++) words[t] = (uint32_t)next(&saved);
}

/* Sums below 2^31 need no unsigned compare. */
static uint64_t loop(void) {
  __m128i a = sums[0], b = sums[1], total = full;
  for (size_t t = 0; t < KNOWN; t++) {
    const __m128i product = _mm_mul_epu32(_mm_set1_epi32((int)words[t]), total);
    const __m128i x = _mm_shuffle_epi32(product, 0xf5);
    const __m128i from_a = _mm_cmpgt_epi32(a, x), from_b = _mm_cmpgt_epi32(b, x);
    __m128i taken = _mm_add_epi32(_mm_and_si128(falls[0], from_a), _mm_and_si128(falls[1], from_b));
    taken = _mm_add_epi32(taken, _mm_shuffle_epi32(taken, 0x4e));
    taken = _mm_add_epi32(taken, _mm_shuffle_epi32(taken, 0xb1));
    a = _mm_sub_epi32(a, _mm_and_si128(taken, from_a));
    b = _mm_sub_epi32(b, _mm_and_si128(taken, from_b));
    total = _mm_sub_epi32(total, taken);
    if (_mm_testz_si128(total, total)) a = sums[0], b = sums[1], total = full;
  }
  return (uint64_t)_mm_cvtsi128_si32(total);
}

#endif

static size_t run(size_t wanted, uint64_t *checksum) {
  size_t done = 0;
  for (; done < wanted; done += KNOWN) *checksum += loop();
  return done;
}

static void check(size_t unused, size_t unused_too) { (void)unused, (void)unused_too, puts("0"); }

int main(void) { return serve(); }
