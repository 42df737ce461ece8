import { error, fail, RollmillError } from "../errors/index.js";
import type { KernelExports } from "./exports.js";
import { instantiateKernel } from "./instantiate.js";
import { BATCH_RESULTS } from "./layout.js";
import { type Address, type Layout, type Views, viewsOf } from "./views.js";

interface Key {
  readonly k0: number;
  readonly k1: number;
}

const PAGE_BYTES = 65536;

/** Replaces the exports of a disposed kernel. Every access throws. */
const GONE = new Proxy({} as KernelExports, { get: refuseDisposed });

/**
 * One kernel instance and its memory. Only this class reads and writes that memory.
 *
 * After a trap, a new instance with an empty memory replaces the old one, and a new {@link generation} begins.
 * Addresses of the old generation are invalid. So the owner of a plan must upload the plan again.
 */
export class Kernel {
  readonly maxBytes: number;
  /** The limit that the caller gave: at least {@link maxBytes}. Other memory can use the rest. For messages. */
  readonly maxMemory: number;
  #exports: KernelExports;
  #generation = 0;
  /** The stream that is selected in the kernel. A call with this stream need not select it again. */
  #stream: Key | undefined;
  #disposed = false;
  #views: Views;
  #window = new Uint32Array(0);

  /** @param maxBytes - Maximum size of the memory, 1 MiB … 4 GiB. Rounded down to whole pages of 64 KiB. */
  constructor(maxBytes: number, maxMemory = maxBytes) {
    this.maxBytes = maxBytes;
    this.maxMemory = maxMemory;
    this.#exports = this.#instantiate();
    this.#views = viewsOf(this.#exports.memory.buffer);
  }

  /**
   * Number of times that the instance was replaced. An address is valid only in the generation in which it was
   * allocated.
   */
  get generation(): number {
    return this.#generation;
  }

  /**
   * From now on, the memory grows at most to `bytes` or to {@link maxBytes}, whichever is less. A memory that is
   * already larger keeps its size.
   */
  limit(bytes: number): void {
    this.call((exports) => limitMemory(exports, Math.min(bytes, this.maxBytes)));
  }

  /** Grows the memory to `bytes` at once, as far as {@link limit} allows. */
  reserve(bytes: number): void {
    this.call((exports) => exports.reserveMemory(Math.ceil(bytes / PAGE_BYTES)));
  }

  /** Size of the memory in bytes. */
  get bytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * Number of bytes that can still be allocated until the memory has {@link maxBytes}. The engine may refuse to provide
   * all of these bytes.
   */
  get bytesFree(): number {
    const top = this.call((exports) => exports.mark()) >>> 0;
    return Math.floor(this.maxBytes / PAGE_BYTES) * PAGE_BYTES - top;
  }

  /**
   * Runs a job in the kernel. The job reads the random words of `stream`.
   *
   * @throws The errors of {@link call}.
   */
  run<T>(stream: Key, job: (exports: KernelExports) => T): T {
    if (this.#stream !== stream) {
      this.call((exports) => exports.useStream(stream.k0, stream.k1));
      this.#stream = stream;
    }
    return this.call(job);
  }

  /**
   * Runs a job in the kernel. The job itself selects the streams that it reads.
   *
   * @throws The errors of {@link call}.
   */
  runStreams<T>(job: (exports: KernelExports) => T): T {
    this.#stream = undefined;
    return this.call(job);
  }

  /**
   * Runs a job in the kernel. The job reads no random words.
   *
   * @throws RollmillError `kernel.trap` if the kernel traps: a new instance then replaces the trapped instance;
   * `argument.disposed` after {@link dispose}.
   */
  call<T>(job: (exports: KernelExports) => T): T {
    if (this.#disposed) return refuseDisposed();
    try {
      return job(this.#exports);
    } catch (cause) {
      if (cause instanceof RollmillError || !(cause instanceof Error)) throw cause;
      this.reset();
      return fail(
        error("kernel.trap", {
          problem: `the kernel failed with an internal error (${cause.message})`,
          remedy: "Report the seed, the name and the call as a bug. The mill continues with a new kernel",
        }),
        cause,
      );
    }
  }

  /**
   * Copies the memory that is in use.
   *
   * @throws RangeError if the engine has no memory for the copy.
   */
  save(): Uint8Array<ArrayBuffer> {
    const end = this.call((exports) => exports.allocate(0)) >>> 0;
    return this.#memory().u8.slice(0, end);
  }

  /**
   * Replaces the instance by a new one.
   *
   * @param saved - A copy that {@link save} made. All addresses that were valid at the time of the copy are valid
   * again. Without a copy, the memory is empty and all addresses are invalid.
   * @throws RollmillError `kernel.memory`.
   */
  reset(saved?: Uint8Array): void {
    this.#exports = this.#instantiate();
    this.#views = viewsOf(this.#exports.memory.buffer);
    this.#generation++;
    this.#stream = undefined;
    if (saved === undefined) return;
    const bytes = saved.length - (this.#exports.allocate(0) >>> 0);
    if (this.#exports.allocate(bytes) === 0) this.outOfMemory("a copy of the memory", bytes);
    this.#memory().u8.set(saved);
  }

  /**
   * Checks that an allocation succeeded, and returns its address.
   *
   * @param purpose - What the memory is for, such as "weighted list loot". For messages.
   * @throws RollmillError `kernel.memory` if the address is 0, because the allocation failed.
   */
  taken(address: Address, purpose: string): Address {
    if (address !== 0) return (address >>> 0) as Address;
    return this.outOfMemory(purpose);
  }

  /**
   * Throws the error for a memory that cannot grow further.
   *
   * @throws RollmillError `kernel.memory`, always.
   */
  outOfMemory(purpose: string, bytes = this.#bytesAsked()): never {
    const { maxBytes, maxMemory } = this;
    const share = maxBytes < maxMemory ? `, of which ${maxBytes} bytes are for this` : "";
    const limit = `"maxMemory": ${maxMemory} bytes${share}`;
    const sizes = `in use: ${this.bytes} bytes; also needed: ${bytes} bytes; ${limit}`;
    return fail(
      error("kernel.memory", {
        problem: `not enough memory for ${purpose} (${sizes})`,
        remedy: 'Raise "maxMemory", make fewer results in one call, or close other programs',
      }),
    );
  }

  /** Writes the fields of a record at an address. */
  write<T>(address: Address, layout: Layout<T>, values: T): void {
    layout.write(this.#memory(), address >>> 0, values);
  }

  /** Reads the record at an address. */
  read<T>(address: Address, layout: Layout<T>): T {
    return layout.read(this.#memory(), address >>> 0);
  }

  /** Returns a view of `length` u32 at an address. Later allocations may invalidate the view. */
  u32(address: Address, length: number): Uint32Array<ArrayBuffer> {
    return this.#memory().u32.subarray(address >>> 2, (address >>> 2) + length);
  }

  /** Returns a view of `length` i32 at an address. Later allocations may invalidate the view. */
  i32(address: Address, length: number): Int32Array<ArrayBuffer> {
    return this.#memory().i32.subarray(address >>> 2, (address >>> 2) + length);
  }

  /** Returns a view of `length` u16 at an address. Later allocations may invalidate the view. */
  u16(address: Address, length: number): Uint16Array<ArrayBuffer> {
    return this.#memory().u16.subarray(address >>> 1, (address >>> 1) + length);
  }

  /** Returns a view of `length` i16 at an address. Later allocations may invalidate the view. */
  i16(address: Address, length: number): Int16Array<ArrayBuffer> {
    return this.#memory().i16.subarray(address >>> 1, (address >>> 1) + length);
  }

  /** Returns a view of `length` bytes at an address. Later allocations may invalidate the view. */
  u8(address: Address, length: number): Uint8Array<ArrayBuffer> {
    return this.#memory().u8.subarray(address >>> 0, (address >>> 0) + length);
  }

  /** Address of the window: the buffer where a bulk call stores its results. The next bulk call overwrites it. */
  get window(): Address {
    return (this.#exports.windowAddress() >>> 0) as Address;
  }

  /** The window as u32. Always the same view until the memory grows. */
  get windowView(): Uint32Array<ArrayBuffer> {
    if (this.#window.buffer !== this.#exports.memory.buffer) {
      this.#window = this.u32(this.window, BATCH_RESULTS);
    }
    return this.#window;
  }

  get isDisposed(): boolean {
    return this.#disposed;
  }

  /** Frees the instance and its memory. Every later call throws `argument.disposed`. */
  dispose(): void {
    this.#disposed = true;
    this.#exports = GONE;
    this.#views = viewsOf(new ArrayBuffer(0));
  }

  /** Number of bytes that the last failed allocation asked for. */
  #bytesAsked(): number {
    return (this.#exports.failedBytesHigh() >>> 0) * 2 ** 32 + (this.#exports.failedBytes() >>> 0);
  }

  /** Returns views of the memory. If the memory has grown, the old buffer is detached, so new views are created. */
  #memory(): Views {
    if (this.#views.u32.buffer !== this.#exports.memory.buffer) this.#views = viewsOf(this.#exports.memory.buffer);
    return this.#views;
  }

  #instantiate(): KernelExports {
    const exports = instantiateKernel();
    limitMemory(exports, this.maxBytes);
    return exports;
  }
}

function limitMemory(exports: KernelExports, bytes: number): void {
  exports.limitMemory(Math.floor(bytes / PAGE_BYTES));
}

function refuseDisposed(): never {
  const remedy = "Create a new mill";
  return fail(error("argument.disposed", { problem: "the mill has been disposed", remedy }));
}
