import { instantiateSync } from "@assemblyscript/loader";
import { error, fail } from "../errors/index.js";
import type { KernelExports } from "./exports.js";

// Node's types do not declare WebAssembly: for users without DOM types, naming `WebAssembly.Module` would be an error.
type CompiledModule = typeof globalThis extends { readonly WebAssembly: { readonly Module: { prototype: infer M } } }
  ? M
  : never;

/** A kernel that can be compiled synchronously: the bytes of `rollmill/kernel.wasm`, or a module compiled from them. */
export type KernelBytes = ArrayBuffer | ArrayBufferView<ArrayBuffer> | CompiledModule;

/**
 * Where to load the kernel from: the URL of `rollmill/kernel.wasm`, the response to fetching this URL, the bytes, or a
 * compiled module. Some engines, such as edge workers, forbid compilation. On these engines, pass the module that the
 * bundler made.
 */
export type KernelSource = URL | Response | PromiseLike<Response> | KernelBytes;

/** All mills of a process share it. It is compiled once, from the first source. */
let compiled: WebAssembly.Module | undefined;

/** If so, mills can be created without a source. */
export function isKernelCompiled(): boolean {
  return compiled !== undefined;
}

/** Threads can share it. */
export function compiledKernel(): CompiledModule | undefined {
  return compiled;
}

/** @throws RollmillError `kernel.unsupported` if the engine lacks WebAssembly SIMD, or the source is not a kernel. */
export function compileKernel(source: KernelBytes): void {
  compiled ??= attempt(() => (isModule(source) ? source : new WebAssembly.Module(source)));
}

/**
 * Compiles the kernel off the main thread.
 *
 * @throws RollmillError `kernel.unsupported` if the engine lacks WebAssembly SIMD, or the source is not a kernel.
 */
export async function loadKernel(source: KernelSource): Promise<void> {
  if (compiled !== undefined) return;
  try {
    const given = await (source instanceof URL ? fetchKernel(source) : source);
    if (isModule(given)) compiled = given;
    else compiled = await (isResponse(given) ? WebAssembly.compileStreaming(given) : WebAssembly.compile(given));
  } catch (cause) {
    const got = cause instanceof Error ? cause.message : cause;
    const expected = "the file rollmill/kernel.wasm (served as application/wasm), its bytes, or a compiled module";
    const remedy = "Check the address, or omit the source: the library contains a kernel";
    fail(
      error("kernel.unsupported", { problem: "the kernel cannot be compiled from this source", got, expected, remedy }),
      cause,
    );
  }
}

/**
 * @throws RollmillError `kernel.unsupported` if the engine lacks WebAssembly SIMD; `kernel.memory` if the engine has no
 * memory for another instance; `argument.type` if no kernel is compiled.
 */
export function instantiateKernel(): KernelExports {
  if (compiled === undefined) {
    const remedy = 'Pass the option "kernel", such as the bytes of rollmill/kernel.wasm, or use createMillAsync';
    return fail(
      error("argument.type", { problem: "the kernel is not compiled yet", expected: 'the option "kernel"', remedy }),
    );
  }
  const module = compiled;
  return attempt(() => instantiateSync<KernelExports>(module, {}).exports);
}

/** Node's `fetch` refuses file: URLs, so they are read with `node:fs/promises`, if the platform has this module. */
async function fetchKernel(url: URL): Promise<Response | ArrayBufferView<ArrayBuffer>> {
  const files = url.protocol === "file:" ? globalThis.process?.getBuiltinModule?.("node:fs/promises") : undefined;
  return files === undefined ? fetch(url) : files.readFile(url);
}

function isResponse(source: unknown): source is Response {
  return typeof Response !== "undefined" && source instanceof Response;
}

function isModule(source: unknown): source is WebAssembly.Module {
  return source instanceof WebAssembly.Module;
}

function attempt<T>(job: () => T): T {
  try {
    return job();
  } catch (cause) {
    return cause instanceof RangeError ? outOfMemory(cause) : unsupported(cause);
  }
}

/** An engine that cannot reserve the memory of an instance throws a RangeError. */
function outOfMemory(cause: RangeError): never {
  return fail(
    error("kernel.memory", {
      problem: "the engine has no memory for another kernel",
      got: cause.message,
      remedy: "Dispose of mills and of layer runs that you no longer need",
    }),
    cause,
  );
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
