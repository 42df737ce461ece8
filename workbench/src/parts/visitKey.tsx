import type { Color } from "../views/cells.js";

interface VisitKeyProps {
  /** Numbers of visits, each with its colour. */
  readonly steps: readonly (readonly [visits: number | string, color: Color])[];
}

/** What the colours of a map of visits stand for. */
export function VisitKey({ steps }: VisitKeyProps) {
  return (
    <ul class="legend">
      <li>Visits of a cell</li>
      {steps.map(([visits, color]) => (
        <li>
          <span class="swatch" style={{ background: backgroundOf(color) }} />
          {visits.toLocaleString("en")}
        </li>
      ))}
    </ul>
  );
}

/** A colour with an alpha is shown on gray, because the map shows it on terrain. */
function backgroundOf([red, green, blue, alpha = 255]: Color): string {
  const color = `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
  return `linear-gradient(${color}, ${color}) gray`;
}
