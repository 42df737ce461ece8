/* Bulk calls that must be refused before they write to an array that is too short: refused PLAN SEED. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rollmill.h"

static void check(rm_status status) {
  if (status != RM_OK) fprintf(stderr, "%s\n", rm_error(status)), exit(1);
}

int main(int argc, char **argv) {
  static char plan[1 << 24];
  FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
  rm_mill *mill;
  if (!file) return 2;
  check(rm_open(plan, fread(plan, 1, sizeof plan, file), argv[2], strlen(argv[2]), &mill));
  fclose(file);

  const uint64_t end = (uint64_t)1 << 42;
  uint32_t list, dice, hand, bag, big, out[4] = { 7, 7, 7, 7 };
  int32_t amounts[4];
  check(rm_find(mill, "rarity", 6, &list)), check(rm_find(mill, "hp", 2, &dice));
  check(rm_find(mill, "hand", 4, &hand)), check(rm_find(mill, "bag", 3, &bag));
  check(rm_find(mill, "big", 3, &big));
  const struct { rm_status wanted, got; } calls[] = {
    { RM_RANGE, rm_many(mill, list, 1, end - 65536, 65537, out, NULL) },
    { RM_RANGE, rm_many(mill, list, 1, 0, (size_t)-1, out, NULL) },
    { RM_RANGE, rm_many(mill, list, 1, 2, (size_t)end - 1, out, NULL) },
    { RM_RANGE, rm_words(mill, 1, 0, UINT64_MAX, 2, out) },
    { RM_RANGE, rm_many(mill, dice, 1, 0, (size_t)end * 2, out, NULL) },
    { RM_RANGE, rm_many(mill, hand, 1, end, 1, out, NULL) },
    { RM_RANGE, rm_many(mill, big, 1, 0, (size_t)end, out, NULL) }, /* 2^42 samples of 2^22 numbers */
    { RM_RANGE, rm_draw(mill, bag, 2, 1, (size_t)-1, out, NULL) },
    { RM_RANGE, rm_draw(mill, bag, 0, 1, (size_t)end + 1, out, NULL) },
    { RM_RANGE, rm_many(mill, list, 1, (uint64_t)1 << 50, 0, out, NULL) },
    { RM_NOUN, rm_many(mill, 99, 1, 0, 0, out, NULL) },
    { RM_NOUN, rm_draw(mill, 99, 0, 1, 0, out, NULL) },
    { RM_KIND, rm_many(mill, bag, 1, 0, 0, out, NULL) },
    { RM_KIND, rm_draw(mill, dice, 0, 1, 0, out, NULL) },
    { RM_QUANTITIES, rm_many(mill, list, 1, 0, 0, out, amounts) },
    { RM_POOL, rm_draw(mill, bag, 4, 1, 0, out, NULL) },
    { RM_OK, rm_many(mill, list, 1, end, 0, out, NULL) },
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (calls[i].got != calls[i].wanted) printf("call %zu: %s\n", i, rm_error(calls[i].got));
  }
  for (int i = 0; i < 4; i++) if (out[i] != 7) printf("%d was written\n", i);
  check(rm_many(mill, list, 1, end - 4, 4, out, NULL)), check(rm_draw(mill, bag, 0, 1, 1, out, NULL));
  printf("nothing is written\n");
  rm_close(mill);
  return 0;
}
