import { join, relative } from "node:path";
import type { Job, JobOptions, JobResult } from "../../jobs/index.js";
import { shellWord } from "../command.js";
import { Exit, FAILED, type Io, note, printLines, SIGNAL_CODES, type Signal } from "../shared/io.js";
import { approximate } from "../shared/progress.js";
import type { RunFlags } from "./folder.js";
import { durationText, jobReporter, percentText, type RunTotals } from "./progress.js";

type Run = (call: Required<Pick<JobOptions, "signal" | "onProgress">>) => Promise<JobResult | undefined>;

interface Finished {
  readonly result: JobResult;
  readonly totals: RunTotals;
}

/**
 * Works on a job until it is finished, with progress on stderr. A signal pauses the job. `folder` is the path that the
 * user wrote.
 *
 * @throws Exit with code 128 + n if signal n paused the job, and with code 1 if another process paused or cancelled it;
 * the errors of `Job.run`.
 */
export async function runJob(io: Io, job: Job, folder: string, run: Run): Promise<Finished> {
  const stop = new AbortController();
  let signal: Signal | undefined;
  const release = io.onSignal?.((received) => {
    signal = received;
    note(io, "pausing; a second signal ends at once");
    stop.abort(PAUSE);
  });
  const reporter = jobReporter(io);
  let result: JobResult | undefined;
  let totals: RunTotals | undefined;
  try {
    result = await run({ signal: stop.signal, onProgress: reporter.onProgress });
  } catch (cause) {
    if (cause !== PAUSE) throw cause;
    job.pause();
  } finally {
    totals = reporter.stop();
    release?.();
  }
  if (result !== undefined) return { result, totals };
  const { state, share } = job.status();
  if (state === "cancelled") note(io, "the job was cancelled by another process, and its files are deleted");
  else note(io, `paused at ${percentText(share)}%; to go on: rollmill job resume ${shellWord(folder)}`);
  throw new Exit(signal === undefined ? FAILED : SIGNAL_CODES[signal]);
}

export function inThisProcess(job: Job, { threads, maxMemory, nice }: RunFlags): Run {
  return (call) => job.run({ threads, maxMemory, nice, ...call });
}

const PAUSE = new Error("a signal paused the job");

/** Prints the result to stdout. Prints the speed, the exports, and what the user can do next to stderr. */
export async function printResult(io: Io, job: Job, folder: string, { result, totals }: Finished): Promise<void> {
  await printLines(io, resultLines(result));
  if (Object.keys(totals.amounts).length > 0) note(io, speedLine(totals));
  const at = shellWord(folder);
  note(io, `the result is in ${at}: result.json lists its parts`);
  for (const { kind, done, main } of job.status().exports) {
    const file = shellWord(join(folder, relative(job.folder, main)));
    if (done) note(io, `${kind}: ${file}`);
    else note(io, `${kind} failed: events.ndjson in ${at} has the reason; rollmill job resume ${at} tries again`);
  }
  note(io, `next: rollmill job verify ${at}    # reads every byte and checks it`);
  note(io, `      rollmill job clean ${at}     # deletes files that the finished job no longer needs`);
}

export function resultLines({ digest, world, extent, totals }: JobResult): readonly string[] {
  const { row0, col0, rows, cols } = extent;
  const { cells, steps, terrain, placements } = totals;
  const share = (count: number) => (count / Math.max(1, cells)).toPrecision(6);
  return [
    `digest\t${digest}`,
    `world\t${world}`,
    ...(cells === 0 ? [] : [`window\t${[row0, col0, row0 + rows - 1, col0 + cols - 1].join(" ")}`]),
    `cells\t${cells}`,
    `steps\t${steps}`,
    ...Object.entries(terrain).map(([name, count]) => `terrain\t${name}\t${count}\t${share(count)}`),
    ...Object.entries(placements).map(([name, count]) => `placement\t${name}\t${count}`),
  ];
}

function speedLine({ seconds, amounts }: RunTotals): string {
  const rates = Object.entries(amounts)
    .filter(([unit, amount]) => amount > 0 && ["steps", "cells", "results"].includes(unit))
    .map(([unit, amount]) => `${approximate(amount)} ${unit} (${approximate(amount / Math.max(seconds, 1e-3))}/s)`);
  const took = seconds < 60 ? `${seconds.toFixed(1)} s` : durationText(seconds);
  return rates.length === 0 ? took : `${took}: ${rates.join(", ")}`;
}
