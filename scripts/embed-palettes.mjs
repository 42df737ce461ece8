// Writes the colours of d3-scale-chromatic that colour maps need into a TypeScript module, so that the library does not
// depend on d3. The test of the palettes compares the colour maps with d3.
import { writeFileSync } from "node:fs";
import { rgb } from "d3-color";
import {
  interpolateInferno,
  interpolateMagma,
  interpolatePlasma,
  interpolateViridis,
  schemeBlues,
  schemeGreens,
  schemeGreys,
} from "d3-scale-chromatic";

const STEPS = 256;
const hexOf = (color) => rgb(color).formatHex().slice(1);

const STEPPED = {
  inferno: interpolateInferno,
  magma: interpolateMagma,
  plasma: interpolatePlasma,
  viridis: interpolateViridis,
};
const SMOOTH = { blues: schemeBlues[9], greens: schemeGreens[9], greys: schemeGreys[9] };

const ramps = Object.entries(STEPPED).map(([name, colorAt]) => {
  // the middle of each step, so that rounding cannot select a neighbour
  const colors = Array.from({ length: STEPS }, (_, i) => hexOf(colorAt((i + 0.5) / STEPS)));
  return `  ${name}: "${colors.join("")}",`;
});
const knots = Object.entries(SMOOTH).map(([name, colors]) => `  ${name}: "${colors.map(hexOf).join("")}",`);

const source = `// Made from d3-scale-chromatic by scripts/embed-palettes.mjs: edit nothing here.
/** The colours of each stepped map in order, six hexadecimal digits a colour. */
export const RAMPS = {
${ramps.join("\n")}
} as const;

/** The knots of each smooth map in order, six hexadecimal digits a colour. */
export const KNOTS = {
${knots.join("\n")}
} as const;
`;
writeFileSync(new URL("../src/formats/pictures/colorTables.ts", import.meta.url), source);
