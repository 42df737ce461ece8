export type { DatabaseLimits } from "./limits.js";
export type { LookAlikeReason } from "./lookAlikes.js";
export {
  type AcceptedWord,
  acceptWord,
  activateWord,
  type ChangedWord,
  deactivateWord,
  editWord,
  type LookAlike,
  listProposals,
  type ProposedWord,
  proposeWord,
  rejectWord,
  type TableWord,
  type WordEdit,
  type WordParts,
  type WordProposal,
} from "./proposals.js";
export type { RecipeTables } from "./shape.js";
export { copyTables, type LoadOptions, loadTables, type SaveOptions, saveTables } from "./tables.js";
