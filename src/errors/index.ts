export type { Code } from "./codes.js";
export { arrayLength, error, type Finding, type Issue, issueWithin, show, type Where, warning } from "./issue.js";
export { IssueList, type IssueListOptions, MAX_ISSUES } from "./issueList.js";
export { didYouMean, likely, nearest } from "./nearest.js";
export { oneLine, safeLines } from "./oneLine.js";
export { fail, failOnErrors, formatIssue, located, RollmillError, readFields, reading } from "./rollmillError.js";
