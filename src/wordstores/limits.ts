import { error, fail } from "../errors/index.js";
import { checkInteger } from "../spec/index.js";

const TIMEOUT_MS = 10_000;
/** Longest delay of a Node timer, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Limits for a call that uses a database. Calls that use files ignore them. */
export interface DatabaseLimits {
  /**
   * Time limit in milliseconds, 1 … 2³¹ − 1, both inclusive. Default 10,000. It applies to the connection and to each
   * answer of the database. The wait for another program's lock ends after half of this time.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Aborts the call. The call then closes the connection, which undoes the transaction, and throws the signal's reason.
   */
  readonly signal?: AbortSignal | undefined;
}

export interface Limits {
  readonly timeoutMs: number;
  /** Time limit for the wait for a lock, in milliseconds. */
  readonly lockMs: number;
  readonly signal: AbortSignal | undefined;
}

export function limitsOf({ timeoutMs = TIMEOUT_MS, signal }: DatabaseLimits): Limits {
  checkInteger("timeoutMs", timeoutMs, 1, MAX_TIMEOUT_MS);
  // The wait for a lock has a shorter limit than the answer. So the server can still report that a lock is held before
  // the call gives up.
  return { timeoutMs, lockMs: Math.ceil(timeoutMs / 2), signal };
}

/** Closes the connection of a call if its signal aborts, or the database does not answer in time. */
export class Guard {
  readonly #limits: Limits;
  readonly #shown: string;
  readonly #destroy: () => void;
  #isClosed = false;

  /** `destroy` must close the connection and not wait for the server. `shown` names the database in messages. */
  constructor(limits: Limits, shown: string, destroy: () => void) {
    this.#limits = limits;
    this.#shown = shown;
    this.#destroy = destroy;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Waits for `answer`: the answer to a statement, or the connection.
   *
   * @throws RollmillError `sql.timeout`; the reason of the signal; the error of `answer`.
   */
  async within<T>(answer: () => Promise<T>, statement?: string): Promise<T> {
    const { signal, timeoutMs } = this.#limits;
    signal?.throwIfAborted();
    if (this.#isClosed) return this.#failLate(statement);
    const late = Symbol();
    const { promise: stopped, resolve: stop } = withResolvers<symbol>();
    const timer = setTimeout(stop, timeoutMs, late);
    const abort = () => stop(late);
    signal?.addEventListener("abort", abort);
    try {
      const first = await Promise.race([answer(), stopped]);
      if (first !== late) return first as T;
      this.#isClosed = true;
      this.#destroy();
      signal?.throwIfAborted();
      return this.#failLate(statement);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  #failLate(statement: string | undefined): never {
    const problem = `the database did not answer within ${this.#limits.timeoutMs} ms`;
    const check = "Check the server, or set a greater timeoutMs";
    const remedy = statement === "commit" ? `The change may be stored: read the tables to see. ${check}` : check;
    return fail(error("sql.timeout", { problem, remedy, where: { file: this.#shown } }));
  }
}

// replaces `Promise.withResolvers`, which needs Node 22
function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
