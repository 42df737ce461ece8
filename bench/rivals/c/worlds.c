/*
 * A window of the world in inputs/worlds.mjs: arrays for the cells that the window depends on, walkers that count their
 * visits in them, two passes for the distance to the sea, rules cell by cell, and villages that are compared with those in
 * the squares around them. The arrays are allocated once.
 *
 * Random words: each walker has a xoshiro256++ that is seeded by a hash of its place, and each cell has a hash, so that a
 * cell does not depend on the window. With -DSAME_WORDS, they are those of Rollmill.
 *
 * load: rows of the window, side of a region, walkers and steps of three layers (sea, hills, rivers), the rules (visits of
 * a mountain, shore, part and whole of forest, part and whole and distance of villages), six absolute and six relative
 * weights, and with -DSAME_WORDS the keys of five streams (three layers, forest, villages).
 * check ROW COLUMN: the terrain of the window that begins there, then "row column" of each village.
 */
#include <stdbool.h>
#include "rival.h"
#include "tensor.h"
#ifdef SAME_WORDS
#include "words.h"
#endif

enum { SEA, HILLS, RIVERS, LAYERS };
enum { SEA_CELL, RIVER_CELL, MOUNTAIN, HILL, SHORE, FOREST, GRASS };
enum { FOREST_WORDS = LAYERS, VILLAGE_WORDS, STREAMS };
enum { FAR = 255 };

typedef struct { int32_t row0, column0, rows, columns; } area;
typedef struct { int32_t i0, j0, i1, j1; } regions;
typedef struct { area cells; uint32_t *visits; } plane;
typedef struct { int32_t r, c; uint32_t priority; int32_t next; } candidate;

static int32_t size, side;
static uint32_t walkers[LAYERS], steps[LAYERS];
static uint32_t mountain, forest_part, forest_whole, village_part, village_whole;
static int32_t shore_width, distance;
static area land, shore;
static regions river_regions;
static plane planes[LAYERS];
static uint8_t *shore_distance, *terrain, *window;
static uint32_t *visited;
static candidate *candidates;
static int32_t candidate_count, square_columns, *squares, *standing, standing_count;

/* ── areas ── */

static area grown(area a, int32_t margin) {
  return (area){a.row0 - margin, a.column0 - margin, a.rows + 2 * margin, a.columns + 2 * margin};
}

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

/* The smallest area that contains two areas. */
static area joined(area a, area b) {
  const int32_t row0 = least(a.row0, b.row0), column0 = least(a.column0, b.column0);
  const int32_t row1 = most(a.row0 + a.rows, b.row0 + b.rows), column1 = most(a.column0 + a.columns, b.column0 + b.columns);
  return (area){row0, column0, row1 - row0, column1 - column0};
}

static int32_t floor_divided(int32_t a, int32_t b) { return a / b - (a % b < 0); }

/* The regions with a cell at most `reach` rows and columns away from an area. */
static regions regions_near(area a, int32_t reach) {
  const int32_t row1 = a.row0 + a.rows - 1, column1 = a.column0 + a.columns - 1;
  return (regions){floor_divided(a.row0 - reach, side), floor_divided(a.column0 - reach, side),
                   floor_divided(row1 + reach, side), floor_divided(column1 + reach, side)};
}

static area cells_of(regions r) {
  return (area){r.i0 * side, r.j0 * side, (r.i1 - r.i0 + 1) * side, (r.j1 - r.j0 + 1) * side};
}

static size_t index_of(area a, int32_t row, int32_t column) {
  return (size_t)(row - a.row0) * (size_t)a.columns + (size_t)(column - a.column0);
}

static inline bool is_in(area a, int32_t row, int32_t column) {
  return (uint32_t)(row - a.row0) < (uint32_t)a.rows && (uint32_t)(column - a.column0) < (uint32_t)a.columns;
}

/* ── words ── */

#ifdef SAME_WORDS
/* The words of a walker, or of the starts of a region on a plane, from the first on. */
typedef struct { const uint32_t *next; } source;

static stream streams[STREAMS];
static uint32_t path[BLOCK_WORDS], starts[2][BLOCK_WORDS];
/* The blocks of the rows that share their blocks with a row of the land. */
static struct { uint32_t *words, plane, first; bool is_filled; } bands[STREAMS];

static inline uint32_t scaled(uint32_t word, uint32_t m) { return (uint32_t)((uint64_t)word * m >> 32); }
static inline uint32_t draw(source *s, uint32_t m) { return scaled(*s->next++, m); }

static source walker_source(int layer, int32_t i, int32_t j, uint32_t w) {
  fill_block(region_stream(streams[layer], i, j), w, 0, path, steps[layer]);
  return (source){path};
}

static source start_source(int layer, int32_t i, int32_t j, uint32_t plane) {
  fill_block(start_stream(region_stream(streams[layer], i, j)), plane, 0, starts[plane], walkers[layer]);
  return (source){starts[plane]};
}

/* Fills the words of a row of the land, before its cells are asked for. */
static void use_row(int stream, int32_t row, int32_t column) {
  const uint32_t plane = band_of(row), first = block_of(column), end = block_of(column + land.columns - 1) + 1;
  if (bands[stream].is_filled && bands[stream].plane == plane && bands[stream].first == first) return;
  for (uint32_t block = first; block < end; block++) {
    uint32_t *words = bands[stream].words + (size_t)(block - first) * BLOCK_WORDS;
    fill_block(streams[stream], plane, block, words, BLOCK_WORDS);
  }
  bands[stream].is_filled = true;
  bands[stream].plane = plane;
  bands[stream].first = first;
}

static inline bool chance(int stream, int32_t row, int32_t column, uint32_t part, uint32_t whole) {
  const size_t block = block_of(column) - bands[stream].first;
  return scaled(bands[stream].words[block * BLOCK_WORDS + offset_of(row, column)], whole) < part;
}

static inline uint32_t priority_of(int32_t row, int32_t column) { return extra_word(streams[VILLAGE_WORDS], row, column); }

#else
typedef rng source;

/* The hash lowbias32 of Chris Wellons, "Prospecting for Hash Functions" (2018). */
static inline uint32_t mixed(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

static inline uint32_t hash(uint32_t seed, int32_t row, int32_t column) {
  return mixed(mixed(seed ^ (uint32_t)row * 0x9e3779b9u) ^ (uint32_t)column);
}

static source seeded(uint32_t seed, int32_t i, int32_t j) {
  source g;
  for (uint32_t k = 0; k < 4; k++) {
    g.s[k] = (uint64_t)hash(seed ^ 2 * k << 28, i, j) << 32 | hash(seed ^ (2 * k + 1) << 28, i, j);
  }
  return g;
}

static inline uint32_t draw(source *s, uint32_t m) { return below(s, m); }

static source walker_source(int layer, int32_t i, int32_t j, uint32_t w) {
  return seeded((uint32_t)layer << 17 | w, i, j);
}

static source start_source(int layer, int32_t i, int32_t j, uint32_t plane) {
  return seeded((uint32_t)layer << 17 | 1 << 16 | plane, i, j);
}

static void use_row(int stream, int32_t row, int32_t column) { (void)stream, (void)row, (void)column; }

static inline bool chance(int stream, int32_t row, int32_t column, uint32_t part, uint32_t whole) {
  return (uint64_t)hash(0x5bd1e995u + (uint32_t)stream, row, column) * whole >> 32 < part;
}

static inline uint32_t priority_of(int32_t row, int32_t column) { return hash(0x1b873593u, row, column); }
#endif

/* ── layers: cells are relative to the window's first cell, which is a multiple of the side ── */

static void walk(int layer, source s, int32_t row, int32_t column) {
  const plane p = planes[layer];
  uint32_t heading = RESTING;
  if (is_in(p.cells, row, column)) p.visits[index_of(p.cells, row, column)]++;
  for (uint32_t t = 0; t < steps[layer]; t++) {
    heading = direction_of(heading, draw(&s, cumulative[heading][5]));
    row += ROW_STEP[heading];
    column += COLUMN_STEP[heading];
    if (is_in(p.cells, row, column)) p.visits[index_of(p.cells, row, column)]++;
  }
}

static void walk_to_sea(source s, int32_t row, int32_t column) {
  const plane p = planes[RIVERS], sea = planes[SEA];
  uint32_t heading = RESTING;
  for (uint32_t t = 0;; t++) {
    if (is_in(p.cells, row, column)) p.visits[index_of(p.cells, row, column)]++;
    if (t == steps[RIVERS] || sea.visits[index_of(sea.cells, row, column)]) return;
    heading = direction_of(heading, draw(&s, cumulative[heading][5]));
    row += ROW_STEP[heading];
    column += COLUMN_STEP[heading];
  }
}

static void clear(plane p) {
  memset(p.visits, 0, (size_t)p.cells.rows * (size_t)p.cells.columns * sizeof *p.visits);
}

static void walk_layer(int layer, int32_t i0, int32_t j0) {
  const regions r = regions_near(planes[layer].cells, (int32_t)steps[layer]);
  clear(planes[layer]);
  for (int32_t i = r.i0; i <= r.i1; i++) {
    for (int32_t j = r.j0; j <= r.j1; j++) {
      source rows = start_source(layer, i0 + i, j0 + j, 0), columns = start_source(layer, i0 + i, j0 + j, 1);
      for (uint32_t w = 0; w < walkers[layer]; w++) {
        const int32_t row = i * side + (int32_t)draw(&rows, (uint32_t)side);
        const int32_t column = j * side + (int32_t)draw(&columns, (uint32_t)side);
        walk(layer, walker_source(layer, i0 + i, j0 + j, w), row, column);
      }
    }
  }
}

/* Lists the visited cells of a region of the hills, row by row, and returns their number. */
static uint32_t find_visited(int32_t row, int32_t column) {
  const plane p = planes[HILLS];
  uint32_t count = 0;
  for (int32_t r = 0; r < side; r++) {
    const uint32_t *visits = p.visits + index_of(p.cells, row + r, column);
    for (int32_t c = 0; c < side; c++) {
      if (visits[c]) visited[count++] = (uint32_t)(r * side + c);
    }
  }
  return count;
}

static void walk_rivers(int32_t i0, int32_t j0) {
  clear(planes[RIVERS]);
  for (int32_t i = river_regions.i0; i <= river_regions.i1; i++) {
    for (int32_t j = river_regions.j0; j <= river_regions.j1; j++) {
      const uint32_t count = find_visited(i * side, j * side);
      if (!count) continue;
      source cells = start_source(RIVERS, i0 + i, j0 + j, 0);
      for (uint32_t w = 0; w < walkers[RIVERS]; w++) {
        const int32_t cell = (int32_t)visited[draw(&cells, count)];
        walk_to_sea(walker_source(RIVERS, i0 + i, j0 + j, w), i * side + cell / side, j * side + cell % side);
      }
    }
  }
}

/* ── terrain ── */

/* The distance to the sea in two passes: from the neighbours before a cell, then from those after it. */
static void measure_shore(void) {
  const plane sea = planes[SEA];
  const int32_t rows = shore.rows, columns = shore.columns;
  for (int32_t r = 0; r < rows; r++) {
    const uint32_t *visits = sea.visits + index_of(sea.cells, shore.row0 + r, shore.column0);
    uint8_t *d = shore_distance + (size_t)r * (size_t)columns;
    for (int32_t c = 0; c < columns; c++) {
      int32_t nearest = FAR;
      if (visits[c]) nearest = 0;
      else {
        if (r > 0) nearest = least(nearest, d[c - columns] + 1);
        if (r > 0 && c < columns - 1) nearest = least(nearest, d[c - columns + 1] + 1);
        if (c > 0) nearest = least(nearest, d[c - 1] + 1);
      }
      d[c] = (uint8_t)nearest;
    }
  }
  for (int32_t r = rows - 1; r >= 0; r--) {
    uint8_t *d = shore_distance + (size_t)r * (size_t)columns;
    for (int32_t c = columns - 1; c >= 0; c--) {
      int32_t nearest = d[c];
      if (r < rows - 1) nearest = least(nearest, d[c + columns] + 1);
      if (r < rows - 1 && c > 0) nearest = least(nearest, d[c + columns - 1] + 1);
      if (c < columns - 1) nearest = least(nearest, d[c + 1] + 1);
      d[c] = (uint8_t)nearest;
    }
  }
}

static void make_terrain(int32_t row0, int32_t column0) {
  for (int32_t r = 0; r < land.rows; r++) {
    const int32_t row = land.row0 + r, column = column0 + land.column0;
    const uint32_t *sea = planes[SEA].visits + index_of(planes[SEA].cells, row, land.column0);
    const uint32_t *hills = planes[HILLS].visits + index_of(planes[HILLS].cells, row, land.column0);
    const uint32_t *rivers = planes[RIVERS].visits + index_of(planes[RIVERS].cells, row, land.column0);
    const uint8_t *near = shore_distance + index_of(shore, row, land.column0);
    uint8_t *out = terrain + (size_t)r * (size_t)land.columns;
    use_row(FOREST_WORDS, row0 + row, column);
    for (int32_t c = 0; c < land.columns; c++) {
      uint8_t cell = GRASS;
      if (sea[c]) cell = SEA_CELL;
      else if (rivers[c]) cell = RIVER_CELL;
      else if (hills[c] >= mountain) cell = MOUNTAIN;
      else if (hills[c]) cell = HILL;
      else if (near[c] <= shore_width) cell = SHORE;
      else if (chance(FOREST_WORDS, row0 + row, column + c, forest_part, forest_whole)) cell = FOREST;
      out[c] = cell;
    }
  }
}

/* ── villages ── */

static void find_candidates(int32_t row0, int32_t column0) {
  const int32_t square_rows = (land.rows - 1) / distance + 1;
  for (int32_t i = 0; i < square_rows * square_columns; i++) squares[i] = -1;
  candidate_count = 0;
  for (int32_t r = 0; r < land.rows; r++) {
    const int32_t row = row0 + land.row0 + r, column = column0 + land.column0;
    const uint8_t *cells = terrain + (size_t)r * (size_t)land.columns;
    use_row(VILLAGE_WORDS, row, column);
    for (int32_t c = 0; c < land.columns; c++) {
      if (cells[c] != SHORE && cells[c] != GRASS) continue;
      if (!chance(VILLAGE_WORDS, row, column + c, village_part, village_whole)) continue;
      int32_t *square = &squares[r / distance * square_columns + c / distance];
      candidates[candidate_count] = (candidate){r, c, priority_of(row, column + c), *square};
      *square = candidate_count++;
    }
  }
}

static bool is_before(const candidate *a, const candidate *b) {
  if (a->priority != b->priority) return a->priority < b->priority;
  return a->r != b->r ? a->r < b->r : a->c < b->c;
}

static int32_t apart(const candidate *a, const candidate *b) {
  const int32_t rows = a->r - b->r, columns = a->c - b->c;
  return most(most(abs(rows), abs(columns)), abs(rows + columns));
}

/* Whether no other candidate within the distance comes before a candidate. The candidate is in the window. */
static bool stands(const candidate *one) {
  for (int32_t i = one->r / distance - 1; i <= one->r / distance + 1; i++) {
    for (int32_t j = one->c / distance - 1; j <= one->c / distance + 1; j++) {
      for (int32_t k = squares[i * square_columns + j]; k >= 0; k = candidates[k].next) {
        if (is_before(&candidates[k], one) && apart(&candidates[k], one) <= distance) return false;
      }
    }
  }
  return true;
}

static void place_villages(int32_t row0, int32_t column0) {
  find_candidates(row0, column0);
  standing_count = 0;
  for (int32_t k = 0; k < candidate_count; k++) {
    const int32_t r = candidates[k].r - distance, c = candidates[k].c - distance;
    const bool is_inside = (uint32_t)r < (uint32_t)size && (uint32_t)c < (uint32_t)size;
    if (is_inside && stands(&candidates[k])) standing[standing_count++] = k;
  }
}

static void make_window(int32_t row0, int32_t column0) {
  walk_layer(SEA, row0 / side, column0 / side);
  walk_layer(HILLS, row0 / side, column0 / side);
  walk_rivers(row0 / side, column0 / side);
  measure_shore();
  make_terrain(row0, column0);
  place_villages(row0, column0);
  for (int32_t r = 0; r < size; r++) {
    memcpy(window + (size_t)r * (size_t)size, terrain + index_of(land, r, 0), (size_t)size);
  }
}

/* ── conversation ── */

static void *cells_for(area a, size_t bytes) { return need(calloc((size_t)a.rows * (size_t)a.columns, bytes)); }

static plane plane_of(area cells) { return (plane){cells, cells_for(cells, sizeof(uint32_t))}; }

/* Terrain is made `distance` cells further than the window; the sea is known to the shore's width around that. */
static void allocate(void) {
  land = grown((area){0, 0, size, size}, distance);
  shore = grown(land, shore_width);
  river_regions = regions_near(land, (int32_t)steps[RIVERS]);
  const area river_starts = cells_of(river_regions);
  planes[SEA] = plane_of(joined(shore, grown(river_starts, (int32_t)steps[RIVERS])));
  planes[HILLS] = plane_of(joined(land, river_starts));
  planes[RIVERS] = plane_of(land);
  shore_distance = cells_for(shore, 1);
  terrain = cells_for(land, 1);
  window = cells_for((area){0, 0, size, size}, 1);
  visited = cells_for((area){0, 0, side, side}, sizeof *visited);
  candidates = cells_for(land, sizeof *candidates);
  standing = cells_for(land, sizeof *standing);
  square_columns = (land.columns - 1) / distance + 1;
  squares = cells_for(land, sizeof *squares);
#ifdef SAME_WORDS
  for (int s = FOREST_WORDS; s < STREAMS; s++) {
    bands[s].words = cells_for((area){0, 0, BAND_ROWS, land.columns + 2 * BLOCK_COLUMNS}, sizeof(uint32_t));
  }
#endif
}

static void load(char *text) {
  size = (int32_t)number(&text);
  side = (int32_t)number(&text);
  for (int l = 0; l < LAYERS; l++) {
    walkers[l] = (uint32_t)number(&text);
    steps[l] = (uint32_t)number(&text);
  }
  mountain = (uint32_t)number(&text);
  shore_width = (int32_t)number(&text);
  forest_part = (uint32_t)number(&text);
  forest_whole = (uint32_t)number(&text);
  village_part = (uint32_t)number(&text);
  village_whole = (uint32_t)number(&text);
  distance = (int32_t)number(&text);
  uint32_t absolute[6], relative[6];
  for (int i = 0; i < 6; i++) absolute[i] = (uint32_t)number(&text);
  for (int i = 0; i < 6; i++) relative[i] = (uint32_t)number(&text);
  tensor(absolute, relative);
#ifdef SAME_WORDS
  for (int s = 0; s < STREAMS; s++) {
    streams[s].k0 = (uint32_t)number(&text);
    streams[s].k1 = (uint32_t)number(&text);
  }
#endif
  allocate();
}

/* Every window is far from the others. */
static size_t run(size_t count, uint64_t *checksum) {
  static int32_t made;
  size_t done = 0;
  while (done < count) {
    make_window(0, made++ % 16384 * 65536);
    *checksum += window[0] + (uint64_t)standing_count;
    done += (size_t)size * (size_t)size;
  }
  return done;
}

static void check(size_t row, size_t column) {
  make_window((int32_t)row, (int32_t)column);
  for (int32_t k = 0; k < size * size; k++) printf("%d ", window[k]);
  for (int32_t k = 0; k < standing_count; k++) {
    const candidate *village = &candidates[standing[k]];
    printf("%" PRId32 " %" PRId32 " ", (int32_t)row + land.row0 + village->r, (int32_t)column + land.column0 + village->c);
  }
  puts("");
}

int main(void) { return serve(); }
