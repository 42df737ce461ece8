/* Rollmill outside JavaScript: opens plan files, which `rollmill bake` writes, and makes the same results as the
 * JavaScript library, byte for byte. Result k depends only on the seed, the name and k. See docs/engines.md.
 *
 * - Every call returns a status and changes nothing if it refuses its arguments. No plan file, however damaged, makes a
 *   call crash; a null pointer or an array that is too short does.
 * - A mill may be used by one thread at a time. Use a mill for each thread: equal mills make equal results.
 * - Texts are UTF-8 with a length in bytes. Numbers of results are `uint64_t` below 2^42.
 */
#ifndef ROLLMILL_H
#define ROLLMILL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the library is a shared one, compile it with -DRM_API='__attribute__((visibility("default")))' or, on Windows,
 * -DRM_API='__declspec(dllexport)'. */
#ifndef RM_API
#define RM_API
#endif

/* The versions of this interface and of the random words. Results are equal only if the stream version is equal. */
#define RM_ABI_VERSION 1
#define RM_STREAM_VERSION 2

typedef enum rm_status {
  RM_OK,
  RM_MEMORY,  /* there is not enough memory */
  RM_NOUN,    /* the plan has no such noun */
  RM_KIND,    /* the call is for another kind of noun */
  RM_RANGE,   /* `from` + count is above 2^42, an array has not the size of the call, or cells are outside the grid */
  RM_HOPS,    /* a roll visited more rows than the table allows; the results are undefined */
  RM_EMPTY,   /* the pool has nothing left: fewer records were drawn than wanted; or a layer has no cell to start on */
  RM_PLAN,    /* the bytes are not a plan file, or are damaged: see `rollmill plan check` */
  RM_VERSION, /* the plan file has another version of the format or of the stream */
  RM_STATE,   /* the bytes are not a state, or are damaged */
  RM_QUANTITIES, /* the noun has no quantities: pass null */
  RM_POOL,    /* the family has no pool of this number */
  RM_OTHER_PLAN, /* the state belongs to another plan file, even if it has the same nouns */
  RM_BROKEN   /* a bug of the library: the mill can only be closed */
} rm_status;

typedef enum rm_kind {
  RM_LIST = 1, RM_TABLE, RM_DICE, RM_SAMPLER, RM_POOLS, RM_DROPS, RM_RECIPE, RM_OBJECTS, RM_WALK, RM_WORLD
} rm_kind;

/* An open plan file with a seed. */
typedef struct rm_mill rm_mill;

/* The 64-bit key of a stream of random words. The key of a noun follows from the seed and its name. */
typedef uint64_t rm_key;

/* Returns a sentence in English. */
RM_API const char *rm_error(rm_status status);

/* ── opening ── */

/* Opens a plan file and copies what it needs of it. Sets *mill to null on failure. `seed` is the text of the seed: for
 * the number 7 of JavaScript, "7". */
RM_API rm_status rm_open(const void *plan, size_t plan_bytes, const char *seed, size_t seed_bytes, rm_mill **mill);
RM_API void rm_close(rm_mill *mill);

/* ── nouns, numbered from 0 in the order of the file ── */

RM_API uint32_t rm_count(const rm_mill *mill);
/* Sets *noun to the number of the noun with this name. RM_NOUN: the plan has no such noun. */
RM_API rm_status rm_find(const rm_mill *mill, const char *name, size_t name_bytes, uint32_t *noun);
/* Sets what the file says about a noun; each pointer but the first two arguments may be null. The texts end with a
 * zero and live as long as the mill. `labels` is JSON (docs/formats/plans.md): what the numbers of results stand for. */
RM_API rm_status rm_about(const rm_mill *mill, uint32_t noun, rm_kind *kind, const char **name, size_t *name_bytes,
                          const char **labels, size_t *labels_bytes);

/* ── keys ── */

/* The key of the seed, from which names and forks of the mill follow. */
RM_API rm_key rm_seed_key(const rm_mill *mill);
/* The key of a noun: rm_name_key of the seed's key. 0 if the plan has no such noun. */
RM_API rm_key rm_noun_key(const rm_mill *mill, uint32_t noun);
/* The key of a name under the key of a seed or of a fork of a mill. */
RM_API rm_status rm_name_key(rm_mill *mill, rm_key seed, const char *name, size_t name_bytes, rm_key *key);
/* The key of `fork(id)` of JavaScript, of a noun or of a mill. A fork can be forked again. */
RM_API rm_status rm_fork_text(rm_mill *mill, rm_key parent, const char *id, size_t id_bytes, rm_key *key);
RM_API rm_status rm_fork_integer(rm_mill *mill, rm_key parent, int64_t id, rm_key *key);
RM_API rm_status rm_fork_pair(rm_mill *mill, rm_key parent, int32_t first, int32_t second, rm_key *key);

/* ── results ──
 *
 * Each call writes the results `from` … `from` + count − 1. Result k is the same in every call. */

/* Raw random words of a plane. */
RM_API rm_status rm_words(rm_mill *mill, rm_key key, uint64_t plane, uint64_t from, size_t count, uint32_t *words);

/* The numbers of each result of rm_many. 0: pools, walks, worlds, or no such noun. */
RM_API uint32_t rm_width(rm_mill *mill, uint32_t noun);

/* Whether the entries of a list, or the results of a table or of drops, have quantities. */
RM_API int rm_has_quantities(rm_mill *mill, uint32_t noun);

/* Makes results of a noun other than pools, walks and worlds, each of rm_width() numbers:
 *   list     the number of the picked entry
 *   table    the number of the rolled result; the number of results stands for a roll without a result
 *   dice     the sum, an int32_t
 *   sampler  the numbers of the items, without replacement, in random order
 *   drops    the number of each fixed and each rolled result; the number of results stands for no result
 *   recipe   a value of each column, and each stat, an int32_t: see `columns` of the labels
 *   objects  the numbers of an object, int32_t: see docs/formats/plans.md. An object that is an artifact takes it from
 *            the stock of the maker, of which a mill has one for all keys
 * `quantities` gets a quantity for each number of the results. Pass NULL to skip them, and for a noun without
 * quantities. */
RM_API rm_status rm_many(rm_mill *mill, uint32_t noun, rm_key key, uint64_t from, size_t count, uint32_t *results,
                         int32_t *quantities);

/* Draws records from a pool: the number of the record in its root. Pools have the numbers of the labels. The draws of a
 * finite pool take copies from the stock of the family, of which a mill has one. The first draw has the index after the
 * last draw of the family. *drawn is below `count` only if the call is refused or returns RM_EMPTY; `drawn` may be
 * null. */
RM_API rm_status rm_draw(rm_mill *mill, uint32_t family, uint32_t pool, rm_key key, size_t count,
                              uint32_t *records, size_t *drawn);
RM_API uint32_t rm_pool_count(rm_mill *mill, uint32_t family);
/* Puts all copies of a family back; the index of the next draw stays. Or puts all artifacts of an object maker back. */
RM_API rm_status rm_restock(rm_mill *mill, uint32_t noun);

/* ── walks and worlds ──
 *
 * Each call makes a rectangle of at most 512 rows and 512 columns, of which the first cell is (row, col), row by row. A
 * cell is the same in every call. `seed` is rm_seed_key(), or the key of a fork of the mill. The mill keeps the walks
 * around the last rectangles of one walk or world, so it is fastest to stay near, and to make one world after another. */

/* The number of layers; 0 if the noun is no walk and no world. Layers have the numbers of the labels. */
RM_API uint32_t rm_layer_count(rm_mill *mill, uint32_t noun);

/* Writes the visits of a layer. */
RM_API rm_status rm_visits(rm_mill *mill, uint32_t noun, rm_key seed, uint32_t layer, int32_t row, int32_t col,
                           uint32_t rows, uint32_t cols, uint32_t *visits);

/* Writes the steps of the first visits of a layer; 2^32 - 1 for a cell without visits. RM_RANGE: it keeps none. */
RM_API rm_status rm_first_visits(rm_mill *mill, uint32_t noun, rm_key seed, uint32_t layer, int32_t row, int32_t col,
                                 uint32_t rows, uint32_t cols, uint32_t *steps);

/* Writes the terrain of each cell: its number in the labels. */
RM_API rm_status rm_world_region(rm_mill *mill, uint32_t world, rm_key seed, int32_t row, int32_t col, uint32_t rows,
                                 uint32_t cols, uint8_t *terrain);

/* A placement: its kind, its terrain and its size are numbers of the labels. A facing is 0 north-west, then clockwise
 * 1 north-east, 2 east … 5 west. 255: the kind has no sizes, or no facing. */
typedef struct rm_placement {
  int32_t row, col;
  uint32_t kind, terrain, size, facing;
} rm_placement;

/* Sets *count to the number of placements in the rectangle, and writes them: by region of 256 x 256 cells, then by kind,
 * row and column. RM_RANGE: there are more than `capacity`, and none is written. */
RM_API rm_status rm_world_placements(rm_mill *mill, uint32_t world, rm_key seed, int32_t row, int32_t col,
                                     uint32_t rows, uint32_t cols, size_t capacity, rm_placement *placements,
                                     size_t *count);

/* ── state: the stock of all families of pools, the index of their next draw, and the artifacts that were made. Nothing
 * else has state. ── */

RM_API size_t rm_state_bytes(rm_mill *mill);
/* Writes rm_state_bytes() bytes. RM_RANGE: `bytes` is another number. */
RM_API rm_status rm_state_save(rm_mill *mill, void *state, size_t bytes);
/* Restores a state of the same plan file, byte for byte. A state that is refused changes nothing. */
RM_API rm_status rm_state_load(rm_mill *mill, const void *state, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
