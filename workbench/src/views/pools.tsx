import { effect, signal } from "@preact/signals";
import { ChanceTable } from "../parts/chances.js";
import { shown } from "../state.js";
import { ask } from "../work/ask.js";
import type { Shown, Work } from "../work/protocol.js";
import { look } from "./look.js";

/** The pools from which the page has drawn, in order. */
const draws = signal<readonly string[]>([]);
const pool = signal<string | undefined>(undefined);
const answer = signal<Work["draw"]["answer"] | { readonly problem: string } | undefined>(undefined);

let drawnFrom = "";
effect(() => {
  const { files, file, seed } = shown.value;
  // other files or another seed begin with full pools
  const source = JSON.stringify([files[file], file, seed]);
  if (source !== drawnFrom) {
    drawnFrom = source;
    draws.value = [];
  }
  const view = look.value?.shown;
  if (view?.view !== "pools") return;
  const path = view.nodes.some((node) => node.path === pool.value) ? pool.value : view.nodes[0]?.path;
  if (path === undefined) return;
  ask("draw", { pool: path, draws: draws.value }).then(
    (found) => {
      if (found !== undefined) answer.value = found;
    },
    ({ issues: [{ message }] }) => {
      answer.value = { problem: message };
    },
  );
});

export function Pools({ nodes }: Extract<Shown, { view: "pools" }>) {
  const path = nodes.some((node) => node.path === pool.value) ? pool.value : nodes[0]?.path;
  const found = answer.value;
  return (
    <div class={nodes.length > 1 ? "columns" : ""}>
      <ul class="tree" hidden={nodes.length === 1}>
        {nodes.map((node) => (
          <li style={{ paddingLeft: `${node.depth * 1.2}rem` }}>
            <button
              type="button"
              class="plain"
              aria-pressed={node.path === path}
              onClick={() => (pool.value = node.path)}
            >
              {node.name}
            </button>
            <span class="quiet">
              {counted(node.records, "record", "records")}
              {node.left === undefined ? ", endless" : `, ${counted(node.left, "copy", "copies")}`}
            </span>
          </li>
        ))}
      </ul>
      <div class="part">
        <div class="bar">
          <h3>{path}</h3>
          <span class="group">
            <button type="button" class="main" onClick={() => (draws.value = [...draws.value, path ?? ""])}>
              Draw
            </button>
            <button type="button" onClick={() => (draws.value = [...draws.value, ...Array(10).fill(path)])}>
              Draw 10
            </button>
            <button type="button" disabled={draws.value.length === 0} onClick={() => (draws.value = [])}>
              Refill
            </button>
          </span>
        </div>
        {found !== undefined && "problem" in found && <p class="notice">{found.problem}</p>}
        {found !== undefined && "drawn" in found && (
          <>
            <p class="quiet">
              {found.left === undefined
                ? "This pool never runs empty."
                : `${counted(found.left, "copy is", "copies are")} left.`}{" "}
              The next draw:
            </p>
            {found.odds !== undefined && <ChanceTable {...found.odds} />}
            <h3>Drawn</h3>
            {found.drawn.length === 0 ? (
              <p class="quiet">Nothing yet.</p>
            ) : (
              <ol class="samples" start={0}>
                {found.drawn.slice(-200).map((one) => (
                  <li>{one}</li>
                ))}
              </ol>
            )}
          </>
        )}
      </div>
    </div>
  );
}

function counted(n: number, one: string, many: string): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}
