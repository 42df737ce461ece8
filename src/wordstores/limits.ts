import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { error, fail } from "../errors/index.js";
import { checkInteger } from "../spec/index.js";

const TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** The shortest and the longest pause between tries. With equal pauses, two programs could collide at every try. */
const PAUSE_MS = [1, 10] as const;

/** Limits for a call that uses a database. Calls that use files ignore them. */
export interface DatabaseLimits {
  /**
   * Limit in milliseconds for the connection and for each answer, 1 … 2³¹ − 1. Default 10,000. The wait for another
   * program's lock ends after half of this time.
   */
  readonly timeoutMs?: number | undefined;
  /** If it aborts, the call closes the connection, which undoes the transaction, and throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Limits {
  readonly timeoutMs: number;
  readonly lockMs: number;
  readonly signal: AbortSignal | undefined;
}

export function limitsOf({ timeoutMs = TIMEOUT_MS, signal }: DatabaseLimits): Limits {
  checkInteger("timeoutMs", timeoutMs, 1, MAX_TIMEOUT_MS);
  // the wait for a lock ends before the wait for an answer, so that the server can still report the lock
  return { timeoutMs, lockMs: Math.ceil(timeoutMs / 2), signal };
}

/** Repeats some work after a temporary error, until the time limit for locks. */
export async function retrying<T>(
  isPassing: (cause: unknown) => boolean,
  work: () => Promise<T>,
  { lockMs, signal }: Limits,
): Promise<T> {
  const limit = AbortSignal.timeout(lockMs);
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (cause) {
      if (!isPassing(cause) || limit.aborted) throw cause;
    }
    // ignores an abort during the pause: the next round throws the reason of the signal
    await delay(randomInt(...PAUSE_MS), undefined, { ...(signal && { signal }) }).catch(() => undefined);
  }
}

/**
 * Closes the connection of a call when its signal aborts, or the database does not answer in time. `destroy` closes it
 * at once.
 */
export function newGuard({ timeoutMs, signal }: Limits, shown: string, destroy: () => void) {
  const guard = { isClosed: false, within };
  return guard;

  /** Throws `sql.timeout`; the reason of the signal; the error of `answer`. */
  async function within<T>(answer: () => Promise<T>, statement?: string): Promise<T> {
    signal?.throwIfAborted();
    if (guard.isClosed) return failLate(statement);
    const late = Symbol();
    let stop = () => {};
    const stopped = new Promise<symbol>((resolve) => {
      stop = () => resolve(late);
    });
    const timer = setTimeout(stop, timeoutMs);
    signal?.addEventListener("abort", stop);
    try {
      const first = await Promise.race([answer(), stopped]);
      if (first !== late) return first as T;
      guard.isClosed = true;
      destroy();
      signal?.throwIfAborted();
      return failLate(statement);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }

  function failLate(statement: string | undefined): never {
    const problem = `the database did not answer within ${timeoutMs} ms`;
    const check = "Check the server, or set a greater timeoutMs";
    const remedy = statement === "commit" ? `The change may be stored: read the tables to see. ${check}` : check;
    return fail(error("sql.timeout", { problem, remedy, where: { file: shown } }));
  }
}
