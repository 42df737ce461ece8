/**
 * A complex number in fixed point: its parts in units of 2^−SCALE. One operation on numbers of at most 1 has an error of
 * a few units.
 */
export interface Complex {
  readonly re: bigint;
  readonly im: bigint;
}

/** Number of bits behind the point. */
export const SCALE = 256n;
export const UNIT = 1n << SCALE;

export function times(a: Complex, b: Complex): Complex {
  return { re: (a.re * b.re - a.im * b.im) >> SCALE, im: (a.re * b.im + a.im * b.re) >> SCALE };
}

/**
 * Returns e^z. Halves z until it is small, sums the series, and squares the sum as often.
 *
 * Cost: about 60 multiplications of numbers of 300 bits. The error is at most 2^−(SCALE − 40) for re ≤ 0, |im| < 2^32.
 */
export function exp({ re, im }: Complex): Complex {
  let halvings = 12n;
  for (let size = abs(re) + abs(im); size >> SCALE > 0n; size >>= 1n) halvings++;
  const small = { re: (re << GUARD) >> halvings, im: (im << GUARD) >> halvings };
  const unit = UNIT << GUARD;
  let [term, sum]: Complex[] = [
    { re: unit, im: 0n },
    { re: unit, im: 0n },
  ];
  for (let k = 1n; term.re !== 0n || term.im !== 0n; k++) {
    const next = timesGuarded(term, small);
    term = { re: next.re / k, im: next.im / k };
    sum = { re: sum.re + term.re, im: sum.im + term.im };
  }
  for (let i = 0n; i < halvings; i++) sum = timesGuarded(sum, sum);
  return { re: sum.re >> GUARD, im: sum.im >> GUARD };
}

/** Each squaring doubles the error, so the series has more bits: one for each halving and some for its terms. */
const GUARD = 96n;

function timesGuarded(a: Complex, b: Complex): Complex {
  const shift = SCALE + GUARD;
  return { re: (a.re * b.re - a.im * b.im) >> shift, im: (a.re * b.im + a.im * b.re) >> shift };
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
