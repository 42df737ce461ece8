import type { StreamKey } from "../address.js";
import { type Batch, halvesOf, placeOf } from "../calls/index.js";
import { BLOCK_WORDS, type Kernel } from "../kernel/index.js";
import type { Amount } from "./notation.js";

const TWO_32 = 2 ** 32;

/**
 * Rolls amounts with the words of a stream: die j = 0, 1, … of result k shows 1 + below(sides) with
 * word(stream, plane + j, k).
 *
 * Cost: one word a die; in bulk, a die that only some results need is generated for all of them.
 */
export class KernelAmounts {
  readonly #kernel: Kernel;
  readonly #plane: number;
  readonly #amounts: readonly Amount[];
  readonly #most: number;

  /** @param amounts - the amounts to choose from; `plane` is the plane of the first die. */
  constructor(kernel: Kernel, { amounts, plane }: { readonly amounts: readonly Amount[]; readonly plane: number }) {
    this.#kernel = kernel;
    this.#plane = plane;
    this.#amounts = amounts;
    this.#most = amounts.reduce((most, { count }) => Math.max(most, count), 0);
  }

  /** Rolls amount `which` for the result at an index. */
  one(stream: StreamKey, index: number, which: number): number {
    const { count, sides, plus } = this.#amounts[which];
    let sum = plus + count;
    for (let die = 0; die < count; die++) sum += this.#exact(stream, { plane: this.#plane + die, index, sides });
    return sum;
  }

  /**
   * Rolls a batch into `out`, from index `batch.done` on. Result i has amount `which[i]`.
   *
   * `which` must not be a view of the kernel's window, which this call overwrites.
   */
  batch(
    stream: StreamKey,
    batch: Batch,
    { which, out }: { readonly which: Uint32Array; readonly out: Int32Array },
  ): void {
    const { done, count } = batch;
    for (let i = 0; i < count; i++) {
      const amount = this.#amounts[which[i]];
      out[done + i] = amount.plus + amount.count;
    }
    for (let die = 0; die < this.#most; die++) this.#addDie(stream, batch, { die, which, out });
  }

  /** Adds die number `die` to every result that has it. */
  #addDie(
    stream: StreamKey,
    { block, offset, count, done }: Batch,
    { die, which, out }: { readonly die: number; readonly which: Uint32Array; readonly out: Int32Array },
  ): void {
    const plane = this.#plane + die;
    const [low, high] = halvesOf(plane);
    this.#kernel.run(stream, (exports) => exports.fillWindow(low, high, block, offset + count));
    const words = this.#kernel.u32(this.#kernel.window, offset + count);
    for (let i = 0; i < count; i++) {
      const amount = this.#amounts[which[i]];
      if (amount.count <= die) continue;
      const { sides } = amount;
      const word = words[offset + i];
      // below(sides) in doubles: the product is at most 2^52, because sides ≤ 2^20
      const product = word * sides;
      const whole = Math.floor(product / TWO_32);
      // a word that does not decide alone (docs/determinism.md, section 4) needs extra words
      if (product - whole * TWO_32 + sides <= TWO_32) out[done + i] += whole;
      else out[done + i] += this.#exact(stream, { plane, index: block * BLOCK_WORDS + offset + i, sides });
    }
  }

  #exact(
    stream: StreamKey,
    { plane, index, sides }: { readonly plane: number; readonly index: number; readonly sides: number },
  ): number {
    const [low, high] = halvesOf(plane);
    const { block, offset } = placeOf(index);
    return this.#kernel.run(stream, (exports) => exports.belowOf(low, high, block, offset, sides)) >>> 0;
  }
}
