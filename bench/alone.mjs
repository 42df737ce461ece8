// Tells whether a core is ours alone. On a virtual machine, the host can give the other half of a core to someone else. A
// loop that uses all that the core has then takes up to 1.7 times as long, and one that waits for its own results does
// not: a ratio of the two says more about the neighbour than about the loops.

import { readFileSync } from "node:fs";
import { cRival } from "./rivals/c.mjs";

/** Time of each half of a probe. */
const SECONDS = 0.001;
/**
 * The least number of additions that a core makes in the time of one that needs the result of the one before. Alone, the
 * processors that we measured make 3.4 to 3.7; beside another program 1.7 to 3.1.
 */
const LEAST = 3.3;

/** Returns a function that probes the core (rivals/c/alone.c). Throws if there is no C compiler. */
export async function openProbe() {
  const chain = await cRival("alone", "1");
  const four = await cRival("alone", "4");
  if (four === null) throw new Error("--idle needs a C compiler for its probe: install one, or leave out --idle.");
  return async () => (await chain.time(SECONDS)) / (await four.time(SECONDS)) >= LEAST;
}

/**
 * Whether this process, and all that it starts, must stay on one core. A probe says nothing of another core. Only Linux
 * tells.
 */
export function isOnOneCore() {
  if (process.platform !== "linux") return false;
  const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync("/proc/self/status", "utf8"));
  return /^\d+$/.test(allowed[1]);
}
