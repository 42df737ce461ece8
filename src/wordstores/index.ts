export type { DatabaseLimits } from "./limits.js";
export { type LoadOptions, loadTables } from "./loadTables.js";
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
export { copyTables, type SaveOptions, saveTables } from "./saveTables.js";
export type { RecipeTables } from "./shape.js";
