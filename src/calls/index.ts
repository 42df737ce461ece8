export {
  type AtOptions,
  allocateResults,
  type Batch,
  type BatchCall,
  BULK_OPTIONS,
  type BulkOptions,
  checkRange,
  forEachBatch,
  halvesOf,
  MAX_INDEX,
  madeInBatches,
  placeOf,
  type Range,
} from "./batches.js";
export { checkArray, fillArray, fillColumns } from "./buffers.js";
export { type CallbackPlace, ignoreRejection, reasonOf, refusePromise, refuseThrown } from "./callbacks.js";
export { Guard, refuseDisposed, refuseReleased } from "./guard.js";
export { type Chance, Columns, type Counts, IndexCounts, type Odds, sumsByLabel, sumsByResult } from "./results.js";
export { type CreateState, innerScope, Scope, scopeOfName } from "./scope.js";
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
export { isWatched, type LongCall, Pace, type Progress, Watch } from "./watch.js";
export { ODDS_CALL, type OddsCall, Work } from "./work.js";
