export { exportJob } from "./exports/exportJob.js";
export type { ExportableJob, Exported, ExportOptions } from "./exports/types.js";
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
export { type JobSource, jobOf, loadJob } from "./load.js";
export { parseJob } from "./parse.js";
export { checkSpace, type JobNeeds } from "./space.js";
export type {
  BulkInput,
  BulkSpec,
  ExportName,
  JobInput,
  JobOptions,
  JobProgress,
  JobResult,
  JobSpec,
  JobTotals,
  JobUnit,
  RectangleInput,
  SectorOrder,
  StartOptions,
} from "./types.js";
export type { JobFlaw } from "./verify.js";
