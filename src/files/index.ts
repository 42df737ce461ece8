export { cleanUpOnSignals } from "./temporaries.js";
export { type FileContent, type WriteOptions, writeWhole } from "./wholeFile.js";
