import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import { safeLines } from "../../errors/index.js";
import { type JobPlan, openJob, planJob } from "../../jobs/index.js";
import { define, option, shellWord } from "../command.js";
import { report } from "../shared/documents.js";
import { type Io, note, pathIn, printLines, refuse } from "../shared/io.js";
import { bytesText, JSON_DOCUMENT } from "../shared/options.js";
import { addJobExport } from "./export.js";
import { LIMITS, limitLines, limitsIn } from "./limits.js";
import { percentText } from "./progress.js";
import { addJobSubmit, addJobWorker } from "./queue.js";
import {
  addJobExtend,
  addJobStart,
  addJobVerify,
  addJobWork,
  FOLDER,
  FROM,
  phraseOf,
  planLines,
  readJob,
  SPEC,
} from "./start.js";
import { addJobStatus } from "./status.js";

/** Maximum time to wait until the process that works on the job stops. */
const MAX_WAIT_MS = 60_000;
const LOOK_MS = 100;
const YES = option("--yes", "delete without asking");

export function addJob(job: Command, io: Io): void {
  define(job.command("show"), io, {
    examples: ["job show {examples/job.json}"],
    takes: [SPEC],
    description: "print the phases of a job and what it needs: tasks, cells, steps and disk",
    options: [FROM, JSON_DOCUMENT],
    async run(flags, file) {
      const from = flags.from === undefined ? undefined : pathIn(io, flags.from);
      const plan = await planJob(await readJob(io, file), { from });
      const head = { command: "job show", seed: plan.seed ?? null, name: plan.name };
      await report(io, flags, { head, data: () => dataOf(plan), lines: () => planLines(plan) });
    },
  });
  addJobStart(job, io);
  addJobExtend(job, io);
  addJobSet(job, io);
  addJobStatus(job, io);
  addJobWork(job, io);
  addJobSubmit(job, io);
  addJobWorker(job, io);
  addJobVerify(job, io);
  addJobExport(job, io);
  define(job.command("pause"), io, {
    examples: ["job pause isle"],
    takes: [FOLDER],
    description: "stop the process that works on a job, on any machine; finished tasks are kept",
    async run(_, folder) {
      const job = await openJob(pathIn(io, folder));
      const before = job.state;
      if (before !== "running" && before !== "queued") {
        return note(io, `nobody works on the job: ${phraseOf(job.status())}`);
      }
      job.pause();
      for (let ms = 0; ms < MAX_WAIT_MS && job.state === "running"; ms += LOOK_MS) await delay(LOOK_MS);
      const { state, share } = job.status();
      if (state === "running") {
        note(io, "the process that works on the job will stop after its current task");
        return;
      }
      note(io, `${state} at ${percentText(share)}%; to go on: rollmill job resume ${shellWord(folder)}`);
    },
  });
  define(job.command("clean"), io, {
    examples: ["job clean isle"],
    takes: [FOLDER],
    description: "delete files that a finished job no longer needs: saved maps of walkers and of merged layers",
    async run(_, folder) {
      const bytes = (await openJob(pathIn(io, folder))).clean();
      note(io, `deleted ${bytesText(bytes)}; the result of the job is still complete`);
    },
  });
  define(job.command("cancel"), io, {
    examples: ["job cancel isle --yes"],
    takes: [FOLDER],
    description: "stop a job and delete its files; exports are kept",
    options: [YES],
    async run({ yes }, folder) {
      const job = await openJob(pathIn(io, folder));
      const found = phraseOf(job.status());
      if (!yes && !(await isConfirmed(io, `Delete the job ${found}, in ${shellWord(folder)}? [y/N] `))) {
        return note(io, "nothing is deleted");
      }
      await job.cancel();
      note(io, `deleted the job ${found}`);
    },
  });
}

function addJobSet(job: Command, io: Io): void {
  define(job.command("set"), io, {
    examples: ["job set isle --load 50%", "job set isle --between 22:00-06:00 --load off"],
    takes: [FOLDER],
    description: "change the limits of a job, also while it runs, on any machine; the value off removes a limit",
    options: LIMITS,
    async run(flags, folder) {
      const names = LIMITS.map(({ long }) => long);
      if (Object.keys(flags).length === 0) refuse("nothing to set", { expected: `one or more of ${names.join(", ")}` });
      const job = await openJob(pathIn(io, folder));
      job.set(limitsIn(flags));
      const lines = limitLines(job.status().limits);
      await printLines(io, lines);
      if (lines.length === 0) note(io, "the job has no limits now");
    },
  });
}

function dataOf({ phases, needs: { cells, steps, disk, seconds, threadMemory }, reuse }: JobPlan): object {
  return {
    cells: cells ?? null,
    steps: Math.round(steps),
    disk: Math.round(disk),
    seconds,
    threadMemory: Math.round(threadMemory),
    phases: phases.map(({ name, tasks }) => ({ name, tasks: tasks ?? null })),
    ...(reuse && { reuse: { refusal: reuse.refusal ?? null, pieces: reuse.pieces } }),
  };
}

async function isConfirmed({ stdin, stderr }: Io, question: string): Promise<boolean> {
  if (!stdin.isTTY || !stderr.isTTY) {
    const problem = "job cancel asks before it deletes files, but stdin or stderr is not a terminal";
    refuse(problem, { remedy: "Add --yes to delete the files without asking" });
  }
  stderr.write(safeLines(question));
  let answer = "";
  for await (const bytes of stdin) {
    answer += Buffer.from(bytes).toString("utf8");
    if (answer.includes("\n")) break;
  }
  return /^\s*y(?:es)?\s*$/i.test(answer.split("\n")[0]);
}
