import { SingleBar } from "cli-progress";
import type { Progress } from "../index.js";
import type { Io } from "./io.js";

/** Words that describe a long job. */
interface Job {
  /** The verb of the job, such as "rolling". */
  readonly what: string;
  /** Plural noun for the things that the job counts, such as "rolls". */
  readonly unit: string;
}

/** Runs a job. If stderr is a terminal, shows a bar, the rate and the remaining time there. */
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
    // the bar keeps the cursor and line wrap, because a process that is killed cannot restore them
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
