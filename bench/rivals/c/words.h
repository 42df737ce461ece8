/*
 * The random words of Rollmill's worlds, written from docs/determinism.md: with these words, a rival makes the same world
 * as Rollmill, byte for byte, so that its world can be checked. The words that `below` rejects do not occur in the world
 * that is checked. Include it after rival.h.
 */
typedef struct { uint32_t k0, k1; } stream;

enum { LANES = 4, BLOCK_WORDS = 1024, FIRST_EXTRA = 4 };
enum { BAND_ROWS = 16, BLOCK_COLUMNS = 64 };

static void philox(stream key, uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t out[4]) {
  for (int round = 0; round < 10; round++) {
    const uint64_t p = (uint64_t)0xd2511f53u * c0, q = (uint64_t)0xcd9e8d57u * c2;
    c0 = (uint32_t)(q >> 32) ^ c1 ^ key.k0;
    c1 = (uint32_t)q;
    c2 = (uint32_t)(p >> 32) ^ c3 ^ key.k1;
    c3 = (uint32_t)p;
    key.k0 += 0x9e3779b9u;
    key.k1 += 0xbb67ae85u;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

static stream folded(stream key, uint32_t low, uint32_t high, uint32_t tag) {
  uint32_t out[4];
  philox((stream){key.k0 ^ 0x5851f42du, key.k1 ^ 0x4c957f2du}, low, high, 0, tag, out);
  return (stream){out[0], out[1]};
}

static stream region_stream(stream layer, int32_t i, int32_t j) { return folded(layer, (uint32_t)i, (uint32_t)j, 0x80000002u); }

static stream start_stream(stream region) { return folded(region, 1, 0, 0x80000003u); }

static inline uint32_t rotl32(uint32_t x, int k) { return (x << k) | (x >> (32 - k)); }

/* The first `count` words of a block: four lanes of xoshiro128++. */
static void fill_block(stream key, uint32_t plane, uint32_t block, uint32_t *out, uint32_t count) {
  for (uint32_t lane = 0; lane < LANES; lane++) {
    uint32_t s[4];
    philox(key, lane, block, plane, 0, s);
    for (uint32_t k = lane; k < count; k += LANES) {
      const uint32_t t = s[1] << 9;
      out[k] = rotl32(s[0] + s[3], 7) + s[0];
      s[2] ^= s[0];
      s[3] ^= s[1];
      s[1] ^= s[2];
      s[0] ^= s[3];
      s[2] ^= t;
      s[3] = rotl32(s[3], 11);
    }
  }
}

/* A block has the words of a band of rows and of some columns. The number of the band is the plane. >> rounds down. */
static inline uint32_t band_of(int32_t row) { return (uint32_t)(row >> 4); }
static inline uint32_t block_of(int32_t column) { return (uint32_t)((column >> 6) + (1 << 25)); }
static inline uint32_t offset_of(int32_t row, int32_t column) {
  return (uint32_t)(row & (BAND_ROWS - 1)) * BLOCK_COLUMNS + (uint32_t)(column & (BLOCK_COLUMNS - 1));
}

/* The first extra word of a cell. */
static uint32_t extra_word(stream key, int32_t row, int32_t column) {
  const uint64_t index = (uint64_t)block_of(column) * BLOCK_WORDS + offset_of(row, column);
  uint32_t out[4];
  philox(key, FIRST_EXTRA + ((uint32_t)(index >> 32) << 16), (uint32_t)index, band_of(row), 0, out);
  return out[0];
}
