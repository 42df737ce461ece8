import { tableWith } from "../../../../src/cli/instruments/editWeights.js";
import { toNumber } from "../../../../src/index.js";
import { columnsOf } from "../../../../src/tables/compile.js";
import { loadTable, type TableOdds, type TableSpec, tables } from "../../../../src/tables/index.js";
import type { TablePlan } from "../../../../src/tables/types.js";
import { stemOf } from "../../document.js";
import type { ScriptWeight, Work } from "../protocol.js";
import type { Source } from "../source.js";
import { instruments, MAX_WORK, millOf, type Open, oddsOf, oddsViews, specOf, textOf, told } from "./kind.js";

/** The most rows of the graph. */
const MOST_ROWS = 40;
const FIRST_WEIGHT = 1;

type Weights = Readonly<Record<string, number>>;
interface Flowing {
  readonly plan: TablePlan;
  readonly odds: TableOdds;
}

export const open: Open = async (source) => {
  const { files, file, options } = source;
  const mill = await millOf(source, [tables]);
  const { spec: parsed, issues } = await loadTable(file, (path) => textOf(files, path));
  const spec = specOf({ spec: parsed, issues });
  const scripts = scriptsIn(spec, options);
  const weights = Object.fromEntries(scripts.map(({ id, weight }) => [id, weight]));
  const start = Math.min(Number(options?.["with start"] ?? 0), spec.rows.length - 1);
  const noun = mill.open(tables, stemOf(file), spec, { file, weights, start });
  const views = oddsViews(
    noun,
    () => oddsOf(noun.odds({ maxWork: MAX_WORK })),
    (at) => told(noun.roll({ at })),
  );
  return {
    issues,
    planned: noun,
    ...views,
    look: (before) => ({ ...views.look(before), table: { scripts, start, rows: spec.rows.map(labelOf) } }),
    flow: () => flowOf({ plan: noun.plan, odds: noun.odds({ maxWork: MAX_WORK }) }, start, weights),
    async target(result, chance) {
      const { balance } = await instruments();
      return tableWith(balance(noun, { [result]: chance }), noun.plan.spec, { text: files[file], file });
    },
    [Symbol.dispose]: () => mill.dispose(),
  };
};

/** The page has no script functions: a slider sets what a script returns. */
function scriptsIn({ rows }: TableSpec, options: Source["options"]): ScriptWeight[] {
  const weights = rows.flatMap(({ columns }) => columns.map(({ weight }) => weight));
  const greatest = weights.reduce<number>((most, one) => (typeof one === "number" ? Math.max(most, one) : most), 5);
  const ids = new Set(
    weights.flatMap((one) => (typeof one === "object" && "script" in one ? [String(one.script)] : [])),
  );
  return Array.from(ids, (id) => {
    return { id, weight: Number(options?.[`with script ${id}`] ?? FIRST_WEIGHT), most: 2 * greatest };
  });
}

function labelOf({ label }: TableSpec["rows"][number], row: number): string {
  return label ?? String(row);
}

/** The rows with the most visits, the start before all others, and the jumps between them. */
function flowOf({ plan, odds }: Flowing, start: number, weights: Weights): Work["flow"]["answer"] {
  const all = odds.rows
    .map(({ row, visits }) => ({ row, times: visits === null ? Number.POSITIVE_INFINITY : toNumber(visits) }))
    .sort((a, b) => Number(b.row === start) - Number(a.row === start) || b.times - a.times);
  const shown = all.slice(0, MOST_ROWS);
  const places = new Map(shown.map(({ row }, i) => [row, i]));
  const jumps: { from: number; to: number; times: number }[] = [];
  const rows = shown.map(({ row, times }, from) => {
    const columns = Array.from(columnsOf(plan, row), (column) => {
      const script = plan.scriptIds[plan.script[column]];
      return { target: plan.target[column], weight: script === undefined ? plan.weight[column] : weights[script] };
    });
    const total = columns.reduce((sum, { weight }) => sum + weight, 0);
    let ends = times;
    for (const { target, weight } of columns) {
      if (target >= 0 || weight === 0) continue;
      const taken = (times * weight) / total;
      ends -= taken;
      const to = places.get(~target);
      if (to !== undefined) jumps.push({ from, to, times: taken });
    }
    return { label: labelOf(plan.spec.rows[row], row), visits: times, ends: Math.max(0, ends) };
  });
  return { rows, jumps, left: all.length - shown.length };
}
