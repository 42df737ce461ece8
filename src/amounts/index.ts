export { KernelAmounts } from "./kernel.js";
export {
  type Amount,
  type AmountInput,
  boundsOf,
  isAmount,
  MOST_SIDES,
  parseAmount,
} from "./notation.js";
export { amountOdds } from "./odds.js";
