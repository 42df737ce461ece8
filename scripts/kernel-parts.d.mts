/** The exports of each part, from the text of src/kernel/exports.ts. */
export function partsOf(boundary: string): Record<"draws" | "maps" | "items", string[]>;

/** Writes the kernel, its parts, and the modules that hold the parts. */
export function writeKernel(root: string, wasm: Uint8Array): void;
