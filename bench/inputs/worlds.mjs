// The worlds that are timed. Their layers have the sizes of a real world: regions of 256 × 256 cells, in each of which 48
// walkers, or 192, make 600 steps.

/** Side of the regions of the layers, and of the regions that a world keeps. */
export const SIDE = 256;
/** Side of the windows that are timed. */
export const WINDOW = 1024;

const PLAIN = { preset: "uniform", scatter: { side: SIDE, walkers: 48 }, steps: 600 };
const SEA = { name: "sea", ...PLAIN };
const HILLS = { name: "hills", ...PLAIN };
const RIVERS = {
  name: "rivers",
  preset: "uniform",
  scatter: { side: SIDE, walkers: 12 },
  steps: 300,
  start: { layer: "hills" },
  until: { on: "sea" },
};

/** Layers alone, whose walkers meet no closed cell and no end: about two steps a cell, as for a sea with bays. */
export const LAYERS = {
  layers: [SEA, HILLS].map((layer) => ({ ...layer, scatter: { side: SIDE, walkers: 192 } })),
};
/** The same with half a step a cell. Most of the time goes into the memory that the few steps touch. */
export const SPARSE_LAYERS = { layers: [SEA, HILLS] };

/** Many of them. */
export const MANY_LAYERS = { layers: Array.from({ length: 8 }, (_, l) => ({ ...PLAIN, name: `layer ${l}` })) };

/** One of the layers on a slope, which the walkers go down more often than up. */
export const SLOPE_LAYERS = {
  layers: [{ ...LAYERS.layers[1], slope: { field: "height", down: 3, level: 2, up: 1, steepness: 16 } }],
  fields: [{ name: "height", kind: "noise", scale: 256, octaves: 4 }],
};

/** The same with a second such layer. Both layers feel one field, so the difference is the time of the layer's steps. */
export const TWO_SLOPE_LAYERS = {
  ...SLOPE_LAYERS,
  layers: [...SLOPE_LAYERS.layers, { ...SLOPE_LAYERS.layers[0], name: "streams" }],
};

/** The numbers of the rules below, which the rivals read too. */
export const RULES = {
  /** Least number of visits of a mountain. */
  mountain: 6,
  /** Greatest distance of the shore from the sea. */
  shore: 8,
  /** A forest has this chance in `whole`. */
  forest: { part: 1, whole: 4 },
  village: { part: 1, whole: 256, distance: 8 },
};

/** The terrains, in the order of the rules. */
export const TERRAINS = ["sea", "river", "mountain", "hill", "shore", "forest", "grass"];

const [sea, river, mountain, hill, shore, forest, grass] = TERRAINS;
const share = ({ part, whole }) => `${part}/${whole}`;

/** A world with rivers that rise on hills and end in the sea, and villages. */
export const LAND = {
  layers: [SEA, HILLS, RIVERS],
  terrain: [
    { terrain: sea, when: { sea: { visits: [1, null] } } },
    { terrain: river, when: { rivers: { visits: [1, null] } } },
    { terrain: mountain, when: { hills: { visits: [RULES.mountain, null] } } },
    { terrain: hill, when: { hills: { visits: [1, null] } } },
    { terrain: shore, when: { sea: { within: RULES.shore } } },
    { terrain: forest, when: { chance: share(RULES.forest) } },
    { terrain: grass },
  ],
  placements: [
    { name: "village", on: [shore, grass], density: share(RULES.village), distance: RULES.village.distance },
  ],
};

/** The sea with its shore, and villages: one layer, one distance, one kind of placements. */
export const COAST = {
  layers: [SEA],
  terrain: [
    { terrain: sea, when: { sea: { visits: [1, null] } } },
    { terrain: shore, when: { sea: { within: RULES.shore } } },
    { terrain: grass },
  ],
  placements: LAND.placements,
};

/** The sea with its shore, and nothing else. */
export const SHORES = { ...COAST, placements: [] };

/** Villages on plain ground, which no walker made. */
export const VILLAGES = {
  layers: [{ name: "path" }],
  placements: [{ name: "village", density: share(RULES.village), distance: RULES.village.distance }],
};

/** A height of four octaves, alone. */
export const HEIGHT = {
  layers: [{ name: "path" }],
  fields: [{ name: "height", kind: "noise", scale: SIDE, octaves: 4 }],
};

/** Villages of density 1/4,000 on the land of examples/highlands.json, which `roads` joins. */
export function withVillages({ grid, layers, fields, terrain, paths }, { roads }) {
  const placements = [{ name: "village", on: ["meadow", "forest", "hills"], density: "1/4000" }];
  const road = { ...paths.find(({ name }) => name === "road"), between: ["village"], within: 120 };
  return { grid, layers, fields, terrain, placements, ...(roads && { paths: [road] }) };
}

/** Rows and columns around a window at which the terrain of LAND and COAST depends on layers. */
export const HALO = RULES.shore + RULES.village.distance;

/** A walker that waits goes on until it has at most this many steps more than it needs to reach the window. */
const SPARE_STEPS = 35;

/**
 * For each layer of a world, the number of rows of regions whose walkers can reach a square window that begins at cell
 * 0,0, or the cells up to `margin` rows around it. The layer on whose cells a layer starts must be complete in its own
 * regions. So must the layer on whose cells it ends, and where its walkers step on the way to the cells, in whole regions.
 */
export function regionRows({ layers }, { size, margin }) {
  const needs = new Map(layers.map(({ name }) => [name, [-margin, size - 1 + margin]]));
  const rows = [];
  for (const { name, steps, start, until } of layers.toReversed()) {
    const [least, most] = needs.get(name);
    const [first, last] = [Math.floor((least - steps) / SIDE), Math.floor((most + steps) / SIDE)];
    rows.unshift(last - first + 1);
    const need = (earlier, [first, last]) => {
      const [from, to] = needs.get(earlier);
      needs.set(earlier, [Math.min(from, first * SIDE), Math.max(to, (last + 1) * SIDE - 1)]);
    };
    if (start !== undefined) need(start.layer, [first, last]);
    if (until !== undefined) {
      const way = steps + SPARE_STEPS + 1;
      need(until.on, [Math.floor((least - way) / SIDE), Math.floor((most + way) / SIDE)]);
    }
  }
  return rows;
}

/** Number of steps of a layer on a number of cells, on average. */
export function stepsOf({ steps, scatter: { side, walkers } }, { cells }) {
  return (cells / side ** 2) * walkers * steps;
}

/**
 * Number of steps that a window needs, or `columns` columns of regions for it. The steps of layers whose walkers can end
 * early are left out.
 */
export function stepsInReach(spec, { size, margin = 0, columns }) {
  const rows = regionRows(spec, { size, margin });
  return spec.layers.reduce((sum, { steps, scatter: { walkers }, until }, l) => {
    return until === undefined ? sum + rows[l] * (columns ?? rows[l]) * walkers * steps : sum;
  }, 0);
}
