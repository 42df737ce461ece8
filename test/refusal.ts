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

function refused(call: () => unknown): RollmillError | undefined {
  try {
    call();
  } catch (thrown) {
    if (thrown instanceof RollmillError) return thrown;
    throw thrown;
  }
  return undefined;
}
