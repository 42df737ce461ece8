import type { Finding } from "../../errors/index.js";
import { kindOfArtifact } from "../compile/reach.js";
import { tvalWord } from "../parse/tvals.js";
import type { ArtifactSpec, ObjectFiles } from "../types.js";
import { asText, type ObjectRequest, quoted } from "./inquiry.js";

/**
 * Why an artifact can never be what is asked for, its affixes and those of the request apart; undefined where it may.
 * Whether it has been made before is not looked at. Cost: O(kinds).
 */
export function impossibleArtifact(
  files: ObjectFiles,
  request: ObjectRequest,
  artifact: ArtifactSpec,
): Finding | undefined {
  const { theme, affixes = [] } = request;
  const { tval, sval, requires } = artifact;
  if (theme !== undefined) {
    const expected = "an artifact or a theme: an artifact has none";
    return { problem: "both are asked for", got: `${quoted(artifact)} and ${quoted(theme)}`, expected };
  }
  if (kindOfArtifact(files, artifact) === undefined) {
    const expected = `a kind ${tvalWord(tval)}:${sval}`;
    return { problem: `the artifact ${quoted(artifact)} has no kind`, got: asText(request), expected };
  }
  if (affixes.length > 0 && requires.length === 0) {
    return {
      problem: `the artifact ${quoted(artifact)} has no affixes`,
      got: affixes.map(quoted).join(", "),
      expected: "an artifact that requires affixes, or none of them",
    };
  }
  return otherKind(request, artifact) ?? tooDeep(request, artifact);
}

function otherKind(request: ObjectRequest, artifact: ArtifactSpec): Finding | undefined {
  const { kind, tval } = request;
  const isType = tval === undefined || tval === artifact.tval;
  const isKind = kind === undefined || (kind.tval === artifact.tval && kind.sval === artifact.sval);
  if (isType && isKind) return undefined;
  const expected = `${tvalWord(artifact.tval)}:${artifact.sval}`;
  return { problem: `the artifact ${quoted(artifact)} is of another kind`, got: asText(request), expected };
}

/** A line whose least depth is not reached yet passes now and then; one whose greatest is passed never does. */
function tooDeep(request: ObjectRequest, artifact: ArtifactSpec): Finding | undefined {
  const lines = artifact.allocations.filter(({ probability }) => probability > 0);
  if (lines.some(({ most }) => request.level <= most)) return undefined;
  const most = Math.max(...lines.map((line) => line.most));
  return {
    problem: `the artifact ${quoted(artifact)} is never made there`,
    got: asText(request),
    expected: lines.length === 0 ? "an artifact of a probability above 0" : `a level of at most ${most}`,
  };
}
