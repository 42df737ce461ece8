export type { QueueAddress } from "../jobs/queue/queues.js";
export { type QueueStatus, queueStatus } from "../jobs/queue/status.js";
export {
  type QueueRunOptions,
  runOnQueue,
  type Submission,
  type SubmitOptions,
  submitJob,
} from "../jobs/queue/submit.js";
export type { SubmissionState } from "../jobs/queue/waiting.js";
export { QueueWorker, startWorker, type WorkerEvent, type WorkerOptions } from "../jobs/queue/worker.js";
