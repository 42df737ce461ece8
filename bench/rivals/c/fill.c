/*
 * A buffer of random u32, two from each 64-bit output of xoshiro256++. load: nothing.
 * check N: of N words, how often each value of the low byte, then of the high byte.
 */
#include "rival.h"

static uint32_t *out;

static void load(char *text) {
  (void)text;
  out = need(malloc(BUFFER * sizeof *out));
}

static void fill(void) {
  rng g = saved;
  for (size_t k = 0; k < BUFFER; k += 2) {
    const uint64_t word = next(&g);
    memcpy(out + k, &word, sizeof word);
  }
  saved = g;
}

static size_t run(size_t count, uint64_t *checksum) {
  size_t done = 0;
  while (done < count) {
    fill();
    *checksum += out[done % BUFFER];
    done += BUFFER;
  }
  return done;
}

static void check(size_t count, size_t unused) {
  (void)unused;
  uint32_t low[256] = {0}, high[256] = {0};
  for (size_t done = 0; done < count; done++) {
    if (done % BUFFER == 0) fill();
    const uint32_t word = out[done % BUFFER];
    low[word & 255]++;
    high[word >> 24]++;
  }
  for (int i = 0; i < 256; i++) printf("%" PRIu32 " ", low[i]);
  for (int i = 0; i < 256; i++) printf("%" PRIu32 " ", high[i]);
  puts("");
}

int main(void) { return serve(); }
