// The kernel for plan files: what a host outside JavaScript calls (docs/engines.md). A separate program, so that the
// kernels of pages do not contain it.

export { windowAddress } from "../core/buffers";
export { allocate, limitMemory, mark, release } from "../core/memory";
export {
  drawMany,
  drawnCount,
  hasQuantities,
  makeMany,
  nextDraw,
  poolCount,
  restock,
  resultsAddress,
  resultWidth,
  wordsMany,
} from "./draw";
export { forkInteger, forkPair, forkText, nameKey, seedKey } from "./keys";
export { abiVersion, loadPlan, streamVersion } from "./load";
export { findNoun, nounCount, nounKind, nounLabels, nounLabelsBytes, nounName, nounNameBytes } from "./nouns";
export { failedAt } from "./reader";
export { quantitiesAddress } from "./results";
export { loadState, saveState, stateBytes } from "./state";
export { placementCount } from "./worldPlacements";
export { cellsAddress, layerCount, makeCells } from "./worlds";
