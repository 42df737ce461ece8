export type { Code } from "./codes.js";
export {
  arrayLength,
  error,
  type Finding,
  type Issue,
  IssueList,
  issueWithin,
  MAX_ISSUES,
  oneLine,
  safeLines,
  show,
  type Where,
  warning,
} from "./issue.js";
export { didYouMean, likely, nearest } from "./nearest.js";
export { codeOf, type PackedError, packError, unpackError } from "./packedError.js";
export {
  fail,
  failOnErrors,
  formatIssue,
  located,
  messageOf,
  RollmillError,
  readFields,
  reading,
  unlessRefused,
} from "./rollmillError.js";
