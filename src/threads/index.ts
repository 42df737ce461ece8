export { type InThreads, openThreads, type ThreadedMill, type ThreadsOptions } from "./threadedMill.js";
