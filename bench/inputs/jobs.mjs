// The jobs that are timed.

/** Walkers of the finite layer. They start on one cell. */
const WALKERS = 200;

/** A world of one finite layer. Its terrain says how often a cell was visited. */
function finite(steps) {
  return {
    name: "finite",
    layers: [{ name: "sea", preset: "uniform", walkers: WALKERS, steps: steps / WALKERS }],
    terrain: [
      { terrain: "deep", when: { sea: { visits: [32, null] } } },
      { terrain: "sea", when: { sea: { visits: [1, null] } } },
      { terrain: "land" },
    ],
  };
}

/** Steps of the finite layer. They reach 19 million cells, in a rectangle of 49 million cells. */
export const STEPS = 5e8;
/** All cells that the finite layer reached. The job walks, merges and makes cells. */
export const WALK = { world: finite(STEPS) };

/** Rows, and columns, of the part of a scattered world. */
export const SIDE = 6144;
export const REGION = { worldFile: "endless.json", extent: { row0: 0, col0: 0, rows: SIDE, cols: SIDE } };

/** A finite layer whose walkers reach more than 10⁸ cells. */
export const LARGE = { world: finite(3e9) };
/** The limit of the memory of all threads of the large job, in MiB. */
export const LARGE_MEMORY = 256;
/** The terrains of cells that walkers reached. */
export const REACHED = ["deep", "sea"];
