import { effect, signal } from "@preact/signals";
import { ask } from "../work/ask.js";
import type { FlowRow, Work } from "../work/protocol.js";
import { look } from "./look.js";

/** The size of a row in the graph, and the distance from one row to the next. */
const [WIDTH, HEIGHT, ACROSS, DOWN] = [150, 40, 240, 58];
/** The widest line, in pixels: a jump that each roll takes once. */
const WIDEST = 14;

const isOpen = signal(false);
const flow = signal<Work["flow"]["answer"] | { readonly problem: string } | undefined>(undefined);

effect(() => {
  if (!isOpen.value || look.value?.kind !== "table") return;
  ask("flow", {}).then(
    (answer) => {
      if (answer !== undefined) flow.value = answer;
    },
    ({ issues: [{ message }] }) => {
      flow.value = { problem: message };
    },
  );
});

/** The rows of a table as a graph: a jump is as wide as it is likely. */
export function Flow() {
  const found = flow.value;
  return (
    <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>How rolls move through the rows</summary>
      {found !== undefined && ("problem" in found ? <p class="problem">{found.problem}</p> : <Graph {...found} />)}
    </details>
  );
}

function Graph({ rows, jumps, left }: Work["flow"]["answer"]) {
  const places = placesOf(rows, jumps);
  const width = Math.max(...places.map(({ x }) => x)) + WIDTH + 2;
  const height = Math.max(...places.map(({ y }) => y)) + HEIGHT + 2;
  return (
    <>
      <p class="quiet">
        The wider a line, the more rolls take this jump. A row says how often a roll visits it on average, and how often
        the roll ends there.
        {left > 0 && ` ${left} rows with fewer visits are left out.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll a large graph */}
      <section class="graph" tabIndex={0} aria-label="The rows of the table">
        <svg width={width} height={height} viewBox={`-1 -1 ${width} ${height}`} role="img" aria-label={toldOf(rows)}>
          {jumps.map(({ from, to, times }) => (
            <path
              class="jump"
              d={pathOf(places[from], places[to])}
              stroke-width={Math.max(1, WIDEST * Math.min(1, times))}
            >
              <title>{`${rows[from].label} → ${rows[to].label}: ${share(times)}`}</title>
            </path>
          ))}
          {rows.map(({ label, visits, ends }, i) => (
            <g transform={`translate(${places[i].x} ${places[i].y})`}>
              <rect width={WIDTH} height={HEIGHT} rx={6} />
              <text x={8} y={16}>
                {label.length > 20 ? `${label.slice(0, 19)}…` : label}
              </text>
              <text x={8} y={32} class="quiet">
                {share(visits)}, ends {share(ends)}
              </text>
              <title>{label}</title>
            </g>
          ))}
        </svg>
      </section>
    </>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A row stands in the column of its distance from the first row, in jumps. */
function placesOf(rows: readonly FlowRow[], jumps: Work["flow"]["answer"]["jumps"]): Point[] {
  const depths = new Map([[0, 0]]);
  for (const [row, depth] of depths) {
    for (const { from, to } of jumps) if (from === row && !depths.has(to)) depths.set(to, depth + 1);
  }
  const heights = new Map<number, number>();
  return rows.map((_, row) => {
    const depth = depths.get(row) ?? 0;
    const above = heights.get(depth) ?? 0;
    heights.set(depth, above + 1);
    return { x: depth * ACROSS, y: above * DOWN };
  });
}

/** A jump ahead leaves on the right and arrives on the left; a jump back or to the same column arrives from below. */
function pathOf(from: Point, to: Point): string {
  const [x, y] = [from.x + WIDTH, from.y + HEIGHT / 2];
  if (to.x > from.x) {
    const [end, at] = [to.x, to.y + HEIGHT / 2];
    return `M${x} ${y}C${x + 50} ${y} ${end - 50} ${at} ${end} ${at}`;
  }
  const [end, at] = [to.x + WIDTH / 2, to.y + HEIGHT];
  return `M${x} ${y}C${x + 60} ${y + 50} ${end} ${at + 60} ${end} ${at}`;
}

function share(times: number): string {
  return times < 1.05 ? `${(100 * times).toPrecision(2)} %` : `${times.toFixed(1)} ×`;
}

function toldOf(rows: readonly FlowRow[]): string {
  return `Visits: ${rows.map(({ label, visits }) => `${label} ${share(visits)}`).join(", ")}`;
}
