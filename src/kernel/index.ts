export type { KernelExports } from "./exports.js";
export {
  compiledKernel,
  compileKernel,
  isKernelCompiled,
  type KernelBytes,
  type KernelSource,
  loadKernel,
} from "./instantiate.js";
export { Kernel } from "./kernel.js";
export { BATCH_RESULTS, BLOCK_WORDS, Status } from "./layout.js";
export { PlanImage } from "./planImage.js";
export { Resident } from "./resident.js";
export { type Address, type Layout, NO_ADDRESS, type Views, within } from "./views.js";
