export { KernelAmounts } from "./kernel.js";
export {
  type Amount,
  type AmountInput,
  boundsOf,
  isAmount,
  MAX_SIDES,
  NO_RESULT,
  parseAmount,
  QUANTITY,
  quantity,
  readQuantity,
} from "./notation.js";
export { amountMean, amountOdds, mixedAmountOdds, ONE_ITEM } from "./odds.js";
export { type FormOf, type QuantityIn, type Stack, type StackOf, stackOf } from "./stack.js";
