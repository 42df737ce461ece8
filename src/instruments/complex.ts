/** A complex number in fixed point: its parts are in units of 2^−bits. */
export interface Complex {
  readonly re: bigint;
  readonly im: bigint;
}

/**
 * Arithmetic on complex numbers with `bits` bits behind the point. The product of two numbers of absolute value at most
 * 1 has an error of at most two units of 2^−bits.
 */
export class FixedPoint {
  readonly bits: bigint;
  readonly one: bigint;
  #pi: bigint | undefined;

  constructor(bits: number) {
    this.bits = BigInt(bits);
    this.one = 1n << this.bits;
  }

  times(a: Complex, b: Complex): Complex {
    if (a.im === 0n && b.im === 0n) return { re: (a.re * b.re) >> this.bits, im: 0n };
    return { re: (a.re * b.re - a.im * b.im) >> this.bits, im: (a.re * b.im + a.im * b.re) >> this.bits };
  }

  /**
   * Returns e^z: halves z until it is small, sums the series, and squares the sum once for each halving. Computes with
   * extra bits, because each squaring doubles the error.
   *
   * Cost: about bits / 8 multiplications. For re ≤ 0, the error is at most 2^8 units of 2^−bits.
   */
  exp({ re, im }: Complex): Complex {
    const size = abs(re) + abs(im);
    const isSmall = size << 12n < this.one;
    const halvings = isSmall ? 0n : BigInt((size >> this.bits).toString(2).length + 12);
    const guarded = new FixedPoint(Number(this.bits + halvings) + 8);
    const guard = guarded.bits - this.bits;
    const small = { re: (re << guard) >> halvings, im: (im << guard) >> halvings };
    let sum: Complex = { re: guarded.one, im: 0n };
    let term = sum;
    for (let k = 1n; term.re !== 0n || term.im !== 0n; k++) {
      const next = guarded.times(term, small);
      // `/` rounds towards 0, so the terms reach 0; with `>>`, negative terms would stay at −1
      term = { re: next.re / k, im: next.im / k };
      if (k > 1n && abs(term.re) <= 1n && abs(term.im) <= 1n) break;
      sum = { re: sum.re + term.re, im: sum.im + term.im };
    }
    for (let i = 0n; i < halvings; i++) sum = guarded.times(sum, sum);
    return { re: sum.re >> guard, im: sum.im >> guard };
  }

  /** π, with an error of at most 2^4 units of 2^−bits. Source: Machin, π = 16 arctan(1/5) − 4 arctan(1/239). */
  get pi(): bigint {
    this.#pi ??= (16n * this.#arctanOf(5n) - 4n * this.#arctanOf(239n)) >> 16n;
    return this.#pi;
  }

  /** arctan(1 / x), in units of 2^−(bits + 16). */
  #arctanOf(x: bigint): bigint {
    let power = (this.one << 16n) / x;
    let sum = power;
    for (let k = 3n; power > 0n; k += 2n) {
      power /= x * x;
      sum += (k & 2n) === 2n ? -power / k : power / k;
    }
    return sum;
  }
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
