// The generator of the hand-written JS rivals: sfc32 (Chris Doty-Humphrey, in PractRand). It fills blocks, with its
// four words of state in local variables. If the state were in a closure, V8 would allocate a heap number per word.
// Reading the state by destructuring takes five times as long.

const INV_2_32 = 2 ** -32;
const BLOCK = 4096;

/** The generator sfc32, which fills blocks of u32. */
export class Words {
  constructor(seed) {
    this.state = new Int32Array([seed, 0x9e3779b9, 0x243f6a88, 1]);
    this.fill(new Uint32Array(16));
  }

  fill(out) {
    const { state } = this;
    let a = state[0];
    let b = state[1];
    let c = state[2];
    let d = state[3];
    for (let k = 0; k < out.length; k++) {
      const t = (((a + b) | 0) + d) | 0;
      d = (d + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + t) | 0;
      out[k] = t;
    }
    state[0] = a;
    state[1] = b;
    state[2] = c;
    state[3] = d;
  }
}

/** Returns a seeded function like Math.random that reads {@link Words}: multiples of 2⁻³² in [0, 1). */
export function floats(seed) {
  const words = new Words(seed);
  const block = new Uint32Array(BLOCK);
  let at = BLOCK;
  return () => {
    if (at === BLOCK) {
      words.fill(block);
      at = 0;
    }
    return block[at++] * INV_2_32;
  };
}
