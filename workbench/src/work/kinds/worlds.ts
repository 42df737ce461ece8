import { coordinatesOf } from "../../../../src/walks/rectangles.js";
import { loadWorld, worlds } from "../../../../src/worlds/index.js";
import { stemOf } from "../../document.js";
import type { Legend } from "../protocol.js";
import { explained, millOf, type Open, specOf, told } from "./kind.js";

const NEAREST_WITHIN = 2048;

export const open: Open = async (source) => {
  const { files, file } = source;
  const mill = await millOf(source, [worlds]);
  const parsed = await loadWorld(file, (path) => (Object.hasOwn(files, path) ? files[path] : undefined));
  const spec = specOf(parsed);
  const noun = mill.open(worlds, spec.name ?? stemOf(file), spec);
  return {
    issues: parsed.issues,
    planned: noun,
    look: () => ({
      view: "world",
      terrains: noun.terrains.map(legend),
      kinds: noun.kinds.map(legend),
      layers: noun.layers.map(({ name }) => name),
      isOddR: coordinatesOf(spec.grid) === "odd-r",
    }),
    region(i, j, layer) {
      const window = noun.region(i, j, layer === undefined ? {} : { visits: [layer] });
      const { placements, row0, col0, rows, cols, terrain } = window;
      const { rows: at, cols: beside, kinds } = placements;
      const things = Array.from(at, (row, k) => [row, beside[k], kinds[k]] as const);
      const made = { row0, col0, rows, cols, cells: terrain, placements: things };
      return layer === undefined ? made : { ...made, visits: Uint8Array.from(window.visits(layer), levelOf) };
    },
    nearest(kind, { row, col }) {
      const found = noun.nearest(kind, row, col, { within: NEAREST_WITHIN });
      return found && { row: found.placement.row, col: found.placement.col, distance: found.distance };
    },
    cell({ row, col }) {
      const { terrain, visits, placements } = noun.at(row, col);
      const things = placements.map(({ kind, size, content }) => {
        return [size, kind, content === undefined ? undefined : `: ${told(content)}`].filter(Boolean).join(" ");
      });
      const counts = Object.entries(visits).filter(([, count]) => count > 0);
      return [
        `${terrain?.name ?? "no terrain"} at ${row}, ${col}`,
        ...things,
        ...counts.map(([layer, count]) => `${layer}: ${count} ${count === 1 ? "visit" : "visits"}`),
      ];
    },
    digest: (cells) => noun.digest(cells),
    explain: (at) => explained(noun, at),
    [Symbol.dispose]: () => mill.dispose(),
  };
};

function levelOf(visits: number): number {
  return visits === 0 ? 255 : 31 - Math.clz32(visits);
}

function legend({ name, color: [red, green, blue] }: { name: string; color: readonly number[] }): Legend {
  return { name, color: [red, green, blue] };
}
