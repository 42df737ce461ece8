// The loops of ../ours.mjs, written with the older names of the library, which it had before all systems got the same
// calls (commit b862598).

const SEED = "bench";

/** This folder exists only in built checkouts that have the calls of ../ours.mjs. */
export const NEW_CALLS = "dist/calls";

/** Returns a window of a world. Before a window was a record, it was given as four numbers. */
export function windowOf(world, { row0, col0, rows, cols }, options) {
  if (world.window.length === 1) return world.window({ row0, col0, rows, cols }, options);
  return world.window(row0, col0, rows, cols, options);
}

/** The loops that ./loops.mjs times. */
export function before({ createMill }) {
  const mill = () => createMill({ seed: SEED });

  return {
    words() {
      const stream = mill().stream("fill");
      let from = 0;
      return {
        fill(out) {
          stream.wordsInto(out, { from });
          from += out.length;
        },
      };
    },

    list(weights) {
      const list = mill().weighted("picks", weights);
      return { pickInto: (out) => list.pickInto(out) };
    },

    table(text, scriptWeight) {
      const opened = mill();
      const { scriptIds } = opened.table("script ids", text);
      const weights = Object.fromEntries(scriptIds.map((id) => [id, scriptWeight]));
      const table = opened.table("rolls", text, { weights });
      return { rollInto: (out) => table.rollInto(out) };
    },

    walk({ size, walkers }) {
      const grid = size === null ? { kind: "unbounded" } : { kind: "torus", rows: size, cols: size };
      const walk = mill().walk("steps", { grid, preset: "uniform", walkers });
      return {
        start() {
          const run = walk.start();
          return {
            advance: (steps) => run.advance(steps).steps,
            ends: () => Array.from(run.positions(), ({ row, col }) => [row, col]),
            dispose: () => run.dispose(),
          };
        },
      };
    },

    pool(masses, { quantity }) {
      const family = mill().pools("bench");
      const records = masses.map((mass, id) => ({ id, mass, quantity }));
      family.registerRoot("pool", { kind: "finite", records, subpools: {} });
      return { drawInto: (out) => family.drawInto(out, "pool") };
    },

    weapons(length) {
      const recipe = mill().recipe("weapon");
      const items = recipe.makeMany(length);
      return { items, make: () => recipe.makeInto(items) };
    },

    objects(texts, { level, length }) {
      const maker = mill().objects("drops", texts);
      let from = 0;
      const made = maker.makeMany(length, { level, good: true, from });
      return {
        make() {
          from = from + 2 * length > 2 ** 32 ? 0 : from + length;
          return maker.makeInto(made, { level, good: true, from });
        },
      };
    },
  };
}
