import { EVENTS } from "../../folder/control.js";
import type { FolderStore } from "../../folder/store.js";

/** Over all runs. */
interface PhaseTime {
  readonly phase: string;
  readonly tasks: number;
  readonly seconds: number;
}

/** From the log of a job, which may be incomplete. */
export interface JobTimes {
  readonly created: string | undefined;
  readonly finished: string | undefined;
  readonly threads: readonly number[];
  readonly phases: readonly PhaseTime[];
  /** Of all phases together. */
  readonly seconds: number;
}

interface LoggedEvent {
  readonly at: string;
  readonly event: string;
  readonly threads?: number;
  readonly phase?: string;
  readonly made?: number;
}

/** Skips lines that cannot be read. */
export function readTimes(store: FolderStore): JobTimes {
  const lines = Buffer.from(store.get(EVENTS) ?? [])
    .toString("utf8")
    .split("\n");
  const phases = new Map<string, { tasks: number; seconds: number }>();
  const threads: number[] = [];
  let [created, finished, last] = [undefined as string | undefined, undefined as string | undefined, Number.NaN];
  for (const { at, event, phase, made = 0, threads: some } of lines.flatMap(eventIn)) {
    const now = Date.parse(at);
    if (event === "created") created ??= at;
    if (event === "finished") finished = at;
    if (event === "run" && some !== undefined) threads.push(some);
    if (event === "phase finished" && phase !== undefined && made > 0 && now >= last) {
      const sum = phases.get(phase) ?? { tasks: 0, seconds: 0 };
      phases.set(phase, { tasks: sum.tasks + made, seconds: sum.seconds + (now - last) / 1000 });
    }
    if (event === "run" || event === "phase finished") last = now;
  }
  const times = [...phases].map(([phase, sum]) => ({ phase, ...sum }));
  return { created, finished, threads, phases: times, seconds: times.reduce((sum, one) => sum + one.seconds, 0) };
}

function eventIn(line: string): LoggedEvent[] {
  try {
    const { at, event, threads = 0, phase = "", made = 0 } = JSON.parse(line);
    const texts: unknown[] = [at, event, phase];
    const isSound = texts.every((text) => typeof text === "string") && [threads, made].every(Number.isSafeInteger);
    return isSound ? [{ at, event, threads, phase, made }] : [];
  } catch {
    return [];
  }
}
