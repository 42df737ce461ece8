/*
 * The noise of docs/determinism.md, in integers of 64 bits. A line "k0 k1 S row q" of the input asks for one octave: for
 * the stream of the octave and its side S, the program prints the sum of n over the four points of the cell.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

typedef struct { uint32_t w[4]; } words;

static words philox(uint32_t k0, uint32_t k1, words c) {
  for (int round = 0; round < 10; round++, k0 += 0x9e3779b9, k1 += 0xbb67ae85) {
    const uint64_t p = (uint64_t)0xd2511f53 * c.w[0], q = (uint64_t)0xcd9e8d57 * c.w[2];
    c = (words){{(uint32_t)(q >> 32) ^ c.w[1] ^ k0, (uint32_t)q, (uint32_t)(p >> 32) ^ c.w[3] ^ k1, (uint32_t)p}};
  }
  return c;
}

static uint32_t rotl(uint32_t x, int n) { return x << n | x >> (32 - n); }

static uint32_t word_of(uint32_t k0, uint32_t k1, uint32_t plane, uint64_t index) {
  const uint32_t o = index % 1024;
  words state = philox(k0, k1, (words){{o % 4, (uint32_t)(index / 1024), plane, 0}});
  uint32_t *s = state.w, out = 0;
  if ((s[0] | s[1] | s[2] | s[3]) == 0) s[0] = 1, s[1] = 2, s[2] = 3, s[3] = 4;
  for (uint32_t i = 0; i <= o / 4; i++) {
    const uint32_t t = s[1] << 9;
    out = rotl(s[0] + s[3], 7) + s[0];
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t, s[3] = rotl(s[3], 11);
  }
  return out;
}

static int64_t floored(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* below(12) at the address of a cell; 2^32 mod 12 is 4 */
static uint32_t gradient_of(uint32_t k0, uint32_t k1, int64_t row, int64_t col) {
  const int64_t band = floored(row, 16), block = floored(col, 64);
  const uint64_t index = 1024 * (block + (1 << 25)) + 64 * (row - 16 * band) + (col - 64 * block);
  const uint64_t product = (uint64_t)word_of(k0, k1, (uint32_t)band, index) * 12;
  if ((uint32_t)product <= UINT32_MAX - 11) return product >> 32;
  for (uint32_t i = 0;; i++) {
    const uint32_t c0 = 4 + i / 4 + 65536 * (uint32_t)(index >> 32);
    const uint64_t x = (uint64_t)philox(k0, k1, (words){{c0, (uint32_t)index, (uint32_t)band, 0}}).w[i % 4] * 12;
    if ((uint32_t)x >= 4) return (product + (x >> 32)) >> 32;
  }
}

static const int64_t steps[12][2] = {{-7, 0}, {-7, 7}, {0, 7},  {7, 0},  {7, -7}, {0, -7},
                                     {-8, 4}, {-4, 8}, {4, 4}, {8, -4}, {4, -8}, {-4, -4}};

int main(void) {
  uint32_t k0, k1;
  int64_t S, row, q;
  while (scanf("%" SCNu32 " %" SCNu32 " %" SCNd64 " %" SCNd64 " %" SCNd64, &k0, &k1, &S, &row, &q) == 5) {
    int64_t sum = 0;
    row += k0 % S, q += k1 % S / 4 * 4;
    for (int point = 0; point < 4; point++) {
      const int64_t i = floored(row, S) + point / 2, j = floored(q, S) + point % 2, y = row - i * S, x = q - j * S;
      const int64_t *step = steps[gradient_of(k0, k1, i, j)], down = step[0], right = step[1];
      const int64_t inside = 3 * S * S - 4 * (y * y + y * x + x * x);
      const int64_t t = (inside > 0 ? inside : 0) * 16384 / (S * S), half = t * t / 65536, w = half * half / 65536;
      sum += w * floored(y * (2 * down + right) * 1024, S) + floored(w * x, S) * (down + 2 * right) * 1024;
    }
    printf("%" PRId64 "\n", sum);
  }
}
