import { sealedText } from "./sealed.js";
import type { JobStore } from "./store/types.js";

export const CONTROL = "control.json";
export const EVENTS = "events.ndjson";

/** What the job's runner is told to do, by this process or by another one. */
type Wish = "run" | "pause" | "cancel";

/** Tells the runner of a job what to do. It looks several times a second. */
export function putWish(store: JobStore, wish: Wish): void {
  store.put(CONTROL, [Buffer.from(sealedText({ wish }))]);
}

/** Returns what the runner is told to do. A file that cannot be read counts as `run`: it decides no result. */
export function readWish(store: JobStore): Wish {
  const text = Buffer.from(store.get(CONTROL) ?? []).toString("utf8");
  return (["pause", "cancel"] as const).find((wish) => text === sealedText({ wish })) ?? "run";
}

/** Whether the file with the wish is missing, or is as {@link putWish} wrote it. */
export function isControl(store: JobStore): boolean {
  const bytes = store.get(CONTROL);
  if (bytes === undefined) return true;
  const text = Buffer.from(bytes).toString("utf8");
  return (["run", "pause", "cancel"] as const).some((wish) => text === sealedText({ wish }));
}

/** Adds an event to the log of a job, which is for people. A log that cannot be written is not an error. */
export function logEvent(store: JobStore, event: string, details: object = {}): void {
  try {
    store.append(EVENTS, JSON.stringify({ at: new Date().toISOString(), event, pid: process.pid, ...details }));
  } catch {
    // the result does not depend on the log
  }
}
