// A host of plan files in a few lines: what a program without the library does.
import { readFileSync } from "node:fs";
import { instantiateSync } from "@assemblyscript/loader";
import { FROM, SEED } from "./nouns.js";
import { RECTANGLES } from "./worlds.js";

const KERNEL = new WebAssembly.Module(readFileSync(new URL("../../build/kernel-plans.wasm", import.meta.url)));
const BATCH = 2 ** 16;
const PAGES = 2 ** 11;

/** What `makeCells` makes. */
export const [VISITS, FIRST_VISITS, TERRAIN, PLACEMENTS] = [0, 1, 2, 3];

/** The codes of `PlanStatus` and `NounKind` in assembly/plans/nouns.ts. */
const STATUS = [
  "OK",
  "MEMORY",
  "NOUN",
  "KIND",
  "RANGE",
  "HOPS",
  "EMPTY",
  "PLAN",
  "VERSION",
  "STATE",
  "QUANTITIES",
  "POOL",
  "OTHER_PLAN",
] as const;

type Call = (...args: (number | bigint)[]) => number;
type Exports = Record<string, Call> & { readonly memory: WebAssembly.Memory };
type Text = string | Uint8Array;

export class Host {
  // the cast is safe: the calls of this file have the types of assembly/plans
  readonly exports = instantiateSync(KERNEL, {}).exports as unknown as Exports;
  readonly status: string;
  readonly key: bigint;

  constructor(plan: Uint8Array, seed = SEED, pages = PAGES) {
    this.exports.limitMemory(pages);
    this.status = STATUS[this.exports.loadPlan(this.put(plan), plan.length)];
    this.key = this.fold((text, length) => this.exports.seedKey(text, length), seed);
  }

  put(text: Text): number {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    const at = this.exports.allocate(bytes.length) >>> 0;
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  /** Calls a fold of the kernel with a text, and returns the key. */
  fold(call: (at: number, length: number) => unknown, text: Text): bigint {
    const before = this.exports.mark();
    const key = call(this.put(text), new TextEncoder().encode(String(text)).length) as bigint;
    this.exports.release(before);
    return BigInt.asUintN(64, key);
  }

  nameKey(name: string, mill = this.key): bigint {
    return this.fold((text, length) => this.exports.nameKey(mill, text, length), name);
  }

  name(noun: number): string {
    const at = this.exports.nounName(noun) >>> 0;
    return new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, at, this.exports.nounNameBytes(noun)));
  }

  /** The results of all nouns in the order of the file, as test/plans/probe.c makes them. Leaves out refused calls. */
  all(count: number): Uint32Array[] {
    const words: Uint32Array[] = [];
    for (let noun = 0; noun < this.exports.nounCount(); noun++) {
      const key = this.nameKey(this.name(noun));
      const width = this.exports.resultWidth(noun);
      const n = Math.floor(count / Math.max(1, width)) + 1;
      words.push(...(width === 0 ? this.#draws(noun, key, n) : this.#results(noun, key, n, width)));
      words.push(...RECTANGLES.flatMap((cells) => this.cells(noun, cells)));
    }
    return words;
  }

  view(at: number, length: number): Uint32Array {
    return new Uint32Array(this.exports.memory.buffer, at >>> 0, length);
  }

  /** The visits, the terrain and the placements of a rectangle, so far as the noun has them and the kernel makes them. */
  cells(noun: number, cells: (typeof RECTANGLES)[number], key = this.key): Uint32Array[] {
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
      const status = this.make(noun, task, layer, cells, key);
      return status === "OK" ? [this.made(task, cells)] : [];
    });
  }

  make(noun: number, task: number, layer: number, cells: (typeof RECTANGLES)[number], key = this.key): string {
    const { row0, col0, rows, cols } = cells;
    return STATUS[this.exports.makeCells(noun, key, task, layer, row0, col0, rows, cols)];
  }

  made(task: number, { rows, cols }: { readonly rows: number; readonly cols: number }): Uint32Array {
    const at = this.exports.cellsAddress();
    if (task === PLACEMENTS) return this.view(at, 6 * this.exports.placementCount()).slice();
    if (task !== TERRAIN) return this.view(at, rows * cols).slice();
    return Uint32Array.from(new Uint8Array(this.exports.memory.buffer, at >>> 0, rows * cols));
  }

  #results(noun: number, key: bigint, n: number, width: number): Uint32Array[] {
    const { exports } = this;
    const hasQuantities = exports.hasQuantities(noun);
    const words: Uint32Array[] = [];
    const quantities: Uint32Array[] = [];
    const most = Math.max(1, Math.floor(BATCH / width));
    for (let done = 0, count = 0; done < n; done += count) {
      count = Math.min(most, n - done);
      if (exports.makeMany(noun, key, BigInt(FROM + done), count, hasQuantities) !== 0) return [];
      words.push(this.view(exports.resultsAddress(noun), count * width).slice());
      if (hasQuantities) quantities.push(this.view(exports.quantitiesAddress(), count * width).slice());
    }
    return [...words, ...quantities];
  }

  #draws(noun: number, key: bigint, n: number): Uint32Array[] {
    const { exports } = this;
    const words: Uint32Array[] = [];
    for (let pool = 0; pool < exports.poolCount(noun); pool++) {
      for (let done = 0, status = 0; done < n && status === 0; ) {
        status = exports.drawMany(noun, pool, key, Math.min(BATCH, n - done));
        const drawn = exports.drawnCount();
        words.push(this.view(exports.windowAddress(), drawn).slice());
        done += drawn;
      }
    }
    return words;
  }
}
