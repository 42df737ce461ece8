/** SHA-256 of data that arrives in pieces. */
export interface Hash {
  /** Appends bytes to the message. Returns this hash. */
  update(bytes: Uint8Array): Hash;
  /** Ends the message and returns its digest as 64 hex digits. Do not use the hash afterwards. */
  hex(): string;
}

/**
 * Starts a hash. Uses `node:crypto` if it exists, because it is several times as fast as {@link Sha256}. WebCrypto's
 * `digest` needs all bytes at once, and is missing in insecure browser contexts.
 */
export function sha256(): Hash {
  const platform = globalThis.process?.getBuiltinModule?.("node:crypto");
  if (platform === undefined) return new Sha256();
  const inner = platform.createHash("sha256");
  const hash: Hash = {
    update(bytes) {
      inner.update(bytes);
      return hash;
    },
    hex: () => inner.digest("hex"),
  };
  return hash;
}

export function hexBytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** SHA-256 in plain JavaScript. Source: FIPS 180-4, sections 4.1.2, 4.2.2, 5.1.1 and 6.2. */
export class Sha256 implements Hash {
  readonly #state = INITIAL_STATE.slice();
  readonly #block = new Uint8Array(64);
  #blockBytes = 0;
  #totalBytes = 0;

  update(bytes: Uint8Array): this {
    this.#totalBytes += bytes.length;
    let offset = 0;
    if (this.#blockBytes > 0) {
      offset = Math.min(64 - this.#blockBytes, bytes.length);
      this.#block.set(bytes.subarray(0, offset), this.#blockBytes);
      this.#blockBytes += offset;
      if (this.#blockBytes < 64) return this;
      compress(this.#state, this.#block, 0);
    }
    for (; offset + 64 <= bytes.length; offset += 64) compress(this.#state, bytes, offset);
    this.#block.set(bytes.subarray(offset));
    this.#blockBytes = bytes.length - offset;
    return this;
  }

  hex(): string {
    const bits = BigInt(this.#totalBytes) * 8n;
    const padding = new Uint8Array(((119 - (this.#totalBytes % 64)) % 64) + 9);
    padding[0] = 0x80;
    new DataView(padding.buffer).setBigUint64(padding.length - 8, bits);
    this.update(padding);
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }
}

// section 5.3.3: the first 32 fractional bits of the square roots of the first 8 primes
// biome-ignore format: a table of the standard
const INITIAL_STATE = Int32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

const WORDS = new Int32Array(64);
// section 4.2.2: the first 32 fractional bits of the cube roots of the first 64 primes
// biome-ignore format: a table of the standard
const ROUND_CONSTANTS = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

// section 6.2.2, with the standard's names for the variables
function compress(state: Int32Array, bytes: Uint8Array, offset: number): void {
  const w = WORDS;
  const k = ROUND_CONSTANTS;
  for (let t = 0, i = offset; t < 16; t++, i += 4) {
    w[t] = (bytes[i] << 24) | (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3];
  }
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15];
    const y = w[t - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = (s1 + w[t - 7] + s0 + w[t - 16]) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let t = 0; t < 64; t++) {
    const sigma1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + sigma1 + ((e & f) ^ (~e & g)) + k[t] + w[t]) | 0;
    const sigma0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (sigma0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}
