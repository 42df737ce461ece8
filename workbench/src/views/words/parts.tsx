// What the forms and lists of words share.

import type { ServedWords } from "../../../../src/cli/workbench/forge.js";
import { unhidden } from "../../../../src/cli/workbench/hiddenCharacters.js";
import type { WordInput } from "../../../../src/index.js";

export type Table = ServedWords["tables"][number];
export type Status = "proposed" | "accepted" | "rejected";

const MAX_TIER = 255;

export function statusOf({ status = "accepted" }: WordInput): Status {
  return status;
}

/** A text of a stranger. It changes neither the direction nor the look of what stands beside it. */
export function Text({ children }: { readonly children: string }) {
  return <bdi>{unhidden(children)}</bdi>;
}

export function numberIn(row: WordInput, column: string, missing: number): number {
  const value = Object.hasOwn(row, column) ? row[column] : undefined;
  return typeof value === "number" ? value : missing;
}

/** The parts of a word in a form. Fields without a value keep the default. */
export function Fields({ table, row }: { readonly table: Table; readonly row?: WordInput }) {
  const { hasTiers, weight, stats } = table;
  return (
    <>
      <label>
        Word
        <input name="word" required maxLength={256} defaultValue={row?.word ?? ""} autocomplete="off" />
      </label>
      {hasTiers && (
        <label>
          Tier
          <input name="tier" type="number" min={0} max={MAX_TIER} defaultValue={row ? numberIn(row, "tier", 0) : 0} />
        </label>
      )}
      {weight !== undefined && (
        <label>
          Weight
          <input name="weight" type="number" min={0} step="any" defaultValue={row ? numberIn(row, weight, 1) : 1} />
        </label>
      )}
      {stats
        .filter((stat) => stat !== weight)
        .map((stat) => (
          <label>
            {stat}
            <input name={`stat ${stat}`} type="number" step="any" defaultValue={row ? numberIn(row, stat, 0) : 0} />
          </label>
        ))}
    </>
  );
}

export function partsIn(form: HTMLFormElement): { readonly word: string } {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const);
  const numbers = entries.filter(([name, value]) => value !== "" && /^(?:tier|weight|stat )/.test(name));
  const [stats, others] = [true, false].map((isStat) =>
    Object.fromEntries(
      numbers
        .filter(([name]) => name.startsWith("stat ") === isStat)
        .map(([name, value]) => [name.replace("stat ", ""), Number(value)]),
    ),
  );
  const texts = entries.filter(([name, value]) => value !== "" && (name === "word" || name === "proposer"));
  return { word: "", ...Object.fromEntries(texts), ...others, ...(Object.keys(stats).length > 0 && { stats }) };
}

export function alike(others: readonly string[]): string {
  return others.length === 0 ? "" : ` It looks like ${others.map((one) => `“${unhidden(one)}”`).join(", ")}.`;
}
