import { EVENTS } from "../../folder/control.js";
import type { FolderStore } from "../../folder/store.js";

/** From the log of a job, which may be incomplete. */
export type JobTimes = ReturnType<typeof readTimes>;

/** Skips lines that cannot be read. */
export function readTimes(store: FolderStore) {
  const lines = Buffer.from(store.get(EVENTS) ?? [])
    .toString("utf8")
    .split("\n");
  const phases = new Map<string, { tasks: number; seconds: number }>();
  const threads: number[] = [];
  let [created, finished]: (string | undefined)[] = [];
  let last = Number.NaN;
  for (const { at, event, phase, made, threads: some } of lines.flatMap(eventIn)) {
    const now = Date.parse(at);
    if (event === "created") created ??= at;
    if (event === "finished") finished = at;
    if (event === "run") threads.push(some);
    if (event === "phase finished" && made > 0 && now >= last) {
      const sum = phases.get(phase) ?? { tasks: 0, seconds: 0 };
      phases.set(phase, { tasks: sum.tasks + made, seconds: sum.seconds + (now - last) / 1000 });
    }
    if (event === "run" || event === "phase finished") last = now;
  }
  const times = [...phases].map(([phase, sum]) => ({ phase, ...sum }));
  return { created, finished, threads, phases: times, seconds: times.reduce((sum, one) => sum + one.seconds, 0) };
}

function eventIn(line: string): { at: string; event: string; threads: number; phase: string; made: number }[] {
  try {
    const { at, event, threads = 0, phase = "", made = 0 } = JSON.parse(line);
    const texts: unknown[] = [at, event, phase];
    const isSound = texts.every((text) => typeof text === "string") && [threads, made].every(Number.isSafeInteger);
    return isSound ? [{ at, event, threads, phase, made }] : [];
  } catch {
    return [];
  }
}
