// The kernel's table of contents.

export { buildAlias } from "./kernel/alias";
export { windowAddress, windowResults } from "./kernel/buffers";
export { chunksInTile, closeChunk, firstVisitAt, nextTile, readChunk, visitsAt } from "./kernel/hexChunks";
export { createMap, isClosed } from "./kernel/hexMap";
export { allocate, limitMemory, mark, release } from "./kernel/memory";
export { failedOffset, failedRow } from "./kernel/status";
export { buildTensor, createTensor, tensorWeights } from "./kernel/tensor";
export { fillBlock, setKey, wordAt } from "./kernel/words";
export {
  buildTable,
  createTable,
  pickColumn,
  rollTable,
  tableRows,
  tableSums,
  tableTargets,
  tableWide,
} from "./tables";
export { advance, createWalkers, placeWalker, readWalker } from "./walks";
export { countList, pickList } from "./weighted";
