export {
  type InThreads,
  type InThreadsName,
  openThreads,
  type ThreadedMill,
  type ThreadsOptions,
} from "./threadedMill.js";
