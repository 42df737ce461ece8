import { rgb } from "d3-color";
import * as d3 from "d3-scale-chromatic";
import { expect, test } from "vitest";
import { COLOR_MAP_NAMES, type ColorMapName, palette } from "../../src/formats/index.js";

/** The colour map of d3, and the positions of the fewest and of the most visits. */
const ORACLE: Record<ColorMapName, [at: (t: number) => string, from: number, to: number]> = {
  inferno: [d3.interpolateInferno, 0.25, 1],
  magma: [d3.interpolateMagma, 0.25, 1],
  plasma: [d3.interpolatePlasma, 0, 1],
  viridis: [d3.interpolateViridis, 0.1, 1],
  cividis: [d3.interpolateCividis, 0.15, 1],
  blues: [d3.interpolateBlues, 0.85, 0.15],
  greens: [d3.interpolateGreens, 0.85, 0.15],
  greys: [d3.interpolateGreys, 0.75, 0],
};

test("there is an oracle for each colour map", () => {
  expect(Object.keys(ORACLE)).toEqual(COLOR_MAP_NAMES);
});

test.each(COLOR_MAP_NAMES)("every colour of %s is the colour of d3", (name) => {
  const [at, from, to] = ORACLE[name];
  for (const count of [...Array.from({ length: 300 }, (_, i) => i + 1), 1_023, 65_536]) {
    const expected = Array.from({ length: count }, (_, i) => {
      const { r, g, b } = rgb(at(from + (count === 1 ? 1 : i / (count - 1)) * (to - from)));
      return [r, g, b];
    });
    // one comparison a palette: a comparison a colour takes seconds
    expect(JSON.stringify(palette(name, count)) === JSON.stringify(expected), `${count} colours of ${name}`).toBe(true);
  }
});
