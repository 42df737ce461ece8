// Compresses data with DEFLATE (RFC 1951) as zlib data (RFC 1950). Looks only for runs of equal bytes: in pictures
// of maps, a search for all repeated strings saves a few percent more, but takes many times as long.

import { resized } from "../bytes.js";

const END_OF_BLOCK = 256;
const LITERAL_CODES = 286;
const MIN_RUN = 3;
const MAX_RUN = 258;
const MAX_CODE_BITS = 15;
const MAX_HEADER_CODE_BITS = 7;
/** Number of tokens in a block. A token is a byte, or 256 + the length of a run. Each block has its own codes. */
const BLOCK_TOKENS = 2 ** 15;
const ADLER_MODULUS = 65_521;
/** The sums of the checksum are reduced after this many bytes. Until then, they stay far below 2^53. */
const ADLER_STEP = 2 ** 16;
/** The order of code lengths in a block's header (RFC 1951, section 3.2.7). */
const HEADER_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** The header of the zlib format: a window of 32 KiB, and no preset dictionary. */
const ZLIB_HEAD = 0x0178;
const SHORT_ZEROS = 17;
const LONG_ZEROS = 18;

/** For each length of a copy: its code, and the number and the value of its extra bits (RFC 1951, section 3.2.5). */
const [LENGTH_CODES, EXTRA_BITS, EXTRA_VALUES] = /* @__PURE__ */ lengthCodes();

function lengthCodes(): readonly [codes: Uint16Array, bits: Uint8Array, values: Uint8Array] {
  const codes = new Uint16Array(MAX_RUN + 1);
  const [bits, values] = [new Uint8Array(MAX_RUN + 1), new Uint8Array(MAX_RUN + 1)];
  for (let code = 257, length = MIN_RUN; code < LITERAL_CODES - 1; code++) {
    const extra = code < 265 ? 0 : (code - 261) >>> 2;
    for (let value = 0; value < 2 ** extra && length < MAX_RUN; value++, length++) {
      codes[length] = code;
      bits[length] = extra;
      values[length] = value;
    }
  }
  codes[MAX_RUN] = LITERAL_CODES - 1;
  return [codes, bits, values];
}

/** Compresses bytes that arrive in pieces. Memory: the compressed bytes, and 64 KiB. */
export class Deflater {
  readonly #out = new BitWriter();
  readonly #tokens = new Uint16Array(BLOCK_TOKENS);
  #tokenCount = 0;
  readonly #counts = new Uint32Array(LITERAL_CODES);
  /** The last byte. `#run` is the number of its repetitions that are not written as tokens yet. */
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
      if (byte === last && run < MAX_RUN) {
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

  /** Removes and returns as many compressed bytes as possible. Their number is a multiple of `unit`. */
  take(unit: number): Uint8Array {
    return this.#out.take(unit);
  }

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
    if (run >= MIN_RUN) this.#put(END_OF_BLOCK + run, LENGTH_CODES[run]);
    else for (let i = 0; i < run; i++) this.#put(byte, byte);
  }

  #put(token: number, code: number): void {
    this.#tokens[this.#tokenCount++] = token;
    this.#counts[code]++;
    if (this.#tokenCount === BLOCK_TOKENS) this.#endBlock(false);
  }

  #endBlock(isLast: boolean): void {
    this.#counts[END_OF_BLOCK] = 1;
    const codes = codesOf(this.#counts, MAX_CODE_BITS);
    const out = this.#out;
    out.bits(isLast ? 0b101 : 0b100, 3);
    writeHeader(out, codes.lengths, 1);
    writeTokens(out, this.#tokens.subarray(0, this.#tokenCount), codes);
    this.#tokenCount = 0;
    this.#counts.fill(0);
  }
}

const CELL_BYTES = 4;
/** The sums of the checksum are reduced after this many cells. Until then, they stay below 2^31, so they are integers. */
const CELL_STEP = 2 ** 10;
/** A cell is a byte and three zeros. After a cell 5, the cells 9 9 are the literal 9, then a copy from 4 bytes back. */
const ZERO_BYTES = 3;
const MAX_CELL_RUN = MAX_RUN - CELL_BYTES;

/** Compresses cells, as 32-bit integers, into several streams. All streams use the same codes, computed once. */
export class CellDeflater {
  #tokens = new Uint16Array(2 ** 16);
  #tokenCount = 0;
  readonly #counts = new Uint32Array(LITERAL_CODES);
  /** For each stream, the end of its tokens, and the two halves of its checksum. */
  readonly #streams: { readonly end: number; readonly high: number; readonly low: number }[] = [];

  add(cells: Uint8Array): void {
    // the worst case: four tokens for the first cell, two for each other cell
    this.#reserve(2 * cells.length + 2);
    let last = cells[0];
    this.#put(last);
    for (let i = 0; i < ZERO_BYTES; i++) this.#put(0);
    let run = 0;
    for (let i = 1; i < cells.length; i++) {
      const cell = cells[i];
      if (cell === last && run <= MAX_CELL_RUN) {
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

  end(): Uint8Array[] {
    this.#counts[END_OF_BLOCK] = 1;
    const codes = codesOf(this.#counts, MAX_CODE_BITS);
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

  // a run is empty only directly after the first cell
  #putRun(run: number): void {
    if (run === 0) return;
    this.#tokens[this.#tokenCount++] = END_OF_BLOCK + run;
    this.#counts[LENGTH_CODES[run]]++;
  }

  #reserve(tokens: number): void {
    const needed = this.#tokenCount + tokens;
    if (needed <= this.#tokens.length) return;
    this.#tokens = resized(this.#tokens, Math.max(needed, 2 * this.#tokens.length));
  }
}

function sumOfCells(cells: Uint8Array): { high: number; low: number } {
  let [low, high] = [1, 0];
  for (let from = 0; from < cells.length; from += CELL_STEP) {
    const until = Math.min(cells.length, from + CELL_STEP);
    for (let i = from; i < until; i++) {
      low += cells[i];
      // `low` stays the same for the other three bytes of the cell, which are 0
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

/** Writes the header of a block. All copies have the same distance, 1 … 4, whose code has one bit and no extra bits. */
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
  const codes = codesOf(counts, MAX_HEADER_CODE_BITS);
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

/** Returns prefix codes (RFC 1951, 3.2.2) of at most `most` bits. A symbol that never occurs has the length 0. */
function codesOf(counts: Uint32Array, most: number): Codes {
  const lengths = codeLengths(counts, most);
  const words = new Uint16Array(lengths.length);
  let next = 0;
  for (let length = 1; length <= MAX_CODE_BITS; length++, next <<= 1) {
    for (const [symbol, own] of lengths.entries()) if (own === length) words[symbol] = reversed(next++, length);
  }
  return { lengths, words };
}

interface Codes {
  readonly lengths: Uint8Array;
  /** The code of each symbol. The lowest bit is written first. */
  readonly words: Uint16Array;
}

function reversed(word: number, length: number): number {
  let bits = 0;
  for (let i = 0; i < length; i++) bits |= ((word >>> i) & 1) << (length - 1 - i);
  return bits;
}

/** Returns the length of each symbol's code, by Huffman's algorithm. */
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

/** Returns the depth of each leaf in a Huffman tree. `weights` must ascend, so that sums ascend without a heap. */
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

/** Returns the number of codes by length. Cuts codes to `most` bits; lengthens others to satisfy Kraft's inequality. */
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

/** Fills each byte from its lowest bit. */
class BitWriter {
  #bytes = new Uint8Array(2 ** 16);
  #end = 0;
  #bits = 0;
  #filled = 0;

  /** Writes a value below 2^`count` in `count` bits, 0 … 24. */
  bits(value: number, count: number): void {
    this.#bits |= value << this.#filled;
    this.#filled += count;
    if (this.#end + 4 > this.#bytes.length) this.#bytes = resized(this.#bytes, 2 * this.#bytes.length);
    while (this.#filled >= 8) {
      this.#bytes[this.#end++] = this.#bits;
      this.#bits >>>= 8;
      this.#filled -= 8;
    }
  }

  align(): void {
    this.bits(0, (8 - this.#filled) & 7);
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  take(unit: number): Uint8Array {
    const taken = this.#end - (this.#end % unit);
    const bytes = this.#bytes.slice(0, taken);
    this.#bytes.copyWithin(0, taken, this.#end);
    this.#end -= taken;
    return bytes;
  }
}
