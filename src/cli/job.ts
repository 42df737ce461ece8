import type { Command } from "commander";
import type { Io } from "./io.js";
import { addJobControl } from "./jobControl.js";
import { addJobExport } from "./jobExport.js";
import { addJobShow } from "./jobShow.js";
import { addJobStart, addJobWork } from "./jobStart.js";
import { addJobStatus } from "./jobStatus.js";
import { addJobSubmit } from "./jobSubmit.js";
import { addJobVerify } from "./jobVerify.js";
import { addJobWorker } from "./jobWorker.js";

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
