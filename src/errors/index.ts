export type { Code } from "./codes.js";
export { error, type Finding, formatIssue, type Issue, show, type Where, warning } from "./issue.js";
export { IssueList, type IssueListOptions, MAX_ISSUES } from "./issueList.js";
export { didYouMean, nearest } from "./nearest.js";
export { fail, failOnErrors, RollmillError } from "./rollmillError.js";
