// For the `import()` in ../parts.ts. A separate file, because the main entry imports the file with the bytes directly.
export { KERNEL } from "../bytes/maps.js";
