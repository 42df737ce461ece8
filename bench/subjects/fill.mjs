// Random words: a buffer of u32.

import { apart } from "../apart.mjs";
import { fillLoop } from "../loops.mjs";
import { ours } from "../ours.mjs";

const BUFFER = 65_536; // words per call

export const fill = {
  name: "fill",
  unit: "word",
  cases: [{ name: "u32", open }],
};

/** Counts the words of a buffer by their low byte (256 cells), then by their high byte (256 more cells). */
function byBytes(words) {
  const counts = new Array(512).fill(0);
  for (const word of words) {
    counts[word & 255]++;
    counts[256 + (word >>> 24)]++;
  }
  return counts;
}

async function open() {
  const { fill: fillOurs } = ours(await import("rollmill")).words();
  const { cRival } = await import("../rivals/c.mjs");
  const { npmWords } = await import("../rivals/npm/fill.mjs");
  const c = await cRival("fill", "");
  const contenders = [
    into("rollmill", fillOurs),
    ...(c ? [{ ...c, sample: (draws) => c.sample(draws / 2) }] : []),
    apart("js", import.meta.url, "openJs"),
    ...npmWords().map(({ name, next }) => ({ ...into(name, fillLoop(next)), npm: true })),
  ];
  // each word is counted in two of the 512 cells, so `draws` is twice the number of words
  return { law: new Array(512).fill(1 / 512), draws: 400_000, contenders };
}

/** Opens the contender `js` of {@link open}, which runs in a separate process. */
export async function openJs() {
  const { jsFill } = await import("../rivals/js/fill.mjs");
  return into("js", jsFill().wordsInto);
}

function into(name, wordsInto) {
  const out = new Uint32Array(BUFFER);
  return {
    name,
    ops: BUFFER,
    run() {
      wordsInto(out);
      return out[0];
    },
    sample(draws) {
      const words = new Uint32Array(draws / 2);
      wordsInto(words);
      return byBytes(words);
    },
  };
}
