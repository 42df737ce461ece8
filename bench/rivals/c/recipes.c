/*
 * Weapons as in the source, at power 1, tier 0 and without requests: a struct of arrays out. Each word has a row of 16-bit
 * integers to add, its slot's strength included; gcc adds rows with SIMD.
 * load: the special's number, then for each of six slots its rows (row 0 all zeros), 13 numbers each, and the numbers of
 * those that may be chosen, then five rungs of 13 numbers, the best first.
 * check N: N weapons, column by column: six words, two outcomes, 13 stats.
 *
 * -DBRANCH_FREE compiles the rewrite that makes every decision of every weapon and masks what does not occur: a third of the
 * branches would be mispredicted.
 */
#include "rival.h"

enum { HANDS, MULTIPLIER, ATTACK, DEFENSE, MAGIC, FLAMING, FREEZING, SHOCKING, HOLY, EVIL, SNEAK, CRIT, STR, STATS };
enum { ELEMENT, SECOND, PREFIX, TYPE, ADJECTIVE, ABSTRACT, SLOTS };
enum { LOWERED, RAISED, DOUBLED };
enum { RUNGS = 5, WIDTH = 16, SKEW = 96 };

typedef struct { int16_t stat[WIDTH]; } row;
typedef struct { row *row; uint32_t *active, actives; } slot;

static slot slots[SLOTS];
static row rungs[RUNGS + 1]; /* rung 0 stands for no bonus */
static uint32_t special;
static uint16_t *words[SLOTS], *condition, *bonus;
static int16_t *stats[STATS];

static void load_row(row *at, char **text) {
  for (int s = 0; s < STATS; s++) at->stat[s] = (int16_t)number(text);
}

/* Columns a few lines apart from a multiple of the page size, so that they do not share the sets of the cache. */
static void *column(int i) { return (char *)need(calloc(BUFFER * sizeof(uint16_t) + 32 * SKEW, 1)) + i * SKEW; }

static void load(char *text) {
  special = (uint32_t)number(&text);
  for (int i = 0; i < SLOTS; i++) {
    const size_t rows = (size_t)number(&text);
    slots[i].row = need(calloc(rows, sizeof(row)));
    for (size_t r = 0; r < rows; r++) load_row(slots[i].row + r, &text);
    slots[i].actives = (uint32_t)number(&text);
    slots[i].active = need(malloc(slots[i].actives * sizeof(uint32_t)));
    for (uint32_t a = 0; a < slots[i].actives; a++) slots[i].active[a] = (uint32_t)number(&text);
  }
  for (int r = 1; r <= RUNGS; r++) load_row(rungs + r, &text);
  for (int i = 0; i < SLOTS; i++) words[i] = column(i);
  for (int i = 0; i < STATS; i++) stats[i] = column(SLOTS + i);
  condition = column(SLOTS + STATS);
  bonus = column(SLOTS + STATS + 1);
}

static inline void add(row *sum, const row *other) {
  for (int s = 0; s < WIDTH; s++) sum->stat[s] = (int16_t)(sum->stat[s] + other->stat[s]);
}

static inline uint32_t roll(rng *g) { return below(g, 101); }

static inline uint32_t pick(rng *g, int i) { return slots[i].active[below(g, slots[i].actives)]; }

/* 0.4 of the attack, rounded half away from zero. */
static inline int32_t share(int32_t attack) { return (4 * attack + (attack < 0 ? -5 : 5)) / 10; }

static inline void put(size_t k, const row *sum) {
  for (int s = 0; s < STATS; s++) stats[s][k] = sum->stat[s];
  stats[HANDS][k] = (int16_t)(sum->stat[HANDS] < 1 ? 1 : sum->stat[HANDS] > 2 ? 2 : sum->stat[HANDS]);
}

#ifdef BRANCH_FREE
static inline void make(rng *g, size_t k) {
  const slot *const elements = slots + ELEMENT;
  const uint32_t has = -(uint32_t)(roll(g) >= 95), crippling = -(uint32_t)(roll(g) >= 99) & has;
  const uint32_t first = below(g, elements->actives), two = -(uint32_t)(roll(g) >= 98) & has & ~crippling;
  const uint32_t other = below(g, elements->actives - 1);
  const uint32_t element = (crippling & special) | (~crippling & has & elements->active[first]);
  const uint32_t second = two & elements->active[other + (other >= first)];
  const uint32_t prefix = -(uint32_t)(roll(g) >= 75) & pick(g, PREFIX), type = pick(g, TYPE);
  row sum = slots[TYPE].row[type];
  add(&sum, elements->row + element);
  add(&sum, slots[SECOND].row + second);
  add(&sum, slots[PREFIX].row + prefix);

  const int32_t attack = sum.stat[ATTACK], most = share(attack), sign = attack >> 31;
  const int32_t c = ((int32_t)below(g, (uint32_t)((most ^ sign) - sign) + 1) ^ sign) - sign;
  const int32_t twice = -(int32_t)(roll(g) >= 98), up = -(int32_t)(roll(g) > 38);
  sum.stat[ATTACK] = (int16_t)(attack + ((twice & attack) | (~twice & ((c ^ ~up) - ~up))));

  const uint32_t open = -(uint32_t)(roll(g) >= 65), described = open & -(uint32_t)(roll(g) >= 60);
  const uint32_t adjective = described & pick(g, ADJECTIVE), abstract = open & pick(g, ABSTRACT);
  const uint32_t better = -(uint32_t)(roll(g) >= 90), m = 1 + below(g, 100);
  const uint32_t rung = better & (5u - (m >= 70) - (m >= 85) - (m >= 92) - (m >= 98));
  add(&sum, slots[ADJECTIVE].row + adjective);
  add(&sum, slots[ABSTRACT].row + abstract);
  add(&sum, rungs + rung);

  words[ELEMENT][k] = (uint16_t)element;
  words[SECOND][k] = (uint16_t)second;
  words[PREFIX][k] = (uint16_t)prefix;
  words[TYPE][k] = (uint16_t)type;
  words[ADJECTIVE][k] = (uint16_t)adjective;
  words[ABSTRACT][k] = (uint16_t)abstract;
  condition[k] = (uint16_t)((twice & DOUBLED) | (~twice & up & RAISED));
  bonus[k] = (uint16_t)rung;
  put(k, &sum);
}
#else
static inline uint32_t rung_of(uint32_t m) { return m >= 98 ? 1 : m >= 92 ? 2 : m >= 85 ? 3 : m >= 70 ? 4 : 5; }

static inline void make(rng *g, size_t k) {
  row sum = {{0}};
  uint32_t element = 0, second = 0, prefix = 0, adjective = 0, abstract = 0, rung = 0;

  if (roll(g) >= 95) {
    if (roll(g) >= 99) {
      add(&sum, slots[ELEMENT].row + (element = special));
    } else {
      const slot *const elements = slots + ELEMENT;
      const uint32_t first = below(g, elements->actives);
      add(&sum, elements->row + (element = elements->active[first]));
      if (roll(g) >= 98) {
        const uint32_t other = below(g, elements->actives - 1);
        add(&sum, slots[SECOND].row + (second = elements->active[other + (other >= first)]));
      }
    }
  }
  if (roll(g) >= 75) add(&sum, slots[PREFIX].row + (prefix = pick(g, PREFIX)));
  const uint32_t type = pick(g, TYPE);
  add(&sum, slots[TYPE].row + type);

  const int32_t attack = sum.stat[ATTACK], most = share(attack);
  const int32_t c = most < 0 ? -(int32_t)below(g, (uint32_t)-most + 1) : (int32_t)below(g, (uint32_t)most + 1);
  uint16_t state = LOWERED;
  int32_t change = -c;
  if (roll(g) >= 98) {
    state = DOUBLED;
    change = attack;
  } else if (roll(g) > 38) {
    state = RAISED;
    change = c;
  }
  sum.stat[ATTACK] = (int16_t)(attack + change);

  if (roll(g) >= 65) {
    if (roll(g) >= 60) add(&sum, slots[ADJECTIVE].row + (adjective = pick(g, ADJECTIVE)));
    add(&sum, slots[ABSTRACT].row + (abstract = pick(g, ABSTRACT)));
  }
  if (roll(g) >= 90) add(&sum, rungs + (rung = rung_of(1 + below(g, 100))));

  words[ELEMENT][k] = (uint16_t)element;
  words[SECOND][k] = (uint16_t)second;
  words[PREFIX][k] = (uint16_t)prefix;
  words[TYPE][k] = (uint16_t)type;
  words[ADJECTIVE][k] = (uint16_t)adjective;
  words[ABSTRACT][k] = (uint16_t)abstract;
  condition[k] = state;
  bonus[k] = (uint16_t)rung;
  put(k, &sum);
}
#endif

static void fill(size_t count) {
  rng g = saved;
  for (size_t k = 0; k < count; k++) make(&g, k);
  saved = g;
}

static size_t run(size_t count, uint64_t *checksum) {
  size_t done = 0;
  while (done < count) {
    fill(BUFFER);
    *checksum += (uint64_t)(uint16_t)stats[ATTACK][done % BUFFER] + words[TYPE][done % BUFFER];
    done += BUFFER;
  }
  return done;
}

static void print_words(const uint16_t *values, size_t count) {
  for (size_t k = 0; k < count; k++) printf("%" PRIu16 " ", values[k]);
}

static void check(size_t count, size_t unused) {
  (void)unused;
  if (count > BUFFER) { fputs("too many weapons for one check\n", stderr); exit(1); }
  fill(count);
  for (int i = 0; i < SLOTS; i++) print_words(words[i], count);
  print_words(condition, count);
  print_words(bonus, count);
  for (int i = 0; i < STATS; i++) {
    for (size_t k = 0; k < count; k++) printf("%" PRId16 " ", stats[i][k]);
  }
  puts("");
}

int main(void) { return serve(); }
