import { RollmillError } from "../../errors/index.js";
import type { Field, SpecReader } from "../../spec/index.js";
import { checkedText, parseData, readChecked } from "./checked.js";
import type { FolderStore } from "./store.js";

export const CONTROL = "control.json";
export const EVENTS = "events.ndjson";

const MAX_SUBMISSIONS = 2 ** 50;
const TICKET = /^[\da-f]{12}\.\d{1,16}$/;

const DESIRES = ["run", "queue", "pause", "cancel"] as const;

/** A request for a job. Each process that works on the job stops within a second if the request changes. */
export interface Control {
  /** `run`: one runner does the tasks. `queue`: the workers of a queue do them. */
  readonly desired: (typeof DESIRES)[number];
  /** The number of the last submission. The queue may still have tickets of an earlier one. */
  readonly generation?: number | undefined;
  readonly ticket?: string | undefined;
  /** Why the last submission failed. */
  readonly failure?: string | undefined;
}

/** Keeps the number of the last submission: a worker finds old copies of a folder by it. */
export function putControl(store: FolderStore, control: Control): void {
  const { generation, ticket } = readControl(store);
  store.put(CONTROL, [Buffer.from(checkedText({ generation, ticket, ...control }))]);
}

/** A missing or damaged file means `run`, because no result depends on this file. */
export function readControl(store: FolderStore): Control {
  return storedControl(store) ?? { desired: "run" };
}

/** Undefined if the file is damaged. */
export function storedControl(store: FolderStore): Control | undefined {
  try {
    const given = readChecked(store, CONTROL);
    return given === undefined ? { desired: "run" } : parseData({ store, name: CONTROL }, given, controlIn);
  } catch (cause) {
    if (cause instanceof RollmillError && cause.code === "job.damaged") return undefined;
    throw cause;
  }
}

function controlIn(reader: SpecReader, root: Field): Control {
  const fields = reader.record(root);
  const [desired, generation, ticket, failure] = ["desired", "generation", "ticket", "failure"].map((key) =>
    fields.get(key),
  );
  if (failure.value !== undefined && typeof failure.value !== "string") {
    reader.report(failure, { problem: "not a text", got: failure.value });
  }
  if (ticket.value !== undefined && !(typeof ticket.value === "string" && TICKET.test(ticket.value))) {
    reader.report(ticket, { problem: "not the id of a step ticket", got: ticket.value });
  }
  return {
    desired: reader.choice(desired, DESIRES),
    generation:
      generation.value === undefined ? undefined : reader.integer(generation, { least: 0, most: MAX_SUBMISSIONS }),
    ticket: ticket.value as string | undefined,
    failure: failure.value as string | undefined,
  };
}

/** Without a number, the number of the request does not matter. */
export type Desired = Pick<Control, "desired" | "generation">;

export function isDesired(store: FolderStore, { desired, generation }: Desired): boolean {
  const now = readControl(store);
  return now.desired === desired && (generation === undefined || now.generation === generation);
}

/** Calls `onChange` after each look that finds a different request. Returns a function that ends the watch. */
export function watchDesired(store: FolderStore, desired: Desired, everyMs: number, onChange: () => void): () => void {
  const look = () => {
    let isStill = true;
    try {
      isStill = isDesired(store, desired);
    } catch {
      // a later look will find a change
    }
    if (!isStill) onChange();
  };
  look();
  const timer = setInterval(look, everyMs);
  return () => clearInterval(timer);
}

export function logEvent(store: FolderStore, event: string, details: object = {}): void {
  try {
    store.append(EVENTS, JSON.stringify({ at: new Date().toISOString(), event, pid: process.pid, ...details }));
  } catch {
    // the log is for people, so a log that cannot be written is not an error
  }
}
