import type { Counts } from "../../../calls/index.js";
import type { Mill } from "../../../mill.js";
import type { ObjectFiles, ObjectOptions } from "../../../objects/index.js";
import { plainName } from "../../../objects/parse/nouns.js";
import type { RecipeSource } from "../../../recipes/index.js";
import type { TableSpec } from "../../../tables/index.js";
import type { BulkSpec } from "../../types.js";
import type { ExportSource } from "../source.js";
import { mostCommon, NONE, tableRows, unlessRefused } from "./contents.js";
import { type Distribution, oddsRows, plainRow, type Row } from "./facts.js";

const OBJECTS_AT_ONCE = 2 ** 16;
/** To count more objects would take too long. */
const MAX_OBJECTS = 2 ** 22;

/** Makes the results again, which is faster than reading them. `mill` has the seed of the job and no open sources. */
export function bulkFacts({ job }: ExportSource, mill: Mill, signal: AbortSignal | undefined): Distribution[] {
  const { tables, recipes, objects } = job.spec.sources;
  return job.manifest.bulk.flatMap((part): Distribution[] => {
    const { kind, source } = part;
    if (kind === "table") return tableFacts(mill, part, tables.get(source), signal);
    if (kind === "recipe") return recipeFacts(mill, part, recipes.get(source), signal);
    return objectFacts(mill, part, objects.get(source), signal);
  });
}

function tableFacts(
  mill: Mill,
  { name, source, count }: BulkSpec,
  spec: TableSpec | undefined,
  signal: AbortSignal | undefined,
): Distribution[] {
  if (spec === undefined) return [];
  const { counts, none } = mill.table(name, spec).count(count, { from: 0, mode: "frozen", signal });
  const named = [...counts].map(([result, n]) => [String(result), n] as const);
  const rows = tableRows(mill, name, spec, new Map([...named, [NONE, none]]), count);
  const plain = named.map(([result, n]) => plainRow(result, n));
  return [{ title: `${name}: table ${source}`, note: "", rows: rows.length > 0 ? rows : plain }];
}

function recipeFacts(
  mill: Mill,
  { name, source, count, options }: BulkSpec,
  found: RecipeSource | undefined,
  signal: AbortSignal | undefined,
): Distribution[] {
  if (found === undefined) return [];
  const recipe = mill.recipe(name, found.spec, { tables: found.tables });
  const parts = found.spec.steps.flatMap((step) =>
    step.kind === "slots" ? step.slots.map(({ slot }) => slot) : [step.name],
  );
  const counted = recipe.countParts(count, parts, { ...options, from: 0, signal });
  return parts.map((of, k) => {
    // the cast is safe: only the strength has numbers, and it is not one of the parts
    const { counts, none } = counted[k] as Counts<string>;
    const odds = unlessRefused(() => recipe.odds({ ...options, of, signal }));
    const all = [...(odds?.odds ?? []), ...(odds === undefined ? [] : [{ result: NONE, probability: odds.none }])];
    const rows = odds === undefined ? mostCommon(counts) : oddsRows(all, new Map([...counts, [NONE, none]]), count);
    return { title: `${name}: ${of} of ${source}`, note: "", rows: rows.filter(isPossible) };
  });
}

function isPossible({ count, expected }: Row): boolean {
  return count > 0 || expected !== 0;
}

function objectFacts(
  mill: Mill,
  { name, source, count: total, options }: BulkSpec,
  files: ObjectFiles | undefined,
  signal: AbortSignal | undefined,
): Distribution[] {
  if (files === undefined || total > MAX_OBJECTS) return [];
  // the cast is safe: the job has made objects with these options
  const { kind, ...request } = options as unknown as ObjectOptions;
  const maker = mill.objects(name, files);
  const kinds = new Float64Array(files.kinds.length);
  const affixes = new Float64Array(1 + files.affixes.length);
  for (let from = 0; from < total; from += OBJECTS_AT_ONCE) {
    const n = Math.min(OBJECTS_AT_ONCE, total - from);
    const chosen = kind === undefined ? {} : { kind };
    const made = maker.makeMany(n, { ...request, ...chosen, artifacts: false, from, signal });
    for (const one of made.kind) kinds[one]++;
    for (const one of made.affixes) affixes[one]++;
  }
  const names = files.kinds.map(({ fullName }) => plainName(fullName));
  const counts = new Map(names.map((one, k) => [one, kinds[k]]));
  const odds =
    kind === undefined ? unlessRefused(() => maker.odds({ of: "kind", ...request } as never) as KindOdds) : undefined;
  const chances = odds?.odds.map(({ result, probability }) => ({ result: plainName(result.fullName), probability }));
  const rows = chances === undefined ? mostCommon(counts) : oddsRows(chances, counts, total);
  const affixCounts = new Map(files.affixes.map((affix, k) => [affix.name, affixes[k + 1]]));
  return [
    { title: `${name}: kinds of ${source}`, note: "", rows: rows.filter(isPossible) },
    {
      title: `${name}: affixes of ${source}`,
      note: "An object can have several affixes, or none.",
      rows: mostCommon(affixCounts).filter(({ count }) => count > 0),
    },
  ];
}

type KindOdds = ReturnType<ReturnType<Mill["objects"]>["odds"]> & {
  readonly odds: readonly {
    readonly result: { readonly fullName: string };
    readonly probability: { readonly numerator: bigint; readonly denominator: bigint };
  }[];
};
