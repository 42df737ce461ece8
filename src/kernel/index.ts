export { type Address, type KernelExports, within } from "./exports.js";
export { compileKernel, type KernelSource } from "./instantiate.js";
export { Kernel, type Key } from "./kernel.js";
export { AliasHead, BATCH_RESULTS, BLOCK_WORDS, JUMP, RowState, Status, TableHead, TableRow } from "./layout.js";
export { PlanImage } from "./planImage.js";
export { Resident } from "./resident.js";
export type { Layout, Views } from "./views.js";
