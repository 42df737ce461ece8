import { RollmillError } from "../src/errors/index.js";

/** The error of a call, which must be a RollmillError. */
export function refusalOf(call: () => unknown): RollmillError {
  const refusal = refused(call);
  if (refusal === undefined) throw new Error("nothing was refused");
  return refusal;
}

/** The code of the error of a call, which must be a RollmillError; undefined if the call returns. */
export function codeOf(call: () => unknown): string | undefined {
  return refused(call)?.code;
}

/** The error of a promise, which must be rejected with a RollmillError. */
export async function rejectionOf(promise: Promise<unknown>): Promise<RollmillError> {
  const thrown = await promise.then(
    () => new Error("nothing was refused"),
    (reason: unknown) => reason,
  );
  if (thrown instanceof RollmillError) return thrown;
  throw thrown;
}

/** What a promise is rejected with, which may be anything. */
export async function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (reason) {
    return reason;
  }
  throw new Error("nothing was refused");
}

function refused(call: () => unknown): RollmillError | undefined {
  try {
    call();
  } catch (thrown) {
    if (thrown instanceof RollmillError) return thrown;
    throw thrown;
  }
  return undefined;
}
