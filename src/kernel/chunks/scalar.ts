// The whole kernel, for engines without SIMD. Only the `import()` in ../instantiate.ts loads this file: it is a chunk.
export { KERNEL } from "../bytes/scalar.js";
