export { type Address, type KernelExports, within } from "./exports.js";
export { compileKernel, type KernelSource } from "./instantiate.js";
export { Kernel, type Key } from "./kernel.js";
export { BATCH_RESULTS, BLOCK_WORDS, PoolEntry, PoolHead, PoolRecord, PoolRoot, Status } from "./layout.js";
export { PlanImage } from "./planImage.js";
export { Resident } from "./resident.js";
export type { Layout, Views } from "./views.js";
