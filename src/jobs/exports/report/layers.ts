import type { ExportSource } from "../source.js";

/** Entry 0 of a histogram counts the cells without visits. Entry k + 1 counts those with 2ᵏ to 2ᵏ⁺¹ − 1 visits. */
export type LayerFacts = ReturnType<typeof layerFacts>[number];

const CLASSES = 33;

/** Calls `onCells` after each sector, with the number of its cells. */
export function layerFacts(source: ExportSource, onCells: (cells: number) => void) {
  return source.layers.map(({ name }) => {
    const histogram = new Float64Array(CLASSES);
    let [visits, most] = [0, 0];
    for (const sector of source.sectors) {
      const counts = source.visits(name, source.cellsOf(sector));
      for (let i = 0; i < counts.length; i++) {
        const count = counts[i];
        histogram[32 - Math.clz32(count)]++;
        visits += count;
        if (count > most) most = count;
      }
      onCells(counts.length);
    }
    const used = histogram.findLastIndex((cells) => cells > 0) + 1;
    const cells = histogram.reduce((sum, some, k) => (k === 0 ? 0 : sum + some), 0);
    return { name, cells, visits, most, histogram: [...histogram.subarray(0, used)] };
  });
}

/** Entry 3 counts the cells with 4 to 7 visits, so its label is 4–7. */
export function classText(k: number): string {
  if (k < 2) return String(k);
  return `${(2 ** (k - 1)).toLocaleString("en")}–${(2 ** k - 1).toLocaleString("en")}`;
}
