import { error, fail, RollmillError } from "../errors/index.js";
import type { KernelExports } from "./exports.js";
import { instantiateKernel, type KernelModule } from "./instantiate.js";
import { BATCH_RESULTS } from "./layout.js";
import { type Address, type Layout, type Views, viewsOf } from "./views.js";

interface Key {
  readonly k0: number;
  readonly k1: number;
}

/** A memory grows by whole pages. */
export const PAGE_BYTES = 65536;

/** Views of a whole memory, and of the window in it, if it was asked for. */
type MemoryViews = Views & { window?: Uint32Array<ArrayBuffer> };

const NO_VIEWS: MemoryViews = viewsOf(new ArrayBuffer(0));

const GONE = new Proxy({} as KernelExports, { get: refuseDisposed });

/**
 * One kernel instance and its memory.
 *
 * After a trap, a new instance with an empty memory replaces the old one, and a new {@link generation} begins: all
 * addresses are invalid, and plans must be uploaded again.
 */
export class Kernel {
  readonly maxBytes: number;
  /** The caller's limit, for messages. It is above `maxBytes` if this kernel may use only a part of the limit. */
  readonly maxMemory: number;
  /** Runs when the kernel is disposed of: for results made in advance, which are read without a call of the kernel. */
  onDispose: (() => void) | undefined;
  /** Every instance uses this module: the addresses in a copy by `copyMemory` are valid only for one module. */
  readonly #module: KernelModule;
  #exports: KernelExports;
  #generation = 0;
  /** The stream that the kernel's calls read now. */
  #stream: Key | undefined;
  #views = NO_VIEWS;

  /** @param maxBytes - 1 MiB … 4 GiB. Rounded down to whole pages of 64 KiB. */
  constructor(module: KernelModule, maxBytes: number, maxMemory = maxBytes) {
    this.#module = module;
    this.maxBytes = maxBytes;
    this.maxMemory = maxMemory;
    this.#exports = this.#instantiate();
  }

  /**
   * Number of times that the instance was replaced, or −1 after {@link dispose}. An address is valid in one generation
   * only.
   */
  get generation(): number {
    return this.#generation;
  }

  /** Limits the memory to `bytes` ≤ maxBytes from now on. A memory that is larger already keeps its size. */
  limit(bytes: number): void {
    this.call((exports) => exports.limitMemory(bytes / PAGE_BYTES));
  }

  /** Size of the memory. It grows ahead of its use: pages that were never used take no memory of the machine. */
  get bytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Runs a job that reads the random words of `stream`. */
  run<T>(stream: Key, job: (exports: KernelExports) => T): T {
    if (this.#stream !== stream) {
      this.call((exports) => exports.useStream(stream.k0, stream.k1));
      this.#stream = stream;
    }
    return this.call(job);
  }

  /** Runs a job that itself selects the streams that it reads. */
  runStreams<T>(job: (exports: KernelExports) => T): T {
    this.#stream = undefined;
    return this.call(job);
  }

  /**
   * Runs a job that reads no random words.
   *
   * @throws RollmillError `kernel.trap` if the kernel trapped and was replaced by a new instance; `argument.disposed`.
   */
  call<T>(job: (exports: KernelExports) => T): T {
    if (this.isDisposed) return refuseDisposed();
    try {
      return job(this.#exports);
    } catch (cause) {
      if (cause instanceof RollmillError || !(cause instanceof Error)) throw cause;
      this.reset();
      const problem = `the kernel failed with an internal error (${cause.message})`;
      const remedy = "Report the seed, the name and the call as a bug. The mill continues with a new kernel";
      return fail(error("kernel.trap", { problem, remedy }), cause);
    }
  }

  /** Replaces the instance by a new instance, whose memory is empty. */
  reset(): void {
    this.#exports = this.#instantiate();
    this.#views = NO_VIEWS;
    this.#generation++;
    this.#stream = undefined;
  }

  /** @throws RollmillError `kernel.memory` if the address is 0. */
  taken(address: Address, purpose: string): Address {
    return address === 0 ? this.outOfMemory(purpose) : ((address >>> 0) as Address);
  }

  outOfMemory(purpose: string, bytes = this.#bytesAsked()): never {
    const { maxBytes, maxMemory } = this;
    const share = maxBytes < maxMemory ? `, of which this kernel may use ${maxBytes} bytes` : "";
    const limit = `"maxMemory": ${maxMemory} bytes${share}`;
    const sizes = `in use: ${this.bytes} bytes; also needed: ${bytes} bytes; ${limit}`;
    const problem = `not enough memory for ${purpose} (${sizes})`;
    const remedy = 'Raise "maxMemory", make fewer results in one call, or close other programs';
    return fail(error("kernel.memory", { problem, remedy }));
  }

  write<T>(address: Address, layout: Layout<T>, values: T): void {
    layout.write(this.views, address >>> 0, values);
  }

  read<T>(address: Address, layout: Layout<T>): T {
    return layout.read(this.views, address >>> 0);
  }

  /** Returns a view of `length` numbers at an address. A later allocation may invalidate the view. */
  u32(address: Address, length: number): Uint32Array<ArrayBuffer> {
    return this.views.u32.subarray(address >>> 2, (address >>> 2) + length);
  }

  i32(address: Address, length: number): Int32Array<ArrayBuffer> {
    return this.views.i32.subarray(address >>> 2, (address >>> 2) + length);
  }

  u16(address: Address, length: number): Uint16Array<ArrayBuffer> {
    return this.views.u16.subarray(address >>> 1, (address >>> 1) + length);
  }

  i16(address: Address, length: number): Int16Array<ArrayBuffer> {
    return this.views.i16.subarray(address >>> 1, (address >>> 1) + length);
  }

  u8(address: Address, length: number): Uint8Array<ArrayBuffer> {
    return this.views.u8.subarray(address >>> 0, (address >>> 0) + length);
  }

  /** Views of the whole memory, until it grows: then its old buffer is detached. */
  get views(): MemoryViews {
    // a view of a detached buffer has the length 0, which takes less time to see than another buffer
    if (this.#views.u8.length === 0) this.#views = viewsOf(this.#exports.memory.buffer);
    return this.#views;
  }

  /** The buffer where a bulk call stores its results. The next bulk call overwrites it. */
  get window(): Address {
    return (this.#exports.windowAddress() >>> 0) as Address;
  }

  /** The window as u32. Always the same view until the memory grows. */
  get windowView(): Uint32Array<ArrayBuffer> {
    const { views } = this;
    views.window ??= this.u32(this.window, BATCH_RESULTS);
    return views.window;
  }

  get isDisposed(): boolean {
    return this.#generation < 0;
  }

  /** Frees the instance and its memory. Every later call throws `argument.disposed`. */
  dispose(): void {
    this.onDispose?.();
    this.#generation = -1;
    this.#exports = GONE;
    this.#views = NO_VIEWS;
  }

  #bytesAsked(): number {
    return (this.#exports.failedBytesHigh() >>> 0) * 2 ** 32 + (this.#exports.failedBytes() >>> 0);
  }

  #instantiate(): KernelExports {
    const exports = instantiateKernel(this.#module);
    // the kernel rounds its integers down
    exports.limitMemory(this.maxBytes / PAGE_BYTES);
    return exports;
  }
}

function refuseDisposed(): never {
  const remedy = "Create a new mill";
  return fail(error("argument.disposed", { problem: "the mill has been disposed", remedy }));
}

/** A structure in a kernel's memory. It is built at its first use, and again after a trap. Messages name `purpose`. */
export class Resident {
  readonly #kernel: Kernel;
  readonly #purpose: string;
  readonly #build: (exports: KernelExports) => Address;
  #address = 0 as Address;
  #generation = -1;

  constructor(kernel: Kernel, purpose: string, build: (exports: KernelExports) => Address) {
    this.#kernel = kernel;
    this.#purpose = purpose;
    this.#build = build;
  }

  /** The address of the structure. Use it only until the next call into the kernel, which may trap. */
  get address(): Address {
    if (this.#generation !== this.#kernel.generation) {
      const address = this.#kernel.call(this.#build);
      this.#address = this.#kernel.taken(address, this.#purpose);
      this.#generation = this.#kernel.generation;
    }
    return this.#address;
  }
}
