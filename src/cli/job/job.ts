import type { Command } from "commander";
import type { Io } from "../shared/io.js";
import { addJobControl } from "./control.js";
import { addJobExport } from "./export.js";
import { addJobShow } from "./show.js";
import { addJobStart, addJobWork } from "./start.js";
import { addJobStatus } from "./status.js";
import { addJobSubmit } from "./submit.js";
import { addJobVerify } from "./verify.js";
import { addJobWorker } from "./worker.js";

export function addJob(job: Command, io: Io): void {
  addJobShow(job, io);
  addJobStart(job, io);
  addJobStatus(job, io);
  addJobWork(job, io);
  addJobSubmit(job, io);
  addJobWorker(job, io);
  addJobVerify(job, io);
  addJobExport(job, io);
  addJobControl(job, io);
}
