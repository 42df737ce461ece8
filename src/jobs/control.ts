import { RollmillError } from "../errors/index.js";
import { readSealed, sealedText } from "./sealed.js";
import type { JobStore } from "./store/types.js";

export const CONTROL = "control.json";
export const EVENTS = "events.ndjson";

const WISHES = ["run", "queue", "pause", "cancel"] as const;

/**
 * A request for a job. Each process that works on the job reads the request several times a second, and stops if the
 * request has changed.
 */
export interface Control {
  /** `run`: one runner does the tasks. `queue`: the workers of a queue do them. */
  readonly wish: (typeof WISHES)[number];
  /** For `queue`: the number of the submission. The queue may still have tasks of an earlier submission. */
  readonly generation?: number | undefined;
  /** Why the last submission failed. Undefined if it did not fail. */
  readonly failure?: string | undefined;
}

/** Writes the request for a job. */
export function putControl(store: JobStore, control: Control): void {
  store.put(CONTROL, [Buffer.from(sealedText(control))]);
}

/** Reads the request for a job. A missing or damaged file means `run`, because no result depends on this file. */
export function readControl(store: JobStore): Control {
  return storedControl(store) ?? { wish: "run" };
}

/** Reads the request for a job: `run` if there is no file. Returns undefined if the file is damaged. */
export function storedControl(store: JobStore): Control | undefined {
  try {
    const { wish, generation, failure } = readSealed(store, CONTROL) ?? { wish: "run" };
    const known = WISHES.find((one) => one === wish);
    return (
      known && {
        wish: known,
        generation: typeof generation === "number" ? generation : undefined,
        failure: typeof failure === "string" ? failure : undefined,
      }
    );
  } catch (cause) {
    if (cause instanceof RollmillError && cause.code === "job.damaged") return undefined;
    throw cause;
  }
}

/** A request, without the reason why an earlier one failed. */
export type Wish = Pick<Control, "wish" | "generation">;

/**
 * Whether the request for a job is still `wish`.
 *
 * @throws RollmillError `file.read`.
 */
export function isWished(store: JobStore, { wish, generation }: Wish): boolean {
  const now = readControl(store);
  return now.wish === wish && now.generation === generation;
}

/**
 * Checks whether the request for a job is still `wish`: at once, and then every `everyMs` milliseconds. Calls
 * `onChange` after each look that finds a different request. Returns a function that ends the watch.
 */
export function watchWish(
  store: JobStore,
  wish: Wish,
  { everyMs, onChange }: { readonly everyMs: number; readonly onChange: () => void },
): () => void {
  const look = () => {
    let isStill = true;
    try {
      isStill = isWished(store, wish);
    } catch {
      // the file system does not answer now: a later look will find a change
    }
    if (!isStill) onChange();
  };
  look();
  const timer = setInterval(look, everyMs);
  return () => clearInterval(timer);
}

/** Adds an event to the log of a job. The log is for people, so a log that cannot be written is not an error. */
export function logEvent(store: JobStore, event: string, details: object = {}): void {
  try {
    store.append(EVENTS, JSON.stringify({ at: new Date().toISOString(), event, pid: process.pid, ...details }));
  } catch {
    // the result does not depend on the log
  }
}
