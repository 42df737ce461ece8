/*
 * The C library of plan files (docs/engines.md), which is no rival but ours. load: the least result, the number of
 * results, the path of a plan with one noun. check N: how often each result came in N; of samples, the first items.
 */
#include "rival.h"
#include "rollmill.h"

static rm_mill *mill;
static rm_key key;
static uint64_t from;
static uint32_t *out, width, cells;
static int32_t least;

static void sure(rm_status status) {
  if (status == RM_OK) return;
  fprintf(stderr, "%s\n", rm_error(status));
  exit(1);
}

static void load(char *text) {
  least = (int32_t)number(&text);
  cells = (uint32_t)number(&text);
  text += strspn(text, " ");
  text[strcspn(text, "\n")] = 0;
  FILE *file = need(fopen(text, "rb"));
  char *plan = need(malloc(1 << 24));
  const size_t bytes = fread(plan, 1, 1 << 24, file);
  fclose(file);
  sure(rm_open(plan, bytes, "bench", 5, &mill));
  free(plan);
  key = rm_noun_key(mill, 0);
  width = rm_width(mill, 0);
  out = need(malloc(BUFFER * sizeof *out));
}

/* Makes results of BUFFER numbers at most. Returns their number; a pool has no width. */
static size_t fill(size_t results) {
  if (width == 0) {
    sure(rm_draw(mill, 0, 0, key, results, out, NULL));
  } else {
    sure(rm_many(mill, 0, key, from, results, out, NULL));
    from += results;
  }
  return results;
}

static size_t run(size_t count, uint64_t *checksum) {
  const size_t size = width ? width : 1;
  size_t done = 0;
  while (done < count) {
    done += fill(BUFFER / size) * size;
    *checksum += out[0];
  }
  return done;
}

static void check(size_t count, size_t unused) {
  const size_t size = width ? width : 1;
  uint32_t *seen = need(calloc(cells, sizeof *seen));
  (void)unused;
  for (size_t left = count; left > 0;) {
    const size_t n = fill(left < BUFFER / size ? left : BUFFER / size);
    for (size_t k = 0; k < n; k++) seen[(int32_t)out[k * size] - least]++;
    left -= n;
  }
  for (uint32_t i = 0; i < cells; i++) printf("%" PRIu32 " ", seen[i]);
  puts("");
  free(seen);
}

int main(void) { return serve(); }
