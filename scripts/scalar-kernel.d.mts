/** Returns a kernel without SIMD, made of a kernel that exports also the functions of assembly/scalar/halves.ts. */
export function scalarKernel(wasm: Uint8Array): Uint8Array<ArrayBuffer>;
