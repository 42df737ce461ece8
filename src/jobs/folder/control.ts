import { oneLine } from "../../errors/index.js";
import { choice, integer, optional, record, type SpecOf } from "../../spec/index.js";
import { STORED_LIMITS } from "./limits.js";
import {
  ANY_TEXT,
  type FolderStore,
  jsonIn,
  matching,
  parseData,
  putChecked,
  readChecked,
  unlessDamaged,
} from "./store.js";

export const CONTROL = "control.json";
export const EVENTS = "events.ndjson";

const MAX_SUBMISSIONS = 2 ** 50;
const TICKET = matching(/^[\da-f]{12}\.\d{1,16}$/, "the id of a step ticket");

/** What a user asked for last. Each process that works on the job stops within a second if this request changes. */
const STORED_CONTROL = record({
  /** `run`: one runner does the tasks. `queue`: the workers of a queue do the tasks. */
  desired: choice(["run", "queue", "pause", "cancel"]),
  /** The number of the last submission. The queue may still have tickets of earlier submissions. */
  generation: optional(integer({ least: 0, most: MAX_SUBMISSIONS })),
  ticket: optional(TICKET),
  failure: optional(ANY_TEXT),
  /** What the runner may use of its machine. */
  limits: optional(STORED_LIMITS),
});
export type Control = SpecOf<typeof STORED_CONTROL>;

/** Writes the control file. Keeps its `generation`, `ticket` and `limits`, unless `control` has new ones. */
export function putControl(store: FolderStore, control: Control): void {
  const { generation, ticket, limits } = readControl(store);
  putChecked(store, CONTROL, { generation, ticket, limits, ...control });
}

/** Returns `run` for a missing or damaged file, because no result depends on this file. */
export function readControl(store: FolderStore): Control {
  return storedControl(store) ?? { desired: "run" };
}

/** Returns undefined if the file is damaged. */
export function storedControl(store: FolderStore): Control | undefined {
  return unlessDamaged(() => {
    const given = readChecked(store, CONTROL);
    if (given === undefined) return { desired: "run" };
    return parseData({ store, name: CONTROL }, given, (reader, root) => STORED_CONTROL.read(reader, root));
  });
}

/** The request that {@link isDesired} looks for. If `generation` is undefined, any generation matches. */
export type Desired = Pick<Control, "desired" | "generation">;

export function isDesired(
  store: FolderStore,
  { desired, generation }: Desired,
  now: Control = readControl(store),
): boolean {
  return now.desired === desired && (generation === undefined || now.generation === generation);
}

export function logEvent(store: FolderStore, event: string, details: object = {}): void {
  try {
    store.append(EVENTS, JSON.stringify({ at: new Date().toISOString(), event, pid: process.pid, ...details }));
  } catch {
    // the log is for people, so a log that cannot be written is not an error
  }
}

const WAITS = "waits";
const WAIT_EVENTS = [WAITS, "goes on", "run"];
const LEFT = "left";
/** The last events of the log, in which {@link lastEvent} looks. */
const LAST_BYTES = 2 ** 14;
const LEFT_MS = 5000;

/** Logs that the job begins to wait, with the reason, or that it goes on. */
export function logWait(store: FolderStore, reason: string | undefined): void {
  logEvent(store, reason === undefined ? "goes on" : WAITS, { reason });
}

/** Returns why a running job waits, from its log. Undefined if it does not wait, or if the log cannot be read. */
export function lastWait(store: FolderStore): string | undefined {
  const { event, reason } = lastEvent(store, WAIT_EVENTS);
  return event === WAITS && typeof reason === "string" ? oneLine(reason) : undefined;
}

/** Returns a function that logs the estimated seconds until the job is done, at most every five seconds. */
export function leftLog(store: FolderStore): (seconds: number | undefined) => void {
  let loggedMs = Number.NEGATIVE_INFINITY;
  return (seconds) => {
    if (seconds === undefined || performance.now() - loggedMs < LEFT_MS) return;
    loggedMs = performance.now();
    logEvent(store, LEFT, { seconds: Math.round(seconds) });
  };
}

/** Returns the seconds that the process which runs the job logged last. Undefined if it has not logged any. */
export function lastLeft(store: FolderStore): number | undefined {
  const { event, seconds } = lastEvent(store, [LEFT, "run"]);
  return event === LEFT && Number.isFinite(seconds) && Number(seconds) >= 0 ? Number(seconds) : undefined;
}

function lastEvent(store: FolderStore, events: readonly unknown[]): Readonly<Record<string, unknown>> {
  const lines = Buffer.from(store.read(EVENTS, -LAST_BYTES, LAST_BYTES) ?? [])
    .toString("utf8")
    .split("\n");
  // the first line may be cut, and anybody may have written to the log
  const all = lines.map((line) => jsonIn(Buffer.from(line)) as Readonly<Record<string, unknown>> | null | undefined);
  return all.findLast((one) => events.includes(one?.event)) ?? {};
}
