// The kernel's table of contents.

export {
  addToObject,
  attemptsMade,
  buildObjects,
  closeObject,
  createObjects,
  makeObjects,
  nextAffix,
  nextTheme,
  openObject,
  replayArtifacts,
  showObject,
  undo,
  wordsOfObject,
} from "./affixes";
export { aliasWeights, buildAlias, createAlias } from "./kernel/alias";
export { belowAt } from "./kernel/below";
export { countCode, countWindow, fillWindow, windowAddress, windowResults } from "./kernel/buffers";
export { chunksInTile, closeChunk, firstVisitAt, nextTile, readChunk, visitsAt } from "./kernel/hexChunks";
export { createMap } from "./kernel/hexMap";
export { allocate, limitMemory } from "./kernel/memory";
export { failedOffset, failedRow } from "./kernel/status";
export {
  buildRoot,
  createPool,
  createRoot,
  poolEntries,
  poolTotal,
  quantityOf,
  refreshPool,
  rootRecords,
  setQuantity,
} from "./kernel/stock";
export { buildTensor, createTensor, tensorWeights } from "./kernel/tensor";
export { createWalkers, placeWalker, readWalker } from "./kernel/walkers";
export { setKey, wordAt } from "./kernel/words";
export { drawPool, refreshCount } from "./pools";
export { createRecipe, itemColumn, itemStat, makeItems, recipeBatch, recipePlan } from "./recipes";
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
export { advance } from "./walks";
export { pickList } from "./weighted";
