// Every public call of the package, with valid arguments. hostile.test.ts compares the list with the exports, so that a
// new export or a new method must be added here; hostile.test.ts and the fuzzer then spoil the arguments.
import * as inputs from "./inputs.mjs";
import * as jobs from "./jobs.mjs";

/** Marks a property that is read, and a property that is set to a valid value. */
const READ = { kind: "read" };
const set = (value) => ({ kind: "set", value });
/** A window of a world. */
const CELLS = { row0: -3, col0: 5, rows: 20, cols: 30 };
/** Marks a call that takes `signal` in the options at this position. A long call ends by the signal. */
const long = (at, args) => ({ kind: "call", long: at, args });
const call = (...args) => ({ kind: "call", args: () => args });
const made = (args) => ({ kind: "call", args });

const mill = (lib) => lib["."].createMill({ seed: "moria", maxMemory: 2 ** 26 });
const list = (lib) => mill(lib).weighted("rarity", [5, 3, 0, 2]);
const LOOT = () => [
  { result: "gold", weight: 5, quantity: "2d6+1" },
  { result: null, weight: "1/3" },
];
const loot = (lib) => mill(lib).weighted("loot", LOOT());
const PITY = () => ({ list: LOOT(), of: "gold", soft: { from: 3, add: "1/4" }, hard: 6 });
const pity = (lib) => mill(lib).pity("banner", PITY());
const NO_REPEATS = () => ({ list: { gold: 5, gem: 3, arrow: 1 }, within: 1 });
const noRepeats = (lib) => mill(lib).noRepeats("deck", NO_REPEATS());
const dice = (lib) => mill(lib).dice("hp", "2d6+1");
const sampler = (lib) => mill(lib).sample("hand", ["ace", "king", "queen"], { size: 2 });
const DROPS = () => ({ always: [{ result: "bones", quantity: "1d4" }], rolls: "1d3", table: inputs.tableObject() });
const drops = (lib) => mill(lib).drops("orc", DROPS(), { script: () => 4 });
const table = (lib) =>
  mill(lib).table("loot", inputs.tableObject(), { script: () => 4, payload: "result,price\naxe,3\n" });
const family = (lib) => mill(lib).pools("pools", inputs.poolsSpec());
const walk = (lib) => mill(lib).walk("land", inputs.walkSpec());
const run = (lib) => walk(lib).start({ layer: "land" }).advance(5);
const map = (lib) => walk(lib).runLayer({ layer: "land" });
const recipe = (lib) => mill(lib).recipe("weapon", inputs.weaponRecipe(), { tables: inputs.weaponWords() });
const world = (lib) => mill(lib).world("land", inputs.worldSpec(), { maxMemory: 2 ** 25 });
/** A world without stages and relations, so that a window takes little time. */
const plainWorld = (lib) => {
  const { paths: _, stamps: __, worlds: ___, placements, ...land } = inputs.worldSpec();
  return mill(lib).world("land", { ...land, placements: placements.slice(0, 4) });
};
const maker = (lib) => mill(lib).objects("drops", inputs.objectTexts());
const madeObject = (lib) => {
  const drops = maker(lib);
  return [drops.files, drops.make(ASK)];
};

const ADDRESSED = { name: READ, next: set(7), fork: call("player"), releaseFork: call("player") };
const COLUMNS = { length: READ, from: READ, at: call(1), [Symbol.iterator]: call() };
const MILL = {
  seed: READ,
  now: READ,
  weighted: call("rarity", [5, 3], {}),
  stream: call("noise"),
  // a system is code: the prototype keeps its fields from being spoilt
  open: made((lib) => [Object.assign(Object.create({}), lib["./weighted"].weighted), "other", [1, 2], {}]),
  get: call("rarity"),
  release: call("rarity"),
  fork: call("player"),
  releaseFork: call("player"),
  snapshot: call(),
  dispose: call(),
  [Symbol.dispose]: call(),
};
const NAMING = { affixes: "synthetic", synthetic: [{ affixes: ["Hewn"], name: "Old", kind: "prefix" }] };
const ASK = { level: 20, good: true };
const SHARDS = { shardSide: 2, chunkSide: 1, fillValue: 3 };
const LONG = { onProgress: () => undefined };

/** The objects that the package gives: how to open one, and the valid arguments of their methods. */
export const SUBJECTS = {
  CoreMill: {
    open: (lib) => {
      mill(lib); // compiles the kernel, which the mill of the sub-path lacks
      return lib["./core"].createMill({ seed: 1 });
    },
    members: MILL,
  },
  Mill: {
    open: mill,
    members: {
      ...MILL,
      weighted: call("loot", LOOT(), {}),
      pity: call("banner", PITY()),
      noRepeats: call("deck", NO_REPEATS()),
      dice: call("hp", "2d6+1", {}),
      int: call("n", 1, 6, {}),
      shuffle: call("deck", ["ace", "king"], {}),
      sample: call("hand", ["ace", "king", "queen"], { size: 2 }),
      table: call("loot", inputs.tableObject(), { file: "loot.json" }),
      drops: call("orc", DROPS(), { file: "orc.json" }),
      recipe: call("weapon", inputs.weaponRecipe(), { tables: inputs.weaponWords() }),
      walk: call("land", inputs.walkSpec(), {}),
      world: call("land", inputs.worldSpec(), { maxMemory: 2 ** 25, maxRegions: 4096 }),
      pools: call("pools", inputs.poolsSpec(), {}),
      objects: call("drops", inputs.objectTexts(), { stock: "crypt" }),
    },
  },
  WeightedList: {
    open: list,
    members: {
      ...ADDRESSED,
      length: READ,
      pick: call({ at: 3 }),
      pickMany: long(1, () => [20, { from: 3, ...LONG }]),
      pickInto: long(1, () => [new Uint32Array(20), { from: 3 }]),
      count: long(1, () => [20, { from: 3 }]),
      odds: call(),
    },
  },
  LabelledList: {
    open: loot,
    members: {
      ...ADDRESSED,
      labels: READ,
      pick: call({ at: 3 }),
      pickMany: long(1, () => [20, { from: 3, ...LONG }]),
      pickInto: long(1, (lib) => [loot(lib).pickMany(20), { from: 3 }]),
      count: long(1, () => [20, { from: 3 }]),
      odds: call(),
      quantityOdds: call("gold"),
    },
  },
  Pity: {
    open: pity,
    members: {
      ...ADDRESSED,
      labels: READ,
      rule: READ,
      standing: set({ since: 2, guaranteed: false }),
      pull: call({}),
      pullMany: long(1, () => [20, LONG]),
      pullInto: long(1, (lib) => [pity(lib).pullMany(20), {}]),
      count: long(1, () => [20, {}]),
      odds: call(),
    },
  },
  NoRepeats: {
    open: noRepeats,
    members: {
      ...ADDRESSED,
      labels: READ,
      recent: READ,
      pick: call({}),
      pickMany: long(1, () => [20, LONG]),
      pickInto: long(1, (lib) => [noRepeats(lib).pickMany(20), {}]),
      count: long(1, () => [20, {}]),
      odds: call(),
      longRunOdds: long(0, () => [{ maxWork: 1e6 }]),
    },
  },
  Distribution: {
    open: (lib) => lib["./instruments"].wait(loot(lib), "gold"),
    members: {
      least: READ,
      most: READ,
      mean: READ,
      variance: READ,
      at: call(3),
      upTo: call(3),
      from: call(3),
      quantile: call("9/10"),
      quantileBounds: call("9/10"),
      points: call({ until: 0.9, most: 5 }),
    },
  },
  Formula: {
    open: (lib) => lib["./instruments"].formula(table(lib), "relic"),
    members: { unknowns: READ, errorBound: READ, at: call({ 1000: 2 }), exact: call({ 1000: 2 }) },
  },
  Picks: {
    open: (lib) => loot(lib).pickMany(5),
    members: { ...COLUMNS, entries: READ, labels: READ, quantities: READ, columns: call() },
  },
  Dice: {
    open: dice,
    members: {
      ...ADDRESSED,
      least: READ,
      most: READ,
      roll: call({ at: 3 }),
      rollMany: long(1, () => [20, { from: 3, ...LONG }]),
      rollInto: long(1, () => [new Int32Array(20), { from: 3 }]),
      count: long(1, () => [20, { from: 3 }]),
      odds: call(),
    },
  },
  Sampler: {
    open: sampler,
    members: {
      ...ADDRESSED,
      items: READ,
      size: READ,
      draw: call({ at: 3 }),
      drawMany: long(1, () => [20, { from: 3, ...LONG }]),
      drawInto: long(1, (lib) => [sampler(lib).drawMany(20), { from: 3 }]),
      count: long(1, () => [20, { from: 3, position: 1 }]),
      odds: call({ position: 1 }),
    },
  },
  Samples: {
    open: (lib) => sampler(lib).drawMany(5),
    members: { ...COLUMNS, size: READ, items: READ, entries: READ, columns: call() },
  },
  IndexCounts: {
    open: (lib) => list(lib).count(10).counts,
    members: {
      size: READ,
      get: call(1),
      has: call(1),
      forEach: call(() => undefined),
      keys: call(),
      values: call(),
      entries: call(),
      [Symbol.iterator]: call(),
    },
  },
  Table: {
    open: table,
    members: {
      ...ADDRESSED,
      results: READ,
      scriptIds: READ,
      roll: call({ at: 3, start: 0, onDead: "null", mode: "live", maxHops: 9, weights: { 1000: 3 }, context: {} }),
      rollMany: long(1, () => [20, { from: 3, script: () => 3 }]),
      rollInto: long(1, () => [new Uint16Array(20), { start: 1 }]),
      count: long(1, () => [20, { script: { set: "nwangband", level: 3, type: 4, spent: [1600] } }]),
      odds: long(0, () => [{ start: 1, script: "random_default", weights: { 1000: 3 } }]),
      quantityOdds: long(1, () => ["axe", { start: 1, weights: { 1000: 3 } }]),
      asList: long(0, () => [{ start: 1, weights: { 1000: 3 } }]),
      payload: call("axe"),
    },
  },
  TableRolls: {
    open: (lib) => table(lib).rollMany(5),
    members: { ...COLUMNS, ids: READ, results: READ, quantities: READ, none: READ, columns: call() },
  },
  Drops: {
    open: drops,
    members: {
      ...ADDRESSED,
      results: READ,
      roll: call({ at: 3 }),
      rollMany: long(1, () => [20, { from: 3, ...LONG }]),
      rollInto: long(1, (lib) => [drops(lib).rollMany(20), { from: 3 }]),
      count: long(1, () => [20, { from: 3 }]),
      odds: call(),
      quantityOdds: call("bones"),
    },
  },
  DropRolls: {
    open: (lib) => drops(lib).rollMany(5),
    members: { ...COLUMNS, starts: READ, entries: READ, quantities: READ, results: READ, columns: call() },
  },
  PoolFamily: {
    open: family,
    members: {
      name: READ,
      next: set(7),
      bytes: READ,
      roots: READ,
      fork: call("player"),
      releaseFork: call("player"),
      pool: call("e.~", { active: ["cave"] }),
      registerRoot: call("b", { kind: "finite", records: ["bat"], subpools: { x: { records: ["bat"] } } }),
      registerSubpool: call("e.attic", ["rat", { id: "owl", mass: 1, quantity: 2 }]),
      addToSubpool: call("e.cave", "bat", { mass: 2, quantity: 3 }),
      setMass: call("e.*", "orc", "1/3"),
      removeRecord: call("e.cave", "orc"),
      setActive: call("e", ["hall"]),
      restock: call(),
    },
  },
  Pool: {
    open: (lib) => family(lib).pool("e.cave"),
    members: {
      kind: READ,
      path: READ,
      name: READ,
      parent: READ,
      subpools: READ,
      next: set(7),
      size: READ,
      records: READ,
      total: READ,
      recordIds: call(),
      draw: call({}),
      drawMany: long(1, () => [3, { ...LONG }]),
      drawInto: long(1, () => [new Uint32Array(3), {}]),
      count: long(1, () => [3, {}]),
      odds: call(),
      peek: call(),
      quantity: call("orc", "out"),
      return: made((_, self) => [self.draw()]),
      discard: made((_, self) => [self.draw()]),
      reshuffle: call(),
      gain: call("orc", { to: "discards", copies: 2 }),
      remove: call("orc", { from: "stock", copies: 1 }),
      restock: call(),
    },
  },
  PoolDraws: {
    open: (lib) => family(lib).pool("i").drawMany(4),
    members: { ...COLUMNS, records: READ, refreshed: READ },
  },
  Walk: {
    open: walk,
    members: {
      name: READ,
      layers: READ,
      fork: call("player"),
      releaseFork: call("player"),
      run: long(0, () => [{ ...LONG }]),
      runLayer: long(0, (lib) => [{ layer: "river", walkers: { from: 0, to: 1 }, earlier: { land: map(lib) } }]),
      start: call({ layer: "land", walkers: { from: 0, to: 2 } }),
      resume: made((lib) => [run(lib).save(), { earlier: { land: map(lib) } }]),
      odds: call({ layer: "land", heading: "NE", closed: ["SW"] }),
    },
  },
  LayerRun: {
    open: run,
    members: {
      steps: READ,
      walkerTotals: READ,
      bytes: READ,
      advance: long(1, () => [3, {}]),
      position: call(1),
      positions: call(),
      visitsAt: call(2, 3),
      firstVisitAt: call(2, 3),
      map: call(),
      save: call(),
      dispose: call(),
      [Symbol.dispose]: call(),
    },
  },
  LayerMap: {
    open: map,
    members: {
      cells: READ,
      visits: READ,
      maxVisits: READ,
      bounds: READ,
      hasFirstVisits: READ,
      walkerTotals: READ,
      coordinates: READ,
      toMessage: call(),
      chunks: call(),
      visitsAt: call(2, 3),
      firstVisitAt: call(2, 3),
      window: call({ row0: 0, col0: 0, rows: 10, cols: 10 }),
      records: call(),
      digest: call(),
      columns: call({}),
      columnBatches: call({}),
      firstVisitSummary: call({}),
    },
  },
  WalkMap: {
    open: (lib) => walk(lib).run(),
    members: { layers: READ, total: READ, layer: call("land"), summary: call() },
  },
  World: {
    open: world,
    members: {
      name: READ,
      layers: READ,
      fields: READ,
      terrains: READ,
      kinds: READ,
      realms: READ,
      fork: call("player"),
      releaseFork: call("player"),
      window: long(1, () => [
        CELLS,
        { visits: ["isle", "hills"], fields: ["height"], realms: ["realm"], contents: true, ...LONG },
      ]),
      region: long(2, () => [-1, 2, { visits: ["hills"] }]),
      at: call(-3, 5),
      placements: long(1, () => [CELLS, { contents: false }]),
      nearest: call("chests", 0, 9, { within: 40 }),
      paths: long(1, () => [CELLS, LONG]),
      digest: long(1, () => [CELLS, LONG]),
      picture: long(1, () => [
        CELLS,
        {
          ...{ darken: ["isle"], lighten: ["hills"], kinds: ["chests"], upright: true, pixelsPerCell: 6, legend: true },
          ...{
            theme: "atlas",
            light: "height",
            relief: 200,
            realms: "realm",
            border: true,
            scaleBar: true,
            compass: true,
            title: "x",
          },
          depth: { field: "height", deepest: 9, shallowest: 30_000 },
          labels: [{ kind: "chests", text: "name", size: 2 }],
        },
      ]),
      odds: call(),
      entered: READ,
      enter: call(1, 10, { kind: "caves", level: 2 }),
      start: call({ layer: "hills", region: [0, -1] }),
      dispose: call(),
      [Symbol.dispose]: call(),
    },
  },
  WorldWindow: {
    open: (lib) => plainWorld(lib).window(CELLS, { visits: ["isle"], fields: ["height"], realms: ["realm"] }),
    members: {
      row0: READ,
      col0: READ,
      rows: READ,
      cols: READ,
      terrain: READ,
      terrains: READ,
      placements: READ,
      terrainAt: call(0, 9),
      visits: call("isle"),
      firstVisits: call("isle"),
      visitsAt: call("isle", 0, 9),
      firstVisitAt: call("isle", 0, 9),
      field: call("height"),
      fieldAt: call("height", 0, 9),
      realms: call("realm"),
      realmAt: call("realm", 0, 9),
    },
  },
  Placements: {
    open: (lib) => plainWorld(lib).placements({ row0: 0, col0: 0, rows: 90, cols: 90 }),
    members: { ...COLUMNS, rows: READ, cols: READ, kinds: READ, names: READ, sizes: READ, facings: READ },
  },
  Job: {
    open: jobs.finishedJob,
    members: {
      folder: READ,
      name: READ,
      seed: READ,
      needs: READ,
      state: READ,
      result: READ,
      status: call(),
      run: long(0, () => [{ threads: 1, maxMemory: 2 ** 26, nice: false, ...LONG }]),
      work: long(0, () => jobs.withoutResult({ task: 0, phase: "cells", maxMemory: 2 ** 26 })),
      set: call({ load: 0.5, between: "22:00-06:00", pauseAbove: 2 }),
      pause: call(),
      // takes no arguments, and would delete the job of the next calls
      cancel: READ,
      verify: long(0, () => [{ repair: false, ...LONG }]),
      clean: call(),
    },
  },
  Recipe: {
    open: recipe,
    members: {
      ...ADDRESSED,
      spec: READ,
      make: call({ at: 3, tier: 1, tierVariance: 1, power: 2, request: { type: "sword" }, onUnknownRequest: "throw" }),
      makeMany: long(1, () => [5, { from: 2, tier: 2 }]),
      makeInto: long(1, (_, self) => [self.makeMany(4), { from: 9 }]),
      count: long(1, () => [6, { of: "type", from: 1 }]),
      odds: long(0, () => [{ of: "strength", tier: 1 }]),
      chances: call({ tier: 1 }),
      probability: call({ words: { type: "sword", prefix: null }, outcomes: { bonus: "+1" } }, { tier: 2 }),
    },
  },
  Items: {
    open: (lib) => recipe(lib).makeMany(3),
    members: {
      ...COLUMNS,
      words: READ,
      outcomes: READ,
      stats: READ,
      decimals: READ,
      vocabulary: READ,
      requests: READ,
      seed: READ,
      word: call("type", 1),
      stat: call("attack", 1),
      name: call(1),
      columns: call(),
    },
  },
  ObjectMaker: {
    open: maker,
    members: {
      ...ADDRESSED,
      files: READ,
      claims: READ,
      make: long(0, () => [{ ...ASK, at: 3, kind: "Kris", with: ["Hewn"], attempts: 1000 }]),
      makeMany: long(1, () => [4, { ...ASK, from: 2, limit: { most: 1e6, scores: { toHit: 1, flags: { STR: 2 } } } }]),
      makeInto: long(1, (_, self) => [self.makeMany(3, ASK), { ...ASK, tval: "sword" }]),
      count: long(1, () => [4, { ...ASK, of: "kind", tval: "sword" }]),
      odds: call({ of: "affix", level: 20, kind: "Kris", affixLevel: "good" }),
      whyImpossible: call({ ...ASK, artifact: "'Oar'" }),
      releaseArtifact: made((_, self) => [self.make({ level: 20, artifact: "'Oar'" }).artifact.number]),
      replay: long(1, () => [8, { ...ASK }]),
      addAffix: made((_, self) => [self.make({ level: 20, kind: "Kris" }), "Hewn"]),
      find: call("kind", "Kris"),
    },
  },
  MadeObjects: {
    open: (lib) => maker(lib).makeMany(3, ASK),
    members: {
      ...COLUMNS,
      ...Object.fromEntries(
        [
          ..."making kind artifact theme affixLevel slots affixCount toHit toDam toAc ac dice sides weight".split(" "),
          ..."affixes depths flags pvals words flagWords flagNames pvalNames vocabulary".split(" "),
        ].map((name) => [name, READ]),
      ),
      name: call(1, NAMING),
      row: call(1, NAMING),
      rows: call(NAMING),
      columns: call(NAMING),
      describe: call(1, NAMING),
      colour: call(1),
      flagsOf: call(1),
    },
  },
  Stream: {
    open: (lib) => mill(lib).stream("noise"),
    members: {
      name: READ,
      fork: call("player"),
      releaseFork: call("player"),
      word: call(3, { plane: 2n }),
      words: long(1, () => [10, { plane: 1, from: 3 }]),
      wordsInto: long(1, () => [new Uint32Array(10), { from: 3 }]),
    },
  },
  DirectionTensor: {
    open: (lib) => new lib["./compat"].DirectionTensor("five-ways"),
    members: {
      calculate: call("NE"),
      normalize: call([1, 2, 3, 4, 5, 6], 21),
      probabilities: call("NE", ["SW"]),
    },
  },
  RollmillError: {
    open: (lib) => {
      try {
        return mill(lib).weighted("none", []);
      } catch (error) {
        return error;
      }
    },
    members: { code: READ, issues: READ, name: READ, message: READ, stack: READ, toString: call() },
  },
};

/** A class whose instances the package alone creates: its constructor is internal. */
const GIVEN = { kind: "given" };
/** A constant, a frozen record of constants, or a system for `mill.open`. */
const CONSTANT = { kind: "constant" };

const ISSUE = { code: "argument.type", severity: "error", message: "wrong", where: { file: "a", line: 1, column: 2 } };
const CREATE = call({ seed: "moria", maxMemory: 2 ** 21, now: "2026-01-05T08:30" });
const CREATE_ASYNC = call({ seed: 5n });
const PARSE_RECIPE = call(inputs.weaponRecipe(), { file: "weapon.json" });
const PARSE_WEIGHTS = call([1, 2.5], { file: "weights.json" });
const PARSE_LABELS = call(LOOT(), { file: "loot.json" });
const APPORTION = call([0.5, "1/3", { n: 1, d: 6 }], 100);
const PARSE_TABLE = call("result,quantity\ngold,2d6\n-> gems.csv,\n", {
  file: "loot.csv",
  files: { "gems.csv": "result\nruby\n" },
});
const PARSE_POOLS = call(inputs.poolsSpec(), { file: "pools.json" });
const PARSE_WALK = call(inputs.walkSpec(), { file: "walk.json" });
const PARSE_OBJECTS = call(inputs.objectTexts(), { files: { object: "o.txt" } });
const PARSE_TABLES = made((lib) => [
  inputs.weaponWords(),
  { file: "words.json", spec: lib["."].parseRecipe(inputs.weaponRecipe()).spec },
]);
const MERGE = long(1, (lib) => [[map(lib), map(lib)], { firstVisits: true }]);
const LAYER_MAP = {
  kind: "class",
  args: () => [
    [{ chunkRow: 0, chunkCol: 0, visits: new Uint32Array(4096).fill(2) }],
    { walkerTotals: { walkers: 2, steps: 8190, ended: 1 }, coordinates: "odd-r" },
  ],
  statics: { from: call(inputs.mapMessage()) },
};
const ERROR = { kind: "class", args: () => [[ISSUE], {}], statics: {} };
const HISTOGRAM = {
  title: "Strength",
  values: "strength",
  heights: "weapons",
  marks: new Map([[2, 5]]),
  legend: { bars: "made", marks: "odds" },
  scale: "log",
};

/** The exports of each sub-path with values: functions, classes and constants. */
export const EXPORTS = {
  ".": {
    Columns: GIVEN,
    LayerMap: LAYER_MAP,
    RollmillError: ERROR,
    STREAM_VERSION: CONSTANT,
    apportion: APPORTION,
    createMill: CREATE,
    createMillAsync: CREATE_ASYNC,
    formatIssue: call(ISSUE),
    mergeLayerMaps: MERGE,
    parseLabels: PARSE_LABELS,
    parseObjects: PARSE_OBJECTS,
    parsePools: PARSE_POOLS,
    parseRecipe: PARSE_RECIPE,
    parseTable: PARSE_TABLE,
    parseTables: PARSE_TABLES,
    parseWalk: PARSE_WALK,
    parseWeights: PARSE_WEIGHTS,
    shippedRecipe: call("weapon"),
    toNumber: call({ numerator: 3n, denominator: 4n }),
  },
  "./core": {
    RollmillError: ERROR,
    STREAM_VERSION: CONSTANT,
    createMill: CREATE,
    createMillAsync: CREATE_ASYNC,
    formatIssue: call(ISSUE),
    toNumber: call({ numerator: 3n, denominator: 4n }),
  },
  "./weighted": {
    LabelledList: GIVEN,
    MAX_ENTRIES: CONSTANT,
    NoRepeats: GIVEN,
    Picks: GIVEN,
    Pity: GIVEN,
    WeightedList: GIVEN,
    noRepeats: CONSTANT,
    parseNoRepeats: call(NO_REPEATS(), { file: "deck.json" }),
    parsePity: call(PITY(), { file: "banner.json" }),
    pity: CONSTANT,
    apportion: APPORTION,
    labelled: CONSTANT,
    parseLabels: PARSE_LABELS,
    parseWeights: PARSE_WEIGHTS,
    weighted: CONSTANT,
  },
  "./dice": { Dice: GIVEN, dice: CONSTANT, parseDice: call("2d6+1", { file: "dice.json" }) },
  "./samples": {
    MAX_ITEMS: CONSTANT,
    Sampler: GIVEN,
    Samples: GIVEN,
    parseItems: call(["ace", "king"], { file: "cards.json" }),
    samples: CONSTANT,
  },
  "./tables": {
    MAX_WEIGHT: CONSTANT,
    DropRolls: GIVEN,
    Drops: GIVEN,
    MAX_ROLLS: CONSTANT,
    SCRIPT_SETS: CONSTANT,
    Table: GIVEN,
    drops: CONSTANT,
    parseDrops: call(DROPS(), { file: "orc.json" }),
    TableRolls: GIVEN,
    checkTable: call(inputs.loot(), { file: "loot.2da" }),
    loadTable: call("loot.csv", () => "table,result,weight\na,gold,1\n,-> b,1\nb,gem,1\n"),
    createOneShots: call({ spent: [1600] }),
    nwangband: call({ level: 3, type: 4 }),
    randomDefault: call({ now: "2026-01-05T08:30" }),
    parseTable: PARSE_TABLE,
    tables: CONSTANT,
    tablesWithoutOdds: CONSTANT,
  },
  "./pools": {
    Pool: GIVEN,
    PoolDraws: GIVEN,
    PoolFamily: GIVEN,
    checkPools: PARSE_POOLS,
    parsePools: PARSE_POOLS,
    pools: CONSTANT,
  },
  "./walks": {
    DIRECTIONS: CONSTANT,
    LayerMap: LAYER_MAP,
    LayerRun: GIVEN,
    MAX_STEPS: CONSTANT,
    MAX_WALKERS: CONSTANT,
    NEVER: CONSTANT,
    PRESETS: CONSTANT,
    TURNS: CONSTANT,
    Walk: GIVEN,
    axialToOddR: call([3, -4]),
    hexDistance: call([3, -4], [5, 0], { coordinates: "odd-r" }),
    hexLine: call([3, -4], [5, 0], { coordinates: "odd-r" }),
    hexNeighbours: call([3, -4], { coordinates: "odd-r" }),
    hexRing: call([3, -4], 2, { coordinates: "odd-r" }),
    hexToPixel: call([3, -4], { size: 16, coordinates: "odd-r" }),
    oddRToAxial: call([3, -4]),
    pixelToHex: call({ x: 40, y: 25 }, { size: 16, coordinates: "odd-r" }),
    WalkMap: {
      kind: "class",
      args: (lib) => [[{ name: "land", steps: 180, map: map(lib) }]],
      statics: {},
    },
    mergeLayerMaps: MERGE,
    mergeSavedRuns: long(1, (lib) => [[run(lib).save()], {}]),
    parseWalk: PARSE_WALK,
    walks: CONSTANT,
  },
  "./worlds": {
    Placements: GIVEN,
    World: GIVEN,
    WorldWindow: GIVEN,
    checkWorld: call(inputs.worldSpec(), { file: "land.json" }),
    loadWorld: call("land.json", () => JSON.stringify(inputs.worldSpec())),
    parseWorld: call(inputs.worldSpec(), { file: "land.json" }),
    worlds: CONSTANT,
    worldsWith: call({}),
  },
  "./jobs": {
    Job: GIVEN,
    checkSpace: call({ disk: 1, steps: 1, cells: 1 }, { folder: "free", maxMemory: 2 ** 26 }),
    createJob: made(() => [jobs.freeFolder(), jobs.jobInput(), { seed: 1, now: "2026-01-05T08:30", order: "row" }]),
    extendJob: made(() => [jobs.copiedFolder(), { extent: { row0: -3, col0: 5, rows: 21, cols: 30 }, order: "row" }]),
    exportJob: long(2, () => [
      jobs.finishedJob(),
      "png",
      {
        to: "map.png",
        window: { row0: -2, col0: 6, rows: 9, cols: 8 },
        maxSide: 400,
        darken: ["isle"],
        lighten: [],
        threads: 1,
        ...LONG,
      },
    ]),
    jobOf: call(jobs.jobInput()),
    loadJob: call("job.json", (file) => JSON.stringify(file === "job.json" ? jobs.jobInput() : inputs.worldSpec())),
    openJob: made(() => [jobs.finishedFolder()]),
    parseJob: call(jobs.jobInput(), { file: "job.json" }),
    planJob: made(() => [jobs.jobInput(), { from: jobs.finishedFolder(), seed: 1 }]),
    resumeJob: long(1, () => [jobs.finishedFolder(), { threads: 1, maxMemory: 2 ** 26, nice: false, ...LONG }]),
    startJob: long(2, (lib) => [
      jobs.freeFolder(),
      jobs.readJob(lib),
      { seed: 1, now: "2026-01-05T08:30", order: "row", threads: 1, maxMemory: 2 ** 26, nice: false, ...LONG },
    ]),
  },
  "./recipes": {
    Items: GIVEN,
    MAX_TIER: CONSTANT,
    Recipe: GIVEN,
    SHIPPED_RECIPES: CONSTANT,
    checkRecipe: call("weapon", { file: "weapon.json" }),
    parseRecipe: PARSE_RECIPE,
    parseTables: PARSE_TABLES,
    parseWordCsv: call(inputs.wordCsv(), { file: "words.csv" }),
    recipes: CONSTANT,
    requestFromForm: made((lib) => [
      new URLSearchParams("attribute[type]=sword"),
      lib["."].parseRecipe(inputs.weaponRecipe()).spec,
    ]),
    shippedRecipe: call("weapon"),
    toWordCsv: call([{ id: 1, word: "keen", attack: 2 }]),
  },
  "./objects": {
    FILE_NAMES: CONSTANT,
    LEVELS: CONSTANT,
    MAX_DEPTH: CONSTANT,
    MadeObjects: GIVEN,
    ObjectMaker: GIVEN,
    checkObjectFiles: made((lib) => [lib["."].parseObjects(inputs.objectTexts()).spec]),
    colourOf: made((lib) => madeObject(lib)),
    descriptionOf: made((lib) => [...madeObject(lib), NAMING]),
    loadObject: made((lib) => [madeObject(lib)[0], lib["./objects"].saveObject(...madeObject(lib))]),
    nameOf: made((lib) => [...madeObject(lib), NAMING]),
    objects: CONSTANT,
    parseObjects: PARSE_OBJECTS,
    rowOf: made((lib) => [...madeObject(lib), NAMING]),
    saveObject: made((lib) => madeObject(lib)),
    tallyObjects: long(1, (lib) => [maker(lib), { levels: [5, 9], n: 4, great: true }]),
    tallyProperties: long(1, (lib) => [maker(lib), { levels: [5, 9], n: 4, great: true }]),
    tallyRows: made((lib) => [lib["./objects"].tallyObjects(maker(lib), { levels: [5], n: 5 })]),
  },
  "./streams": { Stream: GIVEN, streams: CONSTANT },
  "./plans": {
    bake: made((lib) => [[list(lib), loot(lib), dice(lib), sampler(lib), family(lib)]]),
    openPlan: made((lib) => [lib["./plans"].bake([dice(lib)]), { seed: "moria", file: "game.plan" }]),
    readPlan: made((lib) => [lib["./plans"].bake([dice(lib)]), { file: "game.plan" }]),
  },
  "./instruments": {
    Distribution: GIVEN,
    analyseWalk: made((lib) => [walk(lib), { layer: "land", heading: "E" }]),
    balance: made((lib) => [loot(lib), { gold: "1/2" }, { total: 100 }]),
    chance: made((lib) => [loot(lib), "gold", { in: 10, atLeast: 2 }]),
    collect: made((lib) => [loot(lib), ["gold"], { copies: 2 }]),
    compare: made((lib) => [loot(lib), loot(lib), {}]),
    distributionOf: made((lib) => [dice(lib).odds()]),
    expectedTries: made((lib) => [loot(lib), "gold", {}]),
    explain: made((lib) => [loot(lib), { at: 3 }]),
    explainDiff: made((lib) => [1, 2].map((at) => lib["./instruments"].explain(loot(lib), { at }))),
    explainText: made((lib) => [lib["./instruments"].explain(loot(lib), { at: 3 })]),
    formula: made((lib) => [table(lib), "relic", {}]),
    luck: made((lib) => [loot(lib), { gold: 2 }, { in: 10 }]),
    numberOf: call({ numerator: 1n, denominator: 3n }),
    pityOdds: call({ base: 0.1, soft: { from: 3, add: "1/4" }, hard: 6, featured: "1/2" }),
    receipt: made((lib) => [loot(lib), { at: 3, seed: "moria", spec: "text" }]),
    search: long(2, (lib) => [loot(lib), "gold", { to: 100, limit: 2 }]),
    searchSeeds: long(2, (lib) => [loot(lib), "gold", { to: 10, first: 3, limit: 2 }]),
    selfCheck: long(1, (lib) => [loot(lib), { n: 1000 }]),
    sensitivity: made((lib) => [loot(lib), "gold", {}]),
    wait: made((lib) => [loot(lib), "gold", { times: 2 }]),
  },
  "./formats": {
    COLOR_MAP_NAMES: CONSTANT,
    columnIndex: made((lib) => [lib["./formats"].parseTwoDa(inputs.loot()), "Label"]),
    parseTwoDa: call(inputs.loot(), { file: "loot.2da" }),
    csvChunks: call([inputs.columns()]),
    cellsOfPixels: call({ y0: -3, x0: 2, height: 4, width: 5 }, { coordinates: "odd-r" }),
    pixelsOfCells: call({ row0: -3, col0: 2, rows: 4, cols: 5, coordinates: "odd-r" }),
    squareHeights: call(
      { row0: -3, col0: 2, rows: 2, cols: 2, coordinates: "axial", values: Uint16Array.of(1, 2, 3, 4) },
      { y0: -3, x0: 2, height: 4, width: 5 },
    ),
    pmtilesId: call(3, 1, 2),
    pmtilesChunks: call(
      {
        rows: 9,
        cols: 5,
        side: 4,
        ids: Float64Array.of(0, 1),
        pictures: Uint32Array.of(0, 0),
        bytes: Uint32Array.of(3),
        attributes: { name: "isle" },
      },
      () => Uint8Array.of(1, 2, 3),
    ),
    gridToNpy: call(Uint8Array.of(1, 2, 3, 4), 2),
    hexPicture: call([inputs.cellMap()], { pixelsPerCell: 3, maxSide: 40, pool: "sum", cells: "pixels" }),
    palette: call("inferno", 5),
    parentTile: call([Uint8Array.of(1, 2, 3, 4), null, null, Uint8Array.of(1, 1, 1, 255)], { side: 2, pool: "first" }),
    pngChunks: call({ width: 2, height: 3, depth: 8, colors: [[1, 2, 3]], background: "transparent" }, [
      Uint8Array.of(0, 1, 255, 0),
      Uint8Array.of(0, 0),
    ]),
    tiledMap: call({
      coordinates: "odd-r",
      terrains: [{ name: "sea", color: [1, 2, 3] }],
      image: "hexagons.png",
      encoding: "csv",
      window: { row0: -3, col0: 2, rows: 1, cols: 2 },
      layers: [{ name: "terrain", sectors: [{ row0: -3, col0: 2, rows: 1, cols: 2, cells: Uint8Array.of(0, 255) }] }],
      placements: [
        {
          name: "village",
          color: [1, 2, 3],
          cells: [{ rows: Int32Array.of(-3), cols: Int32Array.of(2), properties: [{ size: "town", houses: 9 }] }],
        },
      ],
    }),
    tiledWorld: call([{ fileName: "a.tmj", window: { row0: -3, col0: 2, rows: 1, cols: 2 } }], {
      coordinates: "odd-r",
    }),
    tiledTileset: call([{ name: "sea", color: [1, 2, 3] }], { image: "hexagons.png" }),
    tilePng: call(Uint8Array.of(1, 2, 3, 4), { colors: [[1, 2, 3]], background: [4, 5, 6] }),
    tilePyramid: call({ rows: 9, cols: 5, side: 4 }),
    tileViewer: call({
      rows: 9,
      cols: 5,
      side: 4,
      title: "Isle",
      row0: -4,
      col0: 3,
      terrains: [{ name: "sea", color: [1, 2, 3] }],
      path: "tiles/{z}/{x}/{y}.png",
      archive: "map.pmtiles",
    }),
    parquetChunks: call([inputs.columns()], { rowGroup: 2 }),
    readEditFile: call("N:1:Kris\nD:Long.\n"),
    readZarrShard: made(() => [inputs.zarrShard(), { ...SHARDS, dataType: "uint8", file: "c/0/0" }]),
    svgHistogram: call(
      new Map([
        [1, 2],
        [3, 4],
      ]),
      HISTOGRAM,
    ),
    svgLines: call([{ title: "Share", heights: "share", series: [{ name: "sword", points: new Map([[1, 0.5]]) }] }], {
      title: "Shares",
      values: "level",
    }),
    terrainPng: long(1, () => [
      inputs.terrainMap(),
      {
        ...{ width: 400, height: 90, pool: "first", background: [1, 2, 3], legend: true, ...LONG },
        ...{ theme: "night", relief: 50, border: true, scaleBar: true, compass: true, title: "x" },
      },
    ]),
    toCsv: call(inputs.columns()),
    toNpy: call(inputs.cellMap(), { window: { row0: 0, col0: 0, rows: 2, cols: 2 }, show: "visits" }),
    toParquet: call(inputs.columns(), { rowGroup: 2 }),
    toPng: call([{ map: inputs.cellMap(), colorMap: "blues", name: "sea" }], {
      background: [1, 2, 3],
      width: 300,
      height: 90,
      legend: true,
    }),
    zarrArray: call({
      ...SHARDS,
      shape: [3, 5],
      dataType: "uint8",
      dimensionNames: ["y", "x"],
      attributes: { origin: [-2, 0] },
    }),
    zarrGroup: call({ world: "isle", layers: [{ name: "sea" }] }),
    zarrShard: call(Uint8Array.of(1, 2, 3, 4), SHARDS),
    zarrShardPath: call(0, 3),
  },
  "./compat": {
    DirectionTensor: {
      kind: "class",
      args: () => ["five-ways"],
      statics: { direction: call([0, 0], [0, 1], { kind: "torus", rows: 9, cols: 9 }) },
    },
    InfPool: call(["a"], { subpools: [{ ids: ["a"] }] }),
    InfRecord: call("a", 2),
    Pool: call(["a"], { subpools: [{ ids: ["a"] }] }),
    Record: call("a", 2, 3),
    addToSubpool: made((lib) => [family(lib), "e.cave", "bat", 2]),
    createPool: call([["a", 1, 2]], [{ ids: ["a"] }]),
    drawFromPool: made((lib) => [family(lib), "e.cave", {}]),
    exhaust: made((lib) => [family(lib).pool("e")]),
    getRandom: made((lib) => [family(lib).pool("e")]),
  },
};

/**
 * `./files` and `./sql` write where a text says: a random text must not become a path. storage.test.ts calls them in a
 * folder of its own. `./threads` starts threads, which would outlive a call: test/threads/failures.test.ts calls it. The
 * others are not modules with exports of their own.
 */
export const ELSEWHERE = [
  "./schemas/*",
  "./bullmq",
  "./files",
  "./threads",
  "./wordstores",
  "./rollmill.min.js",
  "./kernel.scalar.wasm",
  "./kernel.wasm",
  "./kernel-draws.wasm",
  "./kernel-maps.wasm",
  "./kernel-items.wasm",
  "./package.json",
];

/** Members that TSDoc marks as internal, which plain JavaScript can see. */
const INTERNAL = new Set([
  "constructor",
  "on",
  "copy",
  "setupWith",
  "single",
  "isInRow",
  "compose",
  "withOtherStocks",
  "content",
  "contentColumns",
  "isOf",
  "indices",
  "forkParts",
  "forkIds",
  "openedAs",
  "take",
  "ordered",
  "byRegion",
]);
const GUARDED_INTERNAL = ["anew", "state", "kernel", "stream", "plan", "keys", "isFree", "checkTurn", "alone"];
const ADDRESSED_INTERNAL = [...GUARDED_INTERNAL, "bulk"];
const NUMBERED_INTERNAL = [...ADDRESSED_INTERNAL, "batch", "first", "one"];
const LIST_INTERNAL = ["quantities", "entryAt", "entriesOf", "makeOne", "makeMany", "makeInto", "noun", "peek"];
const INTERNAL_OF = {
  WeightedList: [...NUMBERED_INTERNAL, "countEntries"],
  Stream: GUARDED_INTERNAL,
  PoolFamily: [...ADDRESSED_INTERNAL, "registry"],
  LabelledList: [...ADDRESSED_INTERNAL, "placesOf", "weights"],
  Pity: [...ADDRESSED_INTERNAL, ...LIST_INTERNAL],
  NoRepeats: [...ADDRESSED_INTERNAL, ...LIST_INTERNAL],
  Distribution: ["estimate", "exact", "enclose", "part"],
  Dice: NUMBERED_INTERNAL,
  Sampler: ADDRESSED_INTERNAL,
  Table: [...ADDRESSED_INTERNAL, "law", "frozen", "hasMemory", "settled"],
  Drops: [...ADDRESSED_INTERNAL, "tableOf"],
  Pool: ["family", "weights"],
  Recipe: [...ADDRESSED_INTERNAL, "countParts"],
  ObjectMaker: [...ADDRESSED_INTERNAL, "makeWith", "requestOf", "stock"],
  LayerMap: ["bytes", "chunkAt"],
  LayerRun: ["seat", "walkAll"],
  Walk: [...GUARDED_INTERNAL, "openParts", "layerPlan"],
  World: [
    ...GUARDED_INTERNAL,
    "before",
    "regionsIn",
    "compose",
    "useMaps",
    "useStored",
    "ground",
    "walk",
    "earlierMaps",
    "contentNoun",
    "fieldValues",
  ],
  WorldWindow: ["countsOf"],
  Placements: ["contentOf", "terrains"],
  Job: ["opened"],
  Mill: [],
  RollmillError: ["cause"],
};

/** Returns a list of `{ name, kind, long, prepare }`: `prepare(lib)` returns `{ self, invoke, args }` with valid arguments. */
export function callsOf() {
  const calls = [];
  const add = (name, { kind, long, args, value }, { target, confined = (given) => given }) => {
    if (kind === "read" || kind === "given" || kind === "constant") return;
    const prepare = (lib) => {
      const [self, key] = target(lib);
      if (kind === "set") return { self, args: [value], invoke: (given) => Reflect.set(self, key, given[0], self) };
      if (kind === "class") return { self, args: args(lib, self), invoke: (given) => new self[key](...given) };
      return { self, args: args(lib, self), invoke: (given) => self[key](...confined(given)) };
    };
    calls.push({ name, kind, long, prepare });
  };
  for (const [path, names] of Object.entries(EXPORTS)) {
    const { confined } = path === "./jobs" ? jobs : {};
    for (const [name, entry] of Object.entries(names)) {
      add(`${path} ${name}`, entry, { target: (lib) => [lib[path], name], confined });
      for (const [key, own] of Object.entries(entry.statics ?? {})) {
        add(`${path} ${name}.${key}`, own, { target: (lib) => [lib[path][name], key], confined });
      }
    }
  }
  for (const [subject, { open, members }] of Object.entries(SUBJECTS)) {
    const { confined } = subject === "Job" ? jobs : {};
    for (const key of Reflect.ownKeys(members)) {
      add(`${subject}.${String(key)}`, members[key], { target: (lib) => [open(lib), key], confined });
    }
  }
  return calls;
}

/** Returns the exports and members that the package has and this file lacks, or the other way round. */
export function differences(lib) {
  const found = [];
  const compare = (what, has, lists) => {
    for (const name of has) if (!lists.includes(name)) found.push(`${what} has ${String(name)}, surface.mjs does not`);
    for (const name of lists) if (!has.includes(name)) found.push(`surface.mjs has ${String(name)}, ${what} does not`);
  };
  compare("the package", Object.keys(lib), Object.keys(EXPORTS));
  for (const [path, names] of Object.entries(EXPORTS)) compare(path, Object.keys(lib[path]), Object.keys(names));
  for (const [subject, { open, members }] of Object.entries(SUBJECTS)) {
    compare(subject, membersOf(open(lib), INTERNAL_OF[subject] ?? []), Reflect.ownKeys(members));
  }
  return found;
}

function membersOf(object, internal) {
  const names = new Set();
  for (let at = object; at !== Object.prototype && at !== null; at = Object.getPrototypeOf(at)) {
    for (const key of Reflect.ownKeys(at)) names.add(key);
  }
  return [...names].filter((key) => !INTERNAL.has(key) && !internal.includes(key));
}
