/** The wings of each part. */
export const PARTS: {
  readonly draws: readonly string[];
  readonly maps: readonly string[];
  readonly items: readonly string[];
};

/** Writes the kernel, its parts, and the modules that hold the parts. */
export function writeKernel(root: string, wasm: Uint8Array): void;

/** The exports of each wing, from the text of src/kernel/exports.ts. */
export function wingsOf(boundary: string): Map<string, string[]>;
