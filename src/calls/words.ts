import { philox, type StreamKey } from "../address.js";
import type { Kernel } from "../kernel/index.js";
import { halvesOf, placeOf } from "./batches.js";

/** Where a word is in its stream. `skipped`: the number of extra words that earlier decisions of the address read. */
interface Address {
  readonly plane: number;
  readonly index: number;
  readonly skipped?: number;
}

/** The address of a cell's words: 16 × 64 cells read the words of one block. */
export function addressOfCell([row, col]: readonly [row: number, col: number]): Address {
  const plane = Math.floor(row / 16) >>> 0;
  return { plane, index: 1024 * (Math.floor(col / 64) + 2 ** 25) + 64 * (row & 15) + (col & 63) };
}

/** The word at an address, and as many of its extra words as were read. */
export class Words {
  readonly word: number;
  readonly extra: number[] = [];
  readonly #key: StreamKey;
  readonly #address: Address;
  /** Number of extra words before those of this decision. */
  readonly #first: number;

  constructor(kernel: Kernel, key: StreamKey, address: Address) {
    const [low, high] = halvesOf(address.plane);
    const { block, offset } = placeOf(address.index);
    const { skipped } = address;
    this.#key = key;
    this.#address = address;
    this.#first = skipped === undefined ? 0 : skipped + 1;
    this.word =
      skipped === undefined
        ? kernel.run(key, (exports) => exports.wordOf(low, high, block, offset)) >>> 0
        : this.#extraWord(skipped);
  }

  below(m: number): number {
    const product = BigInt(this.word) * BigInt(m);
    const isSettled = (product % TWO_32) + BigInt(m) - 1n < TWO_32;
    return Number((product + BigInt(isSettled ? 0 : this.uniform(m))) / TWO_32);
  }

  /** Returns a uniform integer 0 … m − 1 from extra words alone. */
  uniform(m: number): number {
    for (;;) {
      const product = BigInt(this.#next()) * BigInt(m);
      if (product % TWO_32 >= TWO_32 % BigInt(m)) return Number(product / TWO_32);
    }
  }

  #next(): number {
    const word = this.#extraWord(this.#first + this.extra.length);
    this.extra.push(word);
    return word;
  }

  #extraWord(i: number): number {
    const [low, high] = halvesOf(this.#address.index);
    const four = philox(this.#key, [4 + (i >> 2) + 2 ** 16 * high, low, ...halvesOf(this.#address.plane)]);
    return four[i & 3] >>> 0;
  }
}

const TWO_32 = 2n ** 32n;

/** Returns the first index whose prefix sum is above `r`, which is less than the total of the weights. */
export function firstAbove(weights: readonly number[], r: number): number {
  let index = 0;
  for (let sum = weights[0]; sum <= r; sum += weights[index]) index++;
  return index;
}
