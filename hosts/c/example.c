/* Rolls on the table `loot` of a plan file:
 *
 *   npx rollmill bake examples/loot.csv -o game.plan
 *   cc -O2 example.c rollmill.c -o example && ./example game.plan moria
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rollmill.h"

enum { ROLLS = 1000000 };

static void check(rm_status status) {
  if (status == RM_OK) return;
  fprintf(stderr, "rollmill: %s\n", rm_error(status));
  exit(1);
}

int main(int argc, char **argv) {
  FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
  if (!file) return fprintf(stderr, "usage: example PLAN SEED\n"), 2;
  static unsigned char plan[1 << 20];
  const size_t bytes = fread(plan, 1, sizeof plan, file);
  fclose(file);

  rm_mill *mill;
  uint32_t loot;
  const char *labels;
  check(rm_open(plan, bytes, argv[2], strlen(argv[2]), &mill));
  check(rm_find(mill, "loot", strlen("loot"), &loot));
  check(rm_about(mill, loot, NULL, NULL, NULL, &labels, NULL));
  printf("%s\n", labels);

  /* roll k is the number of a result: an index into "results" of the labels */
  static uint32_t rolls[ROLLS];
  check(rm_roll_many(mill, loot, rm_noun_key(mill, loot), 0, ROLLS, rolls, NULL));
  for (int k = 0; k < 10; k++) printf("%u ", rolls[k]);

  /* the rolls of one player: the fork of JavaScript, loot.fork("player/7") */
  rm_key player;
  check(rm_fork_text(mill, rm_noun_key(mill, loot), "player/7", strlen("player/7"), &player));
  uint32_t first;
  check(rm_roll_many(mill, loot, player, 0, 1, &first, NULL));

  uint32_t digest = 2166136261u; /* FNV-1a of the rolls */
  for (int k = 0; k < ROLLS; k++) digest = (digest ^ rolls[k]) * 16777619u;
  printf("\nplayer 7: %u\ndigest: %08x\n", first, (unsigned)digest);
  rm_close(mill);
  return 0;
}
