import { fits, type Sort, type SortRange } from "./law.js";
import { NO_TVAL } from "./tvals.js";
import type { AffixSpec, AffixTarget, ArtifactSpec, KindSpec, ObjectFiles } from "./types.js";

/** What objects can be made of, and which affixes each of them can get. */
export interface Obtainable {
  /** Kinds of some type. */
  readonly kinds: readonly KindSpec[];
  readonly affixes: ReadonlyMap<number, AffixSpec>;
  /** By kind: the affixes that can come on it by chance. */
  readonly byKind: ReadonlyMap<KindSpec, ReadonlySet<AffixSpec>>;
}

/** The kind that an artifact is; undefined where the files have none of its tval and sval. Cost: O(kinds). */
export function kindOfArtifact(
  { kinds }: Pick<ObjectFiles, "kinds">,
  { tval, sval }: Pick<ArtifactSpec, "tval" | "sval">,
): KindSpec | undefined {
  return kinds.find((kind) => kind.tval === tval && kind.sval === sval);
}

/** Which affixes each kind can get. Cost: O(kinds × `T` lines), and depths where lines of one affix are about the same kind. */
export function obtainable(files: ObjectFiles): Obtainable {
  const kinds = files.kinds.filter(({ tval }) => tval !== NO_TVAL);
  const affixes = new Map(files.affixes.map((affix) => [affix.number, affix]));
  const byKind = new Map(kinds.map((kind) => [kind, new Set(files.affixes.filter((affix) => canCome(affix, kind)))]));
  return { kinds, affixes, byKind };
}

/** Whether one of the lines is about a kind, whatever the depths. */
export function reaches(targets: readonly SortRange[], kind: Sort): boolean {
  return targets.some((target) => fits(target, kind));
}

/**
 * Whether an affix can come on a kind: a line of its `T` lines that counts, and that no earlier one always comes before.
 *
 * A line counts where min ≤ D, L ≤ max and its level ≤ the object's, with L the depth and D ≥ L the boosted one. Where earlier
 * lines hide it at D = L for every L, min … max, and at its own level, they hide it everywhere: what hides it at D = L = d does
 * so for every greater D, every lesser L and every higher level; L < min is hidden by what hides d = min, other L by d = L.
 */
function canCome({ targets }: AffixSpec, kind: KindSpec): boolean {
  const lines = targets.filter((target) => fits(target, kind));
  return lines.some((line, i) => line.probability > 0 && isSeen(line, lines.slice(0, i)));
}

/** Whether a line is the first to count at some depth, whatever the probabilities of those before it. */
function isSeen(line: AffixTarget, earlier: readonly AffixTarget[]): boolean {
  const rivals = earlier.filter(({ level }) => level <= line.level);
  for (let depth = line.least; depth <= line.most; depth++) {
    if (!rivals.some(({ least, most }) => least <= depth && depth <= most)) return true;
  }
  return false;
}
