import type { LongCall, Progress } from "../../calls/index.js";
import { readFields, reading } from "../../errors/index.js";
import { checkInteger, readList, readOptions, refuseArgument } from "../../spec/index.js";
import type { ObjectPlan } from "../compile.js";
import { canBeDrawn } from "../law/kinds.js";
import { Obtainable } from "../law/reach.js";
import { MAX_DEPTH } from "../law/values.js";
import { ObjectMaker } from "../objectMaker.js";
import { kindNamed, tvalNamed } from "../parse/lookup.js";
import { plainName } from "../parse/nouns.js";
import type { KindSpec, ObjectFiles, ObjectOptions } from "../types.js";
import { Counter, type LevelTally, sumOf } from "./counter.js";
import type { MadeObjects } from "./madeObjects.js";
import { qualityOf, REQUEST_OPTIONS, readCallOptions } from "./request.js";
import { ArtifactStock } from "./stock.js";

const OBJECTS = 1000;
/** The objects of a batch are made, then counted. */
const AT_ONCE = 2 ** 16;
/** With 256 levels, all indices of objects are then below 2^32. */
const MAX_OF_LEVEL = 2 ** 24;

/** Options of {@link tallyObjects} and `tallyProperties`. */
export interface TallyOptions extends Omit<ObjectOptions, "level" | "artifact">, LongCall {
  /** The depths at which objects are made, 0 … 255. */
  readonly levels: readonly number[];
  /** Number of objects to make at each level, 1 … 2^24. Default 1000. */
  readonly n?: number | undefined;
}

/** The counts of all levels. */
export interface ObjectTally {
  readonly levels: readonly LevelTally[];
  /** The requested kinds that can get no affix at any level. Omits kinds that are made only as artifacts. */
  readonly withoutAffixes: readonly KindSpec[];
}

/**
 * Makes `n` objects of each level, and counts their kinds, affixes, themes and artifacts. The objects of a level have
 * the indices level · n … level · n + n − 1, so the levels are independent samples. Each level begins with a new stock.
 * The call changes neither `maker.next` nor `maker.claims`.
 *
 * @throws RollmillError `argument.range`, `argument.type`, `argument.option`, `object.name`, `object.request`;
 * `object.impossible` if no object of a level can fit; `argument.busy`.
 */
export function tallyObjects(maker: ObjectMaker, options: TallyOptions): ObjectTally {
  const levels = countLevels("tallyObjects", maker, options, ({ files }) => new Counter(files));
  return { levels, withoutAffixes: withoutAffixes(maker.files, options) };
}

function readTally(call: string, maker: ObjectMaker, options: TallyOptions): TallyOptions {
  if (!(maker instanceof ObjectMaker)) refuseArgument("maker", maker, "a maker of objects");
  // a maker that is disposed of or busy says so before its arguments are checked
  maker.withOtherStocks(() => undefined);
  const known = REQUEST_OPTIONS.filter((name) => name !== "level" && name !== "artifact");
  const read = readOptions(call, options, ["levels", "n", ...known, "signal", "onProgress"]);
  const { levels: given, n, ...rest } = read;
  const levels = readList("levels", given, { of: "depths", most: MAX_DEPTH + 1 }).map((level, i) => {
    checkInteger(`levels[${i}]`, level, 0, MAX_DEPTH);
    return level;
  });
  if (n !== undefined) checkInteger("n", n, 1, MAX_OF_LEVEL);
  const { level: _, ...checked } = readCallOptions(call, { ...rest, level: 0 });
  return { ...checked, levels, n };
}

/** Makes the objects of all levels, and returns the counts of each level. */
export function countLevels<Tally>(
  call: string,
  maker: ObjectMaker,
  options: TallyOptions,
  counterOf: (plan: ObjectPlan) => { add(objects: MadeObjects, length: number): void; tally(level: number): Tally },
): readonly Tally[] {
  const { levels, n = OBJECTS, signal, onProgress, ...request } = readTally(call, maker, options);
  const total = n * levels.length;
  let objects: MadeObjects | undefined;
  return maker.withOtherStocks((plan, make) =>
    levels.map((level, i) => {
      const stock = new ArtifactStock();
      const counter = counterOf(plan);
      for (let done = 0; done < n; done += AT_ONCE) {
        const length = Math.min(AT_ONCE, n - done);
        const before = i * n + done;
        const report = onProgress && ((progress: Progress) => onProgress({ done: before + progress.done, total }));
        const from = level * n + done;
        objects = make(stock, length, { ...request, level, signal, onProgress: report, from }, objects);
        counter.add(objects, length);
      }
      return counter.tally(level);
    }),
  );
}

/** A row of the table that `tallyRows` writes. */
export interface TallyRow {
  readonly level: number;
  /** "objects": all objects, or all affixes. "affixes": objects with `name` affixes. Others: with the record. */
  readonly type: "objects" | "kind" | "affix" | "theme" | "artifact" | "affixes";
  /** Number of the record in its file; null if the row has no record. It tells records with the same name apart. */
  readonly number: number | null;
  /** The name of the record. For the type "objects": "all" or "affixes". For the type "affixes": "0" … "8". */
  readonly name: string;
  readonly count: number;
  /** `count` divided by the number of objects of the level. */
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
