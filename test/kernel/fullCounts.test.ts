import { describe, expect, test } from "vitest";
import { type Address, type Kernel, Status, within } from "../../src/kernel/index.js";
import { CHUNK_CELLS, CHUNK_SIDE, ChunkHead, GridKind, RESTING, Walker, WalkerPlace } from "../../src/kernel/layout.js";
import { keyIn, openKernel } from "./open.js";

// To walk up to a count of 2^32 − 1 takes minutes, so the test writes it to the cell that the walker is on.

const FULL = 2 ** 32 - 1;
const STREAM = keyIn("full", "land");

/** One walker on a map. */
class Stroll {
  readonly kernel: Kernel = openKernel();
  readonly map: Address;
  readonly #tensor: Address;
  readonly #walkers: Address;
  readonly #start: readonly [number, number];
  #steps = 0;

  constructor({ kind, rows, cols, firstVisits, start }: Ground) {
    const { kernel } = this;
    this.map = kernel.call((exports) => exports.createMap(kind, rows, cols, firstVisits, 0, 0, CHUNK_SIDE));
    this.#walkers = kernel.call((exports) => exports.createWalkers(1));
    // rows of six weights, NW … W; on unbounded maps a walker that may turn aside seldom comes back
    const row = kind === GridKind.UNBOUNDED ? [0, 0, 1, 0, 0, 1] : [1, 1, 1, 1, 1, 1];
    kernel.u32(kernel.window, 42).set(Array.from({ length: 7 }, () => row).flat());
    this.#tensor = kernel.call((exports) => exports.createTensor());
    this.#start = start;
    expect(kernel.call((exports) => exports.placeWalker(this.map, this.#walkers, 0, ...start, RESTING))).toBe(
      Status.OK,
    );
  }

  /** Sets the count of the cell that the walker stands on. */
  setCount(count: number): void {
    const { cell } = this.kernel.read(this.#walkers, Walker);
    expect(this.kernel.u32(cell as Address, 1)[0]).toBeGreaterThan(0);
    this.kernel.u32(cell as Address, 1)[0] = count;
  }

  advance(steps: number): this {
    const [block, offset] = [this.#steps >> 10, this.#steps & 1023];
    const answer = this.kernel.run(STREAM, (exports) =>
      exports.advance(this.map, this.#tensor, this.#walkers, 0, 1, 0, 0, block, offset, steps),
    );
    expect(answer).toBe(Status.OK);
    this.#steps += steps;
    return this;
  }

  get position(): number[] {
    this.kernel.call((exports) => exports.readWalker(this.map, this.#walkers, 0));
    return Object.values(this.kernel.read(this.kernel.window, WalkerPlace));
  }

  visits(row: number, col: number): number {
    return this.kernel.call((exports) => exports.visitsAt(this.map, row, col)) >>> 0;
  }

  firstVisit(row: number, col: number): number {
    return this.kernel.call((exports) => exports.firstVisitAt(this.map, row, col)) >>> 0;
  }

  /** Visits by single cells around the start, and again as chunks are read. */
  around(): { cells: number[]; chunks: number } {
    const [row, col] = this.#start;
    const span = Array.from({ length: 41 }, (_, i) => i - 20);
    const cells = span.flatMap((r) => span.map((c) => this.visits(row + r, col + c)));
    let chunks = 0;
    const tiles = this.kernel.call((exports) => exports.chunksInTile(this.map));
    let tile = this.kernel.call((exports) => exports.nextTile(this.map, 0 as Address));
    while (tile !== 0) {
      for (let chunk = 0; chunk < tiles; chunk++) {
        this.kernel.call((exports) => exports.readChunk(this.map, tile, chunk));
        chunks += this.kernel
          .u32(within(this.kernel.window, ChunkHead.bytes), CHUNK_CELLS)
          .reduce((sum, count) => sum + count, 0);
      }
      tile = this.kernel.call((exports) => exports.nextTile(this.map, tile));
    }
    return { cells, chunks };
  }
}

interface Ground {
  readonly kind: GridKind;
  readonly rows: number;
  readonly cols: number;
  readonly firstVisits: number;
  readonly start: readonly [number, number];
}

const GROUNDS: [string, Ground][] = [
  ["one cell", { kind: GridKind.TORUS, rows: 1, cols: 1, firstVisits: 0, start: [0, 0] }],
  ["a torus of one tile", { kind: GridKind.TORUS, rows: 5, cols: 7, firstVisits: 0, start: [2, 3] }],
  ["a bounded grid, dated", { kind: GridKind.BOUNDED, rows: 9, cols: 70, firstVisits: 1, start: [4, 3] }],
  [
    "an unbounded map, about a corner of four chunks",
    { kind: GridKind.UNBOUNDED, rows: 0, cols: 0, firstVisits: 0, start: [0, 0] },
  ],
  ["an unbounded map, dated", { kind: GridKind.UNBOUNDED, rows: 0, cols: 0, firstVisits: 1, start: [-64, 63] }],
];

describe.each(GROUNDS)("a full count: %s", (_, ground) => {
  test("stays at 2^32 − 1, and changes nothing else: walkers cross the cell like any other", () => {
    const plain = new Stroll(ground);
    const full = new Stroll(ground);
    full.setCount(FULL - 2);
    const start = ground.start;
    for (let t = 0; t < 2500; t += 50) {
      plain.advance(50);
      full.advance(50);
      expect(full.position).toEqual(plain.position);
      expect(full.visits(...start)).toBe(Math.min(FULL, FULL - 3 + plain.visits(...start)));
      expect(full.firstVisit(...start)).toBe(plain.firstVisit(...start));
    }
    // the cell was reached again often enough to be full
    expect([full.visits(...start), plain.visits(...start) > 4]).toEqual([FULL, true]);
    const [a, b] = [full.around(), plain.around()];
    expect(a.chunks - b.chunks).toBe(FULL - plain.visits(...start));
    const others = (cells: number[]) => cells.filter((__, i) => i !== 20 * 41 + 20);
    expect(others(a.cells)).toEqual(others(b.cells));
  });
});
