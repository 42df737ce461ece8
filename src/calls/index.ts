export {
  type AtOptions,
  allocateResults,
  type Batch,
  type BatchCall,
  BULK_OPTIONS,
  type BulkOptions,
  batchOfOne,
  checkArray,
  checkRange,
  fillArray,
  fillColumns,
  forEachBatch,
  halvesOf,
  MAX_INDEX,
  madeInBatches,
  placeOf,
  type Range,
} from "./batches.js";
export { Numbered } from "./numbered.js";
export { type Chance, Columns, type Counts, IndexCounts, type Odds, sumsByLabel, sumsByResult } from "./results.js";
export { type CreateState, Guard, innerScope, refuseDisposed, refuseReleased, Scope } from "./scope.js";
export {
  Addressed,
  Guarded,
  type KernelUse,
  type Noun,
  type Served,
  type Services,
  type Setup,
  type System,
} from "./source.js";
export { isSavedMill, MillNode, Place, type SavedMill, type Shared, SharedNode, type State } from "./state.js";
export {
  clock,
  ignoreRejection,
  isWatched,
  type LongCall,
  ODDS_CALL,
  type OddsCall,
  Pace,
  type Progress,
  reasonOf,
  refusePromise,
  refuseThrown,
  reportProgress,
  Watch,
  Work,
} from "./watch.js";
export { addressOfCell, firstAbove, Words } from "./words.js";
