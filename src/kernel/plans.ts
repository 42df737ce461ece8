import { decodeBytes } from "./decode.js";
import { hasSimd, instantiateBytes } from "./instantiate.js";

/** What this file calls of the kernel for plan files (assembly/plans/index.ts). */
type PlanExports = {
  readonly memory: { readonly buffer: ArrayBuffer };
  allocate(bytes: number): number;
  loadPlan(plan: number, bytes: number): number;
  failedAt(): number;
  nounCount(): number;
  nounKind(noun: number): number;
  nounName(noun: number): number;
  nounNameBytes(noun: number): number;
  nounLabels(noun: number): number;
  nounLabelsBytes(noun: number): number;
};

interface PlanHeads {
  readonly status: number;
  /** The offset of the damage in the file. */
  readonly at: number;
  readonly nouns: readonly { readonly kind: number; readonly name: Uint8Array; readonly labels: Uint8Array }[];
}

/** The codes of `PlanStatus` in assembly/plans/nouns.ts that loading a plan can give. */
export const PLAN_STATUS = { OK: 0, MEMORY: 1, PLAN: 7, VERSION: 8 } as const;

/** Loads a plan into the kernel for plan files, which checks it, and returns what the plan says about its nouns. */
export async function loadPlanHeads(bytes: Uint8Array): Promise<PlanHeads> {
  const { KERNEL } = await (hasSimd() ? import("./bytes/plans.js") : import("./bytes/plansScalar.js"));
  const kernel = instantiateBytes<PlanExports>(decodeBytes(KERNEL));
  const plan = kernel.allocate(bytes.length) >>> 0;
  if (plan === 0) return { status: PLAN_STATUS.MEMORY, at: 0, nouns: [] };
  new Uint8Array(kernel.memory.buffer, plan, bytes.length).set(bytes);
  const status = kernel.loadPlan(plan, bytes.length);
  const copy = (address: number, length: number) =>
    new Uint8Array(kernel.memory.buffer).slice(address >>> 0, (address >>> 0) + (length >>> 0));
  const nouns = Array.from({ length: kernel.nounCount() }, (_, noun) => ({
    kind: kernel.nounKind(noun),
    name: copy(kernel.nounName(noun), kernel.nounNameBytes(noun)),
    labels: copy(kernel.nounLabels(noun), kernel.nounLabelsBytes(noun)),
  }));
  return { status, at: kernel.failedAt() >>> 0, nouns };
}
