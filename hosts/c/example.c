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

  uint32_t loot;
  const char *labels;
  check(rm_find(mill, "loot", strlen("loot"), &loot));
  check(rm_about(mill, loot, NULL, NULL, NULL, &labels, NULL));
  printf("%s\n", labels);

  /* roll k is the number of a result: an index into "results" of the labels */
  static uint32_t rolls[ROLLS];
  check(rm_many(mill, loot, rm_noun_key(mill, loot), 0, ROLLS, rolls, NULL));
  for (int k = 0; k < 10; k++) printf("%u ", rolls[k]);

  /* the rolls of one player: the fork of JavaScript, loot.fork("player/7") */
  rm_key player;
  check(rm_fork_text(mill, rm_noun_key(mill, loot), "player/7", strlen("player/7"), &player));
  uint32_t first;
  check(rm_many(mill, loot, player, 0, 1, &first, NULL));

  uint32_t digest = 2166136261u; /* FNV-1a of the rolls */
  for (int k = 0; k < ROLLS; k++) digest = (digest ^ rolls[k]) * 16777619u;
  printf("\nplayer 7: %u\ndigest: %08x\n", first, (unsigned)digest);
  rm_close(mill);
  return 0;
}
