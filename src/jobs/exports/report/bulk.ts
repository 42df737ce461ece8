import type { Counts } from "../../../calls/index.js";
import type { Mill } from "../../../mill.js";
import type { ObjectFiles } from "../../../objects/index.js";
import { plainName } from "../../../objects/parse/names.js";
import type { ObjectOptions } from "../../../objects/types.js";
import { missing } from "../../tasks/bulk.js";
import type { BulkSpec } from "../../types.js";
import type { ExportSource } from "../source.js";
import { AFFIX_NOTE, addTo, kindRows, mostCommon, NONE, tableRows, unlessRefused } from "./contents.js";
import { type Distribution, oddsRows, plainRow, type Row } from "./facts.js";

const OBJECTS_AT_ONCE = 2 ** 16;
/** To count more objects would take too long. */
const MAX_OBJECTS = 2 ** 22;

/** Makes the results again, which is faster than reading them. `mill` has the seed of the job and no open sources. */
export function bulkFacts({ job }: ExportSource, mill: Mill, signal: AbortSignal | undefined): Distribution[] {
  const { tables, recipes, objects } = job.spec.sources;
  return job.manifest.bulk.flatMap((part): Distribution[] => {
    const { name, kind, source, count, options } = part;
    const call = { from: 0, signal };
    if (kind === "table") {
      const spec = tables.get(source) ?? missing(source);
      const { counts, none } = mill.table(name, spec).count(count, { ...call, mode: "frozen" });
      const named = [...counts].map(([result, n]) => [String(result), n] as const);
      const rows = tableRows(mill, name, spec, new Map([...named, [NONE, none]]), count);
      const plain = named.map(([result, n]) => plainRow(result, n));
      return [{ title: `${name}: table ${source}`, note: "", rows: rows.length > 0 ? rows : plain }];
    }
    if (kind === "objects") {
      return objectFacts(part, objects.get(source) ?? missing(source), mill, signal);
    }
    const { spec, tables: words } = recipes.get(source) ?? missing(source);
    const recipe = mill.recipe(name, spec, { tables: words });
    const of = spec.steps.flatMap((step) => (step.kind === "slots" ? step.slots.map(({ slot }) => slot) : step.name));
    return recipe.countParts(count, of, { ...options, ...call }).map((counted, k) => {
      // the cast is safe: only the strength has numbers, and it is not one of the parts
      const { counts, none } = counted as Counts<string>;
      const found = unlessRefused(() => recipe.odds({ ...options, of: of[k], signal }));
      const odds = found && [...found.odds, { result: NONE, probability: found.none }];
      const rows = odds === undefined ? mostCommon(counts) : oddsRows(odds, new Map([...counts, [NONE, none]]), count);
      return { title: `${name}: ${of[k]} of ${source}`, note: "", rows: rows.filter(isPossible) };
    });
  });
}

function isPossible({ count, expected }: Row): boolean {
  return count > 0 || expected !== 0;
}

function objectFacts(
  { name, source, count: total, options }: BulkSpec,
  files: ObjectFiles,
  mill: Mill,
  signal: AbortSignal | undefined,
): Distribution[] {
  if (total > MAX_OBJECTS) return [];
  // the cast is safe: the job has made objects with these options
  const request = options as unknown as ObjectOptions;
  const maker = mill.objects(name, files);
  const kindNames = files.kinds.map(({ fullName }) => plainName(fullName));
  const [kinds, affixes]: Map<string, number>[] = [new Map(), new Map()];
  for (let from = 0; from < total; from += OBJECTS_AT_ONCE) {
    const call = { ...request, artifacts: false, from, signal };
    const made = maker.makeMany(Math.min(OBJECTS_AT_ONCE, total - from), call);
    for (const kind of made.kind) addTo(kinds, kindNames[kind]);
    for (const affix of made.affixes) if (affix > 0) addTo(affixes, files.affixes[affix - 1].name);
  }
  return [
    {
      title: `${name}: kinds of ${source}`,
      note: "",
      rows: kindRows(maker, kinds, [{ options: request, count: total }]),
    },
    { title: `${name}: affixes of ${source}`, note: AFFIX_NOTE, rows: mostCommon(affixes) },
  ];
}
