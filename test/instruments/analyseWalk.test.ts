import { describe, expect, test } from "vitest";
import { toNumber } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { analyseWalk } from "../../src/instruments/analyseWalk.js";

const mill = createMill({ seed: "walks" });
const text = (value: unknown) => JSON.parse(JSON.stringify(value));

test("a walker without a memory", () => {
  const { classes, meanSquare } = analyseWalk(mill.walk("uniform", {}));
  expect(classes).toHaveLength(1);
  expect(text(classes[0])).toMatchObject({
    chance: "1/1",
    drift: { row: "0/1", col: "0/1" },
    diffusion: "1/1",
    period: 1,
    cells: "1/1",
  });
  expect(text(meanSquare(17))).toBe("17/1");
});

test("a walker that keeps its direction, and one that only goes east and west", () => {
  const straight = analyseWalk(mill.walk("straight", { tensor: { relative: { forward: 1 } } }));
  expect(straight.classes.map(({ chance }) => text(chance))).toEqual(Array(6).fill("1/6"));
  expect(text(straight.meanSquare(9))).toBe("81/1");
  const line = analyseWalk(mill.walk("line", { tensor: { absolute: { E: 1, W: 1 } } }));
  expect(text(line.classes[0])).toMatchObject({ diffusion: "1/1", cells: "0/1" });
  // NW, E and SW are the corners of a triangle: every third cell
  const triangle = analyseWalk(mill.walk("triangle", { tensor: { absolute: { NW: 1, E: 1, SW: 1 } } }));
  expect(text(triangle.classes[0])).toMatchObject({ cells: "1/1", drift: { row: "0/1" } });
});

describe("against ten thousand walkers", () => {
  const tensors = [
    {
      absolute: { NW: 1, NE: 2, E: 3, SE: 1, SW: 1, W: 1 },
      relative: { forward: 3, leftForward: 1, rightForward: 2, backward: 1 },
    },
    { relative: { "2:00": 1, "10:00": 3 } },
    { absolute: { E: 5, SE: 1, W: 1 }, relative: { "12:00": 1, "2:00": 1, "6:00": 2 } },
  ];
  test.each(tensors)("tensor %#", (tensor) => {
    const steps = 40;
    const walk = mill.walk(`t${tensors.indexOf(tensor)}`, { tensor, walkers: 20_000, steps });
    const { meanSquare } = analyseWalk(walk);
    const run = walk.start();
    run.advance(steps);
    const ends = run.positions();
    let [sum, squares] = [0, 0];
    for (const { row, col } of ends) {
      const square = row * row + row * col + col * col;
      sum += square;
      squares += square * square;
    }
    const [mean, n] = [sum / 20_000, 20_000];
    const deviation = Math.sqrt((squares / n - mean * mean) / n);
    expect(Math.abs(mean - toNumber(meanSquare(steps)))).toBeLessThan(5 * deviation + 1e-9);
  });
});

test("without a drift, the mean square grows with the diffusion", () => {
  const { classes, meanSquare } = analyseWalk(
    mill.walk("turns", { tensor: { relative: { "2:00": 1, "10:00": 3, "12:00": 2 } } }),
  );
  expect(text(classes[0].drift)).toEqual({ row: "0/1", col: "0/1" });
  const [a, b] = [300, 301].map((n) => toNumber(meanSquare(n)));
  expect(b - a).toBeCloseTo(toNumber(classes[0].diffusion), 8);
});

test("the mean square grows with the diffusion and the drift", () => {
  const tensor = {
    absolute: { NW: 1, NE: 2, E: 3, SE: 1, SW: 1, W: 1 },
    relative: { forward: 3, leftForward: 1, backward: 1 },
  };
  const { classes, meanSquare } = analyseWalk(mill.walk("grows", { tensor }));
  const [{ drift, diffusion }] = classes;
  const [row, col] = [toNumber(drift.row), toNumber(drift.col)];
  const speed = row * row + row * col + col * col;
  // E|R|² = |μ|² n² + c n + constant: second differences give the speed
  const [a, b, c] = [200, 201, 202].map((n) => toNumber(meanSquare(n)));
  expect((c - 2 * b + a) / 2).toBeCloseTo(speed, 8);
  expect(toNumber(diffusion)).toBeGreaterThan(0);
});
