export type { DatabaseLimits } from "./limits.js";
export { type LoadOptions, loadTables } from "./loadTables.js";
export {
  acceptWord,
  listProposals,
  type ProposedWord,
  proposeWord,
  type TableWord,
  type WordProposal,
} from "./proposals.js";
export { copyTables, type SaveOptions, saveTables } from "./saveTables.js";
export type { RecipeTables } from "./shape.js";
