import type { EditFile } from "../../../formats/read/editFile.js";
import type { KindSpec } from "../../types.js";
import { type ArtifactDraft, type Artifacts, blankArtifact } from "../artifacts.js";
import { ArtifactKinds } from "../items.js";
import { anyField, type LineRules, line, readNames, readRecords } from "../lines.js";
import type { FileReport } from "../report.js";
import { amount, depths, integer } from "../values.js";
import { ARTIFACT_FLAGS } from "./flags.js";
import { type GamedataContext, itemRules } from "./kinds.js";
import { fightRules } from "./lines.js";

/** The number of an artifact is its position in the file. If its kind is missing, the kind gets the flag INSTA_ART. */
export function parseGamedataArtifacts(
  report: FileReport,
  file: EditFile,
  context: GamedataContext & { readonly kinds: readonly KindSpec[] },
): Artifacts {
  const made = new ArtifactKinds(context.kinds, context);
  const known = new Set(context.flags.specs.map(({ name }) => name));
  const shared = ARTIFACT_FLAGS.filter((name) => known.has(name));
  const rules: LineRules<ArtifactDraft> = {
    "base-object": line(
      "base-object:word of a type:name of a kind",
      [context.types.word, anyField],
      (draft, [type, name], at) =>
        Object.assign(draft, { tval: type.tval, sval: made.svalOf(at, name, type, draft.place) }),
    ),
    alloc: line(
      "alloc:chance %:min to max",
      [integer("the chance %", 0, 100), depths],
      ({ allocations }, [probability, range]) => allocations.push({ ...range, probability }),
    ),
    ...fightRules(amount),
    ...itemRules(context),
  };
  const drafts = [...readRecords(report, readNames(report, file), rules, blankArtifact, "base-object")];
  const artifacts = drafts.map((draft) => ({ ...draft, flags: [...new Set([...draft.flags, ...shared])] }));
  return { artifacts, kinds: [...context.kinds, ...made.made] };
}
