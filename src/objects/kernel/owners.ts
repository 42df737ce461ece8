import { halvesOf } from "../../calls/index.js";
import { ClaimRecord } from "../../kernel/layout.js";
import { type ArtifactStock, artifactKeys } from "../make/stock.js";
import type { ArtifactSpec } from "../types.js";

/** The size of a ClaimRecord and the places of its fields, in words of 32 bits. */
const STRIDE = ClaimRecord.bytes / Uint32Array.BYTES_PER_ELEMENT;
const [IS_MADE, LOW, HIGH] = [
  ClaimRecord.offsets.isMade / Uint32Array.BYTES_PER_ELEMENT,
  ClaimRecord.offsets.objectLow / Uint32Array.BYTES_PER_ELEMENT,
  ClaimRecord.offsets.objectHigh / Uint32Array.BYTES_PER_ELEMENT,
];

/** Replaces both 32-bit halves of the owner's index if another maker made the artifact. Indices are below 2^42. */
const OTHER_MAKER = 2 ** 32 - 1;

/** The artifacts that were made, as the kernel stores them. `commit` adds those of a call that succeeded to a stock. */
export class Owners {
  readonly cells: Uint32Array<ArrayBuffer>;
  readonly keys: readonly string[];
  readonly #indices: ReadonlyMap<string, number>;
  /** 1 for each artifact that the stock has as made, since {@link read}. */
  readonly #isClaimed: Uint8Array;
  /** The source of the claims in {@link cells}. Undefined if these claims are outdated. */
  #shown: { readonly stock: ArtifactStock; readonly maker: string; readonly version: number } | undefined;

  constructor(artifacts: readonly ArtifactSpec[]) {
    this.cells = new Uint32Array(STRIDE * artifacts.length);
    this.keys = artifactKeys(artifacts);
    this.#isClaimed = new Uint8Array(artifacts.length);
    this.#indices = new Map(this.keys.map((key, i) => [key, i]));
  }

  /**
   * Writes the claims of a stock to {@link cells}, for a call of the maker `maker`. Cost: O(artifacts); O(1) if the
   * stock and the maker are those of the last call, and the stock has not changed.
   */
  read(stock: ArtifactStock, maker: string): void {
    const { version } = stock;
    const shown = this.#shown;
    if (shown?.stock === stock && shown.maker === maker && shown.version === version) return;
    this.cells.fill(0);
    this.#isClaimed.fill(0);
    for (const [key, owner] of stock.owners) {
      const index = this.#indices.get(key);
      if (index === undefined) continue;
      this.#isClaimed[index] = 1;
      const [low, high] = owner.maker === maker ? halvesOf(owner.object) : [OTHER_MAKER, OTHER_MAKER];
      this.cells[STRIDE * index + IS_MADE] = 1;
      this.cells[STRIDE * index + LOW] = low;
      this.cells[STRIDE * index + HIGH] = high;
    }
    this.#shown = { stock, maker, version };
  }

  /** Adds to the stock all artifacts that the call has made. {@link read} was called with the same stock before. */
  commit(stock: ArtifactStock, maker: string): void {
    for (let index = 0; index < this.keys.length; index++) {
      if (!this.isMade(index) || this.#isClaimed[index] !== 0) continue;
      this.#isClaimed[index] = 1;
      const object = this.cells[STRIDE * index + HIGH] * 2 ** 32 + this.cells[STRIDE * index + LOW];
      stock.claim(this.keys[index], { maker, object });
    }
    this.#shown = { stock, maker, version: stock.version };
  }

  discard(): void {
    this.#shown = undefined;
  }

  isMade(index: number): boolean {
    return this.cells[STRIDE * index + IS_MADE] !== 0;
  }
}
