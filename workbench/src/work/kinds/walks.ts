import { jsonIn } from "../../../../src/cli/shared/texts.js";
import { toNumber } from "../../../../src/index.js";
import type { HeadingClass } from "../../../../src/instruments/index.js";
import { DIRECTIONS } from "../../../../src/walks/directions.js";
import { parseWalk, type Walk, walks } from "../../../../src/walks/index.js";
import { stemOf } from "../../document.js";
import { type LongRun, type Shown, shadeOf } from "../protocol.js";
import { instruments, millOf, type Open, specOf } from "./kind.js";

/** The size of the largest map that the page shows. */
const [MOST_ROWS, MOST_CELLS] = [2048, 2 ** 22];
const NOT_VISITED = 255;

export const open: Open = async (source) => {
  const { files, file } = source;
  const mill = await millOf(source, [walks]);
  const parsed = parseWalk(jsonIn(files[file], file), { file });
  const spec = specOf(parsed);
  const noun = mill.open(walks, spec.name ?? stemOf(file), spec);
  const { analyseWalk } = await instruments();
  return {
    issues: parsed.issues,
    planned: noun,
    look: () => mapOf(noun, (layer) => analyseWalk(noun, { layer }).classes.map(longRunOf)),
    [Symbol.dispose]: () => mill.dispose(),
  };
};

function mapOf(walk: Walk, longRun: (layer: string) => readonly LongRun[]): Shown {
  const { total, layers } = walk.run();
  const [row0, col0, row1, col1] = total.bounds ?? [0, 0, 0, 0];
  const rows = Math.min(row1 - row0 + 1, MOST_ROWS);
  const cols = Math.min(col1 - col0 + 1, Math.floor(MOST_CELLS / rows));
  const visits = total.window({ row0, col0, rows, cols });
  const most = visits.reduce((a, b) => Math.max(a, b), 1);
  const cells = Uint8Array.from(visits, (count) => (count === 0 ? NOT_VISITED : shadeOf(count, most)));
  const named = layers.map(({ name }) => ({ name, longRun: longRun(name) }));
  const digest = total.digest();
  return { view: "walk", digest, map: { row0, col0, rows, cols, cells }, most, layers: named };
}

function longRunOf({ chance, headings, drift, diffusion }: HeadingClass): LongRun {
  const [row, col] = [toNumber(drift.row), toNumber(drift.col)];
  return {
    chance: toNumber(chance),
    headings: DIRECTIONS.map((direction) => toNumber(headings[direction])),
    // a row further down is half a cell further east
    drift: Math.hypot((row * Math.sqrt(3)) / 2, col + row / 2),
    diffusion: toNumber(diffusion),
  };
}
