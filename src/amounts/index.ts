export { KernelAmounts } from "./kernel.js";
export {
  type Amount,
  type AmountInput,
  boundsOf,
  type FormOf,
  isAmount,
  MAX_SIDES,
  NO_RESULT,
  parseAmount,
  QUANTITY,
  type QuantityIn,
  quantity,
  readQuantity,
  type Stack,
  type StackOf,
  stackOf,
} from "./notation.js";
export { amountMean, amountOdds, mixedAmountOdds, ONE_ITEM } from "./odds.js";
