import type { LongCall, Progress } from "../../calls/index.js";
import { readFields, reading } from "../../errors/index.js";
import { checkInteger, readEntries, readList, readOptions, refuseArgument } from "../../spec/index.js";
import { Obtainable } from "../compile/reach.js";
import { canBeDrawn } from "../odds/kinds.js";
import { MOST_AFFIXES } from "../odds/law.js";
import { kindNamed, tvalNamed } from "../parse/lookup.js";
import { plainName } from "../parse/nouns.js";
import { MAX_DEPTH } from "../parse/values.js";
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
/** Maximum number of objects in a batch. Each batch is made, then counted. */
const AT_ONCE = 2 ** 16;
/** Maximum number of objects for each level. With 256 levels, all indices of objects are then below 2^32. */
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

/**
 * Reads the options of a tally, which may come from plain JavaScript.
 *
 * @throws RollmillError `argument.option`, `argument.type`, `argument.range`.
 */
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

interface Counting<Tally> {
  /** Begins a level: returns a function that makes objects with a new stock of artifacts. */
  readonly afresh: () => MakeAgain;
  readonly counter: () => LevelCounter<Tally>;
}

export function countLevels<Tally>(
  { levels, n = OBJECTS, signal, onProgress, ...asked }: TallyOptions,
  { afresh, counter: open }: Counting<Tally>,
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
  const levels = countLevels(options, { afresh, counter: () => new Counter(files) });
  return { levels, withoutAffixes: withoutAffixes(files, options) };
}

/** A row of the table that `tallyRows` writes. */
export interface TallyRow {
  readonly level: number;
  /**
   * What the row counts. "objects": all objects, or all affixes. "affixes": the objects with a certain number of
   * affixes. Any other type: the objects that have this record, such as a theme.
   */
  readonly type: "objects" | "kind" | "affix" | "theme" | "artifact" | "affixes";
  /** Number of the record in its file; null if the row has no record. It tells records with the same name apart. */
  readonly number: number | null;
  /**
   * For a record, its name. For the type "objects": "all" in the row of all objects, "affixes" in the row of all
   * affixes. For the type "affixes", the number of affixes: "0" … "8".
   */
  readonly name: string;
  readonly count: number;
  /**
   * `count` divided by the number of objects of the level. In the row of all affixes, this is the mean number of
   * affixes of an object.
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
  const list = readList("levels", levels, { of: "levels" });
  for (const [i, level] of list.entries()) yield* rowsOfLevel(readLevel(level as LevelTally, `levels[${i}]`));
}

/** A record, and the number of objects of a level that have it. */
interface Part {
  readonly type: "kind" | "affix" | "theme" | "artifact";
  readonly number: number;
  readonly name: string;
  readonly count: number;
}

interface LevelCounts {
  readonly level: number;
  readonly objects: number;
  readonly parts: readonly Part[];
  readonly affixCounts: readonly number[];
}

const LEVEL_KEYS = ["level", "objects", "kinds", "affixes", "themes", "artifacts", "affixCounts"] as const;

/** Maximum number of records of one type in a tally. Files cannot have more. */
const MOST_RECORDS = 65_536;

/** Reads the tally of one level. The tally may come from plain JavaScript, so each field is read only once. */
function readLevel(given: LevelTally, path: string): LevelCounts {
  const { level, objects, kinds, affixes, themes, artifacts, affixCounts } = readFields(path, given, LEVEL_KEYS);
  const entries = <T>(of: string, counts: Iterable<T>) =>
    readEntries(`${path}.${of}`, counts, { of, most: MOST_RECORDS });
  const counts = entries("affixCounts", affixCounts);
  const parts = [
    ...partsOf("kind", entries("kinds", kinds), ({ fullName }) => plainName(fullName)),
    ...partsOf("affix", entries("affixes", affixes), ({ name }) => name),
    ...partsOf("theme", entries("themes", themes), ({ name }) => name),
    ...partsOf("artifact", entries("artifacts", artifacts), ({ name }) => name),
  ];
  const numbers: readonly unknown[] = [level, objects, ...counts, ...parts.map(({ count }) => count)];
  if (numbers.every((number) => typeof number === "number")) return { level, objects, parts, affixCounts: counts };
  return refuseArgument(path, given, "a level of the tally that maker.tally returned");
}

function partsOf<T extends { readonly number: number }>(
  type: Part["type"],
  entries: readonly (readonly [T, number])[],
  nameOf: (record: T) => string,
): Part[] {
  return entries.map((entry, i) =>
    reading(`${type} ${i} of the tally`, () => {
      const [record, count] = entry;
      return { type, number: record.number, name: nameOf(record), count };
    }),
  );
}

function* rowsOfLevel({ level, objects, parts, affixCounts }: LevelCounts): Generator<TallyRow, void> {
  const row = (type: TallyRow["type"], record: { number: number | null; name: string }, count: number): TallyRow => {
    return { level, type, number: record.number, name: record.name, count, share: count / objects };
  };
  yield row("objects", { number: null, name: "all" }, objects);
  yield row("objects", { number: null, name: "affixes" }, sumOf(affixCounts));
  for (const { type, number, name, count } of parts) yield row(type, { number, name }, count);
  for (const [affixCount, count] of affixCounts.entries()) {
    if (count > 0) yield row("affixes", { number: null, name: String(affixCount) }, count);
  }
}

/**
 * Counts the records that objects have. Each array counts one column of the objects: entry i is the number of objects
 * that have the number i in this column. In the column of themes, for example, 0 means 'no theme'. In the column of
 * kinds, 0 is the first kind. Entry 0 of the affixes is not used.
 */
export class Counter {
  readonly #files: ObjectFiles;
  readonly #kinds: Float64Array<ArrayBuffer>;
  readonly #artifacts: Float64Array<ArrayBuffer>;
  readonly #themes: Float64Array<ArrayBuffer>;
  readonly #affixes: Float64Array<ArrayBuffer>;
  readonly #affixCounts = new Float64Array(MOST_AFFIXES + 1);
  #objects = 0;

  constructor(files: ObjectFiles) {
    this.#files = files;
    this.#kinds = new Float64Array(files.kinds.length);
    this.#artifacts = new Float64Array(files.artifacts.length + 1);
    this.#themes = new Float64Array(files.themes.length + 1);
    this.#affixes = new Float64Array(files.affixes.length + 1);
  }

  add({ kind, artifact, theme, affixes, affixCount }: MadeObjects, length: number): void {
    this.#objects += length;
    for (let k = 0; k < length; k++) {
      this.#kinds[kind[k]]++;
      this.#artifacts[artifact[k]]++;
      this.#themes[theme[k]]++;
      this.#affixCounts[affixCount[k]]++;
      const first = k * MOST_AFFIXES;
      for (let place = first; place < first + affixCount[k]; place++) {
        // an affix that an object has twice counts once
        if (affixes.indexOf(affixes[place], first) === place) this.#affixes[affixes[place]]++;
      }
    }
  }

  /**
   * Returns the number of objects without a record of this part, for example without a theme. All objects have a kind.
   */
  none(of: ObjectPart): number {
    if (of === "kind") return 0;
    return { affix: this.#affixCounts, theme: this.#themes, artifact: this.#artifacts }[of][0];
  }

  /**
   * Returns the counts of kinds, in the order of the files. All kinds in `possible` are included, even with a count of
   * 0. All other kinds are included only if they occurred, for example as the kind of an artifact.
   */
  kinds(possible: readonly KindSpec[]): ReadonlyMap<KindSpec, number> {
    const listed = new Set(possible);
    const all = this.#files.kinds.map((kind, i) => [kind, this.#kinds[i]] as const);
    return new Map(all.filter(([kind, count]) => count > 0 || listed.has(kind)));
  }

  /** Returns the counts of all affixes, themes or artifacts, in the order of the files. Includes counts of 0. */
  counts(of: Exclude<ObjectPart, "kind">): ReadonlyMap<PartSpecs[ObjectPart], number> {
    const { artifacts, themes, affixes } = this.#files;
    const [records, counts] = {
      affix: [affixes, this.#affixes] as const,
      theme: [themes, this.#themes] as const,
      artifact: [artifacts, this.#artifacts] as const,
    }[of];
    return new Map([...records].map((record, i) => [record, counts[i + 1]]));
  }

  tally(level: number): LevelTally {
    const { kinds, artifacts, themes, affixes } = this.#files;
    const affixCounts = [...this.#affixCounts];
    return {
      level,
      objects: this.#objects,
      kinds: counted(kinds, this.#kinds),
      affixes: counted(affixes, this.#affixes.subarray(1)),
      themes: counted(themes, this.#themes.subarray(1)),
      artifacts: counted(artifacts, this.#artifacts.subarray(1)),
      affixCounts,
      meanAffixes: sumOf(affixCounts) / this.#objects,
    };
  }
}

function counted<T>(records: readonly T[], counts: Float64Array): ReadonlyMap<T, number> {
  return new Map(records.flatMap((record, i): [T, number][] => (counts[i] === 0 ? [] : [[record, counts[i]]])));
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
  const asked = kind === undefined ? files.kinds.filter((drawn) => canBeDrawn(drawn, query)) : [kindNamed(files, kind)];
  return asked.filter((own) => !known.canGetSome(own));
}
