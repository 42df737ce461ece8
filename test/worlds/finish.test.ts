import { expect, test } from "vitest";
import { type FinishStage, Ground, type StageMeans } from "../../src/worlds/finish.js";
import { NO_TERRAIN } from "../../src/worlds/types.js";
import { Workspace } from "../../src/worlds/workspace.js";

/** Stages: what a finished cell depends on, and what it does not. */

const MEANS = {} as StageMeans;
const NONE = { rows: new Int32Array(0), cols: new Int32Array(0), terrains: new Uint8Array(0) };

/** Each cell becomes the sum of the cells that are at most `reach` rows and columns away, modulo 251. */
function summing(reach: number): FinishStage {
  return {
    reach,
    apply(ground, { row0, col0, rows, cols }) {
      const before = ground.terrain.slice();
      const at = (row: number, col: number) => {
        const isInside = row >= ground.row0 && row < ground.row0 + ground.rows;
        if (!isInside || col < ground.col0 || col >= ground.col0 + ground.cols) return 0;
        return before[ground.indexOf(row, col)];
      };
      for (let row = row0; row < row0 + rows; row++) {
        for (let col = col0; col < col0 + cols; col++) {
          let sum = 0;
          for (let r = -reach; r <= reach; r++) for (let c = -reach; c <= reach; c++) sum += at(row + r, col + c);
          ground.terrain[ground.indexOf(row, col)] = sum % 251;
        }
      }
    },
  };
}

/** The ground of the cells that are in `bounds` and at most `reach` away from region (i, j). */
function groundOf([i, j]: readonly [number, number], reach: number, bounds: { rows: number; cols: number }): Ground {
  const [row0, col0] = [Math.max(0, 256 * i - reach), Math.max(0, 256 * j - reach)];
  const [end, right] = [Math.min(bounds.rows, 256 * i + 256 + reach), Math.min(bounds.cols, 256 * j + 256 + reach)];
  const whole = { row0: 0, col0: 0, ...bounds };
  const cells = Uint8Array.from({ length: bounds.rows * bounds.cols }, (_, k) => (k * 2_654_435_761) >>> 25);
  const made = { cells: whole, terrain: { cells, at: 0, stride: bounds.cols }, regions: [] };
  return new Ground({ row0, col0, rows: end - row0, cols: right - col0 }, [made], {
    kinds: 1,
    workspace: new Workspace(),
  });
}

test("a finished cell depends on the cells within the sum of the reaches", () => {
  const bounds = { rows: 530, cols: 300 };
  const stages = [summing(2), summing(1)];
  const finished = (region: readonly [number, number], reach: number) => {
    const [i, j] = region;
    return groundOf(region, reach, bounds).finish({ i0: i, j0: j, i1: i, j1: j }, stages, MEANS);
  };
  for (const region of [
    [0, 0],
    [1, 0],
    [1, 1],
    [2, 1],
  ] as const) {
    const { terrain, placements } = finished(region, 3);
    expect(terrain).toEqual(finished(region, 40).terrain);
    expect(terrain).not.toEqual(finished(region, 2).terrain);
    expect(placements).toEqual([{ ...NONE, ranks: new Uint32Array(0) }]);
    const rows = Math.min(256, bounds.rows - 256 * region[0]);
    expect(terrain.cells.filter((one) => one === NO_TERRAIN)).toHaveLength(
      256 * 256 - rows * Math.min(256, bounds.cols - 256 * region[1]),
    );
  }
});
