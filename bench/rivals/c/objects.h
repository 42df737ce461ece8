/* The tables of objects.c: the edit files as rows of integers, with the fields of inputs/objectsTables.mjs. */
#include "rival.h"

enum { OBJECTS = 16384, MOST_AFFIXES = 8, FLAG_WORDS = 8, MOST_PVALS = 64, MOST_ROWS = 4096 };
enum { KIND, ARTIFACT, THEME, AFFIX_LEVEL, SLOTS, AFFIXES, TO_HIT, TO_DAM, TO_AC, AC, DICE, SIDES, WEIGHT, NUMBERS };
enum { MOST = 32767, MOST_WEIGHT = 65535, MOST_BONUS_LEVEL = 127, NO_LEAST = INT32_MIN, ELEMENTS = 0x3ff };

typedef struct { int32_t level, deepest, flag_words, element_words, pvals, kinds_bonus; } sizes;
typedef struct { int32_t base, dice, sides, most, bonus, sign; } value;
typedef struct { int32_t value, least, list, length; } pval_line;
typedef struct { int32_t count, list, length; } random_line;
typedef struct {
  int32_t tval, sval, good, ammunition, ac, dice, sides, weight, modifiers[3], pvals, pval_lines, commonness, least, most;
} kind;
typedef struct {
  int32_t ac_percent, weight_percent, dice, sides, least[3], modifiers[3], random, random_lines, pvals, pval_lines;
} affix;
typedef struct { int32_t affix, tval, least_sval, most_sval, min, max, level, probability; } target;
typedef struct { int32_t part, parts, total; } theme;
typedef struct { int32_t theme, tval, least_sval, most_sval, min, max; } theme_target;
typedef struct { int32_t affix, weight, chance, again, counts; } part;
typedef struct { int32_t kind, ac, dice, sides, weight, modifiers[3], pvals, pval_lines, line, lines; } artifact;
typedef struct { int32_t probability, least, most; } artifact_line;

/* The tables, in the order of the load line; `_n` is their number. */
#define TABLES(X)                                                                                                     \
  X(sizes, size) X(int32_t, ammunition) X(int32_t, bonuses) X(value, values) X(int32_t, lists) X(pval_line, pval_lines) \
  X(random_line, random_lines) X(kind, kinds) X(int32_t, kind_flags) X(affix, affixes) X(int32_t, affix_flags)        \
  X(target, targets) X(theme, themes) X(theme_target, theme_targets) X(part, parts) X(artifact, artifacts)            \
  X(int32_t, artifact_flags) X(artifact_line, artifact_lines)
#define DECLARE(type, name) static type *name; static int name##_n;
TABLES(DECLARE)

static int level, deepest, flag_words, element_words, pvals;
static uint16_t *weight_at;  /* the weight of each kind at each level */
static uint32_t *total_at;
static uint8_t made[MOST_ROWS], has[MOST_ROWS];

static void *numbers(char **text, size_t bytes, int *n) {
  const int count = (int)number(text);
  int32_t *const all = need(malloc((size_t)count * sizeof *all + 1));
  for (int i = 0; i < count; i++) all[i] = (int32_t)number(text);
  *n = (int)((size_t)count * sizeof *all / bytes);
  return all;
}

static void load_tables(char *text) {
#define LOAD(type, name) name = numbers(&text, sizeof(type), &name##_n);
  TABLES(LOAD)
  level = size->level, deepest = size->deepest;
  flag_words = size->flag_words, element_words = size->element_words, pvals = size->pvals;
  if (flag_words > FLAG_WORDS || pvals > MOST_PVALS || affixes_n > MOST_ROWS || artifacts_n > MOST_ROWS) exit(1);
  weight_at = need(calloc((size_t)((deepest + 1) * kinds_n), sizeof *weight_at));
  total_at = need(calloc((size_t)deepest + 1, sizeof *total_at));
  for (int depth = 0; depth <= deepest; depth++) {
    for (int i = 0; i < kinds_n; i++) {
      if (depth < kinds[i].least || kinds[i].most < depth) continue;
      weight_at[depth * kinds_n + i] = (uint16_t)kinds[i].commonness;
      total_at[depth] += (uint32_t)kinds[i].commonness;
    }
  }
}
