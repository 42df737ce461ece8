import { SingleBar } from "cli-progress";
import type { JobProgress, JobUnit } from "../../jobs/index.js";
import { type Io, note, type Output } from "../shared/io.js";
import { approximate } from "../shared/progress.js";

/** If stderr is not a terminal, a line is printed at this interval, and at the end of each phase. */
const LINE_MS = 30_000;
const DRAW_MS = 250;

/** Of one run, without earlier runs. */
export interface RunTotals {
  readonly seconds: number;
  /** By unit, such as steps. */
  readonly amounts: Readonly<Partial<Record<JobUnit, number>>>;
}

/** The caller must call `stop`, even if the job fails. */
interface JobReporter {
  readonly onProgress: (progress: JobProgress) => void;
  readonly stop: () => RunTotals;
}

/** Shows a bar if stderr is a terminal, else a line from time to time. `clock` returns milliseconds. */
export function jobReporter(io: Io, clock: () => number = () => performance.now()): JobReporter {
  const startedMs = clock();
  const speed = new JobWindow();
  const amounts: Partial<Record<JobUnit, number>> = {};
  const show = io.stderr.isTTY ? barOn(io.stderr, { speed, clock }) : linesOn(io, { speed, clock });
  let last: JobProgress | undefined;
  return {
    onProgress: (progress) => {
      const { phase, amount, unit } = progress;
      if (last?.phase === phase) amounts[unit] = (amounts[unit] ?? 0) + amount - last.amount;
      speed.add(clock(), progress);
      show.progress(progress);
      last = progress;
    },
    stop: () => {
      show.stop();
      return { seconds: (clock() - startedMs) / 1000, amounts };
    },
  };
}

interface Shown {
  readonly speed: JobWindow;
  readonly clock: () => number;
}

interface Display {
  readonly progress: (progress: JobProgress) => void;
  readonly stop: () => void;
}

function barOn(stderr: Output, { speed, clock }: Shown): Display {
  const bar = new SingleBar({
    format: "{phase} {bar} {percent}%  {rate}  {left}",
    stream: stderr,
    barsize: 20,
    clearOnComplete: true,
    // leaves the cursor and the line wrap as they are, because a killed process could not restore them
    hideCursor: false,
    linewrap: true,
    gracefulExit: false,
  });
  let last: JobProgress | undefined;
  const draw = () => {
    if (last === undefined) return;
    const { rate, left } = speedTexts(last, speed, clock());
    const values = { phase: last.phase, percent: percentText(last.share), rate, left };
    if (bar.isActive) bar.update(last.share, values);
    else bar.start(1, last.share, values);
  };
  // draws even without progress, because the remaining time changes while a long task runs
  const timer = setInterval(draw, DRAW_MS);
  return {
    progress: (progress) => {
      last = progress;
      if (!bar.isActive) draw();
    },
    stop: () => {
      clearInterval(timer);
      bar.stop();
    },
  };
}

function linesOn(io: Io, { speed, clock }: Shown): Display {
  let printedMs = clock();
  return {
    progress: (progress) => {
      const { phase, done, tasks, share } = progress;
      const nowMs = clock();
      if (tasks === 0 || (done < tasks && nowMs - printedMs < LINE_MS)) return;
      printedMs = nowMs;
      const { rate, left } = speedTexts(progress, speed, nowMs);
      const parts = [`${phase}: ${done} of ${tasks} tasks`, `${percentText(share)}% of the job`, rate, left];
      note(io, parts.filter((part) => part !== "").join(", "));
    },
    stop: () => undefined,
  };
}

function speedTexts({ unit }: JobProgress, window: JobWindow, nowMs: number): { rate: string; left: string } {
  const { rate, seconds } = window.speed(nowMs);
  return {
    rate: rate === undefined ? "" : `${approximate(rate)} ${unit}/s`,
    left: seconds === undefined || seconds < 1 ? "" : `about ${durationText(seconds)} left`,
  };
}

/** With one decimal. Rounds down, so that only a finished job has 100.0. */
export function percentText(share: number): string {
  return (Math.floor(share * 1000) / 10).toFixed(1);
}

/** Such as `45 s`, `3 min 10 s` or `2 h 5 min`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// ── speed ──

const WINDOW_MS = 30_000;
const MIN_MS = 100;

interface Sample {
  readonly atMs: number;
  readonly share: number;
  readonly phase: string;
  readonly amount: number;
}

interface JobSpeed {
  /** Work per second in the current phase. Undefined if there is too little progress. */
  readonly rate: number | undefined;
  /** The remaining time. Undefined if there is too little progress. */
  readonly seconds: number | undefined;
}

/** Measures the speed of a job over the last 30 seconds. So earlier pauses and slower phases have no effect. */
export class JobWindow {
  readonly #samples: Sample[] = [];

  add(atMs: number, { phase, amount, share }: Omit<Sample, "atMs">): void {
    this.#samples.push({ atMs, phase, amount, share });
    // keeps one sample that is older than the window, so that the samples span the whole window
    while (this.#samples.length > 2 && this.#samples[1].atMs <= atMs - WINDOW_MS) this.#samples.shift();
  }

  /** `nowMs` must not be earlier than the last sample. */
  speed(nowMs: number): JobSpeed {
    const last = this.#samples.at(-1);
    const first = this.#samples.find(({ phase }) => phase === last?.phase);
    if (last === undefined || first === undefined) return { rate: undefined, seconds: undefined };
    const [oldest] = this.#samples;
    const rate = perSecond(last.amount - first.amount, nowMs - first.atMs);
    const shareRate = perSecond(last.share - oldest.share, nowMs - oldest.atMs);
    return { rate, seconds: shareRate === undefined ? undefined : (1 - last.share) / shareRate };
  }
}

function perSecond(amount: number, ms: number): number | undefined {
  return amount > 0 && ms >= MIN_MS ? (amount / ms) * 1000 : undefined;
}
