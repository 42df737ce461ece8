export { KernelAmounts } from "./kernel.js";
export {
  type Amount,
  type AmountInput,
  boundsOf,
  isAmount,
  parseAmount,
} from "./notation.js";
export { amountOdds } from "./odds.js";
