// Programs that load this part later load this file, because the main entry imports the bytes at once.
export { KERNEL } from "../bytes/items.js";
