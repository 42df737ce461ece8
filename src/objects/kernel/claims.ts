import { halvesOf } from "../../calls/index.js";
import { ClaimRecord } from "../../kernel/layout.js";
import { type ArtifactOwner, type ArtifactStock, artifactKeys } from "../make/stock.js";
import type { ArtifactSpec } from "../types.js";

/** The layout of a claim in u32 words: the size of a claim, and the indices of its fields. */
const CLAIM = {
  stride: ClaimRecord.bytes / Uint32Array.BYTES_PER_ELEMENT,
  isMade: ClaimRecord.offsets.isMade / Uint32Array.BYTES_PER_ELEMENT,
  objectLow: ClaimRecord.offsets.objectLow / Uint32Array.BYTES_PER_ELEMENT,
  objectHigh: ClaimRecord.offsets.objectHigh / Uint32Array.BYTES_PER_ELEMENT,
} as const;

/** Both 32-bit halves of the owner's index if another maker made the artifact. Real indices are below 2^42. */
const OTHER_MAKER = 2 ** 32 - 1;

/**
 * The artifacts that were made, in the form that the kernel reads and writes. The stock changes only at the end of a
 * call, so that a failed call makes no artifact. A maker and its forks share one object of this class: they also share
 * a kernel, which runs one call at a time.
 */
export class Claims {
  /** One ClaimRecord for each artifact of the files. */
  readonly cells: Uint32Array<ArrayBuffer>;
  readonly keys: readonly string[];
  readonly #indices: ReadonlyMap<string, number>;
  /** 1 for each artifact that the stock already marks as made. */
  readonly #known: Uint8Array<ArrayBuffer>;
  /** Undefined if {@link cells} is outdated. */
  #shown: { readonly stock: ArtifactStock; readonly maker: string; readonly version: number } | undefined;

  constructor(artifacts: readonly ArtifactSpec[]) {
    this.cells = new Uint32Array(CLAIM.stride * artifacts.length);
    this.keys = artifactKeys(artifacts);
    this.#known = new Uint8Array(artifacts.length);
    this.#indices = new Map(this.keys.map((key, i) => [key, i]));
  }

  /**
   * Writes the claims of a stock to {@link cells}. `maker` runs the call. Cost: O(artifacts); O(1) if nothing changed.
   */
  read(stock: ArtifactStock, maker: string): void {
    const { version } = stock;
    const shown = this.#shown;
    if (shown?.stock === stock && shown.maker === maker && shown.version === version) return;
    this.cells.fill(0);
    this.#known.fill(0);
    for (const [key, owner] of stock.owners) {
      const index = this.#indices.get(key);
      if (index !== undefined) this.#set(index, owner, maker);
    }
    this.#shown = { stock, maker, version };
  }

  /**
   * Adds to the stock all artifacts that the call has made. {@link read} must have been called with the same stock
   * before.
   */
  commit(stock: ArtifactStock, maker: string): void {
    for (let index = 0; index < this.keys.length; index++) {
      if (!this.isMade(index) || this.#known[index] === 1) continue;
      const first = CLAIM.stride * index;
      const object = this.cells[first + CLAIM.objectHigh] * 2 ** 32 + this.cells[first + CLAIM.objectLow];
      stock.claim(this.keys[index], { maker, object });
      this.#known[index] = 1;
    }
    this.#shown = { stock, maker, version: stock.version };
  }

  /** Marks {@link cells} as outdated, because a failed call may have written to them. */
  discard(): void {
    this.#shown = undefined;
  }

  isMade(index: number): boolean {
    return this.cells[CLAIM.stride * index + CLAIM.isMade] !== 0;
  }

  #set(index: number, owner: ArtifactOwner, maker: string): void {
    this.#known[index] = 1;
    const first = CLAIM.stride * index;
    const [low, high] = owner.maker === maker ? halvesOf(owner.object) : [OTHER_MAKER, OTHER_MAKER];
    this.cells[first + CLAIM.isMade] = 1;
    this.cells[first + CLAIM.objectLow] = low;
    this.cells[first + CLAIM.objectHigh] = high;
  }
}
