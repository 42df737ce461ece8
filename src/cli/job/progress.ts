import type { JobProgress, JobUnit } from "../../jobs/index.js";
import { type Io, note } from "../shared/io.js";
import { approximate, barOn } from "../shared/progress.js";

/** If stderr is not a terminal, a line is printed at this interval, and at the end of each phase. */
const LINE_MS = 30_000;
const DRAW_MS = 250;

/** The totals of one run. Earlier runs of the job do not count. */
export interface RunTotals {
  readonly seconds: number;
  readonly amounts: Readonly<Partial<Record<JobUnit, number>>>;
}

type Texts = { readonly rate: string; readonly remaining: string; readonly waits: string };

/** Shows a bar on a terminal, otherwise prints lines. Call `stop` even after an error. `clock` returns milliseconds. */
export function jobReporter(io: Io, clock: () => number = () => performance.now()) {
  const startedMs = clock();
  const speed = jobWindow();
  const amounts: Partial<Record<JobUnit, number>> = {};
  let reportedMs = startedMs;
  const textsOf = ({ unit, waits = "", seconds: left }: JobProgress): Texts => {
    const { rate, seconds: atThisRate } = speed.speed(clock());
    const seconds = left === undefined ? atThisRate : left - (clock() - reportedMs) / 1000;
    return {
      rate: rate === undefined ? "" : `${approximate(rate)} ${unit}/s`,
      remaining: seconds === undefined || seconds < 1 ? "" : `about ${durationText(seconds)} left`,
      waits,
    };
  };
  const show = io.stderr.isTTY ? barOf(io, textsOf) : linesOf(io, textsOf, clock);
  let last: JobProgress | undefined;
  return {
    onProgress: (progress: JobProgress) => {
      const { phase, amount, unit } = progress;
      if (last?.phase === phase) amounts[unit] = (amounts[unit] ?? 0) + amount - last.amount;
      reportedMs = clock();
      speed.add(reportedMs, progress);
      show.progress(progress);
      last = progress;
    },
    stop: (): RunTotals => {
      show.stop();
      return { seconds: (clock() - startedMs) / 1000, amounts };
    },
  };
}

function barOf({ stderr }: Io, textsOf: (progress: JobProgress) => Texts) {
  const bar = barOn(stderr, "{phase} {bar} {percent}%  {rate}  {remaining}  {waits}", { barsize: 20 });
  let last: JobProgress | undefined;
  const draw = () => {
    if (last === undefined) return;
    const values = { phase: last.phase, percent: percentText(last.share), ...textsOf(last) };
    if (bar.isActive) bar.update(last.share, values);
    else bar.start(1, last.share, values);
  };
  // draws even without progress, because the remaining time changes while a long task runs
  const timer = setInterval(draw, DRAW_MS);
  return {
    progress: (progress: JobProgress) => {
      last = progress;
      if (!bar.isActive) draw();
    },
    stop: () => {
      clearInterval(timer);
      bar.stop();
    },
  };
}

function linesOf(io: Io, textsOf: (progress: JobProgress) => Texts, clock: () => number) {
  let printedMs = clock();
  let shown: string | undefined;
  const progress = (found: JobProgress) => {
    const { phase, done, tasks, share, waits } = found;
    const nowMs = clock();
    if (waits !== shown) note(io, waits ?? "goes on");
    shown = waits;
    if (tasks === 0 || (done < tasks && nowMs - printedMs < LINE_MS)) return;
    printedMs = nowMs;
    const { rate, remaining } = textsOf(found);
    const parts = [`${phase}: ${done} of ${tasks} tasks`, `${percentText(share)}% of the job`, rate, remaining];
    note(io, parts.filter((part) => part !== "").join(", "));
  };
  return { progress, stop: () => undefined };
}

/** Returns a percentage with one decimal, rounded down, so that only a finished job has 100.0. */
export function percentText(share: number): string {
  return (Math.floor(share * 1000) / 10).toFixed(1);
}

/** Returns a text such as `45 s`, `3 min 10 s` or `2 h 5 min`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const WINDOW_MS = 30_000;
const MIN_MS = 100;

type Sample = Pick<JobProgress, "phase" | "amount" | "share"> & { readonly atMs: number };

/** Measures the speed of a job over the last 30 seconds. So earlier pauses and slower phases have no effect. */
export function jobWindow() {
  const samples: Sample[] = [];
  return {
    add(atMs: number, { phase, amount, share }: Omit<Sample, "atMs">): void {
      samples.push({ atMs, phase, amount, share });
      // keeps one sample that is older than the window, so that the samples span the whole window
      while (samples.length > 2 && samples[1].atMs <= atMs - WINDOW_MS) samples.shift();
    },
    /**
     * `rate`: work per second in this phase. `seconds`: remaining time of the job. No sample may be after `nowMs`.
     */
    speed(nowMs: number): { readonly rate?: number | undefined; readonly seconds?: number | undefined } {
      const last = samples.at(-1);
      const first = samples.find(({ phase }) => phase === last?.phase);
      if (last === undefined || first === undefined) return {};
      const [oldest] = samples;
      const rate = perSecond(last.amount - first.amount, nowMs - first.atMs);
      const shareRate = perSecond(last.share - oldest.share, nowMs - oldest.atMs);
      return { rate, seconds: shareRate && (1 - last.share) / shareRate };
    },
  };
}

function perSecond(amount: number, ms: number): number | undefined {
  return amount > 0 && ms >= MIN_MS ? (amount / ms) * 1000 : undefined;
}
