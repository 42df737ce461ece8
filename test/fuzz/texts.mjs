// Random texts: a small valid text of each format with one or two of its parts repeated, nested or made long, up to about
// 100 KB. Case k of a seed is always the same, so that a case can be repeated alone.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import * as inputs from "../hostile/inputs.mjs";
import { Random } from "./random.mjs";

/** Maximum length of a text in UTF-16 units. */
const MOST = 98_000;
/** JSON values are nested at most this deep. */
const DEEPEST = 90_000;

const readText = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const filesOf = (folder, names) =>
  Object.fromEntries(names.map((name) => [keyOf(name), readText(`${folder}/${name}`)]));
/** The key of a file in the texts of `mill.objects`: egoItem for ego_item.txt. */
const keyOf = (name) => name.replace(/\..*$/, "").replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const foldersFiles = (folder) => filesOf(folder, readdirSync(new URL(`../../${folder}`, import.meta.url)));

const mill = (lib) => lib["."].createMill({ seed: "moria", maxMemory: 2 ** 27 });
/** Opens the value of a JSON text. The reader of tables reports the flaw of a malformed text. */
const json = (sample, open) => ({
  texts: { json: JSON.stringify(sample) },
  use: (lib, { json: text }) => {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      return mill(lib).table("t", text, { file: "t.json" });
    }
    return open(lib, value);
  },
});

/** Runs a command on a file. An exit code of 2 is a typed error. */
async function command(lib, args, file, text) {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-texts-"));
  try {
    writeFileSync(join(folder, file), text);
    let printed = "";
    const write = (chunk, _, done) => {
      printed += chunk;
      done();
    };
    const take = () => new Writable({ write });
    const io = { stdin: [], stdout: take(), stderr: take(), cwd: folder, importModule: (url) => import(url) };
    const code = await lib.cli.main(args, io);
    if (code !== 0 && code !== 2) throw new Error(`exit code ${code}: ${printed.slice(0, 1000)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const WORDS =
  'id,word,active,status,tier,sharp\n1,keen,1,accepted,3,0.5\n2,blunt,0,,1,-2\n3,"a, b",true,proposed,,1e3\n';
const LIST = { gold: 70, gem: "1/3", none: 0.25 };
const ENTRIES = [
  { result: "gold", weight: 5, quantity: "2d6+1" },
  { result: null, weight: "1/3" },
];

/** For each format: valid texts, and a function that opens them. */
export const FORMATS = {
  "2DA table": {
    texts: { table: readText("data/loot.2da") },
    use: (lib, { table }) =>
      mill(lib)
        .table("t", table, { script: () => 1 })
        .roll(),
  },
  "CSV table": {
    texts: { table: readText("examples/loot.csv") },
    use: (lib, { table }) => mill(lib).table("t", table, { file: "t.csv" }).roll(),
  },
  "weighted CSV": {
    texts: { list: "result,weight,quantity\ngold,70,2d6+1\ngem,1/3,1\n,0.25,\n" },
    use: (lib, { list }) => command(lib, ["pick", "list.csv", "--seed", "1", "-n", "2"], "list.csv", list),
  },
  "word CSV": {
    texts: { words: WORDS },
    use: (lib, { words }) => {
      const { parseWordCsv, toWordCsv } = lib["./recipes"];
      toWordCsv(parseWordCsv(words).rows);
    },
  },
  "cell of a CSV": {
    texts: { cell: "-1.50e+3" },
    use: (lib, { cell }) =>
      lib["./formats"].toCsv([{ kind: "word", name: "a", words: [cell], indices: Uint8Array.of(0) }]),
  },
  "edit files": {
    texts: foldersFiles("data/dungeon"),
    use: (lib, texts) => mill(lib).objects("o", texts).make({ level: 20 }),
  },
  "edit files of 4.2": {
    texts: foldersFiles("data/lighthouse"),
    use: (lib, texts) => mill(lib).objects("o", texts).make({ level: 20 }),
  },
  dice: { texts: { dice: "2d6+1" }, use: (lib, { dice }) => mill(lib).dice("d", dice).roll() },
  "JSON list": json(LIST, (lib, value) => mill(lib).weighted("w", value).pick()),
  "JSON list of entries": json(ENTRIES, (lib, value) => mill(lib).weighted("w", value).pick()),
  "JSON table": json(inputs.tableObject(), (lib, value) =>
    mill(lib)
      .table("t", value, { script: () => 1 })
      .roll(),
  ),
  "JSON drops": json(
    { always: [{ result: "bones", quantity: "1d4" }], rolls: "1d3", table: inputs.tableObject() },
    (lib, value) =>
      mill(lib)
        .drops("d", value, { script: () => 1 })
        .roll(),
  ),
  "JSON pools": json(JSON.parse(readText("examples/pools.json")), (lib, value) => mill(lib).pools("p", value).bytes),
  "JSON pools with rules": json(
    {
      roots: { e: { kind: "finite", records: ["rat", "orc"], subpools: { a: { records: ["rat"] }, b: {} } } },
      rules: [
        { path: "e.*.c", records: ["orc"] },
        { path: "e.*.*.d", records: [{ id: "ghost", mass: 2 }] },
        { path: "e.*" },
      ],
      active: { e: ["a", "c"] },
    },
    (lib, value) => mill(lib).pools("p", value).bytes,
  ),
  "JSON walk": json(inputs.walkSpec(), (lib, value) => mill(lib).walk("w", value)),
  "JSON world": json(inputs.worldSpec(), (lib, value) => mill(lib).world("w", value)),
  "JSON recipe": json(inputs.weaponRecipe(), (lib, value) => {
    mill(lib).recipe("r", value, { tables: inputs.weaponWords() }).make();
  }),
  "JSON words": json(inputs.weaponWords(), (lib, value) => {
    mill(lib).recipe("r", inputs.weaponRecipe(), { tables: value }).make();
  }),
  "JSON job": json({ world: inputs.worldSpec(), extent: { from: [0, 0], to: [63, 63] } }, (lib, value) =>
    lib["./jobs"].parseJob(value),
  ),
};

/** Returns case k of a seed, in the form of a case of random.mjs. */
export function textCase(seed, k) {
  const random = new Random(seed, k);
  const format = random.of(Object.keys(FORMATS));
  const { texts, use } = FORMATS[format];
  const name = random.of(Object.keys(texts));
  let [text, told] = [texts[name], []];
  for (let times = 1 + random.below(2); times > 0; times--) {
    const [change, make] = random.of(
      name === "json" ? [...CHANGES, ...JSON_CHANGES, ...JSON_CHANGES, ...JSON_CHANGES] : CHANGES,
    );
    const changed = make(random, text);
    if (changed !== undefined) [text, told] = [changed, [...told, change]];
  }
  const args = [{ ...texts, [name]: text }];
  const call = { prepare: (lib) => ({ args, invoke: ([given]) => use(lib, given) }) };
  return { name: `case ${k}: ${format} (${name}) with ${told.join(", ")}`, call, spoil: (given) => given };
}

// ── changes of any text ──

const RUNS = [
  " ", "\t", "0", "9", "a", '"', '""', ",", ":", "|", "\n", "\r\n", "\r", "[", "]", "{", "}", "(", "=", "~", "*.", ".", "-",
  "+", "/", "#", "&", "%", "é", "😀", "\ud800", "\u0000", "\u00a0", '"a\nb",', '"a\nb",1\n', "1/3,", "d6", "e9", "N:", "\\", "0.0",
]; // biome-ignore format: a list of texts

const CHANGES = [
  ["a run of characters", run],
  ["a long token", longToken],
  ["repeated lines", repeatedLines],
  ["repeated lines that differ", (random, text) => repeatedLines(random, text, { differ: true })],
  ["a repeated part", repeatedPart],
];

/** A number of repetitions: often as many as fit, else each order of magnitude is equally probable. */
function countOf(random, length) {
  const most = Math.max(1, Math.floor(MOST / length));
  return random.below(2) === 0 ? most : Math.min(most, Math.ceil(10 ** (random.below(501) / 100)));
}

function insert(text, at, more) {
  return text.slice(0, at) + more + text.slice(at);
}

/** A place of a text: often its start, or one next to a separator, where a part begins or ends. */
function placeIn(random, text) {
  if (random.below(6) === 0) return 0;
  const at = random.below(text.length + 1);
  const next = text.slice(at).search(/[\n:,|"]/);
  return next < 0 || random.below(3) === 0 ? at : at + next + random.below(2);
}

function run(random, text) {
  const part = random.of(RUNS);
  const more = part.repeat(countOf(random, part.length)) + random.of(["", "x", "\n"]);
  return insert(text, placeIn(random, text), more);
}

function longToken(random, text) {
  const tokens = [...text.matchAll(/[\w.]+/g)];
  if (tokens.length === 0 || tokens.length > 50_000) return undefined;
  const { 0: token, index } = random.of(tokens);
  const part = random.of([token, "1", "9", "0", "a"]);
  const long = part.repeat(countOf(random, part.length)) + random.of(["", "x", "/3", "d6"]);
  return text.slice(0, index) + long + text.slice(index + token.length);
}

function repeatedLines(random, text, { differ = false } = {}) {
  const lines = text.split("\n");
  const from = random.below(lines.length);
  const part = lines.slice(from, from + 1 + random.below(4)).join("\n");
  const tokens = [...part.matchAll(/[A-Za-z0-9]+/g)];
  const count = countOf(random, part.length + (differ ? 6 : 1));
  const at = tokens.length === 0 ? 0 : random.of(tokens);
  const other = (i) => (differ && at !== 0 ? insert(part, at.index + at[0].length, String(i)) : part);
  return lines.toSpliced(from, 0, ...Array.from({ length: count }, (_, i) => other(i))).join("\n");
}

function repeatedPart(random, text) {
  const at = random.below(text.length + 1);
  const part = text.slice(at, at + 1 + random.below(40));
  return part === "" ? undefined : insert(text, at, part.repeat(countOf(random, part.length)));
}

// ── changes of a JSON value ──

const JSON_CHANGES = [
  ["a nested value", nested],
  ["many entries", manyEntries],
  ["entries that multiply", multiplied],
  ["many keys", manyKeys],
  ["a long value", longValue],
  ["another part in its place", exchanged],
];
const NESTS = [
  ["[", "]"],
  ['{"a":', "}"],
  ['{"not":', "}"],
  ['{"all":[', "]}"],
  ['{"subpools":{"a":', "}}"],
  ['{"subpools":[', "]}"],
  ['{"rows":[{"columns":[', "]}]}"],
  ['{"table":', "}"],
  ['{"$schema":', "}"],
];
/** Stands for a text that JSON.stringify cannot write, because it is nested too deep. */
const HOLE = "@hole@";

/** The values inside a value, each as the object or list that holds it and its key. */
function placesOf(value) {
  const places = [];
  const open = [value];
  for (let held = open.pop(); held !== undefined && places.length < 20_000; held = open.pop()) {
    for (const key of Object.keys(held)) {
      places.push([held, key]);
      if (typeof held[key] === "object" && held[key] !== null) open.push(held[key]);
    }
  }
  return places;
}

/** Changes a random value inside a JSON text. Returns undefined if the text cannot be changed. */
function changedJson(random, text, change) {
  let value;
  try {
    value = JSON.parse(text);
    const places = placesOf(value);
    if (places.length === 0) return undefined;
    const more = change(...random.of(places), places);
    return JSON.stringify(value).replace(JSON.stringify(HOLE), () => more ?? '""');
  } catch {
    // an earlier change has broken the text, or nested it too deep
    return undefined;
  }
}

function nested(random, text) {
  return changedJson(random, text, (held, key) => {
    const [open, close] = random.of(NESTS);
    const inner = JSON.stringify(held[key]);
    held[key] = HOLE;
    const depth = Math.min(DEEPEST, Math.ceil(10 ** (random.below(497) / 100)));
    return open.repeat(depth) + inner + close.repeat(depth);
  });
}

/** A copy of a value in which the first text, or the first number, has a number added. */
function numbered(value, i) {
  const copy = structuredClone(value);
  const places = placesOf([copy]);
  const [held, key] = places.find(([one, name]) => typeof one[name] === "string") ?? [];
  if (held === undefined) return typeof copy === "number" ? copy + i : copy;
  const owner = held[key] === copy ? undefined : held;
  if (owner === undefined) return `${copy}${i}`;
  owner[key] = `${owner[key]}${i}`;
  return copy;
}

function manyEntries(random, text) {
  return changedJson(random, text, (_, __, places) => {
    const lists = places.filter(([held, key]) => Array.isArray(held[key]) && held[key].length > 0);
    if (lists.length === 0) return;
    const [held, key] = random.of(lists);
    const one = random.of(held[key]);
    const differ = random.below(3) > 0;
    const count = countOf(random, JSON.stringify(one).length + 5);
    const more = Array.from({ length: count }, (_unused, i) => (differ ? numbered(one, i) : one));
    held[key] = random.below(2) === 0 ? [...held[key], ...more] : [...more, ...held[key]];
  });
}

/** Repeats an entry with a star, a name or a jump that leads on: `e.*.c`, `e.*.*.c` and so on, for two names. */
function multiplied(random, text) {
  return changedJson(random, text, (_, __, places) => {
    const paths = places.filter(([held, key]) => typeof held[key] === "string" && held[key].includes("*"));
    const lists = places.filter(([held, key]) => Array.isArray(held[key]));
    if (paths.length === 0) return;
    const [rule] = random.of(paths);
    const [held, key] = lists.find(([one, name]) => one[name].includes(rule)) ?? [];
    if (held === undefined) return;
    const depths = 1 + random.below(31);
    const width = random.of([1, 2, 3, 10, 40]);
    for (let depth = 1; depth <= depths; depth++) {
      const stars = `${rule.path.split(".")[0]}${".*".repeat(depth)}`;
      for (let i = 0; i < width; i++) held[key].push({ ...rule, path: `${stars}.${random.of(["c", "d"])}${i}` });
      if (random.below(3) === 0) held[key].push({ ...rule, path: stars });
    }
  });
}

function manyKeys(random, text) {
  return changedJson(random, text, (held, key) => {
    if (Array.isArray(held)) return;
    const count = countOf(random, JSON.stringify(held[key]).length + key.length + 8);
    for (let i = 0; i < count; i++) held[`${key}${i}`] = held[key];
  });
}

function longValue(random, text) {
  return changedJson(random, text, (held, key) => {
    const part = random.of([...RUNS, "e.*", ".*", "name"]);
    held[key] = part.repeat(countOf(random, part.length)) + random.of(["", "x", "/3"]);
  });
}

function exchanged(random, text) {
  return changedJson(random, text, (held, key, places) => {
    const [other, name] = random.of(places);
    held[key] = structuredClone(other[name]);
  });
}
