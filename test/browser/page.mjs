// What a page does with the library; bundled with it, and run by Node too, which must get the same.
import { toNpy, toPng } from "../../dist/formats/index.js";
import { createMill, createMillAsync } from "../../dist/index.js";
import { resultsOf as resultsAndMap, sum } from "./results.mjs";

export { createMill, createMillAsync };

/** Results of every kind, ready for JSON. */
export function resultsOf(mill) {
  const { results, map } = resultsAndMap(mill);
  return { ...results, png: sum(toPng(map)), npy: sum(toNpy(map)) };
}
