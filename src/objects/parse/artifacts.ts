import type { EditFile } from "../../formats/read/editFile.js";
import type { ArtifactSpec, KindSpec } from "../types.js";
import { ArtifactKinds, blankItem, itemRules, oldPval, type Version4Context } from "./items.js";
import {
  anyField,
  byNumber,
  type Draft,
  type Head,
  keptLines,
  type LineRule,
  type LineRules,
  line,
  lines,
  readHeads,
  readRecords,
  unusedLines,
} from "./lines.js";
import type { AffixNames } from "./names.js";
import type { FileReport } from "./report.js";
import { amount, anyDepths, integer } from "./values.js";

const MAX_ALLOCATIONS = 3;
/** The unit of the probabilities in `A` lines is 1/1000. */
const ARTIFACT_SCALE = 1000;

export type ArtifactDraft = Draft<ArtifactSpec>;

/** The kinds are those of object.txt, then those that were made for artifacts. */
export interface Artifacts {
  readonly artifacts: readonly ArtifactSpec[];
  readonly kinds: readonly KindSpec[];
}

interface ArtifactContext extends Version4Context {
  readonly kinds: readonly KindSpec[];
  readonly names: AffixNames;
}

export function blankArtifact(): Omit<ArtifactDraft, keyof Head> {
  const { text, ...item } = blankItem({ toHit: 0, toDam: 0, toAc: 0, allocations: [] });
  return { ...item, requires: [], text };
}

/** Reads artifact.txt of version 4. Cost: O(kinds + characters). */
export function parseArtifacts(report: FileReport, file: EditFile, context: ArtifactContext): Artifacts {
  const made = new ArtifactKinds(context.kinds, context);
  const rules: LineRules<ArtifactDraft> = {
    I: identity(context, made),
    A: ALLOCATION,
    Q: lines("Q:affix", [context.names.read], ({ requires }, [affix]) => requires.push(affix)),
    ...itemRules(context, amount),
    ...keptLines(["D", "E", "M"]),
    ...unusedLines(context.isLast ? ["affix", "theme"] : [], "An artifact has its own name"),
  };
  const drafts = [...readRecords(report, readHeads(report, file), rules, blankArtifact, "I")];
  const artifacts = drafts.map((draft) => ({ ...draft, flags: [...new Set(draft.flags)] })).sort(byNumber);
  return { artifacts, kinds: [...context.kinds, ...made.made] };
}

/** The rule of `I` lines. Only the last form of version 4 makes kinds for artifacts. */
function identity({ types, isLast }: ArtifactContext, made: ArtifactKinds): LineRule<ArtifactDraft> {
  return line(
    "I:tval word:sval or name of a kind",
    [isLast ? types.wordOrNumber : types.word, anyField],
    (draft, [type, field], at) => {
      const isOld = /^-?\d+$/.test(field.text) || (!isLast && made.names.isMisspelt(field.text, type));
      const sval = isOld ? made.names.read(at, field, type) : made.svalOf(at, field, type, draft.place);
      if (sval !== undefined) Object.assign(draft, { tval: type.tval, sval });
    },
    [oldPval],
  );
}

const ALLOCATION: LineRule<ArtifactDraft> = lines(
  "A:probability:min to max",
  [integer("the probability", 0, ARTIFACT_SCALE), anyDepths],
  ({ allocations }, [probability, depths], at) => {
    if (allocations.length < MAX_ALLOCATIONS) allocations.push({ ...depths, probability });
    else {
      at.report.add("object.line", at, {
        problem: "the artifact has too many A lines",
        got: at.rest,
        expected: `at most ${MAX_ALLOCATIONS} A lines`,
        remedy: "Remove the lines with the lowest probabilities",
      });
    }
  },
);
