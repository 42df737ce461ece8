// A script module for data/loot.2da: its three script ids, answered by what the command line says.
// Run: npx rollmill table odds data/loot.2da --script examples/market.mjs --script-arg market=open

/** The weight of a script id: an integer of 0 or more. `args` holds the --script-arg values, each a text. */
export function script(id, { market = "closed", frost = "0" }) {
  if (id === 1) return market === "open" ? 100 : 0; // a peddler
  if (id === 2) return 50; // morning glory
  return Number(frost); // frostcap
}
