import type { EditFile } from "../../formats/read/editFile.js";
import type { ArtifactSpec, BaseSpec, KindSpec } from "../types.js";
import type { FlagTable } from "./flags.js";
import { ArtifactKinds, blankItem, itemRules, oldPval } from "./items.js";
import {
  type Draft,
  type Head,
  hasLine,
  keptLines,
  type LineRule,
  type LineRules,
  line,
  lines,
  readHeads,
  readRecords,
  type UnusedLines,
} from "./lines.js";
import type { AffixNames } from "./names.js";
import type { FileReport } from "./report.js";
import type { TypeTable } from "./tvals.js";
import { amount, anyDepths, integer } from "./values.js";

const MAX_ALLOCATIONS = 3;
/** Probabilities of `A` lines are in units of 1/1000. */
const ARTIFACT_SCALE = 1000;

export type ArtifactDraft = Draft<ArtifactSpec>;

/** The artifacts, and all kinds: those of object.txt, then those that were made for artifacts. */
export interface Artifacts {
  readonly artifacts: readonly ArtifactSpec[];
  readonly kinds: readonly KindSpec[];
}

interface ArtifactContext {
  readonly flags: FlagTable;
  readonly types: TypeTable;
  readonly kinds: readonly KindSpec[];
  readonly bases: readonly BaseSpec[];
  readonly names: AffixNames;
  /** Counts lines without an effect. Set only for the last form of version 4. */
  readonly last: UnusedLines | undefined;
}

export function blankArtifact(): Omit<ArtifactDraft, keyof Head> {
  const { text, ...item } = blankItem({ toHit: 0, toDam: 0, toAc: 0, allocations: [] });
  return { ...item, requires: [], text };
}

const FORM = "I:tval word:sval or name of a kind";

/** Reads artifact.txt of version 4. Cost: O(kinds + characters). */
export function parseArtifacts(report: FileReport, file: EditFile, context: ArtifactContext): Artifacts {
  const made = new ArtifactKinds(context.kinds, context);
  const artifacts: ArtifactSpec[] = [];
  const records = readRecords(report, readHeads(report, file), artifactRules(context, made), blankArtifact);
  for (const { head, record, draft } of records) {
    if (!hasLine(report, record, "I", FORM) || head === undefined) continue;
    artifacts.push({ ...draft, flags: [...new Set(draft.flags)] });
  }
  context.last?.warn();
  return { artifacts: artifacts.sort((a, b) => a.number - b.number), kinds: [...context.kinds, ...made.made] };
}

function artifactRules(context: ArtifactContext, made: ArtifactKinds): LineRules<ArtifactDraft> {
  const { flags, names, last } = context;
  return {
    I: identity(context, made),
    A: ALLOCATION,
    Q: lines("Q:affix", [names.read], ({ requires }, [affix]) => requires.push(affix)),
    ...itemRules(flags, amount, last),
    ...keptLines(["D", "E", "M"]),
    ...last?.rules(["affix", "theme"], "An artifact has its own name"),
  };
}

/** The rule of `I` lines. Only the last form of version 4 makes kinds for artifacts. */
function identity({ types, last }: ArtifactContext, made: ArtifactKinds): LineRule<ArtifactDraft> {
  return line(
    FORM,
    [last === undefined ? types.word : types.wordOrNumber, (_, field) => field],
    (draft, [type, field], at) => {
      const isOld = /^-?\d+$/.test(field.text) || (last === undefined && made.names.isMisspelt(field.text, type));
      const sval = isOld ? made.names.read(at, field, type) : made.svalOf(at, field, type, draft);
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
