import { error, fail, RollmillError } from "../errors/index.js";
import type { Address, KernelExports } from "./exports.js";
import { instantiateKernel } from "./instantiate.js";
import { BATCH_RESULTS } from "./layout.js";
import { type Layout, type Views, viewsOf } from "./views.js";

/** The 64-bit key of a mill's random words, as two u32. */
export type Key = readonly [number, number];

const PAGE_BYTES = 65536;

/** Replaces the exports of a disposed kernel: every access is refused. */
const GONE = new Proxy({} as KernelExports, { get: refuseDisposed });

/**
 * One kernel instance and its arena: the only reader and writer of kernel memory. What others hold are addresses, valid
 * for one {@link generation}: a trap throws the instance away, and the plans are uploaded again to the next one.
 */
export class Kernel {
  readonly key: Key;
  readonly maxBytes: number;
  #exports: KernelExports;
  #generation = 0;
  #disposed = false;
  #views: Views;
  #window = new Uint32Array(0);

  /** @param maxBytes - bound on the arena, 1 MiB … 4 GiB; whole 64-KiB pages are used. */
  constructor(key: Key, maxBytes: number) {
    this.key = key;
    this.maxBytes = maxBytes;
    this.#exports = this.#instantiate();
    this.#views = viewsOf(this.#exports.memory.buffer);
  }

  /** Counts the instances so far; an address of an earlier generation is void. */
  get generation(): number {
    return this.#generation;
  }

  /** Bytes of linear memory in use. */
  get bytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * Calls into the kernel.
   *
   * @throws RollmillError `kernel.trap` once if the kernel traps; the instance has been replaced by then.
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
            "The mill goes on with a new instance: call again, and report this with the seed, the name and the call",
        }),
        cause,
      );
    }
  }

  /**
   * Returns the address that a build returned.
   *
   * @throws RollmillError `kernel.memory` if the address is 0.
   */
  taken(address: Address, purpose: string): Address {
    if (address !== 0) return (address >>> 0) as Address;
    return this.outOfMemory(purpose);
  }

  /** Reports that the arena may not grow any further. */
  outOfMemory(purpose: string): never {
    return fail(
      error("kernel.memory", {
        problem: `no memory left for ${purpose}`,
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

  /** A view of `length` u32 at an address; dead after the next allocation in the kernel. */
  u32(address: Address, length: number): Uint32Array<ArrayBuffer> {
    return this.#memory().u32.subarray(address >>> 2, (address >>> 2) + length);
  }

  /** A view of `length` i32 at an address; dead after the next allocation in the kernel. */
  i32(address: Address, length: number): Int32Array<ArrayBuffer> {
    return this.#memory().i32.subarray(address >>> 2, (address >>> 2) + length);
  }

  /** A view of `length` u16 at an address; dead after the next allocation in the kernel. */
  u16(address: Address, length: number): Uint16Array<ArrayBuffer> {
    return this.#memory().u16.subarray(address >>> 1, (address >>> 1) + length);
  }

  /** A view of `length` i16 at an address; dead after the next allocation in the kernel. */
  i16(address: Address, length: number): Int16Array<ArrayBuffer> {
    return this.#memory().i16.subarray(address >>> 1, (address >>> 1) + length);
  }

  /** A view of `length` bytes at an address; dead after the next allocation in the kernel. */
  u8(address: Address, length: number): Uint8Array<ArrayBuffer> {
    return this.#memory().u8.subarray(address >>> 0, (address >>> 0) + length);
  }

  /** Where bulk calls leave their results, until the next call. */
  get window(): Address {
    return (this.#exports.windowAddress() >>> 0) as Address;
  }

  /** The window as u32, the same view from call to call until memory grows. */
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

  /** Drops the instance and its memory: every later call is refused. */
  dispose(): void {
    this.#disposed = true;
    this.#exports = GONE;
    this.#views = viewsOf(new ArrayBuffer(0));
  }

  /** The views of the memory: made anew when it has grown, for growth detaches the old buffer. */
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
  const remedy = "Make a new mill";
  return fail(error("argument.disposed", { problem: "the mill that made this was disposed of", remedy }));
}
