export { cleanUpOnSignals } from "./temporaries.js";
export { type FileContent, type Piece, type WriteOptions, writeWhole } from "./wholeFile.js";
