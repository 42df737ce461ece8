import { error, fail } from "../errors/index.js";
import { decodeBytes } from "./decode.js";
import { hasSimd, instantiateBytes } from "./instantiate.js";
import { BATCH_RESULTS } from "./layout.js";

/** The kernel for plan files (assembly/plans/index.ts). Keys are u64; addresses and u32 are signed. */
export type PlanExports = {
  readonly memory: { readonly buffer: ArrayBuffer };
  limitMemory(pages: number): void;
  allocate(bytes: number): number;
  mark(): number;
  release(mark: number): void;
  loadPlan(plan: number, bytes: number): number;
  failedAt(): number;
  nounCount(): number;
  nounKind(noun: number): number;
  nounName(noun: number): number;
  nounNameBytes(noun: number): number;
  nounLabels(noun: number): number;
  nounLabelsBytes(noun: number): number;
  seedKey(text: number, bytes: number): bigint;
  nameKey(seed: bigint, text: number, bytes: number): bigint;
  forkText(key: bigint, text: number, bytes: number): bigint;
  forkInteger(key: bigint, id: bigint): bigint;
  forkPair(key: bigint, first: number, second: number): bigint;
  wordsMany(key: bigint, plane: bigint, from: bigint, count: number): number;
  resultWidth(noun: number): number;
  resultsAddress(noun: number): number;
  hasQuantities(noun: number): number;
  quantitiesAddress(): number;
  makeMany(noun: number, key: bigint, from: bigint, count: number, withQuantities: number): number;
  windowAddress(): number;
  poolCount(noun: number): number;
  drawMany(noun: number, pool: number, key: bigint, count: number): number;
  drawnCount(): number;
  restock(noun: number): number;
  stateBytes(): number;
  saveState(state: number): void;
  loadState(state: number, bytes: number): number;
};

/** The codes of `PlanStatus` in assembly/plans/nouns.ts. */
export const PLAN_STATUS = {
  OK: 0,
  MEMORY: 1,
  NOUN: 2,
  KIND: 3,
  RANGE: 4,
  HOPS: 5,
  EMPTY: 6,
  PLAN: 7,
  VERSION: 8,
  STATE: 9,
  QUANTITIES: 10,
  POOL: 11,
  OTHER_PLAN: 12,
} as const;

/** What a plan file says about a noun. The texts are UTF-8. */
interface PlanHead {
  readonly kind: number;
  readonly name: Uint8Array;
  readonly labels: Uint8Array;
}

/** Loads the bytes of the kernel for plan files. */
export async function loadPlanKernel(): Promise<PlanKernel> {
  const { KERNEL } = await (hasSimd() ? import("./bytes/plans.js") : import("./bytes/plansScalar.js"));
  return new PlanKernel(instantiateBytes<PlanExports>(decodeBytes(KERNEL)));
}

/** 1 GiB, as in C. */
const MAX_PAGES = 2 ** 14;

/** A host of one plan file. */
export class PlanKernel {
  constructor(
    readonly exports: PlanExports,
    maxPages = MAX_PAGES,
  ) {
    exports.limitMemory(maxPages);
  }

  /** Loads a plan, which the kernel checks. Returns the status. */
  open(plan: Uint8Array): number {
    const address = this.put(plan);
    return address === 0 ? PLAN_STATUS.MEMORY : this.exports.loadPlan(address, plan.length);
  }

  heads(): PlanHead[] {
    const { exports } = this;
    return Array.from({ length: exports.nounCount() }, (_, noun) => ({
      kind: exports.nounKind(noun),
      name: this.bytes(exports.nounName(noun), exports.nounNameBytes(noun)).slice(),
      labels: this.bytes(exports.nounLabels(noun), exports.nounLabelsBytes(noun)).slice(),
    }));
  }

  /** Returns the key that a function of the kernel makes of a text. */
  keyOf(text: string, call: (address: number, bytes: number) => bigint): bigint {
    const bytes = new TextEncoder().encode(text);
    const before = this.exports.mark();
    const address = this.put(bytes);
    if (address === 0) refuseMemory(bytes.length);
    const key = call(address, bytes.length);
    this.exports.release(before);
    return BigInt.asUintN(64, key);
  }

  /**
   * Makes results of a noun but pools into an array for all their numbers, and into one for their quantities, if it is
   * given. Returns the status.
   */
  make(noun: number, key: bigint, from: number, results: Uint32Array | Int32Array, quantities?: Int32Array): number {
    const { exports } = this;
    const width = exports.resultWidth(noun);
    const most = Math.max(1, Math.floor(BATCH_RESULTS / width));
    const count = results.length / width;
    let status = exports.makeMany(noun, key, BigInt(from), 0, Number(quantities !== undefined));
    for (let done = 0; done < count && status === PLAN_STATUS.OK; ) {
      const n = Math.min(most, count - done);
      status = exports.makeMany(noun, key, BigInt(from + done), n, Number(quantities !== undefined));
      results.set(this.words(exports.resultsAddress(noun), n * width), done * width);
      quantities?.set(this.words(exports.quantitiesAddress(), n * width), done * width);
      done += n;
    }
    return status;
  }

  /** Draws records of a pool into an array. Returns their number, which is smaller if the pool has nothing left. */
  draw(noun: number, pool: number, key: bigint, records: Uint32Array): number {
    const { exports } = this;
    let drawn = 0;
    let status: number = PLAN_STATUS.OK;
    while (drawn < records.length && status === PLAN_STATUS.OK) {
      status = exports.drawMany(noun, pool, key, Math.min(BATCH_RESULTS, records.length - drawn));
      records.set(this.words(exports.windowAddress(), exports.drawnCount()), drawn);
      drawn += exports.drawnCount();
    }
    return drawn;
  }

  /** Returns the state of all pools. */
  save(): Uint8Array<ArrayBuffer> {
    const before = this.exports.mark();
    const bytes = this.exports.stateBytes();
    const address = this.exports.allocate(bytes);
    if (address === 0) refuseMemory(bytes);
    this.exports.saveState(address);
    const state = this.bytes(address, bytes).slice();
    this.exports.release(before);
    return state;
  }

  /** Puts a state back. Returns the status. */
  restore(state: Uint8Array): number {
    const before = this.exports.mark();
    const address = this.put(state);
    const status = address === 0 ? PLAN_STATUS.MEMORY : this.exports.loadState(address, state.length);
    this.exports.release(before);
    return status;
  }

  /** Copies bytes into the kernel. Returns their address, or 0 if memory runs out. */
  put(bytes: Uint8Array): number {
    const address = this.exports.allocate(bytes.length) >>> 0;
    if (address !== 0) this.bytes(address, bytes.length).set(bytes);
    return address;
  }

  bytes(address: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.exports.memory.buffer, address >>> 0, length >>> 0);
  }

  words(address: number, length: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.exports.memory.buffer, address >>> 0, length);
  }
}

function refuseMemory(bytes: number): never {
  return fail(
    error("kernel.memory", { problem: "the kernel for plan files has no memory left", got: `${bytes} bytes` }),
  );
}
