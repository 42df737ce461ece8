import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import { type QueueStatus, queueStatus } from "../../bullmq/index.js";
import { oneLine } from "../../errors/index.js";
import { type Job, type JobStatus, openJob } from "../../jobs/index.js";
import { define, option, shellWord } from "../command.js";
import { report } from "../shared/documents.js";
import { type Io, note, pathIn } from "../shared/io.js";
import { JSON_DOCUMENT } from "../shared/options.js";
import { limitLines } from "./limits.js";
import { durationText, jobWindow, percentText } from "./progress.js";
import { addressOf, addressText, QUEUE } from "./queue.js";
import { FOLDER, resultLines } from "./start.js";

const WATCH_MS = 1000;

export function addJobStatus(job: Command, io: Io): void {
  define(job.command("status"), io, {
    examples: ["job status isle"],
    takes: [FOLDER],
    description: "print the progress of a job; works on every machine that can read the job's folder",
    options: [
      option("--watch", "print a line each time that a task is finished, until nobody works on the job"),
      JSON_DOCUMENT,
      ...QUEUE,
    ],
    async run(flags, folder) {
      const { redis, postgres } = flags;
      const path = pathIn(io, folder);
      const job = await openJob(path);
      if (flags.watch) await watchJob(io, job);
      const found = job.status();
      const queue =
        redis === undefined && postgres === undefined ? undefined : await queueStatus(path, addressOf(flags));
      await report(io, flags, {
        head: { command: "job status", seed: found.seed, name: found.name },
        data: () => dataOf(found, queue),
        lines: () => [...statusLines(found), ...(queue === undefined ? [] : queueLines(queue))],
      });
      const next = nextOf(found.state, queue?.submission?.state, shellWord(folder), addressText(flags));
      if (!flags.json && next !== "") note(io, next);
    },
  });
}

/** Prints a line each time that the progress changes. Returns as soon as no process works on the job. */
async function watchJob(io: Io, job: Job): Promise<void> {
  const speed = jobWindow();
  let printed = "";
  for (let found = job.status(); found.state === "running" || found.state === "queued"; found = job.status()) {
    const nowMs = performance.now();
    speed.add(nowMs, { phase: "", amount: 0, share: found.share });
    const open = found.phases.find(({ done, tasks }) => done === undefined || tasks === undefined || done < tasks);
    const tasks = open === undefined ? "" : `${open.name} ${open.done} of ${open.tasks ?? "?"}`;
    const line = `${percentText(found.share)}%  ${tasks}`;
    const { seconds = speed.speed(nowMs).seconds } = found;
    if (line !== printed) note(io, `${line}${seconds === undefined ? "" : `  about ${durationText(seconds)} left`}`);
    printed = line;
    await delay(WATCH_MS);
  }
}

function dataOf(
  { state, share, phases, failure, limits, waits, seconds, result }: JobStatus,
  queue: QueueStatus | undefined,
): object {
  const listed = phases.map(({ name, done, tasks }) => ({ name, done: done ?? null, tasks: tasks ?? null }));
  const now = { failure: failure ?? null, limits, waits: waits ?? null, seconds: seconds ?? null };
  const data = { state, share, phases: listed, ...now, result: result ?? null };
  if (queue === undefined) return data;
  const { job: _, submission, remaining = null, ...counts } = queue;
  const { state: submitted = null, reason = null } = submission ?? {};
  return { ...data, queue: { ...counts, remaining, submission: submitted, reason } };
}

export function statusLines(found: JobStatus): readonly string[] {
  const { name, seed, state, share, phases, failure, limits, waits, seconds, result } = found;
  return [
    `job\t${name}`,
    `seed\t${seed}`,
    `state\t${state}`,
    ...(waits === undefined ? [] : [`now\t${waits}`]),
    ...(result === undefined ? limitLines(limits) : []),
    ...(failure === undefined ? [] : [`failure\t${oneLine(failure)}`]),
    ...(result === undefined
      ? [
          `done\t${percentText(share)}%`,
          ...(seconds === undefined ? [] : [`left\tabout ${durationText(seconds)}`]),
          ...phases.map((phase) => `phase\t${phase.name}\t${phase.done} of ${phase.tasks ?? "?"} tasks`),
        ]
      : resultLines(result)),
  ];
}

function queueLines(queue: QueueStatus): readonly string[] {
  const { submission, workers, waiting, active, delayed, failed, stalled, rate, remaining } = queue;
  return [
    ...(submission === undefined ? [] : [`submission\t${submission.state}`]),
    ...(submission?.reason === undefined ? [] : [`reason\t${oneLine(submission.reason)}`]),
    `workers\t${workers}`,
    `tasks\t${waiting} waiting, ${active} running, ${delayed} to be tried again, ${failed} failed`,
    `lost\t${stalled} running tasks lost their worker and were begun again`,
    `rate\t${rate.toFixed(1)} tasks/s${remaining === undefined ? "" : `, about ${durationText(remaining)} left in this phase`}`,
  ];
}

/** Returns what the user can do next. `submission` is the state of a submission to the queue. */
function nextOf(state: JobStatus["state"], submission: string | undefined, at: string, address: string): string {
  if (submission !== undefined && ["lost", "failed", "done"].includes(submission)) {
    return `to go on: rollmill job submit ${at} ${address}`;
  }
  if (state === "running" || state === "queued") return `to pause it: rollmill job pause ${at}`;
  return state === "paused" || state === "stopped" ? `to go on: rollmill job resume ${at}` : "";
}
