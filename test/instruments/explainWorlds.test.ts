import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import {
  explain,
  explainDiff,
  explainText,
  type Receipt,
  receipt,
  type StepPlace,
} from "../../src/instruments/index.js";
import type { Walk, WalkInput } from "../../src/walks/index.js";
import type { World } from "../../src/worlds/index.js";
import { codeOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { randomRelations } from "../worlds/randomRelations.js";
import { type RandomWorld, randomWorld } from "../worlds/randomWorld.js";
import { integers } from "./random.js";

// a program of plain JavaScript without declarations
const CHECKER = "../../examples/check-receipt.mjs";
const { check }: { check: (receipt: unknown, spec?: string) => void } = await import(CHECKER);

const random = integers(3);
const SPEC = "the text of the spec";

/** With the digest of the changed content, so that only the changed field can be wrong. */
function signed({ digest: _, ...content }: Receipt): Receipt {
  return { ...content, digest: createHash("sha256").update(JSON.stringify(content)).digest("hex") };
}

function changed(made: Receipt, at: number, fields: object): Receipt {
  const { explanation } = made;
  const decisions = explanation.decisions.map((one, i) => (i === at ? { ...one, ...fields } : one));
  return signed({ ...made, explanation: { ...explanation, decisions } });
}

/** Refuses each kind of change to one decision. */
function expectChangesRefused(made: Receipt): void {
  const { decisions } = made.explanation;
  if (decisions.length === 0) return;
  const at = random(decisions.length);
  const { word, index, plane, skipped, m, choice, weights } = decisions[at];
  const changes = [
    { word: word ^ 1 },
    { index: index ^ 1 },
    { plane: plane + 1 },
    { m: m + 1 },
    { skipped: (skipped ?? -1) + 1 },
    ...(choice === undefined ? [] : [{ choice: choice + 1 }]),
    ...(weights === undefined ? [] : [{ weights: weights.map((one) => ({ ...one, weight: one.weight + 1 })) }]),
  ];
  for (const change of changes) {
    const other = changed(made, at, change);
    // another bound can lead to the same value
    if ("m" in change && weights === undefined) continue;
    expect(() => check(other, SPEC), JSON.stringify([decisions[at], change])).toThrow("wrong");
  }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

interface Seen {
  steps: number;
  starts: number;
  redrawn: number;
  resting: number;
  ended: number;
  extra: number;
}

/** Checks the receipt of a step, and counts what it shows. Now and then, changes the receipt. */
function checkStep(seen: Seen, source: Walk | World, { seed, at }: { seed: string; at: StepPlace }): void {
  let made: Receipt;
  try {
    made = JSON.parse(JSON.stringify(receipt(source, { seed, spec: SPEC, at })));
  } catch (cause) {
    expect(String(cause)).toMatch(/no walker starts|no open cell/);
    return;
  }
  check(made, SPEC);
  const { decisions, facts = [] } = made.explanation;
  seen.steps++;
  seen.starts += Number(at.step === 0 && decisions.length > 0);
  seen.redrawn += Number(decisions.some(({ skipped }) => skipped !== undefined));
  seen.resting += Number(facts.some(({ so }) => so === "the walker rests"));
  seen.ended += Number(facts.some(({ so }) => so === "the walker ends"));
  seen.extra += Number(decisions.some(({ extra }) => extra.length > 0));
  if (seen.steps % 8 === 0) expectChangesRefused(made);
}

/** A walk in a narrow grid, with weights so large that many words do not decide alone. */
function narrowWalk(): WalkInput {
  const weight = () => [0, 1, random(700_000_000)][random(3)];
  const absolute = { E: 1 + random(700_000_000), NW: weight(), SW: weight(), W: weight() };
  const isTorus = random(3) === 0;
  const grid = { kind: isTorus ? "torus" : "bounded", rows: 2 + 2 * random(2), cols: 2 + random(4) } as const;
  const common = { walkers: 3, steps: 12, tensor: { absolute } };
  const lines = { ...common, name: "lines", start: [[0, 0]] as const, steps: random(6) };
  const start = random(2) === 0 ? { rect: [0, 0, grid.rows - 1, grid.cols - 1] as const } : { layer: "lines" };
  const until = "rect" in start ? { until: { on: "lines" } } : {};
  const limits = [{ closed: { cells: [[1, 1]] as const } }, { open: { layers: ["lines"] } }, until];
  const oddR = isTorus || random(2) === 0 ? {} : { coordinates: "odd-r" as const };
  return { grid: { ...grid, ...oddR }, layers: [lines, { ...common, name: "roads", start, ...limits[random(3)] }] };
}

describe("steps of walkers", () => {
  test("are accepted by the checker, and single changes are refused", () => {
    const wanted = IS_SOAK ? 10_000 : 250;
    const seen: Seen = { steps: 0, starts: 0, redrawn: 0, resting: 0, ended: 0, extra: 0 };
    for (let number = 0; seen.steps < wanted; number++) {
      const { seed, name, input, window } = randomWorld(number);
      using mill = createMill({ seed });
      const world = mill.world(name, input);
      for (const { name: layer, side, steps, walkers } of world.walk.layers) {
        const region = side && ([Math.floor(window.row / side), Math.floor(window.col / side)] as const);
        for (let k = 0; k < 5; k++) {
          const at = { layer, ...(region && { region }), walker: random(walkers), step: random(1 + steps) };
          checkStep(seen, world, { seed, at });
        }
      }
      const walk = mill.walk("narrow", narrowWalk());
      for (let k = 0; k < 10; k++) {
        checkStep(seen, walk, { seed, at: { layer: "roads", walker: random(3), step: random(13) } });
      }
    }
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(4);
  });

  test("are those of docs/determinism.md", () => {
    const hills = { name: "hills", scatter: { side: 64, walkers: 3 }, steps: 100, preset: "uniform" } as const;
    const rivers = { name: "rivers", scatter: { side: 64, walkers: 2 }, steps: 60, start: { layer: "hills" } } as const;
    const layers = [hills, { ...rivers, preset: "uniform", until: { outside: "hills" } } as const];
    const world = createMill({ seed: "moria" }).world("land", { layers });
    const region = [-1, 2] as const;
    const hill = explain(world, { at: { layer: "hills", region, walker: 1, step: 0 } });
    expect(hill.decisions.map(({ word }) => word)).toEqual([2993494869, 2881793578]);
    expect(hill.result).toEqual({ row: -20, col: 170, heading: "resting" });
    const [{ word }] = explain(world, { at: { layer: "hills", region, walker: 2, step: 1 } }).decisions;
    expect(word).toBe(142382289);
    expect(explain(world, { at: { layer: "hills", region, walker: 0, step: 100 } }).result).toEqual({
      row: -17,
      col: 150,
      heading: "NE",
    });
    const river = { layer: "rivers", region, walker: 1 };
    expect(explainText(explain(world, { at: { ...river, step: 0 } }))).toBe(
      `walk land/rivers, region -1 2, walker 1, step 0: {"row":-11,"col":145,"heading":"resting"}
  start, visited cell: word 3673727861 of plane 0, index 1; below(165) = 141: number 141 of 165
  (-11, 145): visits of hills, until.outside: 3, the walker goes on
`,
    );
    expect(explain(world, { at: { ...river, step: 60 } }).result).toMatchObject({ row: -8, col: 143 });
  });

  test("show the weights, and what changed them", () => {
    const walk = createMill({ seed: "moria" }).walk("walk", {
      grid: { kind: "bounded", rows: 3, cols: 3 },
      steps: 5,
      tensor: { absolute: { E: 2, NW: 1, W: 1 }, relative: { forward: 3, backward: 1 } },
    });
    const texts = [2, 3].map((step) => explainText(explain(walk, { at: { walker: 0, step } })));
    const outside = (...names: readonly string[]) => names.map((name) => `${name} 0 (closed: outside the grid), `);
    expect(texts.join("")).toBe(`walk walk, walker 0, step 2: {"row":0,"col":2,"heading":"E"}
  step from (0, 1), heading E: word 1454709731 of plane 0, index 1; below(7) = 2: E to (0, 2)
    entry 3 of 6, total 7: NW 0 (1 NW × 0 leftBackward), NE 0, E 6 (2 E × 3 forward) ← 0 … 5, SE 0, SW 0, \
W 1 (1 W × 1 backward)
walk walk, walker 0, step 3: {"row":0,"col":1,"heading":"W"}
  step from (0, 2), heading E: word 3151583870 of plane 0, index 2; below(7) = 5: E, closed: outside the grid
    entry 3 of 6, total 7: NW 0 (1 NW × 0 leftBackward), NE 0, E 6 (2 E × 3 forward) ← 0 … 5, SE 0, SW 0, \
W 1 (1 W × 1 backward)
  step from (0, 2), heading E, among the open directions: extra word 2880470563 of plane 0, index 2; below(1) = 0: W to \
(0, 1)
    entry 6 of 6, total 1: ${outside("NW", "NE", "E").join("")}SE 0, SW 0, W 1 (1 W × 1 backward) ← 0 … 0
`);
  });

  test("of two seeds part at the first decision", () => {
    const [a, b] = ["moria", "khazad"].map((seed) => {
      return createMill({ seed }).walk("walk", { steps: 9, start: { rect: [0, 0, 99, 99] } });
    });
    const at = { walker: 0, step: 0 };
    const diff = explainDiff(explain(a, { at }), explain(b, { at }));
    expect(diff).toMatchObject({ position: 0, a: { what: "start, row" }, b: { what: "start, row" } });
    expect(explainDiff(explain(a, { at }), explain(a, { at }))).toBeUndefined();
  });

  test("that do not exist are refused", () => {
    const mill = createMill({ seed: "moria" });
    const walk = mill.walk("walk", { steps: 9, walkers: 2 });
    const code = (at: unknown, given = {}) => codeOf(() => explain(walk, { at, ...given } as never));
    expect(code({ walker: 2, step: 0 })).toBe("argument.range");
    expect(code({ walker: 0, step: 10 })).toBe("argument.range");
    expect(code({ walker: 0.5, step: 1 })).toBe("argument.range");
    expect(code({ walker: 0 })).toBe("argument.range");
    expect(code({ walker: 0, step: 1, layer: "sea" })).toBe("argument.range");
    expect(code({ walker: 0, step: 1, region: [0, 0] })).toBe("argument.option");
    expect(code({ walker: 0, step: 1, index: 1 })).toBe("argument.option");
    expect(code(7)).toBe("argument.type");
    expect(code(undefined)).toBe("argument.type");
    expect(code({ walker: 0, step: 1 }, { with: { tier: 1 } })).toBe("argument.option");
    const layers = [{ name: "hills", scatter: { side: 64, walkers: 1 }, steps: 3 }];
    const world = mill.world("land", { layers });
    const ofWorld = (at: unknown) => codeOf(() => explain(world, { at } as never));
    expect(ofWorld({ layer: "hills", walker: 0, step: 1 })).toBe("walk.scattered");
    expect(ofWorld({ layer: "hills", region: [0, 2 ** 40], walker: 0, step: 1 })).toBe("argument.range");
    expect(ofWorld({ layer: "sea", region: [0, 0], walker: 0, step: 1 })).toBe("argument.range");
  });
});

/** Candidates, chances, visits: worlds with few steps and small distances, and cells where something stands. */
function* cellsOf(world: World, { row, col, rows, cols }: RandomWorld["window"], count: number) {
  const { placements } = world.window({ row0: row, col0: col, rows, cols }, { contents: false });
  for (let k = 0; k < count; k++) {
    const standing = placements.length > 0 && random(2) === 0 ? placements.at(random(placements.length)) : undefined;
    yield standing ?? { row: row + random(rows), col: col + random(cols) };
  }
}

/** The world of docs/determinism.md. */
function landOf(seed: string): World {
  return createMill({ seed }).world("land", {
    layers: [{ name: "road", steps: 1, tensor: { absolute: { E: 1 } } }],
    terrain: [
      { terrain: "road", when: { road: { visits: [1, null] } } },
      { terrain: "rock", when: { all: [{ not: { road: { within: 1 } } }, { chance: "1/4" }] } },
      { terrain: "grass" },
    ],
    placements: [{ name: "tree", on: ["grass"], density: "2/5", distance: 1 }],
  } as never);
}

describe("cells of worlds", () => {
  test("are accepted by the checker, and single changes are refused", () => {
    const wanted = IS_SOAK ? 10_000 : 150;
    const seen = { cells: 0, chances: 0, candidates: 0, rivals: 0, standing: 0, contents: 0, extra: 0 };
    for (let number = 0; seen.cells < wanted; number++) {
      const { seed, name, input, window } = randomWorld(number);
      using mill = createMill({ seed });
      const world = mill.world(name, input);
      for (const { row, col } of cellsOf(world, window, IS_SOAK ? 50 : 12)) {
        const made: Receipt = JSON.parse(JSON.stringify(receipt(world, { seed, spec: SPEC, at: { row, col } })));
        check(made, SPEC);
        const { decisions, result } = made.explanation;
        const count = (what: string) => Number(decisions.some((one) => one.what.startsWith(what)));
        const { placements } = result as { placements: { content?: unknown }[] };
        seen.cells++;
        seen.chances += count("chance");
        seen.candidates += count("density");
        seen.rivals += Number(decisions.some(({ part = "" }) => part.includes("smallest other")));
        seen.standing += Number(placements.length > 0);
        seen.contents += Number(placements.some(({ content }) => content !== undefined));
        seen.extra += Number(decisions.some(({ extra }) => extra.length > 0));
        if (seen.cells % 8 === 0) expectChangesRefused(made);
      }
    }
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(4);
  });

  test("show what their kinds ask of other kinds, and have sizes and facings", () => {
    const facts = new Set<string>();
    for (let number = 0; number < (IS_SOAK ? 200 : 8); number++) {
      const { seed, name, input, window } = randomRelations(number);
      using world = createMill({ seed }).world(name, input);
      const byHand = world.kinds.flatMap(({ at }) => at.slice(0, 1)).map(([row, col]) => ({ row, col }));
      for (const { row, col } of [...cellsOf(world, window, 3), ...byHand]) {
        const made: Receipt = JSON.parse(JSON.stringify(receipt(world, { seed, spec: SPEC, at: { row, col } })));
        check(made, SPEC);
        expect(made.explanation.result).toMatchObject({ placements: plain(world.at(row, col).placements) });
        for (const { what } of made.explanation.facts ?? []) facts.add(what.replace(/\d+/g, "n"));
        expectChangesRefused(made);
      }
    }
    for (const what of ["towns within n", "no towns within n", "no cell of at within n", "a cell of at"]) {
      expect([...facts]).toContain(what);
    }
  });

  test("are those of docs/determinism.md", () => {
    const world = landOf("moria");
    const shown = (row: number, col: number) => {
      const { decisions, facts, result } = explain(world, { at: { row, col } });
      return { words: decisions.map(({ word }) => word), decisions, facts, result };
    };
    const smaller = shown(-2, 1);
    expect(smaller.words.slice(0, 3)).toEqual([4045892404, 829931794, 4106883530]);
    expect(smaller.decisions[3].part).toBe("tree, the smallest other candidate, (-2, 0)");
    expect(smaller.result).toMatchObject({ terrain: "grass", placements: [] });
    const rock = shown(-2, 2);
    expect(rock.words).toEqual([426964756]);
    expect(rock.result).toMatchObject({ terrain: "rock" });
    const standing = shown(-1, 1);
    expect(standing.words.slice(0, 3)).toEqual([3263214255, 1044448453, 3938745219]);
    expect(standing.result).toMatchObject({ terrain: "grass", placements: [{ row: -1, col: 1, kind: "tree" }] });
    expect(explainText(explain(world, { at: { row: 0, col: -1 } }))).toBe(
      `world land, cell 0, -1: {"terrain":"grass","visits":{"road":0},"fields":{},"placements":[{"row":0,"col":-1,"kind":"tree"}]}
  rule 1, road
    visits of road, 1 or more: 0, no
  rule 2, rock
    within 1 of road: 1, yes
    not: no
    chance 1/4: word 104707926 of plane 0, index 34359737407; below(4) = 0: yes
    all of the 2: no
  rule 3, grass
    no condition: yes
  tree
    density 2/5: word 959544305 of plane 0, index 34359737407; below(5) = 1: yes
    priority: extra word 764803019 of plane 0, index 34359737407; below(4294967296) = 764803019: 764803019
    other candidates within 1: 1, stands
  tree, the smallest other candidate, (1, -2)
    density 2/5: word 1677304199 of plane 0, index 34359737470; below(5) = 1: yes
    priority: extra word 4089171226 of plane 0, index 34359737470; below(4294967296) = 4089171226: 4089171226
`,
    );
  });

  test("of two seeds part at the first decision", () => {
    const [a, b] = ["moria", "tide"].map((seed) => explain(landOf(seed), { at: { row: -2, col: 2 } }));
    const diff = explainDiff(a, b);
    expect(diff).toMatchObject({ position: 3, a: { what: "chance 1/4", so: "yes" }, b: { so: "no" } });
  });

  test("have the contents that one table explains", () => {
    const tables = {
      loot: {
        rows: {
          chest: [
            { result: "gold", weight: 3 },
            { result: "gem", weight: 1 },
          ],
        },
      },
    };
    const placements = [{ name: "chest", density: "1/2", content: { table: "loot" } }];
    const world = createMill({ seed: "moria" }).world("land", {
      layers: [{ name: "road" }],
      tables,
      placements,
    } as never);
    const { placements: chests } = world.window({ row0: 0, col0: 0, rows: 9, cols: 9 });
    const { row, col, content } = chests.at(7) ?? { row: 0, col: 0, content: undefined };
    const { decisions, facts = [] } = explain(world, { at: { row, col } });
    expect(decisions.at(-1)).toMatchObject({
      part: "chest, content",
      what: "row 0 (chest)",
      forks: ["contents", "chest", [0, 0]],
      so: content,
    });
    expect(facts.at(-1)?.value).toBe(decisions.at(-1)?.index);
  });

  test("that do not exist are refused", () => {
    const mill = createMill({ seed: "moria" });
    const world = mill.world("land", {
      grid: { kind: "bounded", rows: 5, cols: 5 },
      layers: [{ name: "a", steps: 3 }],
    });
    const code = (at: unknown, given = {}) => codeOf(() => explain(world, { at, ...given } as never));
    expect(code({ row: 5, col: 0 })).toBe("world.window");
    expect(code({ row: 0.5, col: 0 })).toBe("argument.range");
    expect(code({ row: 0 })).toBe("argument.range");
    expect(code({ row: 0, col: 0, layer: "a" })).toBe("argument.option");
    expect(code({ row: 0, col: 0 }, { with: { tier: 1 } })).toBe("argument.option");
    expect(code({ layer: "a", walker: 7, step: 0 })).toBe("argument.range");
    for (const at of [undefined, null, 3, "0,0", []]) expect(code(at)).toMatch(/^argument\.(type|range)$/);
    expect(codeOf(() => explain(mill.weighted("list", [1, 2]), { at: { row: 0, col: 0 } }))).toBe("argument.range");
  });
});

test("a cell that a stamp changed: the rule and the candidates before stamps, then what the stamp did", () => {
  const world = createMill({ seed: "moria" }).world("isle", {
    layers: [{ name: "land", steps: 5 }],
    terrain: [{ terrain: "sea", when: { chance: "1/20" } }, { terrain: "grass" }],
    placements: [
      { name: "village", density: "1/30", distance: 2, stamps: { hamlet: 1 }, turns: true },
      { name: "well", on: ["grass"], density: "1/9", distance: 1, content: { table: "coins" } },
    ],
    stamps: {
      hamlet: { map: ["hh", "W"], legend: { h: "house", W: { terrain: "yard", place: "well" } }, fits: ["grass"] },
    },
    tables: {
      coins: {
        rows: {
          A: [
            { result: "gold", weight: 1 },
            { result: "tin", weight: 3 },
          ],
        },
      },
    },
  });
  const seen = new Set<string>();
  for (let row = -6; row < 6; row++) {
    for (let col = -6; col < 6; col++) {
      const { result, facts = [] } = explain(world, { at: { row, col } });
      const { realms: _, ...cell } = world.at(row, col);
      expect(result).toMatchObject({ ...cell, terrain: cell.terrain?.name });
      for (const { what, so } of facts) if (what.includes("stamp")) seen.add(`${what} ${so}`);
    }
  }
  expect([...seen].sort()).toEqual([
    "placed by a stamp yes",
    "terrain that paths and stamps lay house",
    "terrain that paths and stamps lay yard",
  ]);
});

test("a kind that another kind stands near, or that stands by hand: stamps that place it do not count as candidates", () => {
  const world = createMill({ seed: "moria" }).world("isle", {
    layers: [{ name: "land", steps: 5 }],
    terrain: [{ terrain: "sea", when: { chance: "1/9" } }, { terrain: "grass" }],
    placements: [
      { name: "well", density: "1/60", at: [[0, 0]], facing: true },
      { name: "village", density: "1/9", near: { kind: "well", within: 2 }, stamps: { hamlet: 1 } },
    ],
    stamps: { hamlet: { map: ["WhW"], legend: { h: "house", W: { terrain: "yard", place: "well" } } } },
  });
  let stamped = 0;
  for (let row = -6; row < 6; row++) {
    for (let col = -6; col < 6; col++) {
      const { result, facts = [] } = explain(world, { at: { row, col } });
      expect(result).toMatchObject({ placements: plain(world.at(row, col).placements) });
      stamped += facts.filter(({ what }) => what === "placed by a stamp").length;
    }
  }
  expect(stamped).toBeGreaterThan(2);
});
