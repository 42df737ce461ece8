// Only the `import()` in ../parts.ts loads this file: it is a chunk. The main entry imports ../bytes/items.js instead.
export { KERNEL } from "../bytes/items.js";
