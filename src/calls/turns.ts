import type { StreamKey } from "../address.js";
import { error, fail } from "../errors/index.js";

/**
 * The calls that are running on a mill and on its forks. A callback may call other nouns, because a call into the kernel
 * is complete before a callback runs. It may not call the noun whose call it serves: that call has not moved the index
 * of the next result yet, so both calls would make the same results.
 *
 * A branch is recognised by its key, because two handles of the same fork share its state.
 */
export class Turns {
  /** Whether no call is running and the mill is not disposed. Then no call is refused, and nothing else is checked. */
  isIdle = true;
  #isDisposed = false;
  /** The keys of each running call; the last entry is the innermost call. */
  readonly #running: (readonly StreamKey[])[] = [];
  readonly #owner: string;

  /** @param owner - what {@link dispose} frees, for messages. */
  constructor(owner = "its mill") {
    this.#owner = owner;
  }

  /**
   * Checks that a noun can be called.
   *
   * @param keys - the keys of the branches whose state the call uses.
   * @throws RollmillError `argument.disposed` after {@link dispose}; `argument.busy` if a call on one of the branches is
   * running.
   */
  check(name: string, keys: readonly StreamKey[]): void {
    if (this.isIdle) return;
    if (this.#isDisposed) refuseDisposed(name, this.#owner);
    if (!keys.some((key) => this.#isRunning(key))) return;
    const problem = `another call on ${JSON.stringify(name)} is running, and one of its callbacks made this call`;
    fail(error("argument.busy", { problem, remedy: "Make this call after the other call has returned" }));
  }

  /**
   * Runs a call. Until it returns or throws, other calls on these branches are refused.
   *
   * @throws The errors of {@link check}, and those of the call.
   */
  run<T>(name: string, keys: readonly StreamKey[], call: () => T): T {
    this.check(name, keys);
    this.#running.push(keys);
    this.isIdle = false;
    try {
      return call();
    } finally {
      this.#running.pop();
      this.isIdle = this.#running.length === 0 && !this.#isDisposed;
    }
  }

  /**
   * Checks that no call is running, for a call that needs the state of all nouns.
   *
   * @throws RollmillError `argument.busy`.
   */
  checkAllIdle(): void {
    if (this.#running.length === 0) return;
    const problem = "a snapshot cannot be taken from a callback, because the call has not changed the state yet";
    fail(error("argument.busy", { problem, remedy: "Take the snapshot after the call has returned" }));
  }

  /** Makes {@link check} refuse every later call. */
  dispose(): void {
    this.#isDisposed = true;
    this.isIdle = false;
  }

  #isRunning({ k0, k1 }: StreamKey): boolean {
    return this.#running.some((keys) => keys.some((key) => key.k0 === k0 && key.k1 === k1));
  }
}

/**
 * Throws the error for a call on a noun whose memory was freed.
 *
 * @param owner - what was disposed of.
 * @throws RollmillError `argument.disposed`, always.
 */
export function refuseDisposed(name: string, owner = "its mill"): never {
  const problem = `${JSON.stringify(name)} cannot be used, because ${owner} has been disposed`;
  return fail(
    error("argument.disposed", { problem, remedy: "Create another one, or dispose of this one after its last use" }),
  );
}
