import { kindOdds } from "../../src/objects/law/kinds.js";
import { affixLevelOdds, slotOdds } from "../../src/objects/law/slots.js";
import type { PartialRequest } from "../../src/objects/odds/impossible.js";
import { affixOddsAt, themeOdds } from "../../src/objects/odds/themes.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, ThemeSpec } from "../../src/objects/types.js";
import { depthOdds } from "./oddsFiles.js";

/** An object as far as requests go. */
interface Reached {
  readonly affixes: readonly AffixSpec[];
  readonly theme: ThemeSpec | undefined;
}

/**
 * Whether some object that can be made is what is asked for: every kind, affix level, depth and affix in turn, slot by slot,
 * a step being possible where its chance is above 0. For small files alone.
 */
export function reachableObjects(files: ObjectFiles, request: PartialRequest): boolean {
  const { artifact, affixes = [], theme } = request;
  const counts = (list: readonly AffixSpec[], affix: AffixSpec) => list.filter((one) => one === affix).length;
  const meets = (object: Reached) =>
    affixes.every((affix) => counts(object.affixes, affix) >= counts(affixes, affix)) &&
    (theme === undefined || object.theme === theme);
  if (artifact !== undefined && artifact.requires.length === 0) {
    return affixes.length === 0 && theme === undefined && isMadeAtOnce(files, request, artifact);
  }
  return [...ordinaryObjects(files, request)].some(({ kind, ...object }) => {
    if (artifact === undefined) return meets(object);
    const has = object.affixes.map(({ number }) => number);
    return (
      object.theme === undefined &&
      meets(object) &&
      isOf(artifact, kind) &&
      artifact.requires.every((number) => has.includes(number)) &&
      passes(artifact, request.level)
    );
  });
}

function isMadeAtOnce(files: ObjectFiles, { kind, tval, level }: PartialRequest, artifact: ArtifactSpec): boolean {
  const kinds = files.kinds.filter((one) => isOf(artifact, one));
  const isAsked = kind === undefined ? true : kinds.includes(kind);
  return kinds.length > 0 && isAsked && (tval ?? artifact.tval) === artifact.tval && passes(artifact, level);
}

function isOf({ tval, sval }: ArtifactSpec, kind: KindSpec): boolean {
  return kind.tval === tval && kind.sval === sval;
}

function passes({ allocations }: ArtifactSpec, level: number): boolean {
  return allocations.some(({ probability, most }) => probability > 0 && level <= most);
}

function* ordinaryObjects(
  files: ObjectFiles,
  request: PartialRequest,
): Generator<Reached & { readonly kind: KindSpec }> {
  const { level, quality, tval } = request;
  const kinds = request.kind === undefined ? [...kindOdds(files, request).kinds.keys()] : [request.kind];
  const levels = affixLevelOdds(level, quality, files.levels.length);
  const affixLevels =
    request.affixLevel === undefined
      ? [...levels.keys()].filter((i) => levels[i].numerator > 0n)
      : [request.affixLevel];
  for (const kind of kinds.filter((one) => tval === undefined || one.tval === tval)) {
    const slots = slotOdds(level, quality, kind.flags.includes("GOOD"));
    for (const affixLevel of affixLevels) {
      let states: readonly Reached[] = [{ affixes: [], theme: undefined }];
      for (const chance of slots) {
        for (const state of states) if (chance.numerator > 0n || state.theme !== undefined) yield { ...state, kind };
        if (chance === slots.findLast(({ numerator }) => numerator > 0n)) break;
        states = nextStates(files, { kind, level, affixLevel }, states);
      }
    }
  }
}

function nextStates(
  files: ObjectFiles,
  query: { readonly kind: KindSpec; readonly level: number; readonly affixLevel: number },
  states: readonly Reached[],
): readonly Reached[] {
  const next = new Map<string, Reached>();
  const keep = (state: Reached) => {
    const numbers = state.affixes.map(({ number }) => number);
    next.set(`${numbers.sort((a, b) => a - b)} ${state.theme?.number}`, state);
  };
  for (const state of states) {
    if (state.theme !== undefined) continue;
    for (const depth of depthOdds(query.level).keys()) {
      const odds = affixOddsAt(files, { ...query, depth, has: state.affixes });
      if (odds.none.numerator > 0n) keep(state);
      for (const affix of odds.affixes.keys()) {
        const has = [...state.affixes, affix];
        const { odds: themes, none } = themeOdds(files, { ...query, depth, has });
        if (none.numerator > 0n) keep({ affixes: has, theme: undefined });
        for (const { result, probability } of themes) {
          if (probability.numerator > 0n) keep({ affixes: has, theme: result });
        }
      }
    }
  }
  return [...next.values()];
}
