import { SingleBar } from "cli-progress";
import type { Progress } from "../index.js";
import type { Io } from "./io.js";

/** A long job: its verb, such as "rolling", and the plural of what it counts, such as "rolls". */
interface Job {
  readonly what: string;
  readonly unit: string;
}

/** Runs a job, with a bar, a rate and an ETA on stderr if that is a terminal. */
export function withProgress<T>(io: Io, job: Job, run: (onProgress: (progress: Progress) => void) => T): T {
  const { onProgress, stop } = progressBar(io, job);
  try {
    return run(onProgress);
  } finally {
    stop();
  }
}

/**
 * Returns the bar of {@link withProgress} for an asynchronous job. The caller must call `stop`, even if the job fails.
 */
export function progressBar(
  { stderr }: Io,
  { what, unit }: Job,
): {
  readonly onProgress: (progress: Progress) => void;
  readonly stop: () => void;
} {
  if (!stderr.isTTY) return { onProgress: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format: `${what} {bar} {percentage}%  {rate} ${unit}/s  ETA {eta_formatted}`,
    stream: stderr,
    clearOnComplete: true,
    etaBuffer: 30,
    // a process that is killed must not leave the terminal without cursor or line wrap
    hideCursor: false,
    linewrap: true,
    gracefulExit: false,
  });
  const startedAt = performance.now();
  const onProgress = ({ done, total }: Progress) => {
    const rate = approximate((done / (performance.now() - startedAt)) * 1000);
    if (bar.isActive) bar.update(done, { rate });
    else bar.start(total, done, { rate });
  };
  // stop even after a failure, because the timer of the bar keeps the process alive
  return { onProgress, stop: () => bar.stop() };
}

/** Formats a count with three significant digits, such as 12.3M. */
export function approximate(value: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}
