/*
 * Objects as the original makes them, at one level and good, a struct of arrays out. Every search is linear: over all T lines
 * for an affix, then over all themes, and over all kinds of a level.
 * load: the arrays of inputs/objectsTables.mjs in the order of TABLES in objects.h, each its length and then its numbers.
 * check N: N objects, column by column: 13 numbers, eight affixes an object, their eight depths, flags, pvals.
 */
#include "objects.h"

static uint16_t *columns[NUMBERS], *affix_column, *depth_column;
static uint32_t *flag_column;
static int16_t *pval_column;

/* The object being made. */
static struct { int32_t number[NUMBERS]; uint32_t flags[FLAG_WORDS]; int32_t pval[MOST_PVALS]; uint16_t affix[8], depth[8]; } o;

static void load(char *text) {
  load_tables(text);
  for (int i = 0; i < NUMBERS; i++) columns[i] = need(calloc(OBJECTS, sizeof(uint16_t)));
  affix_column = need(calloc(OBJECTS * MOST_AFFIXES, sizeof(uint16_t)));
  depth_column = need(calloc(OBJECTS * MOST_AFFIXES, sizeof(uint16_t)));
  flag_column = need(calloc((size_t)(OBJECTS * flag_words), sizeof(uint32_t)));
  pval_column = need(calloc((size_t)(OBJECTS * pvals), sizeof(int16_t)));
}

/* ── values ── */

static inline int32_t within(int32_t x, int32_t least, int32_t most) { return x < least ? least : x > most ? most : x; }

static inline int32_t bonus(rng *g, int32_t table, int32_t most, int32_t depth) {
  const int32_t x = (int32_t)(next(g) >> 33);
  const int32_t *const sums = bonuses + table + (depth < MOST_BONUS_LEVEL ? depth : MOST_BONUS_LEVEL) * most;
  int32_t v = 0;
  while (v < most && sums[v] <= x) v++;
  return v;
}

static inline int32_t random_value(rng *g, int32_t i, int32_t depth) {
  const value *const v = values + i;
  if (!v->dice && !v->most) return v->base;
  int32_t rest = v->dice;
  for (int n = 0; n < v->dice; n++) rest += (int32_t)below(g, (uint32_t)v->sides);
  if (v->most) rest += bonus(g, v->bonus, v->most, depth);
  return v->base + v->sign * rest;
}

static inline int32_t raised(int32_t now, int32_t rolled, int32_t least) {
  if (least == NO_LEAST) return within(now + rolled, -MOST, MOST);
  const int32_t sum = now + (rolled > least ? rolled : least);
  return within(sum > least ? sum : least, -MOST, MOST);
}

static inline void add_pvals(rng *g, int32_t first, int32_t count, int32_t depth) {
  for (const pval_line *line = pval_lines + first; line < pval_lines + first + count; line++) {
    const int32_t rolled = random_value(g, line->value, depth);
    for (int i = 0; i < line->length; i++) {
      int32_t *const pval = o.pval + lists[line->list + i];
      *pval = raised(*pval, rolled, line->least);
    }
  }
}

/* ── artifacts and kinds ── */

static int become_artifact(rng *g) {
  static uint32_t passing[MOST_ROWS];
  uint32_t total = 0;
  for (int i = 0; i < artifacts_n; i++) {
    passing[i] = 0;
    if (made[i]) continue;
    const artifact_line *const first = artifact_lines + artifacts[i].line;
    for (const artifact_line *line = first; line < first + artifacts[i].lines; line++) {
      if (line->most < level) continue;
      if (line->least <= level || below(g, (uint32_t)(2 * (line->least - level))) == 0) {
        passing[i] += (uint32_t)line->probability;
      }
    }
    total += passing[i];
  }
  if (!total) return 0;
  uint32_t x = below(g, total);
  int i = 0;
  while (x >= passing[i]) x -= passing[i++];
  made[i] = 1;
  const artifact *const a = artifacts + i;
  o.number[KIND] = a->kind;
  o.number[ARTIFACT] = i + 1;
  for (int m = 0; m < 3; m++) o.number[TO_HIT + m] = a->modifiers[m];
  o.number[AC] = a->ac;
  o.number[DICE] = a->dice;
  o.number[SIDES] = a->sides;
  o.number[WEIGHT] = a->weight;
  memcpy(o.flags, artifact_flags + i * flag_words, (size_t)flag_words * sizeof *o.flags);
  add_pvals(g, a->pvals, a->pval_lines, level);
  return 1;
}

static const kind *take_kind(rng *g) {
  const int wanted = level + 5 + bonus(g, size->kinds_bonus, 5, level), depth = wanted < deepest ? wanted : deepest;
  const uint16_t *const weights = weight_at + depth * kinds_n;
  uint32_t x = below(g, total_at[depth]);
  int i = 0;
  while (x >= weights[i]) x -= weights[i++];
  const kind *const k = kinds + i;
  o.number[KIND] = i;
  o.number[AC] = k->ac;
  o.number[DICE] = k->dice;
  o.number[SIDES] = k->sides;
  o.number[WEIGHT] = k->weight;
  for (int m = 0; m < 3; m++) o.number[TO_HIT + m] = within(random_value(g, k->modifiers[m], level), -MOST, MOST);
  memcpy(o.flags, kind_flags + i * flag_words, (size_t)flag_words * sizeof *o.flags);
  add_pvals(g, k->pvals, k->pval_lines, level);
  return k;
}

/* ── affixes ── */

static int pick_affix(rng *g, const kind *k, int depth, int affix_level) {
  static uint16_t legal[MOST_ROWS];
  static uint32_t weights[MOST_ROWS];
  int found = 0, last = -1;
  uint32_t total = 0;
  for (const target *t = targets; t < targets + targets_n; t++) {
    if (t->tval != k->tval || depth < t->min || t->max < level || affix_level < t->level) continue;
    if (k->sval < t->least_sval || t->most_sval < k->sval || t->affix == last) continue;
    last = t->affix;
    legal[found] = (uint16_t)last;
    weights[found++] = (uint32_t)t->probability;
    total += (uint32_t)t->probability;
  }
  if (!total) return -1;
  uint32_t x = below(g, total);
  int i = 0;
  while (x >= weights[i]) x -= weights[i++];
  return legal[i];
}

static inline int has_flag(int bit) { return o.flags[bit >> 5] >> (bit & 31) & 1; }

static void add_random_flags(rng *g, const random_line *line) {
  uint16_t free[32 * FLAG_WORDS];
  for (int times = line->count; times > 0; times--) {
    uint32_t n = 0;
    for (int i = 0; i < line->length; i++) {
      const int bit = lists[line->list + i];
      if (!has_flag(bit)) free[n++] = (uint16_t)bit;
    }
    if (!n) return;
    const int bit = free[below(g, n)];
    o.flags[bit >> 5] |= (uint32_t)1 << (bit & 31);
  }
}

static void clean_up(int is_ammunition) {
  for (int w = 0; w < element_words; w++) {
    const uint32_t word = o.flags[w], gone = ((word >> 10) | (word & (word >> 20))) & ELEMENTS;
    o.flags[w] = word & ~(gone | (gone << 20));
  }
  if (!is_ammunition) return;
  for (int w = 0; w < flag_words; w++) o.flags[w] &= (uint32_t)ammunition[w];
  memset(o.pval, 0, sizeof o.pval);
  o.number[AC] = o.number[TO_AC] = 0;
}

static void apply(rng *g, int i, int depth, int is_ammunition) {
  const affix *const a = affixes + i;
  for (int line = 0; line < a->random_lines; line++) add_random_flags(g, random_lines + a->random + line);
  for (int m = 0; m < 3; m++) {
    int32_t *const now = o.number + TO_HIT + m;
    *now = raised(*now, random_value(g, a->modifiers[m], depth), a->least[m]);
  }
  add_pvals(g, a->pvals, a->pval_lines, depth);
  for (int w = 0; w < flag_words; w++) o.flags[w] |= (uint32_t)affix_flags[i * flag_words + w];
  if (a->ac_percent) o.number[AC] = within(o.number[AC] * (100 + a->ac_percent) / 100, 0, MOST);
  if (a->weight_percent) o.number[WEIGHT] = within(o.number[WEIGHT] * (100 + a->weight_percent) / 100, 0, MOST_WEIGHT);
  if (a->dice || a->sides) {
    o.number[DICE] = within(o.number[DICE] + a->dice, 1, MOST);
    o.number[SIDES] = within(o.number[SIDES] + a->sides, 1, MOST);
  }
  clean_up(is_ammunition);
}

/* ── themes ── */

static uint32_t half_percents_of(const theme *t) {
  uint32_t w = 0;
  int different = 0;
  for (const part *p = parts + t->part; p < parts + t->part + t->parts; p++) {
    if (!has[p->affix]) continue;
    w += (uint32_t)p->weight;
    different += p->counts;
  }
  if (different < 2) return 0;
  const uint64_t half_percents = (uint64_t)8 * w * w / (uint32_t)t->total;
  return half_percents > 200 ? 200 : (uint32_t)half_percents;
}

static int take_theme(rng *g, const kind *k, int depth) {
  static uint16_t callers[MOST_ROWS];
  static uint32_t half_percents[MOST_ROWS];
  uint32_t sum = 0;
  int found = 0, last = -1;
  for (const theme_target *t = theme_targets; t < theme_targets + theme_targets_n; t++) {
    if (t->tval != k->tval || depth < t->min || t->max < level || t->theme == last) continue;
    if (k->sval < t->least_sval || t->most_sval < k->sval) continue;
    last = t->theme;
    const uint32_t p = half_percents_of(themes + last);
    if (!p) continue;
    callers[found] = (uint16_t)last;
    half_percents[found++] = p;
    sum += p;
  }
  if (!sum || below(g, 200) >= sum) return 0;
  uint32_t x = below(g, sum);
  int i = 0;
  while (x >= half_percents[i]) x -= half_percents[i++];
  const theme *const chosen = themes + callers[i];
  for (const part *p = parts + chosen->part; p < parts + chosen->part + chosen->parts; p++) {
    if (!p->again && has[p->affix]) continue;
    if (p->chance == 100 || below(g, 100) < (uint32_t)p->chance) apply(g, p->affix, depth, k->ammunition);
  }
  return callers[i] + 1;
}

/* ── objects ── */

static inline int roll_depth(rng *g) {
  return below(g, 20) ? level : 1 + 128 * level / (1 + (int)below(g, 128));
}

static void make(rng *g) {
  memset(&o, 0, sizeof o);
  if (!below(g, 50) && become_artifact(g)) return;
  const kind *const k = take_kind(g);
  const int affix_level = 1 + (below(g, 100) < (uint32_t)(10 + level)) + (below(g, 4) == 0);
  int slots = (int)below(g, (uint32_t)(2 + level / 25));
  slots += 1 + (int)below(g, 2) - k->good;
  o.number[AFFIX_LEVEL] = affix_level;
  o.number[SLOTS] = slots < MOST_AFFIXES ? slots : MOST_AFFIXES;
  int count = 0;
  for (int slot = 0; slot < o.number[SLOTS] && !o.number[THEME]; slot++) {
    const int depth = roll_depth(g), i = pick_affix(g, k, depth, affix_level);
    if (i < 0) continue;
    apply(g, i, depth, k->ammunition);
    o.affix[count] = (uint16_t)(i + 1);
    o.depth[count++] = (uint16_t)depth;
    has[i] = 1;
    if (count > 1) o.number[THEME] = take_theme(g, k, depth);
  }
  for (int i = 0; i < count; i++) has[o.affix[i] - 1] = 0;
  o.number[AFFIXES] = count;
}

static void put(size_t k) {
  for (int i = 0; i < NUMBERS; i++) columns[i][k] = (uint16_t)o.number[i];
  memcpy(affix_column + k * MOST_AFFIXES, o.affix, sizeof o.affix);
  memcpy(depth_column + k * MOST_AFFIXES, o.depth, sizeof o.depth);
  memcpy(flag_column + k * (size_t)flag_words, o.flags, (size_t)flag_words * sizeof *o.flags);
  for (int i = 0; i < pvals; i++) pval_column[k * (size_t)pvals + (size_t)i] = (int16_t)o.pval[i];
}

static void fill(size_t count) {
  rng g = saved;
  for (size_t k = 0; k < count; k++) {
    make(&g);
    put(k);
  }
  saved = g;
}

static size_t run(size_t count, uint64_t *checksum) {
  size_t done = 0;
  for (; done < count; done += OBJECTS) {
    fill(OBJECTS);
    *checksum += columns[KIND][0] + affix_column[0] + flag_column[0];
  }
  return done;
}

static void print_u16(const uint16_t *all, size_t n) {
  for (size_t i = 0; i < n; i++) printf("%" PRIu16 " ", all[i]);
}

static void check(size_t count, size_t unused) {
  (void)unused;
  if (count > OBJECTS) { fputs("too many objects for one check\n", stderr); exit(1); }
  fill(count);
  for (int i = 0; i < NUMBERS; i++) print_u16(columns[i], count);
  print_u16(affix_column, count * MOST_AFFIXES);
  print_u16(depth_column, count * MOST_AFFIXES);
  for (size_t i = 0; i < count * (size_t)flag_words; i++) printf("%" PRIu32 " ", flag_column[i]);
  for (size_t i = 0; i < count * (size_t)pvals; i++) printf("%" PRId16 " ", pval_column[i]);
  puts("");
}

int main(void) { return serve(); }
