export type { QueueAddress } from "../jobs/queue/queues.js";
export { type QueueStatus, queueStatus, type SubmissionState } from "../jobs/queue/status.js";
export {
  type QueueRunOptions,
  runOnQueue,
  type Submission,
  type SubmitOptions,
  submitJob,
} from "../jobs/queue/submit.js";
export { QueueWorker, startWorker, type WorkerEvent, type WorkerOptions } from "../jobs/queue/worker.js";
