// Compresses data in the formats DEFLATE (RFC 1951) and zlib (RFC 1950). Looks only for runs of equal bytes. For
// pictures of maps, a search for all repeated strings of bytes saves only a few percent more, and takes many times as
// long. The result is the same on every platform.

const END_OF_BLOCK = 256;
const LITERAL_CODES = 286;
/** Minimum and maximum length of a copy, in bytes. A copy encodes a run of equal bytes. */
const LEAST_RUN = 3;
const MOST_RUN = 258;
const MOST_CODE_BITS = 15;
const MOST_HEADER_CODE_BITS = 7;
/** Maximum number of tokens in a block. Each block has its own codes. */
const BLOCK_TOKENS = 2 ** 15;
const ADLER_MODULUS = 65_521;
/**
 * The sums of the checksum are reduced by the modulus after this many bytes or cells. Until then, they stay far below
 * 2^53.
 */
const ADLER_STEP = 2 ** 16;
/** A block's header lists code lengths in this order (RFC 1951, section 3.2.7). */
const HEADER_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** The first two bytes of zlib data: a window of 32 KiB, and no preset dictionary. */
const ZLIB_HEAD = 0x0178;
const SHORT_ZEROS = 17;
const LONG_ZEROS = 18;

/**
 * For each length of a copy: the code, the number of extra bits, and the value of these bits (RFC 1951, section 3.2.5).
 */
const [LENGTH_CODES, EXTRA_BITS, EXTRA_VALUES] = /* @__PURE__ */ lengthCodes();

function lengthCodes(): readonly [codes: Uint16Array, bits: Uint8Array, values: Uint8Array] {
  const [codes, bits, values] = [
    new Uint16Array(MOST_RUN + 1),
    new Uint8Array(MOST_RUN + 1),
    new Uint8Array(MOST_RUN + 1),
  ];
  for (let code = 257, length = LEAST_RUN; code < LITERAL_CODES - 1; code++) {
    const extra = code < 265 ? 0 : (code - 261) >>> 2;
    for (let value = 0; value < 2 ** extra && length < MOST_RUN; value++, length++) {
      codes[length] = code;
      bits[length] = extra;
      values[length] = value;
    }
  }
  codes[MOST_RUN] = LITERAL_CODES - 1;
  return [codes, bits, values];
}

/**
 * Compresses bytes that arrive in pieces.
 *
 * Cost: O(bytes). Memory: the compressed bytes, and 64 KiB.
 */
export class Deflater {
  readonly #out = new BitWriter();
  /** The tokens of the current block. A token is a byte, or 256 + the length of a run. */
  readonly #tokens = new Uint16Array(BLOCK_TOKENS);
  #tokenCount = 0;
  readonly #counts = new Uint32Array(LITERAL_CODES);
  /** The last byte that was added. `#run` counts the repetitions of this byte that are not written as tokens yet. */
  #last = -1;
  #run = 0;
  #adlerLow = 1;
  #adlerHigh = 0;

  constructor() {
    this.#out.bits(ZLIB_HEAD, 16);
  }

  add(bytes: Uint8Array): void {
    this.#sum(bytes);
    let last = this.#last;
    let run = this.#run;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === last && run < MOST_RUN) {
        run++;
        continue;
      }
      if (run > 0) this.#putRun(last, run);
      run = 0;
      if (byte === last) run = 1;
      else this.#put(byte, byte);
      last = byte;
    }
    this.#last = last;
    this.#run = run;
  }

  /** Removes complete compressed bytes, and returns them. Their number is the largest possible multiple of `unit`. */
  take(unit: number): Uint8Array {
    return this.#out.take(unit);
  }

  /**
   * Ends the data. Returns the compressed bytes, except those that `take` has returned. The deflater must not be used
   * again.
   */
  end(): Uint8Array {
    this.#putRun(this.#last, this.#run);
    this.#endBlock(true);
    this.#out.align();
    writeSum(this.#out, this.#adlerHigh, this.#adlerLow);
    return this.#out.bytes();
  }

  #sum(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += ADLER_STEP) {
      let [low, high] = [this.#adlerLow, this.#adlerHigh];
      const until = Math.min(bytes.length, from + ADLER_STEP);
      for (let i = from; i < until; i++) {
        low += bytes[i];
        high += low;
      }
      this.#adlerLow = low % ADLER_MODULUS;
      this.#adlerHigh = high % ADLER_MODULUS;
    }
  }

  #putRun(byte: number, run: number): void {
    if (run >= LEAST_RUN) this.#put(END_OF_BLOCK + run, LENGTH_CODES[run]);
    else for (let i = 0; i < run; i++) this.#put(byte, byte);
  }

  #put(token: number, code: number): void {
    this.#tokens[this.#tokenCount++] = token;
    this.#counts[code]++;
    if (this.#tokenCount === BLOCK_TOKENS) this.#endBlock(false);
  }

  /** Writes the current tokens as a block with its own codes (section 3.2.7). */
  #endBlock(isLast: boolean): void {
    this.#counts[END_OF_BLOCK] = 1;
    const codes = new Codes(codeLengths(this.#counts, MOST_CODE_BITS));
    const out = this.#out;
    out.bits(isLast ? 0b101 : 0b100, 3);
    writeHeader(out, codes.lengths, 1);
    writeTokens(out, this.#tokens.subarray(0, this.#tokenCount), codes);
    this.#tokenCount = 0;
    this.#counts.fill(0);
  }
}

/** Bytes of a cell. */
const CELL_BYTES = 4;
/**
 * Each cell is stored as four bytes: its number and three zeros. Each byte of a run equals the byte four bytes earlier.
 * So a run begins with the three zeros of a new cell. Each equal cell that follows adds four bytes to the run:
 *
 *     5 0 0 0  9 0 0 0  9 0 0 0
 *                └─ 7 bytes ──┘
 */
const ZERO_BYTES = 3;
const MOST_CELL_RUN = MOST_RUN - CELL_BYTES;

/**
 * Compresses cells into several streams. A cell is stored as a 32-bit integer below 256, little-endian. All streams use
 * the same codes, so small streams take little time.
 *
 * Cost: O(cells). Memory: four bytes for each run of equal cells, and the compressed bytes.
 */
export class CellDeflater {
  #tokens = new Uint16Array(2 ** 16);
  #tokenCount = 0;
  readonly #counts = new Uint32Array(LITERAL_CODES);
  /** For each stream, the end of its tokens, and its checksum. */
  readonly #streams: { readonly end: number; readonly high: number; readonly low: number }[] = [];

  /** Adds a stream with at least one cell. */
  add(cells: Uint8Array): void {
    // the worst case: four tokens for the first cell, two for each other cell
    this.#reserve(2 * cells.length + 2);
    let last = cells[0];
    this.#put(last);
    for (let i = 0; i < ZERO_BYTES; i++) this.#put(0);
    let run = 0;
    for (let i = 1; i < cells.length; i++) {
      const cell = cells[i];
      if (cell === last && run <= MOST_CELL_RUN) {
        run += CELL_BYTES;
        continue;
      }
      this.#putRun(run);
      if (cell === last) run = CELL_BYTES;
      else {
        this.#put(cell);
        run = ZERO_BYTES;
        last = cell;
      }
    }
    this.#putRun(run);
    this.#streams.push({ end: this.#tokenCount, ...sumOfCells(cells) });
  }

  /** Returns the streams. The deflater must not be used again. */
  end(): Uint8Array[] {
    this.#counts[END_OF_BLOCK] = 1;
    const codes = new Codes(codeLengths(this.#counts, MOST_CODE_BITS));
    const header: [value: number, count: number][] = [];
    writeHeader({ bits: (value, count) => header.push([value, count]) }, codes.lengths, CELL_BYTES);
    const out = new BitWriter();
    let start = 0;
    return this.#streams.map(({ end, high, low }) => {
      out.bits(ZLIB_HEAD, 16);
      out.bits(0b101, 3);
      for (const [value, count] of header) out.bits(value, count);
      writeTokens(out, this.#tokens.subarray(start, end), codes);
      out.align();
      writeSum(out, high, low);
      start = end;
      return out.take(1);
    });
  }

  #put(byte: number): void {
    this.#tokens[this.#tokenCount++] = byte;
    this.#counts[byte]++;
  }

  // the run has length 0 only before the second cell
  #putRun(run: number): void {
    if (run === 0) return;
    this.#tokens[this.#tokenCount++] = END_OF_BLOCK + run;
    this.#counts[LENGTH_CODES[run]]++;
  }

  #reserve(tokens: number): void {
    const needed = this.#tokenCount + tokens;
    if (needed <= this.#tokens.length) return;
    const grown = new Uint16Array(Math.max(needed, 2 * this.#tokens.length));
    grown.set(this.#tokens);
    this.#tokens = grown;
  }
}

/** Returns the Adler-32 checksum of cells that are stored in four bytes each. */
function sumOfCells(cells: Uint8Array): { high: number; low: number } {
  let [low, high] = [1, 0];
  for (let from = 0; from < cells.length; from += ADLER_STEP) {
    const until = Math.min(cells.length, from + ADLER_STEP);
    for (let i = from; i < until; i++) {
      low += cells[i];
      // the three bytes after the first one are 0
      high += CELL_BYTES * low;
    }
    low %= ADLER_MODULUS;
    high %= ADLER_MODULUS;
  }
  return { high, low };
}

function writeSum(out: BitWriter, high: number, low: number): void {
  for (const half of [high, low]) {
    out.bits(half >>> 8, 8);
    out.bits(half & 0xff, 8);
  }
}

/** Writes the tokens and the end of a block. All copies have the same distance. */
function writeTokens(out: BitWriter, tokens: Uint16Array, { words, lengths }: Codes): void {
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token < END_OF_BLOCK) out.bits(words[token], lengths[token]);
    else {
      const run = token - END_OF_BLOCK;
      out.bits(words[LENGTH_CODES[run]], lengths[LENGTH_CODES[run]]);
      // the + 1 appends a 0 bit, which is the code of the only distance
      out.bits(EXTRA_VALUES[run], EXTRA_BITS[run] + 1);
    }
  }
  out.bits(words[END_OF_BLOCK], lengths[END_OF_BLOCK]);
}

/**
 * Writes a block's header: the code lengths of literals and copies, then the code lengths of the distances. A block has
 * only one distance, 1 … 4, so only this distance has a code. The code has one bit, and no extra bits follow it.
 */
function writeHeader(out: Pick<BitWriter, "bits">, lengths: Uint8Array, distance: number): void {
  const symbols: number[] = [];
  const zeros: number[] = [];
  const all = [...lengths, ...new Array<number>(distance - 1).fill(0), 1];
  for (let i = 0, end = 0; i < all.length; i = end) {
    end = i + 1;
    if (all[i] === 0) while (end < all.length && all[end] === 0 && end - i < 138) end++;
    if (end - i < 3) end = i + 1;
    zeros.push(end - i);
    symbols.push(end === i + 1 ? all[i] : end - i < 11 ? SHORT_ZEROS : LONG_ZEROS);
  }
  const counts = new Uint32Array(HEADER_ORDER.length);
  for (const symbol of symbols) counts[symbol]++;
  const codes = new Codes(codeLengths(counts, MOST_HEADER_CODE_BITS));
  out.bits(LITERAL_CODES - 257, 5);
  out.bits(distance - 1, 5);
  out.bits(HEADER_ORDER.length - 4, 4);
  for (const symbol of HEADER_ORDER) out.bits(codes.lengths[symbol], 3);
  for (const [i, symbol] of symbols.entries()) {
    out.bits(codes.words[symbol], codes.lengths[symbol]);
    if (symbol === SHORT_ZEROS) out.bits(zeros[i] - 3, 3);
    if (symbol === LONG_ZEROS) out.bits(zeros[i] - 11, 7);
  }
}

/** Prefix codes with given lengths (section 3.2.2). A symbol with length 0 has no code. */
class Codes {
  readonly lengths: Uint8Array;
  /** The bits of each symbol's code. The lowest bit is written first. */
  readonly words: Uint16Array;

  constructor(lengths: Uint8Array) {
    this.lengths = lengths;
    this.words = new Uint16Array(lengths.length);
    let next = 0;
    for (let length = 1; length <= MOST_CODE_BITS; length++, next <<= 1) {
      for (const [symbol, own] of lengths.entries()) if (own === length) this.words[symbol] = reversed(next++, length);
    }
  }
}

function reversed(word: number, length: number): number {
  let bits = 0;
  for (let i = 0; i < length; i++) bits |= ((word >>> i) & 1) << (length - 1 - i);
  return bits;
}

/**
 * Returns the length of each symbol's code, at most `most` bits. A symbol with the count 0 has length 0.
 *
 * Uses Huffman's algorithm with two queues. The first queue has the symbols, sorted by count. The second queue has the
 * merged pairs, in the order of merging. So their counts ascend too. Codes longer than `most` bits are cut to `most`
 * bits. Then shorter codes get one bit more, the longest of them first, until Kraft's inequality holds. A prefix code
 * exists for all lengths that satisfy this inequality.
 */
function codeLengths(counts: Uint32Array, most: number): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const symbols = [...counts.keys()].filter((symbol) => counts[symbol] > 0).sort((a, b) => counts[a] - counts[b]);
  const ofLength = limited(depthsOf(symbols.map((symbol) => counts[symbol])), most);
  let length = most;
  for (const symbol of symbols) {
    while (ofLength[length] === 0) length--;
    ofLength[length]--;
    lengths[symbol] = length;
  }
  return lengths;
}

/** Returns the length of each symbol's code in an optimal code, in bits. `weights` must be in ascending order. */
function depthsOf(weights: readonly number[]): number[] {
  const { length } = weights;
  if (length === 1) return [1];
  const sums = [...weights];
  const parents: number[] = [];
  let [leaf, pair] = [0, length];
  const least = () => (pair >= sums.length || (leaf < length && sums[leaf] <= sums[pair]) ? leaf++ : pair++);
  while (sums.length < 2 * length - 1) {
    const [a, b] = [least(), least()];
    parents[a] = parents[b] = sums.length;
    sums.push(sums[a] + sums[b]);
  }
  const depths = new Array<number>(sums.length).fill(0);
  for (let node = sums.length - 2; node >= 0; node--) depths[node] = depths[parents[node]] + 1;
  return depths.slice(0, length);
}

/**
 * Returns the number of codes of each length. Cuts codes longer than `most` bits to `most` bits. Then lengthens shorter
 * codes, until a prefix code with these lengths exists.
 */
function limited(depths: readonly number[], most: number): number[] {
  const ofLength = new Array<number>(most + 1).fill(0);
  for (const depth of depths) ofLength[Math.min(depth, most)]++;
  const room = () => ofLength.reduce((sum, count, length) => sum - count * 2 ** (most - length), 2 ** most);
  while (room() < 0) {
    let length = most - 1;
    while (ofLength[length] === 0) length--;
    ofLength[length]--;
    ofLength[length + 1] += 2;
    ofLength[most]--;
  }
  return ofLength;
}

/** Collects bits. Fills each byte from its lowest bit. */
class BitWriter {
  #bytes = new Uint8Array(2 ** 16);
  #end = 0;
  #bits = 0;
  #filled = 0;

  /** Appends the lowest `count` bits of a number. `count` is 0 … 24. */
  bits(value: number, count: number): void {
    this.#bits |= value << this.#filled;
    this.#filled += count;
    if (this.#end + 4 > this.#bytes.length) this.#grow();
    while (this.#filled >= 8) {
      this.#bytes[this.#end++] = this.#bits;
      this.#bits >>>= 8;
      this.#filled -= 8;
    }
  }

  /** Fills the rest of the last byte with zeros. */
  align(): void {
    this.bits(0, (8 - this.#filled) & 7);
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Removes the first bytes, and returns them. Their number is the largest possible multiple of `unit`. */
  take(unit: number): Uint8Array {
    const taken = this.#end - (this.#end % unit);
    const bytes = this.#bytes.slice(0, taken);
    this.#bytes.copyWithin(0, taken, this.#end);
    this.#end -= taken;
    return bytes;
  }

  #grow(): void {
    const grown = new Uint8Array(2 * this.#bytes.length);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
