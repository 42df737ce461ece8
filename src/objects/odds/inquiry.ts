import { tvalWord } from "../parse/tvals.js";
import { plainName } from "../show/kindNames.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, Quality, ThemeSpec } from "../types.js";
import { affixWeight, fits, slotOdds } from "./law.js";

/** What is asked of an object. */
export interface ObjectRequest {
  /** The kind; drawn where left out, among those of `tval` where that is given. */
  readonly kind?: KindSpec | undefined;
  readonly tval?: number | undefined;
  /** The real depth, 0 … 255. */
  readonly level: number;
  readonly quality: Quality;
  /** Affixes that it must have: one that stands twice here, twice. */
  readonly affixes?: readonly AffixSpec[] | undefined;
  readonly theme?: ThemeSpec | undefined;
  readonly artifact?: ArtifactSpec | undefined;
  /** Index into `ObjectFiles.levels`; as it comes where left out. */
  readonly affixLevel?: number | undefined;
}

/** A kind and an affix level that the request leaves open, under which all affixes asked for may come. */
export interface Setting {
  readonly kind: KindSpec;
  readonly affixLevel: number;
}

/** What the reasons why a request is impossible go by. */
export interface Inquiry {
  readonly files: ObjectFiles;
  readonly request: ObjectRequest;
  /** The affixes asked for, and those that the artifact asked for requires. */
  readonly wanted: readonly AffixSpec[];
  readonly settings: readonly Setting[];
  /** What a slot's depth may be. */
  readonly depths: readonly number[];
}

/** Whether an affix can come into some slot. */
export function canHave(
  affix: AffixSpec,
  { kind, affixLevel, level, depths }: Setting & { readonly level: number; readonly depths: readonly number[] },
): boolean {
  if (!affix.targets.some((target) => fits(target, kind))) return false;
  return depths.some((depth) => affixWeight(affix, { kind, affixLevel, level, depth }) > 0);
}

/** The most slots that an object of a kind may have. */
export function mostSlots({ level, quality }: Pick<ObjectRequest, "level" | "quality">, { flags }: KindSpec): number {
  return slotOdds(level, quality, flags.includes("GOOD")).findLastIndex(({ numerator }) => numerator > 0n);
}

/** What is asked for, in a few words. */
export function asText({ level, quality, kind, tval }: ObjectRequest): string {
  const of = kind === undefined ? (tval === undefined ? "" : `, ${tvalWord(tval)}`) : `, ${plainName(kind.name)}`;
  return `level ${level}, ${quality}${of}`;
}

/** A record's name in a message. */
export function quoted({ name }: { readonly name: string }): string {
  return JSON.stringify(name);
}
