import { error, fail, show } from "../errors/index.js";
import type { PlanKind } from "./types.js";

/** A noun of a plan file, without its name. */
export interface Section {
  readonly kind: PlanKind;
  readonly labels: object;
  readonly data: readonly (ArrayLike<number> & Iterable<number>)[];
}

export function refuse(name: string, problem: string, remedy: string): never {
  return fail(error("plan.noun", { problem: `${show(name)} ${problem}`, remedy }));
}

/** Returns the bytes with one to four zeros, up to a whole word: a text in C ends with a zero. */
export function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(Math.floor(bytes.length / 4) * 4 + 4);
  whole.set(bytes);
  return whole;
}
