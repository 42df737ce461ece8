import { type ForkId, plainId, STREAM_VERSION } from "./address.js";
import { isSavedMill, type SavedMill } from "./calls/index.js";
import { error, fail } from "./errors/index.js";

interface Snapshot {
  readonly seed: string;
  readonly now?: string | undefined;
  readonly state: SavedMill;
}

const FORMAT = "rollmill-snapshot";
const VERSION = 2;

interface Saved extends Omit<Snapshot, "state"> {
  readonly forks: readonly ForkId[];
  /** The state of the mill as JSON without the outer braces. */
  readonly fields: string;
}

/** Composes the state as text, because JSON.stringify fails for deeply nested forks. The outermost fork comes first. */
export function encodeSnapshot({ forks, fields, ...rest }: Saved): Uint8Array {
  const head = JSON.stringify({ format: FORMAT, version: VERSION, stream: STREAM_VERSION, ...rest }).slice(0, -1);
  const above = forks.map((id) => `"names":{},"forks":[{"id":${JSON.stringify(plainId(id))},`).join("");
  return new TextEncoder().encode(`${head},"state":{${above}${fields}${"}]".repeat(forks.length)}}}`);
}

/**
 * Reads a snapshot. Throws `snapshot.invalid` for bytes that are not a snapshot, or belong to another seed. Throws
 * `snapshot.version` if the snapshot has another format version or stream version than this library writes.
 */
export function decodeSnapshot(bytes: Uint8Array, seed: string): Snapshot {
  const snapshot = readJson(bytes);
  if (snapshot?.format !== FORMAT)
    return invalid("the bytes are not a snapshot", undefined, "bytes that snapshot() returned");
  if (snapshot.version !== VERSION) otherVersion("format version", snapshot.version, VERSION);
  if (snapshot.stream !== STREAM_VERSION) otherVersion("stream version", snapshot.stream, STREAM_VERSION);
  if (snapshot.seed !== seed) {
    return invalid("the snapshot is from a mill with another seed", snapshot.seed, JSON.stringify(seed));
  }
  const { now, state } = snapshot;
  if ((now === undefined || typeof now === "string") && isSavedMill(state)) return { seed, now, state };
  return invalid("the snapshot is damaged", undefined, "unchanged bytes that snapshot() returned");
}

function readJson(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function otherVersion(what: string, got: unknown, expected: number): never {
  const problem = `the snapshot has a different ${what}`;
  const remedy = "Use the version of Rollmill that wrote the snapshot";
  return fail(error("snapshot.version", { problem, got, expected: String(expected), remedy }));
}

function invalid(problem: string, got: unknown, expected: string): never {
  const finding = got === undefined ? { problem, expected } : { problem, got, expected };
  return fail(
    error("snapshot.invalid", {
      ...finding,
      remedy: "Pass the unchanged bytes from a mill with this seed",
    }),
  );
}
