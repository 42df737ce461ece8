// Loops around single calls. Each contender gets a newly compiled copy of the loop. In a shared loop, V8 would see the
// functions of all contenders at one call site, and would optimise only the first.

/** Returns a function (out) → number, which fills `out` with results of `pick` and returns the first result. */
export function fillLoop(pick) {
  const source = "return (out) => { for (let k = 0; k < out.length; k++) out[k] = pick(); return out[0]; };";
  return new Function("pick", source)(pick);
}

/** Returns a function (n) → number, which returns the sum of n results of `pick`. */
export function sumLoop(pick) {
  const source = "return (n) => { let sum = 0; for (let k = 0; k < n; k++) sum += pick(); return sum; };";
  return new Function("pick", source)(pick);
}

/** Returns a function (n) → object, which returns the last of n results of `make`. Stores each, so that V8 creates it. */
export function keepLoop(make) {
  const source =
    "const kept = {}; return (n) => { for (let k = 0; k < n; k++) kept.last = make(); return kept.last; };";
  return new Function("make", source)(make);
}

/** Counts how often each of the values 0 … cells − 1 occurs in a list. */
export function tally(values, cells) {
  const counts = new Array(cells).fill(0);
  for (const value of values) counts[value]++;
  return counts;
}
