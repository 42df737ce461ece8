// The words of a recipe: everybody reads and proposes, and the author decides, with a forecast of what changes.

import { signal } from "@preact/signals";
import type { WordInput } from "../../../../src/index.js";
import { words } from "../../words.js";
import { Editing, editing } from "./edit.js";
import { numberIn, type Status, statusOf, type Table, Text } from "./parts.js";
import { Propose } from "./propose.js";

const MAX_ROWS = 1000;

const chosen = signal("");
export function Words() {
  const served = words.value;
  if (served === undefined) return null;
  const table = served.tables.find(({ name }) => name === chosen.value) ?? served.tables[0];
  const choose = (name: string) => {
    chosen.value = name;
    editing.value = undefined;
  };
  return (
    <section class="words" aria-labelledby="words">
      <div class="bar">
        <h2 id="words">Words</h2>
        <label class="field">
          <span>Table</span>
          <select value={table.name} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {served.tables.map((one) => (
              <option value={one.name}>{titleOf(one)}</option>
            ))}
          </select>
        </label>
      </div>
      {served.isAuthor && <List table={table} status="proposed" title="Proposals" isAuthor />}
      {served.isAuthor && <Editing table={table} />}
      <List table={table} status="accepted" title="Accepted" isAuthor={served.isAuthor} />
      {served.isAuthor && <List table={table} status="rejected" title="Rejected" isAuthor />}
      <Propose key={table.name} table={table} />
    </section>
  );
}

function titleOf({ name, rows }: Table): string {
  const open = rows.filter((row) => statusOf(row) === "proposed").length;
  return open === 0 ? name : `${name} (${open} proposed)`;
}

interface ListProps {
  readonly table: Table;
  readonly status: Status;
  readonly title: string;
  readonly isAuthor: boolean;
}

function List({ table, status, title, isAuthor }: ListProps) {
  const rows = table.rows.filter((row) => statusOf(row) === status);
  if (rows.length === 0) return status === "proposed" ? <p class="quiet">No proposals for {table.name}.</p> : null;
  return (
    <section class="scroll" aria-label={`${title} in ${table.name}`}>
      <table class="odds">
        <thead>
          <tr>
            <th scope="col">{title}</th>
            {table.hasTiers && <th scope="col">Tier</th>}
            {table.weight !== undefined && <th scope="col">Weight</th>}
            <th scope="col">Adds</th>
            {status !== "accepted" && <th scope="col">By</th>}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row) => (
            <tr key={row.id} data-none={row.active === false}>
              <th scope="row">{isAuthor ? <Choose row={row} /> : <Text>{row.word}</Text>}</th>
              {table.hasTiers && <td>{numberIn(row, "tier", 0)}</td>}
              {table.weight !== undefined && <td>{numberIn(row, table.weight, 1)}</td>}
              <td>{addedBy(row, table)}</td>
              {status !== "accepted" && (
                <td>
                  <Text>{row.proposer ?? "somebody"}</Text>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && (
        <p class="quiet">
          The first {MAX_ROWS} of {rows.length} words.
        </p>
      )}
    </section>
  );
}

function Choose({ row: { id, word } }: { readonly row: WordInput }) {
  return (
    <button type="button" class="plain" aria-pressed={editing.value === id} onClick={() => (editing.value = id)}>
      <Text>{word}</Text>
    </button>
  );
}

function addedBy(row: WordInput, { stats }: Table): string {
  const added = stats.map((stat) => [stat, numberIn(row, stat, 0)] as const).filter(([, value]) => value !== 0);
  return added.length === 0
    ? "–"
    : added.map(([stat, value]) => `${stat} ${value.toLocaleString("en").replace("-", "−")}`).join(", ");
}
