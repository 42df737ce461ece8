import { jsonIn } from "../../../../src/cli/shared/texts.js";
import { parseWalk, type Walk, walks } from "../../../../src/walks/index.js";
import { stemOf } from "../../document.js";
import type { Shown } from "../protocol.js";
import { millOf, type Open, specOf } from "./kind.js";

/** The size of the largest map that the page shows. */
const [MOST_ROWS, MOST_CELLS] = [2048, 2 ** 22];
/** The greatest value of a cell of the map. */
const MOST_SHADE = 250;
const NOT_VISITED = 255;

export const open: Open = async (source) => {
  const { files, file } = source;
  const mill = await millOf(source, [walks]);
  const parsed = parseWalk(jsonIn(files[file], file), { file });
  const spec = specOf(parsed);
  const noun = mill.open(walks, spec.name ?? stemOf(file), spec);
  return {
    issues: parsed.issues,
    look: () => mapOf(noun),
    [Symbol.dispose]: () => mill.dispose(),
  };
};

function mapOf(walk: Walk): Shown {
  const { total, layers } = walk.run();
  const [row0, col0, row1, col1] = total.bounds ?? [0, 0, 0, 0];
  const rows = Math.min(row1 - row0 + 1, MOST_ROWS);
  const cols = Math.min(col1 - col0 + 1, Math.floor(MOST_CELLS / rows));
  const visits = total.window({ row0, col0, rows, cols });
  const most = visits.reduce((a, b) => Math.max(a, b), 1);
  // the logarithm, because a few cells have far more visits than all others
  const shade = (count: number) => Math.floor((MOST_SHADE * Math.log1p(count)) / Math.log1p(most));
  const cells = Uint8Array.from(visits, (count) => (count === 0 ? NOT_VISITED : shade(count)));
  return { view: "walk", map: { row0, col0, rows, cols, cells }, most, layers: layers.map(({ name }) => name) };
}
