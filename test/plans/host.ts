// The kernel for plan files, opened without waiting, with all its calls, and all results of a plan.
import { readFileSync } from "node:fs";
import { instantiateSync } from "@assemblyscript/loader";
import { PLAN_STATUS, type PlanExports, PlanKernel } from "../../src/kernel/plans.js";
import { FROM, SEED } from "./nouns.js";

const KERNEL = new WebAssembly.Module(readFileSync(new URL("../../build/kernel-plans.wasm", import.meta.url)));
const STATUS = Object.keys(PLAN_STATUS);
const PAGES = 2 ** 11;

export class Host extends PlanKernel {
  readonly status: string;
  readonly key: bigint;

  constructor(plan: Uint8Array, seed = SEED, pages = PAGES) {
    super(instantiateSync<PlanExports>(KERNEL, {}).exports, pages);
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
      return width === 0 ? this.#draws(noun, key, n) : this.#results(noun, key, n, width);
    });
  }

  #results(noun: number, key: bigint, n: number, width: number): (Uint32Array | Int32Array)[] {
    const results = new Uint32Array(n * width);
    const quantities = this.exports.hasQuantities(noun) === 0 ? undefined : new Int32Array(n);
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
