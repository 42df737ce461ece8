/**
 * Returns a function that maps 1 … `most` visits to levels 0 … `levels` − 1 on a log scale. If `most` is 1, the level
 * of 1 is the highest.
 */
export function logScale(most: number, levels: number): (visits: number) => number {
  const top = log2(most);
  const levelOf = (visits: number) => (top === 0 ? levels - 1 : Math.floor((log2(visits) / top) * (levels - 1) + 0.5));
  const small = Uint8Array.from({ length: Math.min(most, 4095) + 1 }, (_, visits) =>
    visits === 0 ? 0 : levelOf(visits),
  );
  return (visits) => (visits < small.length ? small[visits] : levelOf(visits));
}

// The binary logarithm to 16 bits after the point, the same on every engine, unlike Math.log2. The mantissa is in [1,
// 2). Squaring it doubles its logarithm, so the next bit is 1 exactly if the square is 2 or more.
function log2(value: number): number {
  let log = 31 - Math.clz32(value);
  let mantissa = value / 2 ** log;
  for (let bit = 0.5; bit > 2 ** -17; bit /= 2) {
    mantissa *= mantissa;
    if (mantissa < 2) continue;
    mantissa /= 2;
    log += bit;
  }
  return log;
}
