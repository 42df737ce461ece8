import type { KernelUse } from "../calls/index.js";
import {
  checkKernel,
  compileKernel,
  DRAWS,
  isKernelCompiled,
  type KernelBytes,
  type KernelSource,
  loadKernel,
  type OneOrSeveral,
} from "../kernel/index.js";
import { readOptions, refuseArgument } from "../spec/index.js";
import { weighted } from "../weighted/system.js";
import { CoreMill, MILL_OPTIONS, type MillOptions, millParts } from "./mill.js";

/**
 * Creates a mill, synchronously.
 *
 * @param given - Option `kernel`: the bytes of `rollmill/kernel.wasm`, or a module compiled from them, or a list of
 * parts, such as the bytes of `rollmill/kernel-draws.wasm`. Only the first mill of a process needs this option.
 * @throws RollmillError `kernel.unsupported`, `argument.type`, `argument.range`, `argument.option`, `snapshot.invalid`,
 * `snapshot.version`.
 */
export function createMill(given: MillOptions & { readonly kernel?: OneOrSeveral<KernelBytes> }): CoreMill {
  const { kernel, ...options } = readOptions("createMill", given, [...MILL_OPTIONS, "kernel"]);
  if (kernel === undefined) checkKernel();
  else compileKernel(kernel);
  return new CoreMill(millParts(options));
}

/** Options of {@link createMillAsync} of `rollmill/core`. */
export interface CoreMillOptions extends MillOptions {
  /**
   * The source of the kernel: one file, or a list of its parts. Default: the parts in the library that the mill needs.
   * With this option, the library's parts are loaded only if `systems` needs a part that this source lacks.
   */
  readonly kernel?: OneOrSeveral<KernelSource> | undefined;
  /**
   * The systems whose nouns the mill will open, such as `walks` of `rollmill/walks`. Their parts of the kernel are
   * loaded from the library, unless `kernel` has them. Lists, dice, samples, tables and pools need no entry.
   */
  readonly systems?: readonly KernelUse[] | undefined;
}

/**
 * Creates a mill and compiles its kernel off the main thread.
 *
 * @throws The errors of {@link createMill}.
 */
export async function createMillAsync(given: CoreMillOptions): Promise<CoreMill> {
  const { kernel, systems = [], ...options } = readOptions("createMillAsync", given, CORE_OPTIONS);
  if (!Array.isArray(systems)) return refuseArgument("systems", systems, "a list of systems, such as [walks]");
  if (kernel !== undefined) await loadKernel(kernel);
  const needed = kernel === undefined ? [weighted, ...systems] : systems;
  const used = needed.flatMap((system) => [system, ...(system.uses ?? [])]);
  const missing = used.map(({ kernel: part = DRAWS }) => part).filter(({ name }) => !isKernelCompiled([name]));
  await Promise.all(missing.map(async (part) => loadKernel(await part.load())));
  return new CoreMill(millParts(options));
}

const CORE_OPTIONS = [...MILL_OPTIONS, "kernel", "systems"];
