import type { FieldRangeInput, LayerInput, SlopeInput } from "../../src/walks/index.js";
import { type FieldInput, parseWorld, type TerrainRuleInput } from "../../src/worlds/index.js";
import { Dice, type RandomWorld, randomWorld } from "./randomWorld.js";

/** Random worlds whose layers read fields: as slopes, and as ranges for starts, closed, open and end cells. */

/** Returns a random world with slopes; undefined if the random world has no scattered layer, or is not valid. */
export function slopeWorld(number: number): RandomWorld | undefined {
  const given = smaller(randomWorld(number));
  const dice = new Dice(`slopes ${number}`);
  const { layers: plain, terrain } = given.input;
  const heights = heightFields(dice, given);
  if (!plain.some(({ scatter }) => scatter !== undefined)) return undefined;
  const fields: FieldInput[] = [...heights];
  const layers = plain.map((layer, l): LayerInput => {
    if (layer.scatter === undefined || dice.holds(0.2)) return layer;
    // with large weights and a steep slope, the total would not be below 2³²
    const { tensor, ...own } = layer;
    const isLarge = Object.values({ ...tensor?.absolute, ...tensor?.relative }).some((weight) => weight > 5);
    const before = plain.slice(0, l);
    if (before.length > 0 && dice.holds(0.4)) {
      fields.push({ name: `near ${l}`, kind: "distance", layer: dice.of(before).name, most: dice.of([2, 5, 9]) });
    }
    return withFields(dice, isLarge ? own : layer, fields);
  });
  const stuck = layers.filter(({ slope }) => slope !== undefined && slope.stuck !== "rest");
  const ponds = stuck.length === 0 ? [] : pondLayers(dice, dice.of(stuck));
  if (ponds.length > 0) fields.push({ name: "near ponds", kind: "distance", layer: "ponds", most: 6 });
  // no layer has the name of a field in the random world
  const input: RandomWorld["input"] = {
    ...given.input,
    layers: [...layers, ...ponds],
    fields: [...(given.input.fields ?? []), ...fields],
  };
  const made = terrain && ponds.length > 0 ? { ...input, terrain: withPonds(terrain) } : input;
  // some random ranges contradict each other, such as a start on closed cells
  return parseWorld(made).spec && { ...given, input: made };
}

/** The twin computes noise cell by cell, so the windows, regions and walks are smaller here. */
function smaller(given: RandomWorld): RandomWorld {
  const { input, window } = given;
  const layers = input.layers.map((layer) => {
    const { side = 256, walkers, density } = layer.scatter ?? {};
    const count = walkers && Math.ceil((walkers * 64 ** 2) / side ** 2);
    const scatter = layer.scatter && { side: 64, ...(density === undefined ? { walkers: count } : { density }) };
    return { ...layer, steps: Math.min(40, layer.steps ?? 0), ...(scatter && { scatter }) };
  });
  const [rows, cols] = [Math.min(window.rows, 50), Math.min(window.cols, 50)];
  const { placements: _, ...land } = input;
  return { ...given, input: { ...land, layers }, window: { ...window, rows, cols } };
}

function heightFields(dice: Dice, { window }: RandomWorld): FieldInput[] {
  const bits = dice.integer(2, 5);
  const kinds: FieldInput[] = [
    { name: "height", kind: "noise", scale: 2 ** bits, octaves: dice.integer(1, bits - 1) },
    {
      name: "terraces",
      kind: "curve",
      of: "height",
      points: [
        [0, 0],
        [20_000, 3],
        [30_000, 20],
        [45_000, 21],
      ],
    },
    { name: "cone", kind: "position", from: [window.row, window.col], most: dice.of([90, 500]) },
  ];
  return kinds;
}

function withFields(dice: Dice, layer: LayerInput, fields: readonly FieldInput[]): LayerInput {
  const range = (): FieldRangeInput => {
    const from = dice.of([0, 10, 25_000, 32_768]);
    const to = dice.of([from, 21, 33_000, 40_000, 65_535]);
    const field = dice.of(fields).name;
    if (to < from) return { field, from };
    return dice.of([
      { field, from },
      { field, to },
      { field, from, to },
    ]);
  };
  const { closed, open, until, start } = layer;
  return {
    ...layer,
    ...(dice.holds(0.8) && { slope: randomSlope(dice, fields) }),
    ...(start === undefined && dice.holds(0.4) && { start: range() }),
    ...(dice.holds(0.3) && { closed: { ...closed, fields: [range()] } }),
    ...(dice.holds(0.2) && { open: { ...open, fields: [{ field: "height", from: 20_000 }, range()] } }),
    ...(until === undefined &&
      dice.holds(0.3) && { until: { field: dice.of(fields).name, to: dice.of([0, 3, 28_000]) } }),
  };
}

function randomSlope(dice: Dice, fields: readonly FieldInput[]): SlopeInput {
  // some factors are so large that the total of the weights is almost 2³²
  const factor = () => dice.of([0, 0, 1, 2, 8, 255]);
  return {
    field: dice.of(fields).name,
    down: dice.of([1, 3, 255]),
    level: factor(),
    up: factor(),
    ...(dice.holds(0.5) && { steepness: dice.of([1, 256, 999]) }),
    ...(dice.holds(0.4) && { stuck: "rest" }),
  };
}

function pondLayers(dice: Dice, { name, scatter }: LayerInput): LayerInput[] {
  const ponds: LayerInput = { name: "ponds", stuck: name };
  const moss = { name: "moss", steps: dice.integer(0, 9), scatter: { side: scatter?.side, density: "1/2" } };
  const after = dice.of<LayerInput[]>([
    [],
    [{ ...moss, start: { layer: "ponds" } }],
    [{ ...moss, until: { on: "ponds" } }],
  ]);
  return [ponds, ...after];
}

function withPonds(terrain: readonly TerrainRuleInput[]): TerrainRuleInput[] {
  return terrain.map((rule, i) =>
    i > 0 || rule.when === undefined ? rule : { ...rule, when: { any: [rule.when, { ponds: { within: 1 } }] } },
  );
}
