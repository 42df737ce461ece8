// A script module for data/loot.2da: the weights of its three script ids, from --script-arg.
// Run: npx rollmill table odds data/loot.2da --script examples/market.mjs --script-arg market=open

/** The weight of a script id: an integer of 0 or more. The second argument has the values of --script-arg, as texts. */
export function script(id, { market = "closed", frost = "0" }) {
  if (id === 1) return market === "open" ? 100 : 0; // a peddler
  if (id === 2) return 50; // morning glory
  return Number(frost); // frostcap
}
