// Loops around single calls, compiled anew for each contender. In a shared loop V8 would see every contender's function at
// one call site, which is slow for all of them but the first.

/** (out) → number: fills out with calls of pick and returns the first. */
export function fillLoop(pick) {
  const source = "return (out) => { for (let k = 0; k < out.length; k++) out[k] = pick(); return out[0]; };";
  return new Function("pick", source)(pick);
}

/** (n) → number: the sum of n calls of pick. */
export function sumLoop(pick) {
  const source = "return (n) => { let sum = 0; for (let k = 0; k < n; k++) sum += pick(); return sum; };";
  return new Function("pick", source)(pick);
}

/** How often each of `cells` values occurs in a list of them. */
export function tally(values, cells) {
  const counts = new Array(cells).fill(0);
  for (const value of values) counts[value]++;
  return counts;
}
