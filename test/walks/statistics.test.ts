import { describe, expect, test } from "vitest";
import { toNumber } from "../../src/fractions.js";
import { createMill, type PresetName } from "../../src/index.js";
import { DIRECTIONS, type Heading, type LayerBody, PRESETS, type WalkerPosition } from "../../src/walks/index.js";
import { endPointLaw, type LawTensor, meanSquareClosedForm } from "../oracle/walkLaw.js";
import { IS_SOAK } from "../soak.js";
import { agrees, trialsToTell, Z } from "../statistics/chiSquare.js";

const NAMES = Object.keys(PRESETS) as PresetName[];

/** Where each walker of a layer ends. */
function* ends(layer: LayerBody): Generator<WalkerPosition> {
  using mill = createMill({ seed: "statistics" });
  yield* mill
    .walk("walk", layer)
    .start()
    .advance(layer.steps ?? 0)
    .positions();
}

/** How many walkers of a layer end with each heading NW … W. */
function headingsOf(layer: LayerBody): number[] {
  const counts = new Map<Heading, number>(DIRECTIONS.map((direction) => [direction, 0]));
  for (const { heading } of ends(layer)) counts.set(heading, (counts.get(heading) ?? 0) + 1);
  return [...counts.values()];
}

/** A number for a place whose row and column are -8 … 8. */
function keyOf({ row, col }: { readonly row: number; readonly col: number }): number {
  return row * 17 + col;
}

/** The law of the end after 8 steps, by {@link keyOf} its place. */
function lawAfter8(tensor: LawTensor): Map<number, number> {
  return new Map(endPointLaw(tensor, 8).map((end) => [keyOf(end), toNumber(end.probability)]));
}

describe("directions", () => {
  test("first steps from rest and with a heading have the law of walk.odds, for each preset", () => {
    for (const preset of NAMES) {
      for (const heading of ["resting", "SE"] as const) {
        const counts = headingsOf({ preset, heading, walkers: IS_SOAK ? 600_000 : 200_000, steps: 1 });
        const { odds } = createMill({ seed: "" }).walk("walk", { preset }).odds({ heading });
        const law = odds.map(({ probability }) => toNumber(probability));
        expect([preset, heading, agrees(counts, law)]).toEqual([preset, heading, true]);
      }
    }
  });

  test("a step beside closed cells has the law renormalised over the open ones", () => {
    // heading E, weights 5 4 3 2 1 6 for NW … W; NE and W are closed: 5 : 3 : 2 : 1 of 11
    const tensor = { absolute: { NW: 5, NE: 4, E: 3, SE: 2, SW: 1, W: 6 } };
    const closed = {
      cells: [
        [-1, 1],
        [0, -1],
      ] as const,
    };
    const counts = headingsOf({ tensor, closed, walkers: 500_000, steps: 1 });
    expect(
      agrees(
        counts,
        [5, 0, 3, 2, 1, 0].map((weight) => weight / 11),
      ),
    ).toBe(true);
    // the law of "take the next open one" is another
    expect(
      agrees(
        counts,
        [5, 0, 3, 2, 11, 0].map((weight) => weight / 21),
      ),
    ).toBe(false);
  });
});

describe.each(NAMES)("the end of a walk by %s", (preset) => {
  const tensor = PRESETS[preset];

  test("after 8 steps has its exact law (α = 10⁻⁶), and a turn that is too heavy is found", () => {
    const law = lawAfter8(tensor);
    const places = [...law.keys()];
    const p = places.map((place) => law.get(place) ?? 0);
    // by how many percent: where right and left are even, a little more of one hardly moves the end
    const { q, walkers } = [4, 8, 16, 32]
      .map((percent) => {
        const heavy = tensor.relative.findIndex((weight) => weight > 0);
        const relative = tensor.relative.map((weight, i) => weight * (i === heavy ? 100 + percent : 100));
        const spoilt = lawAfter8({ absolute: tensor.absolute, relative });
        const wrong = places.map((place) => spoilt.get(place) ?? 0);
        return { q: wrong, walkers: trialsToTell(wrong, p) };
      })
      .filter((each) => each.walkers < 1_500_000)[0];
    const seen = new Map(places.map((place) => [place, 0]));
    for (const end of ends({ preset, walkers, steps: 8 })) seen.set(keyOf(end), (seen.get(keyOf(end)) ?? 0) + 1);
    expect(seen.size).toBe(places.length);
    const counts = places.map((place) => seen.get(place) ?? 0);
    expect([agrees(counts, p), agrees(counts, q)]).toEqual([true, false]);
  });

  test.each([
    [10, 200_000],
    [100, 50_000],
    [1000, 10_000],
  ])("after %s steps is as far away as E[R²] says, over %s walkers", (steps, walkers) => {
    let [sum, squares] = [0, 0];
    for (const { row, col } of ends({ preset, walkers, steps })) {
      const r2 = row * row + row * col + col * col;
      sum += r2;
      squares += r2 * r2;
    }
    const mean = sum / walkers;
    const error = Math.sqrt((squares / walkers - mean * mean) / walkers);
    expect(Math.abs(mean - meanSquareClosedForm(tensor.relative, steps))).toBeLessThan(Z * error);
  });
});

test("one class of cells in three is never visited by turns of right and left forward: the holes of the study", () => {
  const { total } = createMill({ seed: "statistics" }).walk("holes", { preset: "rf50-lf50", steps: 300_000 }).run();
  const classes = [0, 0, 0];
  for (const { chunkRow, chunkCol, visits } of total.chunks()) {
    for (const [i, count] of visits.entries()) {
      const k = chunkCol * 64 + (i & 63) - (chunkRow * 64 + (i >> 6));
      classes[((k % 3) + 3) % 3] += count;
    }
  }
  expect(classes.toSorted((a, b) => a - b)).toEqual([0, 150_000, 150_001]);
});

test("drawn starts fall evenly on a rectangle, and on an earlier layer's cells", () => {
  const mill = createMill({ seed: "statistics" });
  const rect = mill.walk("rect", { walkers: 300_000, start: { rect: [-3, 60, 3, 66] } }).run().total;
  expect(agrees(rect.window({ row0: -3, col0: 60, rows: 7, cols: 7 }), new Array<number>(49).fill(1 / 49))).toBe(true);
  const walk = mill.walk("layers", {
    layers: [
      { name: "land", steps: 400 },
      { name: "springs", walkers: 300_000, start: { layer: "land" } },
    ],
  });
  const [land, springs] = walk.run().layers.map(({ map }) => map);
  expect(springs.bounds).toEqual(land.bounds);
  const cells = [...land.chunks()].flatMap(({ chunkRow, chunkCol, visits }) =>
    Array.from(visits.entries())
      .filter(([, count]) => count > 0)
      .map(([i]) => springs.visitsAt(chunkRow * 64 + (i >> 6), chunkCol * 64 + (i & 63))),
  );
  expect(cells.reduce((a, b) => a + b)).toBe(300_000);
  expect(
    agrees(
      cells,
      cells.map(() => 1 / cells.length),
    ),
  ).toBe(true);
});
