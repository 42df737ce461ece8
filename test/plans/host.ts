// The kernel for plan files, opened without waiting, with all its calls, and all results of a plan.
import { readFileSync } from "node:fs";
import { instantiateSync } from "@assemblyscript/loader";
import { PLAN_STATUS, type PlanExports, PlanKernel } from "../../src/kernel/plans.js";
import { FROM, SEED } from "./nouns.js";
import { RECTANGLES } from "./worlds.js";

const KERNEL = new WebAssembly.Module(readFileSync(new URL("../../build/kernel-plans.wasm", import.meta.url)));
const STATUS = Object.keys(PLAN_STATUS);
const PAGES = 2 ** 11;

/** The tasks of `makeCells` in assembly/plans/worlds.ts. */
export const [VISITS, FIRST_VISITS, TERRAIN, PLACEMENTS] = [0, 1, 2, 3];

/** The calls for walks and worlds, which the library does not use. */
type MapExports = PlanExports & {
  layerCount(noun: number): number;
  makeCells(
    noun: number,
    key: bigint,
    task: number,
    layer: number,
    row: number,
    col: number,
    rows: number,
    cols: number,
  ): number;
  cellsAddress(): number;
  placementCount(): number;
};
type Cells = (typeof RECTANGLES)[number];

export class Host extends PlanKernel {
  declare readonly exports: MapExports;
  readonly status: string;
  readonly key: bigint;

  constructor(plan: Uint8Array, seed = SEED, pages = PAGES) {
    super(instantiateSync<MapExports>(KERNEL, {}).exports, pages);
    this.status = STATUS[this.open(plan)];
    this.key = this.keyOf(seed, (at, bytes) => this.exports.seedKey(at, bytes));
  }

  nameKey(name: string, mill = this.key): bigint {
    return this.keyOf(name, (at, bytes) => this.exports.nameKey(mill, at, bytes));
  }

  /** The results of all nouns in the order of the file, as test/plans/probe.c makes them. Leaves out refused calls. */
  all(count: number): (Uint32Array | Int32Array)[] {
    return this.heads().flatMap((head, noun) => {
      const key = this.nameKey(new TextDecoder().decode(head.name));
      const width = this.exports.resultWidth(noun);
      const n = Math.floor(count / Math.max(1, width)) + 1;
      const own = width === 0 ? this.#draws(noun, key, n) : this.#results(noun, key, n, width);
      return [...own, ...RECTANGLES.flatMap((cells) => this.cells(noun, cells))];
    });
  }

  /** The visits, the terrain and the placements of a rectangle, so far as the noun has them and the kernel makes them. */
  cells(noun: number, cells: Cells, key = this.key): Uint32Array[] {
    const layers = Array.from({ length: this.exports.layerCount(noun) }, (_, layer) => layer);
    const tasks = [
      ...layers.flatMap((l) => [
        [VISITS, l],
        [FIRST_VISITS, l],
      ]),
      [TERRAIN, 0],
      [PLACEMENTS, 0],
    ];
    return tasks.flatMap(([task, layer]) => {
      const status = this.makeCells(noun, task, layer, cells, key);
      return status === "OK" ? [this.madeCells(task, cells)] : [];
    });
  }

  makeCells(noun: number, task: number, layer: number, { row0, col0, rows, cols }: Cells, key = this.key): string {
    return STATUS[this.exports.makeCells(noun, key, task, layer, row0, col0, rows, cols)];
  }

  madeCells(task: number, { rows, cols }: Pick<Cells, "rows" | "cols">): Uint32Array {
    const at = this.exports.cellsAddress();
    if (task === PLACEMENTS) return this.words(at, 6 * this.exports.placementCount()).slice();
    if (task !== TERRAIN) return this.words(at, rows * cols).slice();
    return Uint32Array.from(this.bytes(at, rows * cols));
  }

  #results(noun: number, key: bigint, n: number, width: number): (Uint32Array | Int32Array)[] {
    const results = new Uint32Array(n * width);
    const quantities = this.exports.hasQuantities(noun) === 0 ? undefined : new Int32Array(n * width);
    const status = this.make(noun, key, FROM, results, quantities);
    if (status !== PLAN_STATUS.OK) return [];
    return quantities === undefined ? [results] : [results, quantities];
  }

  #draws(noun: number, key: bigint, n: number): Uint32Array[] {
    return Array.from({ length: this.exports.poolCount(noun) }, (_, pool) => {
      const records = new Uint32Array(n);
      return records.subarray(0, this.draw(noun, pool, key, records));
    });
  }
}
