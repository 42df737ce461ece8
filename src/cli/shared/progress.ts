import { type Options, SingleBar } from "cli-progress";
import type { Progress } from "../../index.js";
import type { Io, Output } from "./io.js";

interface Job {
  readonly what: string;
  readonly unit: string;
}

export async function withProgress<T>(
  io: Io,
  job: Job,
  run: (onProgress: (progress: Progress) => void) => T | Promise<T>,
): Promise<T> {
  const { onProgress, stop } = progressBar(io, job);
  try {
    return await run(onProgress);
  } finally {
    stop();
  }
}

/** Starts a progress bar, if stderr is a terminal. The caller must call `stop`, even if the job fails. */
export function progressBar({ stderr }: Io, { what, unit }: Job) {
  if (!stderr.isTTY) return { onProgress: () => undefined, stop: () => undefined };
  const bar = barOn(stderr, `${what} {bar} {percentage}%  {rate} ${unit}/s  ETA {eta_formatted}`, { etaBuffer: 30 });
  const startedAt = performance.now();
  const onProgress = ({ done, total }: Progress) => {
    const rate = approximate((done / (performance.now() - startedAt)) * 1000);
    if (bar.isActive) bar.update(done, { rate });
    else bar.start(total, done, { rate });
  };
  // without `stop`, the bar's timer would keep the process alive
  return { onProgress, stop: () => bar.stop() };
}

export function barOn(stream: Output, format: string, options: Pick<Options, "barsize" | "etaBuffer">): SingleBar {
  // leaves the cursor and the line wrap as they are, because a killed process could not restore them
  const safe = { hideCursor: false, linewrap: true, gracefulExit: false };
  return new SingleBar({ format, stream, clearOnComplete: true, ...safe, ...options });
}

export function approximate(value: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}
