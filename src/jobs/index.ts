export { exportJob } from "./exports/exportJob.js";
export type { ExportableJob, Exported, ExportOptions, LayerHeights } from "./exports/source.js";
export { type ExtendOptions, extendJob } from "./extend.js";
export type { JobFlaw } from "./folder/verify.js";
export {
  createJob,
  Job,
  type JobPlan,
  type JobState,
  type JobStatus,
  openJob,
  type PhaseStatus,
  planJob,
  resumeJob,
  startJob,
} from "./job.js";
export { type JobSource, jobOf, loadJob } from "./plan/load.js";
export { type BulkInput, type JobInput, parseJob, type RectangleInput } from "./plan/parse.js";
export type { JobReuse, ReusePiece } from "./plan/reuse.js";
export { checkSpace, type JobNeeds } from "./plan/space.js";
export type {
  BulkSpec,
  ExportName,
  JobOptions,
  JobProgress,
  JobResult,
  JobSpec,
  JobTotals,
  JobUnit,
  LoadLimits,
  SectorOrder,
  StartOptions,
} from "./types.js";
