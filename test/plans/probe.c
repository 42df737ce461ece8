/* Prints results of every noun of a plan file, for host.test.ts:
 *
 *   probe PLAN SEED COUNT            the results of each noun from index 1,000 on, as little-endian words
 *   probe PLAN SEED COUNT --mutate   COUNT damaged copies of the plan: how many were opened, and an error of the library
 *   probe PLAN SEED COUNT --words NAME PLANE FROM [FORK…]
 *                                    COUNT words of a stream; a fork is t:TEXT, i:INTEGER or p:FIRST,SECOND
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rollmill.h"

enum { FROM = 1000 };

static void put(const void *numbers, size_t count) { fwrite(numbers, 4, count, stdout); }

static void check(rm_status status) {
  if (status == RM_OK || status == RM_EMPTY) return;
  fprintf(stderr, "%s\n", rm_error(status));
  exit(1);
}

/* Makes the rectangles of test/plans/worlds.ts, so far as they are in the grid. */
static rm_status cells(rm_mill *mill, uint32_t noun, rm_key seed, void (*take)(const void *, size_t)) {
  static const struct { int32_t row, col; uint32_t rows, cols; } all[] = {
    { -40, -30, 80, 100 }, { 0, 0, 40, 50 }, { 249, -262, 12, 300 }, { -40, -30, 80, 100 },
  };
  static uint32_t visits[8000];
  static uint8_t terrain[8000];
  rm_kind kind;
  rm_about(mill, noun, &kind, NULL, NULL, NULL, NULL);
  for (size_t one = 0; (kind == RM_WALK || kind == RM_WORLD) && one < sizeof all / sizeof *all; one++) {
    const int32_t row = all[one].row, col = all[one].col;
    const uint32_t rows = all[one].rows, cols = all[one].cols;
    rm_status status;
    for (uint32_t layer = 0; layer < rm_layer_count(mill, noun); layer++) {
      status = rm_visits(mill, noun, seed, layer, row, col, rows, cols, visits);
      if (status == RM_OK) take(visits, (size_t)rows * cols);
      if (status != RM_OK && status != RM_RANGE) return status;
      status = rm_first_visits(mill, noun, seed, layer, row, col, rows, cols, visits);
      if (status == RM_OK) take(visits, (size_t)rows * cols);
    }
    if (kind == RM_WALK) continue;
    status = rm_world_region(mill, noun, seed, row, col, rows, cols, terrain);
    if (status == RM_RANGE) continue;
    if (status) return status;
    for (size_t i = 0; i < (size_t)rows * cols; i++) visits[i] = terrain[i];
    take(visits, (size_t)rows * cols);
    size_t count = 0;
    status = rm_world_placements(mill, noun, seed, row, col, rows, cols, 0, NULL, &count);
    if (status && status != RM_RANGE) return status;
    rm_placement *const placements = malloc((count + 1) * sizeof *placements);
    status = rm_world_placements(mill, noun, seed, row, col, rows, cols, count, placements, &count);
    if (status == RM_OK) take(placements, 6 * count);
    free(placements);
    if (status) return status;
  }
  return RM_OK;
}

/* Makes `count` results of a noun, and hands them to `take`. Returns the first status that is no RM_OK. */
static rm_status results(rm_mill *mill, uint32_t noun, size_t count, void (*take)(const void *, size_t)) {
  rm_kind kind;
  rm_about(mill, noun, &kind, NULL, NULL, NULL, NULL);
  const rm_key key = rm_noun_key(mill, noun);
  const size_t size = rm_width(mill, noun);
  const size_t n = count / (size ? size : 1) + 1;
  uint32_t *out = malloc(n * (size ? size : 1) * 4);
  int32_t *quantities = rm_has_quantities(mill, noun) ? malloc(n * size * 4) : NULL;
  rm_status status = size ? rm_many(mill, noun, key, FROM, n, out, quantities) : RM_OK;
  if (size && status == RM_OK) take(out, n * size);
  if (quantities && status == RM_OK) take(quantities, n * size);
  for (uint32_t pool = 0; kind == RM_POOLS && pool < rm_pool_count(mill, noun); pool++) {
    size_t drawn;
    const rm_status drawing = rm_draw(mill, noun, pool, key, n, out, &drawn);
    if (drawing != RM_EMPTY && status == RM_OK) status = drawing;
    take(out, drawn);
  }
  free(out);
  free(quantities);
  return status == RM_OK ? cells(mill, noun, rm_seed_key(mill), take) : status;
}

static void discard(const void *numbers, size_t count) { (void)numbers, (void)count; }

/* Saves the state, spoils it by a restock and by draws, restores it, and saves it again. */
static void states(rm_mill *mill) {
  const size_t bytes = rm_state_bytes(mill);
  char *before = malloc(bytes), *after = malloc(bytes);
  check(rm_state_save(mill, before, bytes));
  for (uint32_t noun = 0; noun < rm_count(mill); noun++) {
    if (rm_restock(mill, noun) == RM_OK) check(results(mill, noun, 7, discard));
  }
  check(rm_state_load(mill, before, bytes));
  check(rm_state_save(mill, after, bytes));
  if (memcmp(before, after, bytes) != 0) fprintf(stderr, "the state changed\n"), exit(1);
  before[bytes / 2] ^= 1;
  if (rm_state_load(mill, before, bytes) != RM_STATE) fprintf(stderr, "a damaged state was restored\n"), exit(1);
  free(before);
  free(after);
}

static uint32_t crc32_of(const uint8_t *bytes, size_t count) {
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < count; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ crc >> 1 : crc >> 1;
  }
  return ~crc;
}

static uint32_t seed = 2463534242;

static uint32_t below(uint32_t m) {
  seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
  return seed % m;
}

/* Spoils up to four words of a copy whose checksum then fits again. Most copies stay well-formed enough to be read far. */
static void mutate(const uint8_t *plan, size_t bytes, size_t cases, const char *text) {
  static const uint32_t values[] = { 0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 0x1000000 };
  uint8_t *copy = malloc(bytes);
  size_t opened = 0;
  for (size_t one = 0; one < cases; one++) {
    size_t length = below(8) ? bytes : 4 * below((uint32_t)bytes / 4);
    memcpy(copy, plan, bytes);
    for (uint32_t spoilt = below(4) + 1; spoilt && length > 24; spoilt--) {
      /* the first words of a section have its counts */
      const uint32_t last = (uint32_t)length / 4 - 1, few = last < 400 ? last : 400;
      uint8_t *const word = copy + 4 * below(below(2) ? last : few);
      uint32_t value, other;
      memcpy(&value, word, 4);
      memcpy(&other, copy + 4 * below(last), 4);
      value = below(4) == 0 ? other : below(2) ? values[below(8)] : below(2) ? value ^ 1u << below(32) : value + below(3) - 1;
      memcpy(word, &value, 4);
    }
    if (length >= 4) {
      const uint32_t crc = crc32_of(copy, length - 4);
      memcpy(copy + length - 4, &crc, 4);
    }
    rm_mill *mill;
    const rm_status status = rm_open(copy, length, text, strlen(text), &mill);
    if (status == RM_BROKEN) fprintf(stderr, "case %zu: %s\n", one, rm_error(status)), exit(1);
    if (status) continue;
    opened++;
    for (uint32_t noun = 0; noun < rm_count(mill); noun++) {
      if (results(mill, noun, 100, discard) == RM_BROKEN) fprintf(stderr, "case %zu, noun %u\n", one, noun), exit(1);
    }
    states(mill);
    rm_close(mill);
  }
  printf("%zu of %zu opened\n", opened, cases);
  free(copy);
}

static void words(rm_mill *mill, size_t count, char **given) {
  rm_key key;
  int first, second;
  static uint32_t out[64];
  check(rm_name_key(mill, rm_seed_key(mill), given[0], strlen(given[0]), &key));
  for (char **fork = given + 3; *fork; fork++) {
    const char *const id = *fork + 2;
    if (**fork == 't') check(rm_fork_text(mill, key, id, strlen(id), &key));
    if (**fork == 'i') check(rm_fork_integer(mill, key, atoll(id), &key));
    if (sscanf(*fork, "p:%d,%d", &first, &second) == 2) check(rm_fork_pair(mill, key, first, second, &key));
  }
  check(rm_words(mill, key, strtoull(given[1], NULL, 10), strtoull(given[2], NULL, 10), count, out));
  for (size_t i = 0; i < count; i++) printf("%u\n", (unsigned)out[i]);
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  FILE *file = fopen(argv[1], "rb");
  if (!file) return 2;
  static uint8_t plan[1 << 24];
  const size_t bytes = fread(plan, 1, sizeof plan, file), count = (size_t)atol(argv[3]);
  fclose(file);
  if (argc == 5) return mutate(plan, bytes, count, argv[2]), 0;
  rm_mill *mill;
  check(rm_open(plan, bytes, argv[2], strlen(argv[2]), &mill));
  if (argc > 7) words(mill, count, argv + 5);
  for (uint32_t noun = 0; argc == 4 && noun < rm_count(mill); noun++) check(results(mill, noun, count, put));
  states(mill);
  rm_close(mill);
  return 0;
}
