import { boundsOf } from "../amounts/index.js";
import type { DicePlan, DiceSpec } from "./types.js";

export function compileDice(amount: DiceSpec): DicePlan {
  const [least, most] = boundsOf(amount);
  return { amount, least, most };
}
