import type { StreamKey } from "../address.js";
import { error, fail } from "../errors/index.js";

/**
 * The running calls of a mill and its forks. A callback must not call the noun that runs it: `next` has not advanced
 * yet, so the inner call would make the results of the outer call. It may call all other nouns, because no kernel call
 * is in progress during a callback.
 *
 * Scopes with equal keys count as the same scope, because two handles of one fork share the fork's state.
 */
export class Guard {
  /** True if no call is running and the mill is not disposed. Then every call is allowed, without further checks. */
  isIdle = true;
  #isDisposed = false;
  /** For each running call, the keys that it uses. The innermost call is last. */
  readonly #running: (readonly StreamKey[])[] = [];
  readonly #owner: string;

  /** @param owner - Names the object whose disposal calls {@link dispose}, for messages. */
  constructor(owner = "its mill") {
    this.#owner = owner;
  }

  /** @throws RollmillError `argument.disposed`; `argument.busy` if a running call uses one of these scopes. */
  check(name: string, keys: readonly StreamKey[]): void {
    if (this.isIdle) return;
    if (this.#isDisposed) refuseDisposed(name, this.#owner);
    if (!keys.some((key) => this.#isRunning(key))) return;
    const problem = `a callback made this call while a call on ${JSON.stringify(name)} is still running`;
    fail(error("argument.busy", { problem, remedy: "Make this call after the other call has returned" }));
  }

  /** Until the call ends, refuses every other call that uses one of the scopes in `keys`. */
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

  /** Throws `argument.busy` if a call is running. A snapshot needs this, because it reads the state of all nouns. */
  checkAllIdle(): void {
    if (this.#running.length === 0) return;
    const problem = "a snapshot cannot be taken from a callback, because the call has not changed the state yet";
    fail(error("argument.busy", { problem, remedy: "Take the snapshot after the call has returned" }));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.isIdle = false;
  }

  #isRunning({ k0, k1 }: StreamKey): boolean {
    return this.#running.some((keys) => keys.some((key) => key.k0 === k0 && key.k1 === k1));
  }
}

/** Throws `argument.disposed` for a noun whose memory was freed. `owner` names what was disposed. */
export function refuseDisposed(name: string, owner = "its mill"): never {
  const problem = `${JSON.stringify(name)} cannot be used, because ${owner} has been disposed`;
  const remedy = `Create ${JSON.stringify(name)} again, or dispose of ${owner} only after the last use`;
  return fail(error("argument.disposed", { problem, remedy }));
}

/** Throws `argument.disposed` for a call that needs the state of a released fork. */
export function refuseReleased(name: string): never {
  const problem = `the state of this fork of ${JSON.stringify(name)} was released`;
  return fail(error("argument.disposed", { problem, remedy: "Fork again with the same id, to begin anew" }));
}
