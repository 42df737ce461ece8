// A script module for data/loot.2da. It returns the weights of the table's three script ids.
// Run: npx rollmill table odds data/loot.2da --script examples/market.mjs --script-arg market=open

/** Returns the weight of a script id, an integer of 0 or more. The second argument has the values of --script-arg. */
export function script(id, { market = "closed", frost = "0" }) {
  if (id === 1) return market === "open" ? 100 : 0; // a peddler
  if (id === 2) return 50; // morning glory
  return Number(frost); // frostcap
}
