import { instantiateSync } from "@assemblyscript/loader";
import { error, fail, messageOf } from "../errors/index.js";
import { decodeBytes } from "./decode.js";
import type { KernelExports } from "./exports.js";

// Node's types do not declare WebAssembly: for users without DOM types, naming `WebAssembly.Module` would be an error.
/** A compiled kernel, or a part of it. */
export type KernelModule = typeof globalThis extends {
  readonly WebAssembly: { readonly Module: { prototype: infer M } };
}
  ? M
  : never;

/** The parts of the kernel. Each is recognised by a function that only this part exports. */
const MARKS = { draws: "pickList", maps: "createMap", items: "makeItems" } as const;
export type PartName = keyof typeof MARKS;
const PART_NAMES = Object.keys(MARKS) as PartName[];

/**
 * A kernel that can be compiled synchronously: the bytes of `rollmill/kernel.wasm` or of a part of it, such as
 * `rollmill/kernel-draws.wasm`, or a module compiled from them.
 */
export type KernelBytes = ArrayBuffer | ArrayBufferView<ArrayBuffer> | KernelModule;

/**
 * Where to load the kernel from: the URL of `rollmill/kernel.wasm` or of a part of it, the response to fetching this
 * URL, the bytes, or a compiled module. Some engines, such as edge workers, forbid compilation. On these engines, pass
 * the module that the bundler made.
 */
export type KernelSource = URL | Response | PromiseLike<Response> | KernelBytes;

/** One source, or one for each of several parts. */
export type OneOrSeveral<Source> = Source | readonly Source[];

/** A module whose function returns a vector. */
const WITH_VECTOR = "\0asm\x01\0\0\0\x01\x05\x01\x60\0\x01\x7b\x03\x02\x01\0\x0a\x08\x01\x06\0\x41\0\xfd\x0f\x0b";

/** Whether the engine can run a kernel with SIMD. */
export function hasSimd(): boolean {
  return WebAssembly.validate(Uint8Array.from(WITH_VECTOR, (byte) => byte.charCodeAt(0)));
}

/** The module of each part, from the first source that had the part. All mills of a process share these modules. */
const compiled = new Map<PartName, WebAssembly.Module>();

/** Whether these parts are compiled. If so, the systems that need them can be opened without a source. */
export function isKernelCompiled(parts: readonly PartName[] = PART_NAMES): boolean {
  return parts.every((part) => compiled.has(part));
}

/** Returns the modules of all compiled parts. Threads can share modules. */
export function compiledKernel(): readonly KernelModule[] {
  return [...new Set(compiled.values())];
}

/** @throws RollmillError `kernel.unsupported` if the engine cannot compile a source, or a source is not a kernel. */
export function compileKernel(sources: OneOrSeveral<KernelBytes>): void {
  if (isKernelCompiled()) return;
  for (const source of [sources].flat()) {
    attempt(() => keepParts(isModule(source) ? source : new WebAssembly.Module(source)));
  }
}

/**
 * Compiles the kernel off the main thread. Without SIMD, the library's kernel without SIMD takes the place of a source that
 * the engine cannot compile.
 *
 * @throws RollmillError `kernel.unsupported` if the engine cannot compile a source, or a source is not a kernel.
 */
export async function loadKernel(sources: OneOrSeveral<KernelSource>): Promise<void> {
  if (isKernelCompiled()) return;
  await Promise.all([sources].flat().map(loadSource));
}

async function loadSource(source: KernelSource): Promise<void> {
  try {
    const given = await (source instanceof URL ? fetchKernel(source) : source);
    if (isModule(given)) keepParts(given);
    else keepParts(await (isResponse(given) ? WebAssembly.compileStreaming(given) : WebAssembly.compile(given)));
  } catch (cause) {
    if (!hasSimd()) return loadScalar();
    const problem = "the kernel cannot be compiled from this source";
    const got = cause instanceof Error ? cause.message : cause;
    const expected =
      "the file rollmill/kernel.wasm or a part of it (served as application/wasm), its bytes, or a compiled module";
    const remedy = "Check the address, or omit the source: the library contains a kernel";
    fail(error("kernel.unsupported", { problem, got, expected, remedy }), cause);
  }
}

/** Without SIMD, compiles the kernel for such engines. A program that calls `createMill` everywhere awaits this first. */
export async function loadWithoutSimd(): Promise<void> {
  if (!hasSimd() && !isKernelCompiled()) await loadScalar();
}

async function loadScalar(): Promise<void> {
  const { KERNEL } = await import("./chunks/scalar.js");
  keepParts(await WebAssembly.compile(decodeBytes(KERNEL)));
}

function keepParts(module: WebAssembly.Module): void {
  const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  const parts = PART_NAMES.filter((part) => names.has(MARKS[part]));
  if (parts.length === 0) throw new Error("the module contains no function of the kernel");
  for (const part of parts) if (!compiled.has(part)) compiled.set(part, module);
}

/** @throws RollmillError `argument.type` if the part is not compiled. */
export function moduleOf(part: PartName): KernelModule {
  const module = compiled.get(part);
  if (module !== undefined) return module;
  const problem = `the part "${part}" of the kernel is not loaded`;
  const expected = 'the option "systems" or "kernel"';
  const remedy =
    'Name the system in the option "systems" of createMillAsync, or pass "kernel", such as the bytes of rollmill/kernel.wasm';
  return fail(error("argument.type", { problem, expected, remedy }));
}

/** @throws RollmillError `argument.type` if no part is compiled. */
export function checkKernel(): void {
  if (compiled.size === 0) moduleOf("draws");
}

/** @throws RollmillError `kernel.memory` if the engine has no memory for another instance. */
export function instantiateKernel(module: KernelModule): KernelExports {
  return attempt(() => instantiateSync<KernelExports>(module, {}).exports);
}

/** Compiles and instantiates another program than the kernel. Throws as {@link instantiateKernel} does. */
export function instantiateBytes<Exports extends Record<string, unknown>>(bytes: Uint8Array<ArrayBuffer>): Exports {
  return attempt(() => instantiateSync<Exports>(new WebAssembly.Module(bytes), {}).exports);
}

/** Fetches a URL. Reads a file: URL with `node:fs/promises`, if the platform has it, because Node's `fetch` cannot. */
async function fetchKernel(url: URL): Promise<Response | ArrayBufferView<ArrayBuffer>> {
  const files = url.protocol === "file:" ? globalThis.process?.getBuiltinModule?.("node:fs/promises") : undefined;
  return files === undefined ? fetch(url) : files.readFile(url);
}

function isResponse(source: unknown): source is Response {
  // Node loads its `fetch` when a program names `Response`, which takes as long as all files of `rollmill/core`
  return !ArrayBuffer.isView(source) && typeof Response !== "undefined" && source instanceof Response;
}

function isModule(source: unknown): source is WebAssembly.Module {
  return source instanceof WebAssembly.Module;
}

function attempt<T>(job: () => T): T {
  try {
    return job();
  } catch (cause) {
    // an engine that cannot reserve the memory of an instance throws a RangeError
    if (cause instanceof RangeError) {
      const remedy = "Dispose of mills and of layer runs that you no longer need";
      const problem = "the engine has no memory for another kernel";
      return fail(error("kernel.memory", { problem, got: cause.message, remedy }), cause);
    }
    const problem = `this engine cannot run the kernel (${messageOf(cause)})`;
    const remedy = "Await createMillAsync once before: it can load a kernel without SIMD, for all mills";
    return fail(error("kernel.unsupported", { problem, expected: "WebAssembly with 128-bit SIMD", remedy }), cause);
  }
}
