import type { LongCall, Progress } from "../../calls/index.js";
import { readFields, reading } from "../../errors/index.js";
import { checkInteger, readList, readOptions } from "../../spec/index.js";
import { Obtainable } from "../compile/reach.js";
import { canBeDrawn } from "../odds/kinds.js";
import { MOST_AFFIXES } from "../odds/law.js";
import { kindNamed, tvalNamed } from "../parse/lookup.js";
import { plainName } from "../parse/nouns.js";
import { MAX_DEPTH } from "../parse/records.js";
import type {
  AffixSpec,
  ArtifactSpec,
  KindSpec,
  MakeObjectsOptions,
  ObjectFiles,
  ObjectOptions,
  ObjectPart,
  PartSpecs,
  ThemeSpec,
} from "../types.js";
import { ASK_OPTIONS, qualityOf, readAsk } from "./ask.js";
import type { MadeObjects } from "./madeObjects.js";

const OBJECTS = 1000;
/** Each batch is made, then counted. */
const AT_ONCE = 2 ** 16;
/** With 256 levels, all indices of objects are then below 2^32. */
const MOST_OF_LEVEL = 2 ** 24;

/** Options of `maker.tally` and `maker.tallyProperties`. */
export interface TallyOptions extends Omit<ObjectOptions, "level" | "artifact">, LongCall {
  /** The depths at which objects are made, 0 … 255. */
  readonly levels: readonly number[];
  /** Number of objects to make at each level, 1 … 2^24. Default 1000. */
  readonly n?: number | undefined;
}

/** The counts of one level. Omits records that did not occur. */
export interface LevelTally {
  readonly level: number;
  /** Number of objects made. */
  readonly objects: number;
  /** Number of objects of each kind, in the order of the files. */
  readonly kinds: ReadonlyMap<KindSpec, number>;
  /** Number of objects with each affix. Does not count affixes that a theme added. */
  readonly affixes: ReadonlyMap<AffixSpec, number>;
  readonly themes: ReadonlyMap<ThemeSpec, number>;
  /** The made artifacts. Each count is 1, because an artifact is made only once. Each level begins with a new stock. */
  readonly artifacts: ReadonlyMap<ArtifactSpec, number>;
  /** Entry i is the number of objects with i affixes, 0 … 8. An affix that an object has twice counts twice. */
  readonly affixCounts: readonly number[];
  /** Mean number of affixes of an object. */
  readonly meanAffixes: number;
}

/** The counts of all levels. */
export interface ObjectTally {
  readonly levels: readonly LevelTally[];
  /** The requested kinds that can get no affix at any level. Omits kinds that are made only as artifacts. */
  readonly withoutAffixes: readonly KindSpec[];
}

export type MakeAgain = (
  n: number,
  options: MakeObjectsOptions & { readonly from: number },
  again: MadeObjects | undefined,
) => MadeObjects;

/** @throws RollmillError `argument.option`, `argument.type`, `argument.range`. */
export function readTally(options: TallyOptions, call = "tally"): TallyOptions {
  const asked = ASK_OPTIONS.filter((name) => name !== "level" && name !== "artifact");
  const read = readOptions(`maker.${call}`, options, ["levels", "n", ...asked, "signal", "onProgress"]);
  const { levels: given, n, ...rest } = read;
  const levels = readList("levels", given, { of: "depths", most: MAX_DEPTH + 1 }).map((level, i) => {
    checkInteger(`levels[${i}]`, level, 0, MAX_DEPTH);
    return level;
  });
  if (n !== undefined) checkInteger("n", n, 1, MOST_OF_LEVEL);
  const { level: _, ...checked } = readAsk(call, { ...rest, level: 0 });
  return { ...checked, levels, n };
}

interface LevelCounter<Tally> {
  add(objects: MadeObjects, length: number): void;
  tally(level: number): Tally;
}

/** @param afresh - returns a function that makes objects with a new stock of artifacts. */
export function countLevels<Tally>(
  { levels, n = OBJECTS, signal, onProgress, ...asked }: TallyOptions,
  afresh: () => MakeAgain,
  open: () => LevelCounter<Tally>,
): readonly Tally[] {
  const total = n * levels.length;
  let objects: MadeObjects | undefined;
  return levels.map((level, i) => {
    const make = afresh();
    const counter = open();
    for (let done = 0; done < n; done += AT_ONCE) {
      const length = Math.min(AT_ONCE, n - done);
      const before = i * n + done;
      const report = onProgress && ((progress: Progress) => onProgress({ done: before + progress.done, total }));
      objects = make(length, { ...asked, level, signal, onProgress: report, from: level * n + done }, objects);
      counter.add(objects, length);
    }
    return counter.tally(level);
  });
}

export function tallyLevels(files: ObjectFiles, options: TallyOptions, afresh: () => MakeAgain): ObjectTally {
  const levels = countLevels(options, afresh, () => new Counter(files));
  return { levels, withoutAffixes: withoutAffixes(files, options) };
}

/** A row of the table that `tallyRows` writes. */
export interface TallyRow {
  readonly level: number;
  /**
   * What the row counts. "objects": all objects, or all affixes. "affixes": the objects with this number of affixes.
   * Any other type: the objects that have this record.
   */
  readonly type: "objects" | "kind" | "affix" | "theme" | "artifact" | "affixes";
  /** Number of the record in its file; null if the row has no record. It tells records with the same name apart. */
  readonly number: number | null;
  /** The name of the record. For the type "objects": "all" or "affixes". For the type "affixes": "0" … "8". */
  readonly name: string;
  readonly count: number;
  /**
   * `count` divided by the number of objects of the level. For all affixes, the mean number of affixes of an object.
   */
  readonly share: number;
}

/**
 * Yields the rows of a tally, level by level. Omits counts of 0. Names of kinds have no "& " and "~".
 *
 * @throws RollmillError `argument.type` for anything but a tally.
 */
export function* tallyRows(tally: ObjectTally): Generator<TallyRow, void> {
  const { levels } = readFields("the tally", tally, ["levels"]);
  for (const [i, level] of readList("levels", levels, { of: "levels" }).entries()) {
    yield* reading(`levels[${i}]`, () => rowsOfLevel(level as LevelTally));
  }
}

function rowsOfLevel(tally: LevelTally): readonly TallyRow[] {
  const { level, objects, kinds, affixes, themes, artifacts, affixCounts } = tally;
  const row = (type: TallyRow["type"], record: Pick<TallyRow, "number" | "name">, count: number): TallyRow => {
    return { level, type, number: record.number, name: record.name, count, share: count / objects };
  };
  const rows = <T extends { number: number; name: string }>(type: TallyRow["type"], counts: ReadonlyMap<T, number>) =>
    Array.from(counts, ([record, count]) => row(type, record, count));
  return [
    row("objects", { number: null, name: "all" }, objects),
    row("objects", { number: null, name: "affixes" }, sumOf(affixCounts)),
    ...Array.from(kinds, ([{ number, fullName }, count]) => row("kind", { number, name: plainName(fullName) }, count)),
    ...rows("affix", affixes),
    ...rows("theme", themes),
    ...rows("artifact", artifacts),
    ...affixCounts.flatMap((count, i) => (count > 0 ? [row("affixes", { number: null, name: String(i) }, count)] : [])),
  ];
}

export class Counter {
  readonly records: { readonly [Part in ObjectPart]: readonly PartSpecs[Part][] };
  /** Entry 0 counts the objects without a record of this part, entry i the objects with record i − 1. */
  readonly #counts: Readonly<Record<ObjectPart, Float64Array<ArrayBuffer>>>;
  readonly #affixCounts = new Float64Array(MOST_AFFIXES + 1);
  #objects = 0;

  constructor({ kinds, affixes, themes, artifacts }: ObjectFiles) {
    const counts = (records: readonly unknown[]) => new Float64Array(records.length + 1);
    this.records = { kind: kinds, affix: affixes, theme: themes, artifact: artifacts };
    this.#counts = { kind: counts(kinds), affix: counts(affixes), theme: counts(themes), artifact: counts(artifacts) };
  }

  add({ kind, artifact, theme, affixes, affixCount }: MadeObjects, length: number): void {
    const counts = this.#counts;
    this.#objects += length;
    for (let k = 0; k < length; k++) {
      counts.kind[kind[k] + 1]++;
      counts.artifact[artifact[k]]++;
      counts.theme[theme[k]]++;
      this.#affixCounts[affixCount[k]]++;
      const first = k * MOST_AFFIXES;
      for (let place = first; place < first + affixCount[k]; place++) {
        // an affix that an object has twice counts once
        if (affixes.indexOf(affixes[place], first) === place) counts.affix[affixes[place]]++;
      }
    }
    counts.affix[0] = this.#affixCounts[0];
  }

  /** Returns the number of objects without a record of this part. */
  none(of: ObjectPart): number {
    return this.#counts[of][0];
  }

  /** Returns the counts in the order of the files. Includes a count of 0 only for the records in `listed`. */
  counts<Part extends ObjectPart>(of: Part, listed?: Iterable<unknown>): ReadonlyMap<PartSpecs[Part], number> {
    const kept = new Set(listed);
    return new Map(
      this.records[of].flatMap((record, i): [PartSpecs[Part], number][] => {
        const count = this.#counts[of][i + 1];
        return count > 0 || kept.has(record) ? [[record, count]] : [];
      }),
    );
  }

  tally(level: number): LevelTally {
    const affixCounts = [...this.#affixCounts];
    return {
      level,
      objects: this.#objects,
      kinds: this.counts("kind"),
      affixes: this.counts("affix"),
      themes: this.counts("theme"),
      artifacts: this.counts("artifact"),
      affixCounts,
      meanAffixes: sumOf(affixCounts) / this.#objects,
    };
  }
}

function sumOf(affixCounts: readonly number[]): number {
  return affixCounts.reduce((sum, count, affixes) => sum + count * affixes, 0);
}

function withoutAffixes(
  files: ObjectFiles,
  { kind, tval, good, great }: Pick<ObjectOptions, "kind" | "tval" | "good" | "great">,
): readonly KindSpec[] {
  const known = new Obtainable(files);
  const type = tval === undefined ? undefined : tvalNamed(files, tval);
  const query = { rules: files.rules, quality: qualityOf({ good, great }), tval: type };
  const kinds = kind === undefined ? files.kinds.filter((drawn) => canBeDrawn(drawn, query)) : [kindNamed(files, kind)];
  return kinds.filter((own) => !known.canGetSome(own));
}
