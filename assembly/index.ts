// The functions that the kernel exports.

export { buildAlias, createAlias } from "./core/alias";
export { rollAmounts } from "./core/amounts";
export { belowOf } from "./core/below";
export { countCode, countWindow, fillWindow, keepPassing, windowAddress } from "./core/buffers";
export { allocate, failedBytes, failedBytesHigh, limitMemory, mark, release, reserveMemory } from "./core/memory";
export { failedOffset, failedRow } from "./core/status";
export { useStream, wordOf } from "./core/words";
export { rollDice } from "./dice/roll";
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
export { drawAhead, drawPool, refreshCount } from "./pools/draw";
export { buildRoot, createPool, createRoot, poolTotal, refreshPool, setQuantity } from "./pools/stock";
export { createRecipe, makeItems, reservePlan } from "./recipes/make";
export { createOrder, drawSamples } from "./samples/draw";
export { buildTable, createTable, rollTable } from "./tables/roll";
export { advance, failedStep, placesAhead, takePlaces } from "./walks/advance";
export { addCounts, leastSteps, narrowCounts } from "./walks/chunkSums";
export { keepHolding } from "./walks/density";
export { bytesPerEnd } from "./walks/ends";
export { createValues, storeRange, storeValues } from "./walks/fieldCells";
export {
  chunksInTile,
  firstVisitAt,
  locateChunk,
  markChunk,
  nextTile,
  readChunk,
  visitsAt,
  writeChunk,
} from "./walks/hexChunks";
export { bytesPerTile, clearMap, createMap, fillSet, isTiled, setSlope } from "./walks/hexMap";
export { beginRegion, createScatter, prepareChunks, seatGroup, walkGroup } from "./walks/scatter";
export { createTensor } from "./walks/tensor";
export { createEndSteps, createWalkers, placeWalker, readEndings, readWalker, writeWalker } from "./walks/walkers";
export { copyFirstVisits, copyVisits, narrowWindow, storeChunk } from "./walks/windows";
export { pickList } from "./weighted/pick";
export { findPlacements } from "./worlds/placements";
export { makeTerrain } from "./worlds/terrain";
export { createSearch, findWay } from "./worlds/ways";
