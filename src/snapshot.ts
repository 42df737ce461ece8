import { STREAM_VERSION } from "./address.js";
import { MAX_INDEX } from "./calls/index.js";
import { error, fail } from "./errors/index.js";

/** The state of one name. */
export interface SnapshotEntry {
  readonly name: string;
  /** Index of the next result. */
  readonly next: number;
  /** Further state as JSON: stock of pools, used one-shots, artifacts made so far. The owner of the name checks it. */
  readonly state?: unknown;
}

/** The state of a mill. */
interface SnapshotState {
  readonly seed: string;
  readonly now: string | undefined;
  /** The states that several names share, as JSON: for each key, the state that was shared under it. */
  readonly shared: Readonly<Record<string, unknown>>;
  readonly entries: readonly SnapshotEntry[];
}

const FORMAT = "rollmill-snapshot";

/** Encodes a snapshot as JSON in UTF-8. The text begins with the format and the stream version. */
export function encodeSnapshot(state: SnapshotState): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ format: FORMAT, stream: STREAM_VERSION, ...state }));
}

/**
 * Decodes a snapshot for a mill with this seed.
 *
 * @throws RollmillError `snapshot.invalid` for bytes that are not a snapshot or belong to another seed;
 * `snapshot.version` for another stream version.
 */
export function decodeSnapshot(bytes: Uint8Array, seed: string): SnapshotState {
  const state = readJson(bytes);
  if (state?.format !== FORMAT)
    return invalid("these bytes are not a snapshot", undefined, `bytes in the format ${FORMAT}`);
  if (state.stream !== STREAM_VERSION) {
    const problem = "the snapshot belongs to another version of the random words";
    const remedy = "Use the version of Rollmill that wrote it";
    const expected = `stream version ${STREAM_VERSION}`;
    return fail(error("snapshot.version", { problem, got: state.stream, expected, remedy }));
  }
  if (state.seed !== seed) {
    return invalid("the snapshot belongs to a mill with another seed", state.seed, JSON.stringify(seed));
  }
  const { now, shared, entries } = state;
  if (now !== undefined && typeof now !== "string") return damaged();
  if (!isObject(shared) || !Array.isArray(entries) || !entries.every(isEntry)) return damaged();
  return { seed, now, shared, entries };
}

function readJson(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEntry(value: unknown): value is SnapshotEntry {
  if (!isObject(value)) return false;
  const { name, next } = value;
  return typeof name === "string" && Number.isInteger(next) && Number(next) >= 0 && Number(next) <= MAX_INDEX;
}

function damaged(): never {
  return invalid("the snapshot is damaged", undefined, "unchanged bytes that snapshot() returned");
}

function invalid(problem: string, got: unknown, expected: string): never {
  const finding = got === undefined ? { problem, expected } : { problem, got, expected };
  return fail(
    error("snapshot.invalid", {
      ...finding,
      remedy: "Pass the bytes that snapshot() of a mill with this seed returned",
    }),
  );
}
