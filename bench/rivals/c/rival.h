/*
 * What the rival programs share: the generator, the bounded draw, the clock and the conversation with the bench.
 *
 * A program is one C file that defines load, run and check and ends with `int main(void) { return serve(); }`.
 * It reads one command a line from stdin and answers each with one line on stdout:
 *
 *   load …      the inputs of the case, as the program describes   → "ok"
 *   time N      about N operations, in SAMPLES equal parts         → "<median ns per operation> <checksum>"
 *   check N M   counts for the distribution check                  → numbers
 *
 * The clock is read here, around the loop alone, so the conversation costs nothing.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 5, BUFFER = 65536 };

/* xoshiro256++ 1.0, https://prng.di.unimi.it/xoshiro256plusplus.c; loops keep a local copy so that it stays in registers. */
typedef struct { uint64_t s[4]; } rng;

static rng saved = {{0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu, 0x2545f4914f6cdd1du}};

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline uint64_t next(rng *g) {
  const uint64_t result = rotl(g->s[0] + g->s[3], 23) + g->s[0];
  const uint64_t t = g->s[1] << 17;
  g->s[2] ^= g->s[0];
  g->s[3] ^= g->s[1];
  g->s[1] ^= g->s[2];
  g->s[0] ^= g->s[3];
  g->s[2] ^= t;
  g->s[3] = rotl(g->s[3], 45);
  return result;
}

/* Uniform on 0 … m−1 without bias: Lemire, "Fast random integer generation in an interval" (2019), algorithm 5. */
static inline uint32_t below(rng *g, uint32_t m) {
  uint64_t product = (next(g) >> 32) * m;
  uint32_t low = (uint32_t)product;
  if (low < m) {
    const uint32_t threshold = -m % m;
    while (low < threshold) {
      product = (next(g) >> 32) * m;
      low = (uint32_t)product;
    }
  }
  return (uint32_t)(product >> 32);
}

/* A program defines these. `run` does at least n operations, adds to *checksum and returns how many it did. */
static void load(char *text);
static size_t run(size_t n, uint64_t *checksum);
static void check(size_t n, size_t m);

/* The next integer of a load line; *text moves past it. */
static inline int64_t number(char **text) { return strtoll(*text, text, 10); }

static inline void *need(void *block) {
  if (!block) { fputs("out of memory\n", stderr); exit(1); }
  return block;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void timed(size_t n) {
  double ns[SAMPLES];
  uint64_t checksum = 0;
  for (int i = 0; i < SAMPLES; i++) {
    const double start = now();
    const size_t done = run(n / SAMPLES + 1, &checksum);
    ns[i] = (now() - start) / (double)done;
  }
  qsort(ns, SAMPLES, sizeof *ns, ascending);
  printf("%.6f %" PRIu64 "\n", ns[SAMPLES / 2], checksum);
}

static int serve(void) {
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, stdin) > 0) {
    char *rest = line + strcspn(line, " \n");
    if (!strncmp(line, "load ", 5)) {
      load(rest);
      puts("ok");
    } else if (!strncmp(line, "time ", 5)) {
      timed((size_t)number(&rest));
    } else if (!strncmp(line, "check ", 6)) {
      const size_t n = (size_t)number(&rest), m = (size_t)number(&rest);
      check(n, m);
    } else {
      fprintf(stderr, "unknown command: %s", line);
      return 1;
    }
    fflush(stdout);
  }
  return 0;
}
