import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { DIRECTIONS } from "../../../src/walks/directions.js";
import { VisitKey } from "../parts/visitKey.js";
import { shown } from "../state.js";
import { type LongRun, type Shown, shadeOf } from "../work/protocol.js";
import { drawCells, rampOf } from "./cells.js";
import { Dial, Rose } from "./dial.js";

/** The map of a walk: the more visits, the darker. */
export function WalkMap({ map, most, layers, digest }: Extract<Shown, { view: "walk" }>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const current = useSignal(map);
  current.value = map;
  const colors = rampOf();
  useSignalEffect(() => {
    if (canvas.current) drawCells(canvas.current, { ...current.value, isOddR: false, colors });
  });
  return (
    <>
      <figure class="map walk">
        <canvas ref={canvas} role="img" aria-label={`The map of the walk, ${map.rows} rows and ${map.cols} columns`} />
        <figcaption class="group">
          <VisitKey steps={countsTo(most).map((count) => [count, colors[shadeOf(count, most)]])} />
          <span>
            {map.rows} × {map.cols} cells from ({map.row0}, {map.col0})
          </span>
        </figcaption>
      </figure>
      <Dial>
        {layers[Math.min(Number(shown.value.view.layer ?? 0), layers.length - 1)].longRun.map((one) => (
          <Headings {...one} />
        ))}
      </Dial>
      <p class="quiet">
        Digest of the map <code class="digest">{digest}</code>
      </p>
    </>
  );
}

/** Where the walkers go in the long run, exactly, without closed cells and borders. */
function Headings({ chance, headings, drift, diffusion }: LongRun) {
  const most = Math.max(...headings);
  return (
    <fieldset>
      <legend>{chance < 1 ? `In the long run, ${percent(chance)} of the walkers` : "In the long run"}</legend>
      <div class="hexagon">
        {DIRECTIONS.map((name, i) => (
          <span style={{ gridArea: `p${i}` }}>
            {name} <output>{percent(headings[i])}</output>
          </span>
        ))}
        <Rose parts={headings.map((share) => share / most)} />
      </div>
      <p class="quiet">
        A step leads {drift.toFixed(2)} cells away from the start on average. After n steps, the walkers are spread over
        about {Math.sqrt(diffusion).toFixed(2)} · √n cells.
      </p>
    </fieldset>
  );
}

/** Five counts up to the greatest, in equal steps of the logarithm. */
function countsTo(most: number): number[] {
  return [...new Set([0, 1, 2, 3, 4].map((k) => Math.round(most ** (k / 4))))];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
