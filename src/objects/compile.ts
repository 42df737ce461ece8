import { PlanImage } from "../kernel/index.js";
import { AllocationTables, bandsAt, Choice } from "./compile/allocation.js";
import { FlagBits, wholeVectors } from "./compile/flagBits.js";
import { objectBytes } from "./compile/parts.js";
import { placeAffixes, placeArtifacts, placeKinds, placeThemes } from "./compile/records.js";
import { Signatures } from "./compile/signatures.js";
import { refuseTooLarge } from "./compile/size.js";
import { Values } from "./compile/values.js";
import { canBeDrawn } from "./odds/kinds.js";
import { MOST_AFFIXES } from "./odds/law.js";
import { MAX_DEPTH } from "./parse/values.js";
import type { ObjectFiles } from "./types.js";

/** Objects of one call. */
const BATCH = 1024;
const HEAD_WORDS = 34;
/** Columns of u16 before those of affixes. */
const NUMBERS = 13;
/** Scores before those of flags; what is asked for besides them. */
const BODY_SCORES = 5;
const ASKED_BYTES = 72;
const CLAIM_BYTES = 8;
/** The most of m_bonus that takes good and great objects to kinds of deeper down. */
const KINDS_BONUS = 5;
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
}

/**
 * Compiles edit files into the plan of assembly/objects/plan.ts. Pure. Cost: some 10 ms for the files of a game, most
 * of it the tables: an alias table for each set of affixes that may come to a kind at some depth, boost and level. Besides them
 * O(affixes × themes + (kinds + artifacts) × (themes + flags)): the bytes of the plan.
 *
 * @throws RollmillError `object.files` for files whose plan would be too large: more than 2²⁴ affixes × themes, or T lines with
 * too many different depths; see docs/formats.md. `kernel.memory` where it is too large all the same.
 */
export function compileObjects(files: ObjectFiles): ObjectPlan {
  const bits = new FlagBits(files.flags);
  refuseTooLarge(files, bits);
  const image = new PlanImage(new Uint8Array(HEAD_WORDS * 4));
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
  const { at, count, noted, notedCount } = tables.place();
  // what the kernel writes comes last
  const rest = new Rest(image.bytes.length);
  const claims = rest.take(CLAIM_BYTES * files.artifacts.length);
  const weights = rest.take(8 * Math.max(files.themes.length, artifacts.lineCount, artifacts.lineOfAffixesCount));
  const effects = rest.take(2 * (files.flags.length + 1));
  const asked = rest.take(ASKED_BYTES + 4 * BODY_SCORES + 32 * flagBytes + 2 * pvalBytes);
  const able = rest.take(files.kinds.length);
  const ofObject = objectBytes(files, bits);
  const object = rest.take(2 * ofObject);
  const row = 4 + 2 * NUMBERS + 4 * MOST_AFFIXES + 4 * bits.words + 2 * bits.pvalNames.length;
  const columns = rest.take(BATCH * row + flagBytes + pvalBytes);
  const head = [
    ...[kinds, affixes.at, themes, artifacts.records, artifacts.lineCount],
    ...[flagBytes, pvalBytes, 4 * bits.words, 2 * bits.pvalNames.length, bits.elementWords, ammunition],
    ...[at, count, drawn.bands, drawn.tables, drawn.good, files.levels.length, themeWords],
    ...[
      claims,
      weights,
      asked,
      object,
      ofObject,
      columns,
      BATCH,
      artifacts.lineOfAffixesCount,
      effects,
      bonusOfKinds,
      able,
    ],
    ...[artifacts.lines, artifacts.linesOfAffixes, noted, notedCount, Number(affixes.excludes)],
  ];
  image.copy(0, Uint32Array.from(head));
  return {
    ...{ files, bits, image: image.bytes, bytes: rest.end, asked, claims, able, columns, batch: BATCH },
  };
}

/** Tables of kinds, of all and then of those that may be good: by band, each with the bands of depths. */
function placeKindTables(image: PlanImage, tables: AllocationTables, { kinds }: ObjectFiles) {
  const bands = new Uint8Array(2 * (MAX_DEPTH + 1));
  const numbers: number[] = [];
  const firsts: number[] = [];
  const choice = new Choice(kinds.length);
  for (const [i, quality] of (["normal", "good"] as const).entries()) {
    const drawn = kinds.flatMap((kind, id) => {
      const { allocation } = kind;
      return allocation !== undefined && canBeDrawn(kind, { quality }) ? [{ id, ...allocation }] : [];
    });
    const { starts, bandOf } = bandsAt(drawn.flatMap(({ least, most }) => [least, most + 1]));
    // deeper down is as at the deepest
    const deepest = Math.max(0, ...drawn.map(({ most }) => most));
    bandOf.fill(bandOf[deepest], deepest);
    bands.set(bandOf, i * bandOf.length);
    firsts.push(numbers.length);
    for (const depth of starts) {
      choice.clear();
      for (const { id, least, most, commonness } of drawn) {
        if (least <= depth && depth <= most) choice.add(id, commonness);
      }
      numbers.push(tables.number(choice));
    }
  }
  const at = image.words(numbers);
  tables.note(at, numbers.length);
  return { bands: image.place(bands), tables: at, good: firsts[1] };
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
