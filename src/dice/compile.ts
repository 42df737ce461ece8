import { boundsOf } from "../amounts/index.js";
import type { DicePlan, DiceSpec } from "./types.js";

/** Turns dice into the form that the kernel reads. Pure. */
export function compileDice(amount: DiceSpec): DicePlan {
  const [least, most] = boundsOf(amount);
  return { amount, least, most };
}
