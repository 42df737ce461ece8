export { copyColumn, copyMemory, restoreMemory, usedBytes } from "./copy.js";
export type { KernelExports } from "./exports.js";
export {
  checkKernel,
  compiledKernel,
  compileKernel,
  isKernelCompiled,
  type KernelBytes,
  type KernelModule,
  type KernelSource,
  loadKernel,
  loadWithoutSimd,
  moduleOf,
  type OneOrSeveral,
  type PartName,
} from "./instantiate.js";
export { Kernel, PAGE_BYTES, Resident } from "./kernel.js";
export { BATCH_RESULTS, BLOCK_WORDS, Status } from "./layout.js";
export { DRAWS, ITEMS, type KernelPart, MAPS } from "./parts.js";
export { PlanImage } from "./planImage.js";
export { type Address, type Layout, NO_ADDRESS, type Views, within } from "./views.js";
