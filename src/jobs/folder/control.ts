import { choice, integer, optional, record, type SpecOf } from "../../spec/index.js";
import { ANY_TEXT, type FolderStore, matching, parseData, putChecked, readChecked, unlessDamaged } from "./store.js";

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
});
export type Control = SpecOf<typeof STORED_CONTROL>;

/** Writes the control file. Keeps the file's `generation` and `ticket`, unless `control` has new ones. */
export function putControl(store: FolderStore, control: Control): void {
  const { generation, ticket } = readControl(store);
  putChecked(store, CONTROL, { generation, ticket, ...control });
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

export function isDesired(store: FolderStore, { desired, generation }: Desired): boolean {
  const now = readControl(store);
  return now.desired === desired && (generation === undefined || now.generation === generation);
}

export function logEvent(store: FolderStore, event: string, details: object = {}): void {
  try {
    store.append(EVENTS, JSON.stringify({ at: new Date().toISOString(), event, pid: process.pid, ...details }));
  } catch {
    // the log is for people, so a log that cannot be written is not an error
  }
}
