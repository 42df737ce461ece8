// The jobs that are timed.

/** A world of one finite layer. All walkers start on one cell. Its terrain says how often a cell was visited. */
function finite({ walkers, steps }) {
  return {
    name: "finite",
    layers: [{ name: "sea", preset: "uniform", walkers, steps: steps / walkers }],
    terrain: [
      { terrain: "deep", when: { sea: { visits: [32, null] } } },
      { terrain: "sea", when: { sea: { visits: [1, null] } } },
      { terrain: "land" },
    ],
  };
}

/** Steps of the finite layer. They reach 71 million cells, in a rectangle of 175 million cells. */
export const STEPS = 1e10;
/** All cells that the finite layer reached. The job walks, merges and makes cells. */
export const WALK = { world: finite({ walkers: 2000, steps: STEPS }) };

/** Rows, and columns, of a part of the large example. */
export const SIDE = 12_288;
/** A part of examples/continent.json. Like that job, it keeps no visits. */
export const REGION = {
  worldFile: "continent-world.json",
  extent: { row0: 0, col0: 0, rows: SIDE, cols: SIDE },
  visits: [],
};

// two jobs of two seconds, which are too short for the bars: they show what the start of the threads costs

/** Steps of the short walk. They reach 19 million cells, in a rectangle of 49 million cells. */
export const SHORT_STEPS = 5e8;
export const SHORT_WALK = { world: finite({ walkers: 200, steps: SHORT_STEPS }) };

/** Rows, and columns, of the short region. */
export const SHORT_SIDE = 6144;
/** A part of examples/endless.json, with the visits of its five layers. */
export const SHORT_REGION = {
  worldFile: "endless.json",
  extent: { row0: 0, col0: 0, rows: SHORT_SIDE, cols: SHORT_SIDE },
};

/** A finite layer whose walkers reach more than 10⁸ cells. */
export const LARGE = { world: finite({ walkers: 200, steps: 3e9 }) };
/** The limit of the memory of all threads of the large job, in MiB. */
export const LARGE_MEMORY = 256;
/** The terrains of cells that walkers reached. */
export const REACHED = ["deep", "sea"];
