import { instantiateSync } from "@assemblyscript/loader";
import { error, fail } from "../errors/index.js";
import { KERNEL_BASE64 } from "./bytes.js";
import type { KernelExports } from "./exports.js";

/** A kernel to compile: the response of `fetch` for `rollmill/kernel.wasm`, or the bytes of that file. */
export type KernelSource = Response | PromiseLike<Response> | ArrayBuffer | ArrayBufferView<ArrayBuffer>;

let compiled: WebAssembly.Module | undefined;

/**
 * Creates a kernel instance with its own memory. The first call in a process compiles the module, synchronously, from
 * the bytes inside the library (about 40 KB).
 *
 * @throws RollmillError `kernel.unsupported` if the engine lacks WebAssembly SIMD.
 */
export function instantiateKernel(): KernelExports {
  compiled ??= attempt(() => new WebAssembly.Module(decodeBase64(KERNEL_BASE64)));
  const module = compiled;
  return attempt(() => instantiateSync<KernelExports>(module, {}).exports);
}

/**
 * Compiles the kernel in advance, off the main thread. Mills that are created afterwards use it.
 *
 * @param source - the response of `fetch("…/rollmill/kernel.wasm")`, which is compiled while it arrives, or its bytes.
 * Default: the bytes inside the library.
 * @throws RollmillError `kernel.unsupported` if the engine lacks WebAssembly SIMD, or the source is not a kernel.
 */
export async function compileKernel(source?: KernelSource): Promise<void> {
  try {
    const given = await source;
    compiled ??= await (isResponse(given)
      ? WebAssembly.compileStreaming(given)
      : WebAssembly.compile(given ?? decodeBase64(KERNEL_BASE64)));
  } catch (cause) {
    if (source === undefined) unsupported(cause);
    const got = cause instanceof Error ? cause.message : cause;
    const expected = "rollmill/kernel.wasm, served as application/wasm, or its bytes";
    const remedy = "Check the address, or omit the source: the library contains the kernel";
    fail(
      error("kernel.unsupported", { problem: "the kernel cannot be compiled from this source", got, expected, remedy }),
      cause,
    );
  }
}

function isResponse(source: Awaited<KernelSource> | undefined): source is Response {
  return typeof Response !== "undefined" && source instanceof Response;
}

function attempt<T>(job: () => T): T {
  try {
    return job();
  } catch (cause) {
    return unsupported(cause);
  }
}

function unsupported(cause: unknown): never {
  return fail(
    error("kernel.unsupported", {
      problem: `this engine cannot run the kernel (${cause instanceof Error ? cause.message : String(cause)})`,
      expected: "WebAssembly with 128-bit SIMD",
      remedy: "Use Node 20.19 or later, or a browser of 2023 or later",
    }),
    cause,
  );
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  // not Uint8Array.from: it uses an iterator, takes five times as long, and would dominate the first createMill of a
  // process
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
