import { compileKernel, type KernelBytes, type KernelSource, loadKernel } from "../kernel/index.js";
import { readOptions } from "../spec/index.js";
import { CoreMill, MILL_OPTIONS, type MillOptions, millParts } from "./mill.js";

const CORE_OPTIONS = [...MILL_OPTIONS, "kernel"];

/**
 * Creates a mill, synchronously.
 *
 * @param given - Option `kernel`: the bytes of `rollmill/kernel.wasm`, or a module compiled from them. Only the first
 * mill of a process needs this option.
 * @throws RollmillError `kernel.unsupported`, `kernel.memory`, `argument.type`, `argument.range`, `argument.option`,
 * `snapshot.invalid`, `snapshot.version`.
 */
export function createMill(given: MillOptions & { readonly kernel?: KernelBytes }): CoreMill {
  const { kernel, ...options } = readOptions("createMill", given, CORE_OPTIONS);
  if (kernel !== undefined) compileKernel(kernel);
  return new CoreMill(millParts(options));
}

/**
 * Creates a mill and compiles its kernel off the main thread.
 *
 * @param given - Option `kernel`: where the kernel comes from. Default: the bytes inside the library. They are loaded
 * only if this option is missing.
 * @throws The errors of {@link createMill}.
 */
export async function createMillAsync(given: MillOptions & { readonly kernel?: KernelSource }): Promise<CoreMill> {
  const { kernel, ...options } = readOptions("createMillAsync", given, CORE_OPTIONS);
  await prepareKernel(kernel);
  return new CoreMill(millParts(options));
}

export async function prepareKernel(source: KernelSource | undefined): Promise<void> {
  await loadKernel(source ?? (await import("../kernel/embedded.js")).embeddedKernel());
}
