import { BelowTemplate } from "../oracle/below.js";
import { extraTwin, laneStart, type TwinKey, xoshiro128pp } from "../oracle/words.js";

/** Random words and exact draws of the world twin, one at a time. */

/** Returns the next word of one address: the word itself, then x0, x1, … */
export type NextWord = () => number;

const BLOCK = 1024;
const LANES = 4;
const WORDS = new BelowTemplate(32);

/** The words of one plane of a stream. Words of a block are made up to the last one that is asked for. */
export class PlaneWords {
  readonly #key: TwinKey;
  readonly #plane: number;
  readonly #blocks = new Map<number, { readonly lanes: readonly Uint32Array[]; readonly words: number[] }>();

  constructor(key: TwinKey, plane: number) {
    this.#key = key;
    this.#plane = plane;
  }

  /** word(stream, plane, index). */
  word(index: number): number {
    const number = Math.floor(index / BLOCK);
    const offset = index % BLOCK;
    const block = this.#blocks.get(number) ?? this.#open(number);
    while (block.words.length <= offset) block.words.push(xoshiro128pp(block.lanes[block.words.length % LANES]));
    return block.words[offset];
  }

  /** The words of one address, in the order in which decisions take them. */
  at(index: number): NextWord {
    let taken = 0;
    return () => {
      taken++;
      return taken === 1 ? this.word(index) : extraTwin(this.#key, 0, this.#plane, index, taken - 2);
    };
  }

  #open(number: number) {
    const start = (lane: number) => laneStart(this.#key, { high: 0, plane: this.#plane, block: number, lane });
    const block = { lanes: [0, 1, 2, 3].map(start), words: [] };
    this.#blocks.set(number, block);
    return block;
  }
}

/** below(m): uniform on 0 … m − 1. */
export function below(m: number, next: NextWord): number {
  const word = next();
  if (WORDS.settles(word, m)) return WORDS.high(word, m);
  let x = next();
  while (WORDS.rejects(x, m)) x = next();
  return WORDS.finish(word, m, WORDS.high(x, m));
}

/** The prefix pick: the first entry with a cumulative weight above below(total). */
export function pick(weights: readonly number[], next: NextWord): number {
  const drawn = below(sum(weights), next);
  let cumulative = 0;
  for (const [i, weight] of weights.entries()) {
    cumulative += weight;
    if (cumulative > drawn) return i;
  }
  throw new Error("the weights have another total");
}

export function sum(weights: readonly number[]): number {
  let total = 0;
  for (const weight of weights) total += weight;
  return total;
}

/** The words of cells of a stream: those of 16 rows and 64 columns are one block. */
export class CellWords {
  readonly #key: TwinKey;
  readonly #bands = new Map<number, PlaneWords>();

  constructor(key: TwinKey) {
    this.#key = key;
  }

  at(row: number, col: number): NextWord {
    const band = Math.floor(row / 16);
    const words = this.#bands.get(band) ?? new PlaneWords(this.#key, band >>> 0);
    this.#bands.set(band, words);
    const [down, right] = [row - 16 * band, Math.floor(col / 64)];
    return words.at((right + 2 ** 25) * 1024 + 64 * down + (col - 64 * right));
  }
}

/** A probability as k/n in lowest terms: "k/n", or a number with few decimals. */
export function lowestTerms(share: string | number): [k: number, n: number] {
  const [k, n] = String(share).includes("/") ? String(share).split("/").map(Number) : decimal(String(share));
  const divisor = gcd(k, n);
  return [k / divisor, n / divisor];
}

function decimal(text: string): [number, number] {
  const n = 10 ** (text.split(".")[1] ?? "").length;
  return [Math.round(Number(text) * n), n];
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
