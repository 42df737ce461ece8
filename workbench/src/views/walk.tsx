import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Shown } from "../work/protocol.js";
import { drawCells, rampOf } from "./cells.js";
import { Dial } from "./dial.js";

/** The map of a walk: the more visits, the darker. */
export function WalkMap({ map, most, layers }: Extract<Shown, { view: "walk" }>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const current = useSignal(map);
  current.value = map;
  useSignalEffect(() => {
    const { rows, cols, cells } = current.value;
    if (canvas.current) drawCells(canvas.current, { rows, cols, cells, shiftOf: (row) => row, colors: rampOf() });
  });
  return (
    <>
      <figure class="map">
        <canvas ref={canvas} role="img" aria-label={`The map of the walk, ${map.rows} rows and ${map.cols} columns`} />
        <figcaption>
          {map.rows} × {map.cols} cells from ({map.row0}, {map.col0}); layers {layers.join(", ")}; at most{" "}
          {most.toLocaleString("en")} visits of a cell.
        </figcaption>
      </figure>
      <Dial />
    </>
  );
}
