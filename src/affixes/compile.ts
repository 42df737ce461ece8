import { PlanImage } from "../kernel/index.js";
import { AllocationTables, bandsAt, type Choice } from "./allocation.js";
import { FlagBits, wholeVectors } from "./flagBits.js";
import { objectBytes, placeAffixes, placeArtifacts, placeKinds, placeThemes, Values } from "./planRecords.js";
import { Signatures } from "./signatures.js";
import { NO_TVAL } from "./tvals.js";
import type { KindSpec, ObjectFiles } from "./types.js";

/** Objects of one call. */
const BATCH = 1024;
const MOST_AFFIXES = 8;
const HEAD_WORDS = 31;
/** Columns of u16 before those of affixes. */
const NUMBERS = 13;
/** Scores before those of flags; what is asked for besides them. */
const BODY_SCORES = 5;
const ASKED_BYTES = 72;
const CLAIM_BYTES = 8;
/** The most of m_bonus that takes good and great objects to kinds of deeper down. */
const KINDS_BONUS = 5;
/** Tvals of weapons and of armour: the first and the last. */
const GOOD_TVALS = [
  [16, 23],
  [30, 38],
] as const;

/** What edit files come to in the kernel, and where its parts are: by byte, from the plan's start. */
export interface ObjectPlan {
  readonly files: ObjectFiles;
  readonly bits: FlagBits;
  /** The written part; from its end to {@link bytes} there are zeros. */
  readonly image: Uint8Array<ArrayBuffer>;
  readonly bytes: number;
  readonly asked: number;
  readonly claims: number;
  /** A byte for each kind: whether it can have what is asked for. */
  readonly able: number;
  readonly columns: number;
  /** Objects of one call. */
  readonly batch: number;
  /** Tvals of kinds: the index of one, from 1, picks its tables. */
  readonly tvals: readonly number[];
  /** Kinds that can be drawn at a depth, by quality and by index of a tval or 0: none where this is 0. */
  kindsAt(isGood: boolean, tval: number, depth: number): number;
}

/**
 * Compiles edit files into the plan of assembly/kernel/objectPlan.ts. Pure. Cost: some 20 ms for the files of a game, most
 * of it the tables: an alias table for each set of affixes that may come to a kind at some depth, boost and level.
 */
export function compileObjects(files: ObjectFiles): ObjectPlan {
  const bits = new FlagBits(files.flags);
  const image = new PlanImage(HEAD_WORDS * 4);
  const tables = new AllocationTables(image);
  const context = { files, bits, image, values: new Values(image) };
  const kinds = placeKinds(context, new Signatures(image, tables, files));
  const affixes = placeAffixes(context);
  const themes = placeThemes(context);
  const artifacts = placeArtifacts(context);
  const { flagBytes, pvalBytes } = bits;
  const themeWords = Math.ceil(files.themes.length / 64);
  const drawn = placeKindTables(image, tables, files);
  const ammunition = image.place(padded(bits.ammunition, flagBytes));
  const bonusOfKinds = context.values.bonusTable(KINDS_BONUS);
  const { at, count } = tables.place();
  // what the kernel writes comes last
  const rest = new Rest(image.bytes.length);
  const claims = rest.take(CLAIM_BYTES * files.artifacts.length);
  const weights = rest.take(Math.max(8 * files.themes.length, 4 * files.artifacts.length));
  const effects = rest.take(2 * (files.flags.length + 1));
  const asked = rest.take(ASKED_BYTES + 4 * BODY_SCORES + 32 * flagBytes + 2 * pvalBytes);
  const able = rest.take(files.kinds.length);
  const ofObject = objectBytes(files, bits);
  const object = rest.take(2 * ofObject);
  const row = 4 + 2 * NUMBERS + 4 * MOST_AFFIXES + 4 * bits.words + 2 * bits.pvalNames.length;
  const columns = rest.take(BATCH * row + flagBytes + pvalBytes);
  const requires = files.artifacts.some((artifact) => artifact.requires.length > 0);
  const head = [
    ...[kinds, affixes, themes, artifacts, files.themes.length, files.artifacts.length],
    ...[flagBytes, pvalBytes, 4 * bits.words, 2 * bits.pvalNames.length, bits.elementWords, ammunition],
    ...[at, count, drawn.bands, drawn.tables, drawn.bandCount, drawn.tvals.length + 1, files.levels.length, themeWords],
    ...[claims, weights, asked, object, ofObject, columns, BATCH, Number(requires), effects, bonusOfKinds, able],
  ];
  image.put(0, Uint32Array.from(head));
  return {
    ...{ files, bits, image: image.bytes, bytes: rest.end, asked, claims, able, columns, batch: BATCH },
    ...{ tvals: drawn.tvals, kindsAt: drawn.kindsAt },
  };
}

/** Whether a kind may be good or great. */
export function canBeGood({ tval, flags }: KindSpec): boolean {
  return flags.includes("GOOD") || GOOD_TVALS.some(([first, last]) => first <= tval && tval <= last);
}

/** Whether a kind is ever drawn, good or not. */
export function canBeDrawn({ tval, flags, allocation }: KindSpec): boolean {
  return tval !== NO_TVAL && !flags.includes("INSTA_ART") && allocation !== undefined && allocation.commonness > 0;
}

/** The deepest depth of any kind that can be drawn: kinds are drawn as if there at the deepest. */
export function deepestKind(kinds: readonly KindSpec[]): number {
  return Math.max(0, ...kinds.filter(canBeDrawn).map(({ allocation }) => allocation?.most ?? 0));
}

function placeKindTables(image: PlanImage, tables: AllocationTables, files: ObjectFiles) {
  const deepest = deepestKind(files.kinds);
  const drawn = files.kinds.flatMap((kind, id) => (canBeDrawn(kind) ? [{ kind, id }] : []));
  const tvals = [...new Set(files.kinds.map(({ tval }) => tval))].filter((tval) => tval !== NO_TVAL);
  const { starts, bandOf } = bandsAt(
    drawn.flatMap(({ kind: { allocation } }) => (allocation ? [allocation.least, allocation.most + 1] : [])),
  );
  // deeper down is as at the deepest
  bandOf.fill(bandOf[deepest], deepest);
  const numbers: number[] = [];
  for (const isGood of [false, true]) {
    const able = isGood ? drawn.filter(({ kind }) => canBeGood(kind)) : drawn;
    for (const tval of [undefined, ...tvals]) {
      const own = tval === undefined ? able : able.filter(({ kind }) => kind.tval === tval);
      for (const depth of starts) numbers.push(tables.number(kindsOf(own, depth)));
    }
  }
  return {
    tvals,
    bands: image.place(bandOf),
    tables: image.words(numbers),
    bandCount: starts.length,
    kindsAt: (isGood: boolean, tval: number, depth: number) =>
      numbers[((isGood ? tvals.length + 1 : 0) + tval) * starts.length + bandOf[Math.min(depth, bandOf.length - 1)]],
  };
}

/** The kinds that are in depth, by their commonness. */
function kindsOf(drawn: readonly { readonly kind: KindSpec; readonly id: number }[], depth: number): Choice {
  const ids: number[] = [];
  const weights: number[] = [];
  for (const { kind, id } of drawn) {
    const { least, most, commonness } = kind.allocation ?? { least: 0, most: -1, commonness: 0 };
    if (depth < least || most < depth) continue;
    ids.push(id);
    weights.push(commonness);
  }
  return { ids, weights };
}

/** Room behind the image. */
class Rest {
  end: number;

  constructor(end: number) {
    this.end = wholeVectors(end);
  }

  take(bytes: number): number {
    const at = this.end;
    this.end = wholeVectors(at + bytes);
    return at;
  }
}

function padded(mask: Uint32Array<ArrayBuffer>, bytes: number): Uint32Array<ArrayBuffer> {
  const whole = new Uint32Array(bytes / 4);
  whole.set(mask);
  return whole;
}
