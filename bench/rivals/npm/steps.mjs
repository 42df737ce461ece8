// honeycomb-grid has the map, and pandemonium draws the direction. They make an object per step.

import { Direction, defineHex, Grid, Orientation } from "honeycomb-grid";
import pandemonium from "pandemonium";
import { RESTING } from "../../inputs/walks.mjs";
import { floats } from "../js/words.mjs";

// NW, NE, E, SE, SW, W on pointy-top hexagons. q is the column, r the row.
const DIRECTIONS = [Direction.NW, Direction.NE, Direction.E, Direction.SE, Direction.SW, Direction.W];

/**
 * {advance(steps), ends(walkers, steps)} of one walker on a torus of size × size. This code wraps the coordinates,
 * because the grid does not.
 */
export function honeycombSteps({ size, tensor: { absolute, relative } }) {
  const Cell = class extends defineHex({ orientation: Orientation.POINTY }) {
    visits = 0;
  };
  const cells = Array.from({ length: size * size }, (_, i) => ({ q: i % size, r: Math.floor(i / size) }));
  const grid = new Grid(Cell, cells);
  const rng = floats(8);
  const turns = Array.from({ length: RESTING + 1 }, (_, heading) =>
    pandemonium.createCachedWeightedRandomIndex(
      rng,
      absolute.map((weight, c) => (heading === RESTING ? weight : weight * relative[(c - heading + 6) % 6])),
    ),
  );
  const origin = grid.getHex({ q: 0, r: 0 });
  let hex = origin;
  let heading = RESTING;

  function advance(steps) {
    for (let t = 0; t < steps; t++) {
      heading = turns[heading]();
      const next = grid.neighborOf(hex, DIRECTIONS[heading]);
      const inside = next.q >= 0 && next.r >= 0 && next.q < size && next.r < size;
      hex = inside ? next : grid.getHex({ q: (next.q + size) % size, r: (next.r + size) % size });
      hex.visits++;
    }
    return hex.q;
  }

  function ends(walkers, steps) {
    return Array.from({ length: walkers }, () => {
      hex = origin;
      heading = RESTING;
      advance(steps);
      return [hex.r, hex.q];
    });
  }

  return { advance, ends };
}
