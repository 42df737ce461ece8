export { type Address, type KernelExports, Status } from "./exports.js";
export { compileKernel, type KernelSource } from "./instantiate.js";
export { Kernel, type Key } from "./kernel.js";
export { PlanImage } from "./planImage.js";
export { Resident } from "./resident.js";
