import { error, fail, RollmillError } from "../errors/index.js";
import type { KernelExports } from "./exports.js";
import { instantiateKernel } from "./instantiate.js";
import { BATCH_RESULTS } from "./layout.js";
import { type Address, type Layout, type Views, viewsOf } from "./views.js";

/** The 64-bit key of a mill's random words, as two u32. */
export type Key = readonly [number, number];

const PAGE_BYTES = 65536;

/** The exports of a disposed kernel: every access throws. */
const GONE = new Proxy({} as KernelExports, { get: refuseDisposed });

/**
 * One kernel instance and its memory; nothing else reads or writes that memory. An address is valid for one
 * {@link generation}: after a trap a new instance replaces the old one, and each owner uploads its plan again.
 */
export class Kernel {
  readonly key: Key;
  readonly maxBytes: number;
  #exports: KernelExports;
  #generation = 0;
  #disposed = false;
  #views: Views;
  #window = new Uint32Array(0);

  /** @param maxBytes - the most memory, 1 MiB … 4 GiB, rounded down to whole pages of 64 KiB. */
  constructor(key: Key, maxBytes: number) {
    this.key = key;
    this.maxBytes = maxBytes;
    this.#exports = this.#instantiate();
    this.#views = viewsOf(this.#exports.memory.buffer);
  }

  /** The number of instances before this one. An address of an earlier generation is invalid. */
  get generation(): number {
    return this.#generation;
  }

  /** Size of the memory in bytes. */
  get bytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * Calls into the kernel.
   *
   * @throws RollmillError `kernel.trap` if the kernel traps (a new instance has replaced it by then),
   * `argument.disposed`.
   */
  call<T>(job: (exports: KernelExports) => T): T {
    if (this.#disposed) return refuseDisposed();
    try {
      return job(this.#exports);
    } catch (cause) {
      if (cause instanceof RollmillError || !(cause instanceof Error)) throw cause;
      this.#exports = this.#instantiate();
      this.#views = viewsOf(this.#exports.memory.buffer);
      this.#generation++;
      return fail(
        error("kernel.trap", {
          problem: "the kernel failed",
          got: cause.message,
          remedy:
            "The mill continues with a new instance. Call again, and report the seed, the name and the call as a bug",
        }),
        cause,
      );
    }
  }

  /**
   * Checks the address that a build returned.
   *
   * @param purpose - what the memory is for, as messages say it: "weighted list loot".
   * @throws RollmillError `kernel.memory` if the address is 0.
   */
  taken(address: Address, purpose: string): Address {
    if (address !== 0) return (address >>> 0) as Address;
    return this.outOfMemory(purpose);
  }

  /**
   * Throws the error of a memory that cannot grow further.
   *
   * @throws RollmillError `kernel.memory`.
   */
  outOfMemory(purpose: string): never {
    return fail(
      error("kernel.memory", {
        problem: `not enough memory for ${purpose}`,
        got: `${this.bytes} bytes in use`,
        expected: `at most ${this.maxBytes} bytes`,
        remedy: "Raise maxMemory, or make fewer results in one call",
      }),
    );
  }

  /** Writes a record by field name. */
  write<T>(address: Address, layout: Layout<T>, values: T): void {
    layout.write(this.#memory(), address >>> 0, values);
  }

  /** Reads a record. */
  read<T>(address: Address, layout: Layout<T>): T {
    return layout.read(this.#memory(), address >>> 0);
  }

  /** A view of `length` u32 at an address. An allocation in the kernel may invalidate it. */
  u32(address: Address, length: number): Uint32Array<ArrayBuffer> {
    return this.#memory().u32.subarray(address >>> 2, (address >>> 2) + length);
  }

  /** A view of `length` i32 at an address. An allocation in the kernel may invalidate it. */
  i32(address: Address, length: number): Int32Array<ArrayBuffer> {
    return this.#memory().i32.subarray(address >>> 2, (address >>> 2) + length);
  }

  /** A view of `length` u16 at an address. An allocation in the kernel may invalidate it. */
  u16(address: Address, length: number): Uint16Array<ArrayBuffer> {
    return this.#memory().u16.subarray(address >>> 1, (address >>> 1) + length);
  }

  /** A view of `length` i16 at an address. An allocation in the kernel may invalidate it. */
  i16(address: Address, length: number): Int16Array<ArrayBuffer> {
    return this.#memory().i16.subarray(address >>> 1, (address >>> 1) + length);
  }

  /** A view of `length` bytes at an address. An allocation in the kernel may invalidate it. */
  u8(address: Address, length: number): Uint8Array<ArrayBuffer> {
    return this.#memory().u8.subarray(address >>> 0, (address >>> 0) + length);
  }

  /** The address of the results of a bulk call. The next call overwrites them. */
  get window(): Address {
    return (this.#exports.windowAddress() >>> 0) as Address;
  }

  /** The window as u32. It is the same view until memory grows. */
  get windowView(): Uint32Array<ArrayBuffer> {
    if (this.#window.buffer !== this.#exports.memory.buffer) {
      this.#window = this.u32(this.window, BATCH_RESULTS);
    }
    return this.#window;
  }

  /** Whether {@link dispose} was called. */
  get isDisposed(): boolean {
    return this.#disposed;
  }

  /** Frees the instance and its memory. Every later call throws. */
  dispose(): void {
    this.#disposed = true;
    this.#exports = GONE;
    this.#views = viewsOf(new ArrayBuffer(0));
  }

  /** The views of the memory; new ones after it has grown, because growth detaches the old buffer. */
  #memory(): Views {
    if (this.#views.u32.buffer !== this.#exports.memory.buffer) this.#views = viewsOf(this.#exports.memory.buffer);
    return this.#views;
  }

  #instantiate(): KernelExports {
    const exports = instantiateKernel();
    exports.limitMemory(Math.floor(this.maxBytes / PAGE_BYTES));
    exports.setKey(...this.key);
    return exports;
  }
}

function refuseDisposed(): never {
  const remedy = "Create a new mill";
  return fail(error("argument.disposed", { problem: "the mill that made this has been disposed", remedy }));
}
