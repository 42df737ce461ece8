import { type Command, InvalidArgumentError } from "commander";
import { checkRange, MAX_INDEX } from "../calls/index.js";
import { littleEndian } from "../formats/bytes.js";
import { createMill, type Stream } from "../index.js";
import { define, option } from "./command.js";
import { type Io, write } from "./shared/io.js";
import { countOf, forkOf, range, seedOr, source } from "./shared/options.js";

const MAX_PLANE = 2n ** 64n - 1n;
const CHUNK_WORDS = 2 ** 18;

const SOURCE = source("words", "random");
const PLANES = countOf(1, CHUNK_WORDS);

export function addRandom(random: Command, io: Io): void {
  define(random.command("words"), io, {
    examples: ["random words --seed moria --name loot -n 5"],
    description: "print words as decimal u32, one per line",
    options: [...SOURCE, ...range("word"), option("--plane <plane>", "plane of the stream", planeOption, 0)],
    async run(flags) {
      const { seed, name = "random", fork, plane, from, n: count } = flags;
      using mill = createMill({ seed: seedOr(io, seed) });
      const stream = forkOf(mill.stream(name), { fork });
      checkRange(from, count);
      for (let done = 0; done < count; done += CHUNK_WORDS) {
        const words = stream.words(Math.min(CHUNK_WORDS, count - done), { plane, from: from + done });
        await write(io, `${words.join("\n")}\n`);
      }
    },
  });
  define(random.command("dump"), io, {
    examples: ["random dump --seed moria --bytes 1000000 > words.bin"],
    description:
      "write words to stdout as little-endian bytes, for statistical test batteries; without --bytes, never ends",
    options: [
      ...SOURCE,
      option("--planes <planes>", "number of planes; writes one word from each plane in turn", PLANES, 1),
      option("--bytes <bytes>", "stop after this many bytes", countOf(0, Number.MAX_SAFE_INTEGER)),
    ],
    async run(flags) {
      const { seed, name = "random", fork, planes, bytes } = flags;
      using mill = createMill({ seed: seedOr(io, seed) });
      const stream = forkOf(mill.stream(name), { fork });
      const each = Math.floor(CHUNK_WORDS / planes);
      let left = bytes ?? Number.POSITIVE_INFINITY;
      for (let from = 0; left > 0 && from < MAX_INDEX; from += each) {
        const chunk = littleEndian(interleaved(stream, planes, from, Math.min(each, MAX_INDEX - from)));
        await write(io, chunk.subarray(0, Math.min(left, chunk.length)));
        left -= chunk.length;
      }
    },
  });
}

/** Returns word `from` of each plane, then word `from` + 1 of each plane, and so on. */
function interleaved(stream: Stream, planes: number, from: number, each: number): Uint32Array {
  if (planes === 1) return stream.words(each, { from });
  const out = new Uint32Array(planes * each);
  for (let plane = 0; plane < planes; plane++) {
    const words = stream.words(each, { plane, from });
    for (let i = 0; i < each; i++) out[i * planes + plane] = words[i];
  }
  return out;
}

function planeOption(text: string): number | bigint {
  const plane = /^\+?\d+$/.test(text.trim()) ? BigInt(text) : -1n;
  if (plane >= 0n && plane <= MAX_PLANE) return plane;
  throw new InvalidArgumentError(`Expected an integer from 0 to ${MAX_PLANE}.`);
}
