import { halvesOf } from "../../calls/index.js";
import { ClaimRecord } from "../../kernel/layout.js";
import { type ArtifactOwner, type ArtifactStock, artifactKeys } from "../make/stock.js";
import type { ArtifactSpec } from "../types.js";

/** The layout of a claim in an array of u32: its length, and the positions of its fields. */
const CLAIM = {
  stride: ClaimRecord.bytes / Uint32Array.BYTES_PER_ELEMENT,
  isMade: ClaimRecord.offsets.isMade / Uint32Array.BYTES_PER_ELEMENT,
  objectLow: ClaimRecord.offsets.objectLow / Uint32Array.BYTES_PER_ELEMENT,
  objectHigh: ClaimRecord.offsets.objectHigh / Uint32Array.BYTES_PER_ELEMENT,
} as const;

/** Half of the owner of an artifact that another maker has made. An index is below 2^42, so no object is this owner. */
const OTHER_MAKER = 2 ** 32 - 1;

/**
 * The claims of one call, in the form that the kernel reads and writes. A call reads them from a stock, and changes the
 * stock only at its end, so that a failed call makes no artifact. Forks of a maker share one object of this class,
 * because they share a kernel, which runs one call at a time.
 */
export class Claims {
  /** One ClaimRecord for each artifact of the files. */
  readonly cells: Uint32Array<ArrayBuffer>;
  /** The key of each artifact in a stock. */
  readonly keys: readonly string[];
  readonly #indices: ReadonlyMap<string, number>;
  /** 1 for each artifact that the shown stock has as made. */
  readonly #known: Uint8Array<ArrayBuffer>;
  /** The stock that {@link cells} show; undefined if they show none. */
  #shown: { readonly stock: ArtifactStock; readonly maker: string; readonly version: number } | undefined;

  constructor(artifacts: readonly ArtifactSpec[]) {
    this.cells = new Uint32Array(CLAIM.stride * artifacts.length);
    this.keys = artifactKeys(artifacts);
    this.#known = new Uint8Array(artifacts.length);
    this.#indices = new Map(this.keys.map((key, i) => [key, i]));
  }

  /** Writes the claims of a stock to {@link cells}, as `maker` sees them. Cost: O(1) if they are there already. */
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

  /** Adds the artifacts that a call has made to the stock that {@link read} has read. Cost: O(artifacts). */
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

  /** Forgets what a failed call has written to {@link cells}. */
  discard(): void {
    this.#shown = undefined;
  }

  /** Whether {@link cells} have an artifact as made. */
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
