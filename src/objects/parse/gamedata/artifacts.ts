import type { EditFile } from "../../../formats/read/editFile.js";
import type { ArtifactSpec, KindSpec } from "../../types.js";
import { type ArtifactDraft, type Artifacts, blankArtifact } from "../artifacts.js";
import { ArtifactKinds } from "../items.js";
import { hasLine, type LineRules, line, readNames, readRecords, UnusedLines } from "../lines.js";
import type { FileReport } from "../report.js";
import { amount, depths, integer } from "../values.js";
import { ARTIFACT_FLAGS } from "./flags.js";
import { type GamedataContext, itemRules } from "./kinds.js";
import { fightRules } from "./lines.js";

type ArtifactContext = GamedataContext & { readonly kinds: readonly KindSpec[] };

/**
 * Reads artifact.txt. The number of an artifact is its position in the file, counted from 1. If the `base-object` line
 * of an artifact names no kind of object.txt, the artifact gets a new kind with the flag INSTA_ART.
 */
export function parseGamedataArtifacts(report: FileReport, file: EditFile, context: ArtifactContext): Artifacts {
  const unused = new UnusedLines(report);
  const made = new ArtifactKinds(context.kinds, context);
  const known = new Set(context.flags.specs.map(({ name }) => name));
  const shared = ARTIFACT_FLAGS.filter((name) => known.has(name));
  const artifacts: ArtifactSpec[] = [];
  const rules = artifactRules(context, unused, made);
  for (const { head, record, draft } of readRecords(report, readNames(report, file), rules, blankArtifact)) {
    if (!hasLine(report, record, "base-object", "base-object:type:kind") || head === undefined) continue;
    artifacts.push({ ...draft, flags: [...new Set([...draft.flags, ...shared])] });
  }
  unused.warn();
  return { artifacts, kinds: [...context.kinds, ...made.made] };
}

function artifactRules(context: ArtifactContext, unused: UnusedLines, made: ArtifactKinds): LineRules<ArtifactDraft> {
  return {
    "base-object": line(
      "base-object:word of a type:name of a kind",
      [context.types.word, (_, field) => field],
      (draft, [type, name], at) => Object.assign(draft, { tval: type.tval, sval: made.svalOf(at, name, type, draft) }),
    ),
    alloc: line(
      "alloc:chance %:min to max",
      [integer("the chance %", 0, 100), depths],
      ({ allocations }, [probability, range]) => allocations.push({ ...range, probability }),
    ),
    ...fightRules(amount),
    ...itemRules(context, unused),
  };
}
