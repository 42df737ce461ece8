import { sealedText } from "./sealed.js";
import type { JobStore } from "./store/types.js";

export const CONTROL = "control.json";
export const EVENTS = "events.ndjson";

const WISHES = ["run", "pause", "cancel"] as const;

/** What the job's runner is told to do, by this process or by another one. */
type Wish = (typeof WISHES)[number];

/** Tells the runner of a job what to do. It looks several times a second. */
export function putWish(store: JobStore, wish: Wish): void {
  store.put(CONTROL, [Buffer.from(sealedText({ wish }))]);
}

/** Returns what the runner is told to do. A damaged file counts as `run`: it decides no result. */
export function readWish(store: JobStore): Wish {
  return storedWish(store) ?? "run";
}

/** Returns what the runner is told to do: `run` without a file, and undefined if the file is damaged. */
export function storedWish(store: JobStore): Wish | undefined {
  const bytes = store.get(CONTROL);
  if (bytes === undefined) return "run";
  const text = Buffer.from(bytes).toString("utf8");
  return WISHES.find((wish) => text === sealedText({ wish }));
}

/** Adds an event to the log of a job, which is for people. A log that cannot be written is not an error. */
export function logEvent(store: JobStore, event: string, details: object = {}): void {
  try {
    store.append(EVENTS, JSON.stringify({ at: new Date().toISOString(), event, pid: process.pid, ...details }));
  } catch {
    // the result does not depend on the log
  }
}
