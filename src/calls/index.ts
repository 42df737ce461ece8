export {
  allocateResults,
  type Batch,
  BULK_OPTIONS,
  type BulkOptions,
  forEachBatch,
  type LongCall,
  type Progress,
  placeOf,
} from "./batches.js";
export { Addressed, type Scope, type Setup, type System } from "./noun.js";
export { type AtOptions, checkInteger, checkOptions, checkRange, MAX_INDEX } from "./options.js";
export { type Chance, Columns, type Counts, IndexCounts, type Odds } from "./results.js";
