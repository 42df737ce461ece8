import { MAX_INDEX, STREAM_VERSION } from "./address.js";
import { error, fail } from "./errors/index.js";

/** The state of one name. */
export interface SnapshotEntry {
  readonly name: string;
  /** Index of its next result. */
  readonly next: number;
  /** One-shot scripts that it has spent. */
  readonly oneShots: readonly number[];
  /** What else it keeps, of pools: checked by them. */
  readonly state?: unknown;
}

/** The state of a mill. */
export interface SnapshotState {
  readonly seed: string;
  readonly now: string | undefined;
  readonly sharedOneShots: readonly number[];
  readonly entries: readonly SnapshotEntry[];
}

const FORMAT = "rollmill-snapshot";

/** A snapshot's bytes: JSON in UTF-8, with its format and the stream version in front. */
export function encodeSnapshot(state: SnapshotState): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ format: FORMAT, stream: STREAM_VERSION, ...state }));
}

/**
 * Reads a snapshot for a mill of this seed.
 *
 * @throws RollmillError `snapshot.invalid` for bytes that are no snapshot or one of another seed, `snapshot.version` for
 * one of another stream version.
 */
export function decodeSnapshot(bytes: Uint8Array, seed: string): SnapshotState {
  const state = readJson(bytes);
  if (state?.format !== FORMAT) return invalid("these bytes are no snapshot", undefined, FORMAT);
  if (state.stream !== STREAM_VERSION) {
    const problem = "the snapshot was taken by a version with other random words";
    const remedy = "Use the version of Rollmill that took it";
    return fail(
      error("snapshot.version", { problem, got: state.stream, expected: `stream ${STREAM_VERSION}`, remedy }),
    );
  }
  if (state.seed !== seed)
    return invalid("the snapshot is of a mill with another seed", state.seed, JSON.stringify(seed));
  const { now, sharedOneShots, entries } = state;
  const sound =
    (now === undefined || typeof now === "string") &&
    isIds(sharedOneShots) &&
    Array.isArray(entries) &&
    entries.every(isEntry);
  if (!sound) return invalid("the snapshot is damaged", undefined, "one as snapshot() makes it");
  return {
    seed,
    now: now as string | undefined,
    sharedOneShots: sharedOneShots as number[],
    entries: entries as SnapshotEntry[],
  };
}

function readJson(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { name, next, oneShots } = value as Record<string, unknown>;
  return (
    typeof name === "string" &&
    Number.isInteger(next) &&
    Number(next) >= 0 &&
    Number(next) <= MAX_INDEX &&
    isIds(oneShots)
  );
}

function isIds(value: unknown): boolean {
  return Array.isArray(value) && value.every((id) => Number.isInteger(id) && id >= 0);
}

function invalid(problem: string, got: unknown, expected: string): never {
  const finding = got === undefined ? { problem, expected } : { problem, got, expected };
  return fail(
    error("snapshot.invalid", { ...finding, remedy: "Pass the bytes of snapshot() of a mill with this seed" }),
  );
}
