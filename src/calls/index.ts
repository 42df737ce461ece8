export {
  allocateResults,
  type Batch,
  type BatchCall,
  BULK_OPTIONS,
  type BulkOptions,
  forEachBatch,
  halvesOf,
  madeInBatches,
  placeOf,
  type Range,
} from "./batches.js";
export { type Branch, type CreateState, InnerBranch, NameBranch } from "./branch.js";
export { checkArray, fillArray } from "./buffers.js";
export { type CallbackPlace, ignoreRejection, reasonOf, refusePromise, refuseThrown } from "./callbacks.js";
export { Addressed, type Noun, type Scope, type Setup, type System } from "./noun.js";
export { type AtOptions, checkRange, MAX_INDEX } from "./options.js";
export { type Chance, Columns, type Counts, IndexCounts, type Odds, sumsByResult } from "./results.js";
export { isSavedMill, MillNode, Place, type SavedMill, type Shared, SharedNode, type State } from "./state.js";
export { refuseDisposed, refuseReleased, Turns } from "./turns.js";
export { isWatched, type LongCall, Pace, type Progress, Watch } from "./watch.js";
export { ODDS_CALL, type OddsCall, Work } from "./work.js";
