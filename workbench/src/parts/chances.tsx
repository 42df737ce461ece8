import type { HTMLAttributes } from "preact";
import type { Chance, OddsOf } from "../work/protocol.js";

export const MOST_ROWS = 500;

interface CellsProps {
  readonly one: Chance;
  /** The chance whose bar has the whole width. */
  readonly most: number;
  /** The chance before, as a mark. */
  readonly old?: number | undefined;
  readonly drags?: HTMLAttributes<HTMLSpanElement> | false;
}

/** A chance as a bar, in percent, and as "one in N". The fraction is the title of the bar. */
export function ChanceCells({ one: { probability, exact }, most, old, drags }: CellsProps) {
  return (
    <>
      <td>
        <div class="chance" title={exact}>
          <span class="track" {...drags}>
            <span class="fill" style={{ width: `${(100 * probability) / most}%` }} />
            {old !== undefined && <span class="mark" style={{ left: `${(100 * old) / most}%` }} />}
          </span>
          <span class="percent">{percent(probability)}</span>
        </div>
      </td>
      <td class="number">{probability === 0 ? "never" : rounded(1 / probability)}</td>
    </>
  );
}

/** The longest bar has the whole width, so that small chances can be compared: the head says what it stands for. */
export function ChanceHeads({ most }: { readonly most: number }) {
  return (
    <>
      <th scope="col">Result</th>
      <th scope="col">Chance{most < 1 && most > 0 && <span class="whole">, longest bar {percent(most)}</span>}</th>
      <th scope="col" class="number">
        One in
      </th>
    </>
  );
}

export function ChanceTable({ chances, none }: Pick<OddsOf, "chances" | "none">) {
  const rows = none === undefined ? chances : [...chances, none];
  const most = mostOf(rows);
  return (
    <>
      <table class="odds">
        <thead>
          <tr>
            <ChanceHeads most={most} />
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((one) => (
            <tr data-none={one === none || one.probability === 0}>
              <th scope="row">{one.result}</th>
              <ChanceCells one={one} most={most} />
            </tr>
          ))}
        </tbody>
      </table>
      <LeftOut rows={rows} />
    </>
  );
}

export function LeftOut({ rows: { length } }: { readonly rows: readonly Chance[] }) {
  if (length <= MOST_ROWS) return null;
  return (
    <p class="quiet">
      The first {MOST_ROWS} of {length} results.
    </p>
  );
}

export function mostOf(chances: readonly Chance[]): number {
  return chances.reduce((most, { probability }) => Math.max(most, probability), 0);
}

export function percent(probability: number): string {
  const hundredth = 100 * probability;
  return `${hundredth >= 10 || hundredth === 0 ? hundredth.toFixed(1) : hundredth.toPrecision(2)} %`;
}

export function rounded(number: number): string {
  return number < 10 ? number.toFixed(1) : Math.round(number).toLocaleString("en");
}
