/* The calls of rollmill.h. A call that enters the kernel runs in guarded(), so that a trap becomes a status. */

enum { RM_BATCH = 65536, RM_PAGES_1_GIB = 16384 };
static const uint64_t RM_INDICES = (uint64_t)1 << 42;
static const size_t RM_MAX_TEXT = ((size_t)1 << 30) - 1;

struct rm_mill {
  w2c_rollmill kernel;
  int is_broken;
  uint32_t plan;  /* the address of the plan in the kernel */
  uint8_t *texts; /* a copy of the plan: the kernel's memory moves when it grows */
  rm_key seed;
  rm_key *keys;
  uint32_t count;
};

/* What a call passes to its body. A body uses the fields that it needs. */
typedef struct arguments arguments;
typedef rm_status (*body)(rm_mill *mill, arguments *given);
typedef uint32_t (*batch)(w2c_rollmill *kernel, const arguments *given, uint64_t index, uint32_t n);
typedef u64 (*fold)(w2c_rollmill *kernel, u64 key, u32 text, u32 bytes);
struct arguments {
  uint32_t noun, pool;
  rm_key key;
  uint64_t plane, from;
  size_t count, made;
  batch make;
  uint32_t *out;
  int32_t *quantities;
  fold folding;
  const void *bytes, *seed;
  size_t length, seed_length;
  int32_t row, col;
  uint32_t rows, cols, layer, task;
  void *cells;
};

/* Runs a body. After a trap, the memory of the kernel can be in any state, so every later call is refused. */
static rm_status guarded(rm_mill *mill, body run, arguments *given) {
  jmp_buf here, *const outer = rm_on_trap;
  rm_status status;
  if (mill->is_broken) return RM_BROKEN;
  rm_on_trap = &here;
  if (setjmp(here) == 0) {
    status = run(mill, given);
  } else {
    mill->is_broken = 1;
    status = RM_BROKEN;
  }
  rm_on_trap = outer;
  return status;
}

static uint8_t *at(rm_mill *mill, uint32_t address) { return mill->kernel.w2c_memory.data + address; }

/* Copies bytes into the kernel. Returns their address, or 0 if memory runs out. */
static uint32_t put(rm_mill *mill, const void *bytes, size_t count) {
  const uint32_t address = count <= RM_MAX_TEXT ? w2c_rollmill_allocate(&mill->kernel, (uint32_t)count) : 0;
  if (address && count) memcpy(at(mill, address), bytes, count);
  return address;
}

const char *rm_error(rm_status status) {
  static const char *const sentences[] = {
    "success", "there is not enough memory", "the plan has no such noun",
    "the call is for another kind of noun", "an index or a size is out of range",
    "a roll visited more rows than the table allows",
    "the pool has nothing left to draw, or a layer has no cell to start on",
    "not a plan file, or a damaged one", "the plan file has another version", "not a state, or a damaged one",
    "the noun has no quantities", "the family has no such pool", "the state belongs to another plan file",
    "a bug of the library: close the mill",
  };
  return (unsigned)status <= RM_BROKEN ? sentences[status] : "unknown status";
}

/* ── opening ── */

static rm_status load(rm_mill *mill, arguments *given) {
  w2c_rollmill *const kernel = &mill->kernel;
  wasm2c_rollmill_instantiate(kernel);
  w2c_rollmill_limitMemory(kernel, RM_PAGES_1_GIB);
  const uint32_t before = w2c_rollmill_mark(kernel);
  const uint32_t seed = put(mill, given->seed, given->seed_length);
  if (!seed) return RM_MEMORY;
  mill->seed = w2c_rollmill_seedKey(kernel, seed, (uint32_t)given->seed_length);
  w2c_rollmill_release(kernel, before);
  mill->plan = put(mill, given->bytes, given->length);
  if (!mill->plan) return RM_MEMORY;
  const rm_status status = (rm_status)w2c_rollmill_loadPlan(kernel, mill->plan, (uint32_t)given->length);
  if (status) return status;
  mill->count = w2c_rollmill_nounCount(kernel);
  mill->texts = (uint8_t *)malloc(given->length);
  mill->keys = (rm_key *)calloc(mill->count ? mill->count : 1, sizeof(rm_key));
  if (!mill->texts || !mill->keys) return RM_MEMORY;
  memcpy(mill->texts, given->bytes, given->length);
  for (uint32_t noun = 0; noun < mill->count; noun++) {
    const uint32_t name = w2c_rollmill_nounName(kernel, noun);
    mill->keys[noun] = w2c_rollmill_nameKey(kernel, mill->seed, name, w2c_rollmill_nounNameBytes(kernel, noun));
  }
  return RM_OK;
}

rm_status rm_open(const void *plan, size_t plan_bytes, const char *seed, size_t seed_bytes, rm_mill **mill) {
  arguments given = { .bytes = plan, .length = plan_bytes, .seed = seed, .seed_length = seed_bytes };
  *mill = (rm_mill *)calloc(1, sizeof(rm_mill));
  if (!*mill) return RM_MEMORY;
  const rm_status status = guarded(*mill, load, &given);
  if (status == RM_OK) return RM_OK;
  rm_close(*mill);
  *mill = NULL;
  return status;
}

void rm_close(rm_mill *mill) {
  if (!mill) return;
  wasm2c_rollmill_free(&mill->kernel);
  free(mill->texts);
  free(mill->keys);
  free(mill);
}

/* ── nouns ── */

uint32_t rm_count(const rm_mill *mill) { return mill->count; }

rm_status rm_about(const rm_mill *mill, uint32_t noun, rm_kind *kind, const char **name, size_t *name_bytes,
                   const char **labels, size_t *labels_bytes) {
  /* these functions of the kernel only read its memory */
  w2c_rollmill *const kernel = (w2c_rollmill *)&mill->kernel;
  const char *const texts = (const char *)mill->texts;
  if (mill->is_broken) return RM_BROKEN;
  if (noun >= mill->count) return RM_NOUN;
  if (kind) *kind = (rm_kind)w2c_rollmill_nounKind(kernel, noun);
  if (name) *name = texts + (w2c_rollmill_nounName(kernel, noun) - mill->plan);
  if (name_bytes) *name_bytes = w2c_rollmill_nounNameBytes(kernel, noun);
  if (labels) *labels = texts + (w2c_rollmill_nounLabels(kernel, noun) - mill->plan);
  if (labels_bytes) *labels_bytes = w2c_rollmill_nounLabelsBytes(kernel, noun);
  return RM_OK;
}

rm_status rm_find(const rm_mill *mill, const char *name, size_t name_bytes, uint32_t *noun) {
  for (uint32_t i = 0; i < mill->count; i++) {
    const char *other;
    size_t bytes;
    const rm_status status = rm_about(mill, i, NULL, &other, &bytes, NULL, NULL);
    if (status) return status;
    if (bytes != name_bytes || memcmp(name, other, bytes) != 0) continue;
    *noun = i;
    return RM_OK;
  }
  return RM_NOUN;
}

/* ── keys ── */

rm_key rm_seed_key(const rm_mill *mill) { return mill->seed; }

rm_key rm_noun_key(const rm_mill *mill, uint32_t noun) { return noun < mill->count ? mill->keys[noun] : 0; }

static rm_status fold_text(rm_mill *mill, arguments *given) {
  const uint32_t before = w2c_rollmill_mark(&mill->kernel);
  const uint32_t text = put(mill, given->bytes, given->length);
  if (!text) return RM_MEMORY;
  given->key = given->folding(&mill->kernel, given->key, text, (uint32_t)given->length);
  w2c_rollmill_release(&mill->kernel, before);
  return RM_OK;
}

static rm_status folded(rm_mill *mill, fold folding, rm_key parent, const char *text, size_t bytes, rm_key *key) {
  arguments given = { .folding = folding, .key = parent, .bytes = text, .length = bytes };
  const rm_status status = guarded(mill, fold_text, &given);
  if (status == RM_OK) *key = given.key;
  return status;
}

rm_status rm_name_key(rm_mill *mill, rm_key seed, const char *name, size_t name_bytes, rm_key *key) {
  return folded(mill, w2c_rollmill_nameKey, seed, name, name_bytes, key);
}

rm_status rm_fork_text(rm_mill *mill, rm_key parent, const char *id, size_t id_bytes, rm_key *key) {
  return folded(mill, w2c_rollmill_forkText, parent, id, id_bytes, key);
}

/* these two folds read and write fixed places of the kernel's memory only, so they cannot trap */

rm_status rm_fork_integer(rm_mill *mill, rm_key parent, int64_t id, rm_key *key) {
  if (mill->is_broken) return RM_BROKEN;
  *key = w2c_rollmill_forkInteger(&mill->kernel, parent, (u64)id);
  return RM_OK;
}

rm_status rm_fork_pair(rm_mill *mill, rm_key parent, int32_t first, int32_t second, rm_key *key) {
  if (mill->is_broken) return RM_BROKEN;
  *key = w2c_rollmill_forkPair(&mill->kernel, parent, (u32)first, (u32)second);
  return RM_OK;
}

/* ── results ── */

/* Every bulk call begins here, so that one which is refused has written nothing. A batch of no results checks the noun,
 * the pool and the quantities. */
static rm_status admitted(rm_mill *mill, const arguments *given) {
  const rm_status status = (rm_status)given->make(&mill->kernel, given, 0, 0);
  if (status) return status;
  return given->from > RM_INDICES || given->count > RM_INDICES - given->from ? RM_RANGE : RM_OK;
}

/* Makes `count` results of `width` numbers each, in batches of at most RM_BATCH numbers or one result. */
static rm_status in_batches(rm_mill *mill, arguments *given, size_t width, uint32_t results) {
  w2c_rollmill *const kernel = &mill->kernel;
  const size_t most = width > RM_BATCH ? 1 : RM_BATCH / width;
  const uint32_t quantities = w2c_rollmill_quantitiesAddress(kernel);
  rm_status status = admitted(mill, given);
  /* no array has this size, so the caller's product has overflowed */
  if (given->count > SIZE_MAX / sizeof(uint32_t) / width && !status) status = RM_RANGE;
  for (size_t done = 0; done < given->count && !status;) {
    const size_t left = given->count - done;
    const uint32_t n = (uint32_t)(left < most ? left : most);
    status = (rm_status)given->make(kernel, given, given->from + done, n);
    if (status) break;
    memcpy(given->out + done * width, at(mill, results), n * width * sizeof(uint32_t));
    if (given->quantities) memcpy(given->quantities + done * width, at(mill, quantities), n * width * sizeof(int32_t));
    done += n;
  }
  return status;
}

static uint32_t make_words(w2c_rollmill *kernel, const arguments *given, uint64_t index, uint32_t n) {
  return w2c_rollmill_wordsMany(kernel, given->key, given->plane, index, n);
}

static rm_status words(rm_mill *mill, arguments *given) {
  return in_batches(mill, given, 1, w2c_rollmill_windowAddress(&mill->kernel));
}

rm_status rm_words(rm_mill *mill, rm_key key, uint64_t plane, uint64_t from, size_t count, uint32_t *out) {
  arguments given = { .make = make_words, .key = key, .plane = plane, .from = from, .count = count, .out = out };
  return guarded(mill, words, &given);
}

uint32_t rm_width(rm_mill *mill, uint32_t noun) {
  return mill->is_broken ? 0 : w2c_rollmill_resultWidth(&mill->kernel, noun);
}

int rm_has_quantities(rm_mill *mill, uint32_t noun) {
  return mill->is_broken ? 0 : (int)w2c_rollmill_hasQuantities(&mill->kernel, noun);
}

static uint32_t make_results(w2c_rollmill *kernel, const arguments *given, uint64_t index, uint32_t n) {
  return w2c_rollmill_makeMany(kernel, given->noun, given->key, index, n, given->quantities != NULL);
}

static rm_status many(rm_mill *mill, arguments *given) {
  const size_t width = w2c_rollmill_resultWidth(&mill->kernel, given->noun);
  /* the width is 0 if the kernel refuses the noun */
  return in_batches(mill, given, width ? width : 1, w2c_rollmill_resultsAddress(&mill->kernel, given->noun));
}

rm_status rm_many(rm_mill *mill, uint32_t noun, rm_key key, uint64_t from, size_t count, uint32_t *results,
                  int32_t *quantities) {
  arguments given = { .make = make_results, .noun = noun, .key = key, .from = from, .count = count, .out = results,
    .quantities = quantities };
  return guarded(mill, many, &given);
}

/* The kernel itself knows the index of the next draw. */
static uint32_t make_draws(w2c_rollmill *kernel, const arguments *given, uint64_t index, uint32_t n) {
  (void)index;
  return w2c_rollmill_drawMany(kernel, given->noun, given->pool, given->key, n);
}

static rm_status draws(rm_mill *mill, arguments *given) {
  w2c_rollmill *const kernel = &mill->kernel;
  given->from = w2c_rollmill_nextDraw(kernel, given->noun);
  rm_status status = admitted(mill, given);
  while (given->made < given->count && status == RM_OK) {
    const size_t left = given->count - given->made;
    const uint32_t n = (uint32_t)(left < RM_BATCH ? left : RM_BATCH);
    status = (rm_status)given->make(kernel, given, 0, n);
    const uint32_t drawn = w2c_rollmill_drawnCount(kernel);
    memcpy(given->out + given->made, at(mill, w2c_rollmill_windowAddress(kernel)), drawn * sizeof(uint32_t));
    given->made += drawn;
  }
  return status;
}

rm_status rm_draw(rm_mill *mill, uint32_t family, uint32_t pool, rm_key key, size_t count, uint32_t *records,
                       size_t *drawn) {
  arguments given = { .make = make_draws, .noun = family, .pool = pool, .key = key, .count = count, .out = records };
  const rm_status status = guarded(mill, draws, &given);
  if (drawn) *drawn = given.made;
  return status;
}

uint32_t rm_pool_count(rm_mill *mill, uint32_t family) {
  return mill->is_broken ? 0 : w2c_rollmill_poolCount(&mill->kernel, family);
}

static rm_status restock(rm_mill *mill, arguments *given) {
  return (rm_status)w2c_rollmill_restock(&mill->kernel, given->noun);
}

rm_status rm_restock(rm_mill *mill, uint32_t noun) {
  arguments given = { .noun = noun };
  return guarded(mill, restock, &given);
}

/* ── walks and worlds ── */

uint32_t rm_layer_count(rm_mill *mill, uint32_t noun) {
  return mill->is_broken ? 0 : w2c_rollmill_layerCount(&mill->kernel, noun);
}

/* What makeCells of the kernel makes. */
enum { RM_VISITS, RM_FIRST_VISITS, RM_TERRAIN, RM_PLACEMENTS };

static rm_status make_cells(rm_mill *mill, arguments *given) {
  w2c_rollmill *const kernel = &mill->kernel;
  const rm_status status = (rm_status)w2c_rollmill_makeCells(kernel, given->noun, given->key, given->task, given->layer,
    (uint32_t)given->row, (uint32_t)given->col, given->rows, given->cols);
  if (status) return status;
  given->made = given->task == RM_PLACEMENTS ? w2c_rollmill_placementCount(kernel) : (size_t)given->rows * given->cols;
  if (given->made > given->count) return RM_RANGE;
  /* the array may be null if it has no room, and nothing is found */
  if (given->made) memcpy(given->cells, at(mill, w2c_rollmill_cellsAddress(kernel)), given->made * given->length);
  return RM_OK;
}

rm_status rm_visits(rm_mill *mill, uint32_t noun, rm_key seed, uint32_t layer, int32_t row, int32_t col, uint32_t rows,
                    uint32_t cols, uint32_t *visits) {
  arguments given = { .noun = noun, .key = seed, .task = RM_VISITS, .layer = layer, .row = row, .col = col,
    .rows = rows, .cols = cols, .cells = visits, .length = sizeof *visits, .count = SIZE_MAX };
  return guarded(mill, make_cells, &given);
}

rm_status rm_first_visits(rm_mill *mill, uint32_t noun, rm_key seed, uint32_t layer, int32_t row, int32_t col,
                          uint32_t rows, uint32_t cols, uint32_t *steps) {
  arguments given = { .noun = noun, .key = seed, .task = RM_FIRST_VISITS, .layer = layer, .row = row, .col = col,
    .rows = rows, .cols = cols, .cells = steps, .length = sizeof *steps, .count = SIZE_MAX };
  return guarded(mill, make_cells, &given);
}

rm_status rm_world_region(rm_mill *mill, uint32_t world, rm_key seed, int32_t row, int32_t col, uint32_t rows,
                          uint32_t cols, uint8_t *terrain) {
  arguments given = { .noun = world, .key = seed, .task = RM_TERRAIN, .row = row, .col = col, .rows = rows,
    .cols = cols, .cells = terrain, .length = sizeof *terrain, .count = SIZE_MAX };
  return guarded(mill, make_cells, &given);
}

rm_status rm_world_placements(rm_mill *mill, uint32_t world, rm_key seed, int32_t row, int32_t col, uint32_t rows,
                              uint32_t cols, size_t capacity, rm_placement *placements, size_t *count) {
  arguments given = { .noun = world, .key = seed, .task = RM_PLACEMENTS, .row = row, .col = col, .rows = rows,
    .cols = cols, .cells = placements, .length = sizeof *placements, .count = capacity };
  const rm_status status = guarded(mill, make_cells, &given);
  *count = given.made;
  return status;
}

/* ── state ── */

size_t rm_state_bytes(rm_mill *mill) { return mill->is_broken ? 0 : w2c_rollmill_stateBytes(&mill->kernel); }

static rm_status save_state(rm_mill *mill, arguments *given) {
  const uint32_t before = w2c_rollmill_mark(&mill->kernel);
  const uint32_t state = w2c_rollmill_allocate(&mill->kernel, (uint32_t)given->length);
  if (!state) return RM_MEMORY;
  w2c_rollmill_saveState(&mill->kernel, state);
  memcpy(given->out, at(mill, state), given->length);
  w2c_rollmill_release(&mill->kernel, before);
  return RM_OK;
}

rm_status rm_state_save(rm_mill *mill, void *state, size_t bytes) {
  arguments given = { .out = (uint32_t *)state, .length = bytes };
  return bytes == rm_state_bytes(mill) ? guarded(mill, save_state, &given) : RM_RANGE;
}

static rm_status load_state(rm_mill *mill, arguments *given) {
  const uint32_t before = w2c_rollmill_mark(&mill->kernel);
  const uint32_t state = put(mill, given->bytes, given->length);
  if (!state) return RM_MEMORY;
  const rm_status status = (rm_status)w2c_rollmill_loadState(&mill->kernel, state, (uint32_t)given->length);
  w2c_rollmill_release(&mill->kernel, before);
  return status;
}

rm_status rm_state_load(rm_mill *mill, const void *state, size_t bytes) {
  arguments given = { .bytes = state, .length = bytes };
  return guarded(mill, load_state, &given);
}
