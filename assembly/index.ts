// The kernel's table of contents.

export { aliasWeights, buildAlias, createAlias } from "./core/alias";
export { belowAt } from "./core/below";
export { countCode, countWindow, fillWindow, windowAddress } from "./core/buffers";
export { allocate, limitMemory } from "./core/memory";
export { failedOffset, failedRow } from "./core/status";
export { setKey, wordAt } from "./core/words";
export {
  addToObject,
  attemptsMade,
  buildObjects,
  closeObject,
  makeObjects,
  nextAffix,
  nextTheme,
  openObject,
  replayArtifacts,
  showObject,
  undo,
  wordsOfObject,
} from "./objects/make";
export { drawPool, refreshCount } from "./pools/draw";
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
} from "./pools/stock";
export { createRecipe, itemColumn, itemStat, makeItems, recipeBatch, recipePlan } from "./recipes/make";
export {
  buildTable,
  createTable,
  pickColumn,
  rollTable,
  tableRows,
  tableSums,
  tableTargets,
  tableWide,
} from "./tables/roll";
export { advance } from "./walks/advance";
export { chunksInTile, closeChunk, firstVisitAt, nextTile, readChunk, visitsAt } from "./walks/hexChunks";
export { createMap } from "./walks/hexMap";
export { buildTensor, createTensor, tensorWeights } from "./walks/tensor";
export { createWalkers, placeWalker, readWalker } from "./walks/walkers";
export { pickList } from "./weighted/pick";
