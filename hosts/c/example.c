/* Rolls on the table `loot`, and draws from the pools `pools`:
 *
 *   npx rollmill bake examples/loot.csv examples/pools.json -o game.plan
 *   cc -O3 example.c rollmill.c -o example -lm && ./example game.plan moria
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rollmill.h"

enum { ROLLS = 1000000 };

/* Returns the bytes of a file, whatever its size. */
static void *read_file(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t room = 0;
  *bytes = 0;
  while (file && !feof(file) && !ferror(file)) {
    if (*bytes == room && !(text = realloc(text, room = 2 * room + 65536))) abort();
    *bytes += fread(text + *bytes, 1, room - *bytes, file);
  }
  if (!file || ferror(file)) perror(path), exit(1);
  fclose(file);
  return text;
}

static void check(rm_status status) {
  if (status == RM_OK) return;
  fprintf(stderr, "rollmill: %s\n", rm_error(status));
  exit(1);
}

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: example PLAN SEED\n"), 2;
  size_t bytes;
  void *plan = read_file(argv[1], &bytes);
  rm_mill *mill;
  check(rm_open(plan, bytes, argv[2], strlen(argv[2]), &mill));
  free(plan);
  uint32_t loot, pools;
  check(rm_find(mill, "loot", strlen("loot"), &loot));
  check(rm_find(mill, "pools", strlen("pools"), &pools));

  /* the rolls of one player: the fork of JavaScript, loot.fork("player/7"). A roll is an index into the results */
  rm_key player;
  uint32_t rolls[5];
  int32_t quantities[5];
  check(rm_fork_text(mill, rm_noun_key(mill, loot), "player/7", strlen("player/7"), &player));
  check(rm_many(mill, loot, player, 0, 5, rolls, quantities)); /* NULL for quantities skips them */
  for (int k = 0; k < 5; k++) printf("roll %u x %d\n", (unsigned)rolls[k], (int)quantities[k]);

  /* draws from pool 0. With the state from before, they are the same again */
  uint32_t first[3], again[3];
  const size_t size = rm_state_bytes(mill);
  void *state = malloc(size);
  check(rm_state_save(mill, state, size)); /* write these bytes into the saved game */
  check(rm_draw(mill, pools, 0, rm_noun_key(mill, pools), 3, first, NULL)); /* RM_EMPTY: fewer than 3 were left */
  check(rm_state_load(mill, state, size));
  check(rm_draw(mill, pools, 0, rm_noun_key(mill, pools), 3, again, NULL));
  for (int k = 0; k < 3; k++) printf("draw %u, again %u\n", (unsigned)first[k], (unsigned)again[k]);
  free(state);

  static uint32_t all[ROLLS];
  uint32_t digest = 2166136261u; /* FNV-1a */
  check(rm_many(mill, loot, rm_noun_key(mill, loot), 0, ROLLS, all, NULL));
  for (int k = 0; k < ROLLS; k++) digest = (digest ^ all[k]) * 16777619u;
  printf("digest %08x\n", (unsigned)digest);
  rm_close(mill);
  return 0;
}
