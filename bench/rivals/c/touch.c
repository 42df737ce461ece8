/*
 * The memory that a window of a world must touch at least, and nothing else. An operation is a cell of a square of CELLS
 * cells, a power of two.
 *
 * load CELLS LAYERS STEPS BYTES: for each layer, the bytes of all cells are cleared, STEPS cells on ways of WAY cells are
 * counted, and each byte becomes a number of BYTES bytes in new memory, because a window is a copy. Without STEPS, the
 * bytes are there already.
 */
#define _DEFAULT_SOURCE
#include <sys/mman.h>
#include "rival.h"

enum { WAY = 512 };

static size_t cells, layers, steps, bytes;
static size_t moves[8];
static uint8_t *counts;

static void load(char *text) {
  cells = (size_t)number(&text);
  layers = (size_t)number(&text);
  steps = (size_t)number(&text);
  bytes = (size_t)number(&text);
  size_t side = 1;
  while (side * side < cells) side *= 2;
  const size_t all[8] = {1, -1, side, -side, side - 1, 1 - side, 1, -side};
  memcpy(moves, all, sizeof moves);
  counts = need(calloc(cells, layers));
}

/* A word has the moves of sixteen steps. */
static void count(uint8_t *layer) {
  rng g = saved;
  size_t at = 0;
  for (size_t t = 0; t < steps; t += 16) {
    uint64_t word = next(&g);
    if (t % WAY == 0) at = word;
    for (int k = 0; k < 16; k++, word >>= 4) {
      at = (at + moves[word & 7]) & (cells - 1);
      layer[at]++;
    }
  }
  saved = g;
}

static void copy(const uint8_t *from, void *to) {
  if (bytes == 1) memcpy(to, from, cells);
  else for (size_t k = 0; k < cells; k++) ((uint32_t *)to)[k] = from[k];
}

static uint64_t make_layer(uint8_t *layer) {
  if (steps) memset(layer, 0, cells);
  count(layer);
  uint8_t *out = mmap(NULL, cells * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  need(out == MAP_FAILED ? NULL : out);
  copy(layer, out);
  const uint64_t last = out[cells - 1];
  munmap(out, cells * bytes);
  return last;
}

static size_t run(size_t wanted, uint64_t *checksum) {
  size_t done = 0;
  for (; done < wanted; done += cells) {
    for (size_t l = 0; l < layers; l++) *checksum += make_layer(counts + l * cells);
  }
  return done;
}

static void check(size_t unused, size_t unused_too) { (void)unused, (void)unused_too, puts("0"); }

int main(void) { return serve(); }
