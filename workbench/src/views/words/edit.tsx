// The author edits a word and decides about it, with a forecast of what changes.

import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { WordForecast } from "../../../../src/cli/workbench/forge.js";
import type { WordInput } from "../../../../src/index.js";
import { percent } from "../../parts/chances.js";
import { shown } from "../../state.js";
import { call, words } from "../../words.js";
import { alike, Fields, partsIn, statusOf, type Table, Text } from "./parts.js";

const PAUSE_MILLISECONDS = 250;

/** The id of the word that the author edits. */
export const editing = signal<number | undefined>(undefined);

type Found = WordForecast | { readonly problem: string } | undefined;

/** What the author can do with a word of each status. */
const VERBS = {
  proposed: { accept: "Accept", reject: "Reject" },
  accepted: { reject: "Take back" },
  rejected: { accept: "Accept" },
};

const SAID = {
  edit: "Saved.",
  accept: "Accepted. “Take back” undoes this.",
  reject: "Rejected. “Accept” undoes this.",
};

export function Editing({ table }: { readonly table: Table }) {
  const row = table.rows.find(({ id }) => id === editing.value);
  return row === undefined ? null : <Edit key={`${table.name} ${row.id}`} table={table} row={row} />;
}

function Edit({ table, row }: { readonly table: Table; readonly row: WordInput }) {
  const form = useRef<HTMLFormElement>(null);
  /** The row as the author saw it: if another author changes it, the server says so. */
  const seen = useSignal(row);
  const isChanged = useSignal(false);
  const said = useSignal("");
  const found = useSignal<Found>(undefined);
  const asking = useRef<{ number: number; timer?: ReturnType<typeof setTimeout> }>({ number: 0 });
  /** Asks what the word would change. Only the newest answer counts. */
  const forecast = () => {
    const number = ++asking.current.number;
    clearTimeout(asking.current.timer);
    asking.current.timer = setTimeout(async () => {
      const parts = form.current === null ? {} : partsIn(form.current);
      const body = { table: table.name, seen: row, change: parts, seed: shown.value.seed };
      const answer = await call<WordForecast>("POST", "forecast", body);
      if (number === asking.current.number) found.value = answer;
    }, PAUSE_MILLISECONDS);
  };
  useEffect(forecast, [JSON.stringify(words.value), shown.value.seed]);
  const change = async (path: string) => {
    const parts = form.current === null ? undefined : partsIn(form.current);
    const body = { table: table.name, seen: seen.value, ...(path === "edit" && { change: parts }) };
    const answer = await call<{ row: WordInput }>("POST", path, body);
    if ("problem" in answer) {
      said.value = answer.problem;
      return;
    }
    said.value = SAID[path as keyof typeof SAID];
    seen.value = answer.row;
    isChanged.value = false;
  };
  const typed = () => {
    isChanged.value = true;
    forecast();
  };
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    change("edit");
  };
  return (
    <form class="waiting" ref={form} onInput={typed} onSubmit={save} aria-label="Edit a word">
      <h3>
        <Text>{row.word}</Text> <span class="quiet">{statusOf(row)}</span>
      </h3>
      <div class="parts">
        <Fields table={table} row={row} />
      </div>
      <div class="group">
        {Object.entries(VERBS[statusOf(row)]).map(([path, verb]) => (
          <button
            type="button"
            class={path === "accept" ? "main" : ""}
            disabled={isChanged.value}
            title={isChanged.value ? "Save your changes first" : undefined}
            onClick={() => change(path)}
          >
            {verb}
          </button>
        ))}
        <button type="submit" disabled={!isChanged.value}>
          Save
        </button>
        <button type="button" onClick={() => (editing.value = undefined)}>
          Close
        </button>
      </div>
      <p role="status">{said}</p>
      <Forecast found={found.value} />
    </form>
  );
}

function Forecast({ found }: { readonly found: Found }) {
  if (found === undefined) return <p class="quiet">…</p>;
  if ("problem" in found) return <p class="problem">{found.problem}</p>;
  const { changes, more, items, renamed, names, lookAlikes } = found;
  return (
    <section aria-label="Forecast" aria-live="polite">
      {lookAlikes.length > 0 && <p class="problem">{alike(lookAlikes)}</p>}
      {changes.length === 0 ? (
        <p class="quiet">No odds change.</p>
      ) : (
        <table class="odds">
          <thead>
            <tr>
              <th scope="col">If it is accepted</th>
              <th scope="col">Slot</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ part, result, before, after }) => (
              <tr>
                <th scope="row">{result === null ? "nothing" : <Text>{String(result)}</Text>}</th>
                <td>{part}</td>
                <td>{percent(before)}</td>
                <td data-change={Math.sign(after - before)}>{percent(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more > 0 && <p class="quiet">… and {more} more odds.</p>}
      <p>
        {renamed} of the first {items.toLocaleString("en")} items get another name{renamed === 0 ? "." : ":"}
      </p>
      <ul class="renamed">
        {names.map(([before, after]) => (
          <li>
            <Text>{before}</Text> → <Text>{after}</Text>
          </li>
        ))}
      </ul>
    </section>
  );
}
