/*
 * What the walk programs share: the directions and the weights of a step. Include it after rival.h.
 */
enum { RESTING = 6 };

/* NW, NE, E, SE, SW, W in axial (row, column). */
static const int32_t ROW_STEP[6] = {-1, -1, 0, 1, 1, 0};
static const int32_t COLUMN_STEP[6] = {0, 1, 1, 0, -1, -1};

static uint32_t cumulative[7][6];

/* combined[c] = absolute[c] · relative[(c − heading) mod 6]; resting, or where that leaves nothing, the absolute weights. */
static void tensor(const uint32_t absolute[6], const uint32_t relative[6]) {
  for (int heading = 0; heading < 7; heading++) {
    uint32_t total = 0;
    for (int c = 0; c < 6; c++) {
      total += heading == RESTING ? absolute[c] : absolute[c] * relative[(c - heading + 6) % 6];
      cumulative[heading][c] = total;
    }
    for (int c = 0; !total && c < 6; c++) cumulative[heading][c] = absolute[c] + (c ? cumulative[heading][c - 1] : 0);
  }
}

/* The direction of the bounded draw r: the number of cumulative weights ≤ r, counted without a branch. */
static inline uint32_t direction_of(uint32_t heading, uint32_t r) {
  uint32_t d = 0;
  for (int i = 0; i < 5; i++) d += cumulative[heading][i] <= r;
  return d;
}
