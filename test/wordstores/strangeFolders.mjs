// Word folders from strangers: links, pipes, folders and odd texts at random under the names that Rollmill reads, and
// the temporary names that it writes. Case k of a seed is always the same. Beside each folder is a folder with secrets,
// and inside it are files of the user, which no command may change.
import { execFileSync } from "node:child_process";
import {
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const UUID = "00000000-0000-4000-8000-00000000000";
const HOUR_AGO = new Date(Date.now() - 3_600_000);
/** Names of the user's own files in the folder. The second one looks like a temporary name. */
const KEPT = ["notes.txt", ".rollmill-mine.new", ".rollmill-mine.pending"];
const TABLES = ["element", "type"];
const RECIPE = {
  stats: [{ name: "attack" }],
  strength: "attack",
  steps: TABLES.map((table) => ({ kind: "slots", name: table, slots: [{ slot: table, table, strength: 1 }] })),
};
const WORDS = "id,word,active,status,tier,attack\n1,fire,1,accepted,0,1\n2,ice,1,accepted,0,2\n3,mud,0,proposed,0,1\n";

/** Returns a generator of numbers from 0 to below 1 (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Makes case k of a seed in the empty folder `root`.
 *
 * @returns the arguments of two commands, to be run in `root` one after the other.
 */
export function makeCase(root, seed, k) {
  const random = randomFrom(seed * 1_000_003 + k);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const [words, outside] = [join(root, "words"), join(root, "outside")];
  for (const path of [words, outside, join(outside, "deep")]) mkdirSync(path);
  writeFileSync(join(root, "recipe.json"), JSON.stringify(RECIPE));
  for (const table of TABLES) writeFileSync(join(words, `${table}.csv`), WORDS);
  for (const name of KEPT) writeFileSync(join(words, name), "mine");
  for (const name of [...TABLES.map((table) => `${table}.csv`), "owner.json", "notes.txt", "deep/secret"]) {
    writeFileSync(join(outside, name), `id,word\n1,secret\n`);
  }
  const plan = { words, outside, random, pick };
  const changes = 1 + Math.floor(random() * 4);
  for (let i = 0; i < changes; i++) plant(plan, placeIn(plan), 0);
  if (random() < 0.03) spoilRoot(plan);
  return [commandOf(pick), commandOf(pick)];
}

function temporary({ pick }, extension) {
  return `.rollmill-${pick([`${UUID}1`, `${UUID}2`, `${UUID}3`, "x", ""])}.${extension}`;
}

/** Returns the path of a file or folder of the word folder that a change will replace. */
function placeIn(plan) {
  const { words, pick } = plan;
  const name = pick([
    () => `${pick(TABLES)}.csv`,
    () => temporary(plan, "new"),
    () => temporary(plan, pick(["new", "pending", "lock", "tmp"])),
    () => pick(["rollmill.lock", "rollmill.lock", "rollmill.lock.taking"]),
  ])();
  return join(words, name);
}

/** Replaces what is at a path. Folders get some entries of their own. */
function plant(plan, path, depth) {
  const { outside, random, pick } = plan;
  rmSync(path, { recursive: true, force: true });
  const links = [
    outside,
    `${outside}/element.csv`,
    `${outside}/owner.json`,
    "/dev/zero",
    "/dev/null",
    path,
    "gone",
    ".",
    "..",
  ];
  const kinds = [
    () => symlinkSync(pick(links), path),
    () => symlinkSync(pick(["element.csv", "type.csv", "notes.txt", "../outside", "../outside/type.csv"]), path),
    () => execFileSync("mkfifo", [path]),
    () => plantFolder(plan, path, depth),
    () => plantFolder(plan, path, depth),
    () => writeFileSync(path, spoilt(plan)),
    () => {
      writeFileSync(path, "");
      truncateSync(path, pick([1, 5000, 2 ** 26 + 1, 2 ** 33]));
    },
    () => linkSync(join(outside, pick(["element.csv", "owner.json"])), path),
  ];
  pick(kinds)();
  if (random() < 0.5) lutimesSync(path, HOUR_AGO, HOUR_AGO);
}

function plantFolder(plan, path, depth) {
  const { random, pick } = plan;
  mkdirSync(path);
  if (depth > 2) return;
  const entries = Math.floor(random() * 4);
  for (let i = 0; i < entries; i++) {
    const name = pick(["owner.json", "element.csv", "type.csv", "notes.txt", temporary(plan, "tmp"), "deep"]);
    if (name === "owner.json" && random() < 0.5) {
      rmSync(join(path, name), { recursive: true, force: true });
      writeFileSync(join(path, name), ownerText(plan));
    } else plant(plan, join(path, name), depth + 1);
  }
  utimesSync(path, HOUR_AGO, HOUR_AGO);
}

function ownerText({ pick }) {
  const owner = { id: "a", host: "elsewhere.example", space: "", pid: 1, started: "", since: "2026-01-01" };
  return pick([JSON.stringify(owner), JSON.stringify({ ...owner, pid: 1e300 }), "null", "7", "{", "[".repeat(4000)]);
}

/** Returns the text of a table with some random changes. */
function spoilt({ random, pick }) {
  let text = WORDS;
  const pieces = [
    ",",
    '"',
    "\n",
    "\r",
    "\0",
    "'",
    "=1",
    "1e999",
    "\u202e",
    "\ud800",
    "__proto__",
    "-1",
    "id",
    "word",
    "",
  ];
  const changes = Math.floor(random() * 4);
  for (let i = 0; i < changes; i++) {
    const at = Math.floor(random() * text.length);
    text = text.slice(0, at) + pick(pieces) + text.slice(at + Math.floor(random() * 3));
  }
  return text;
}

/** Replaces the word folder itself. */
function spoilRoot({ words, pick }) {
  rmSync(words, { recursive: true });
  pick([
    () => undefined,
    () => writeFileSync(words, "a file"),
    () => symlinkSync("words", words),
    () => symlinkSync("gone", words),
    () => execFileSync("mkfifo", [words]),
  ])();
}

function commandOf(pick) {
  const at = ["--tables", "words"];
  const word = (verb, ...more) => [
    "recipe",
    "word",
    verb,
    "recipe.json",
    pick(TABLES),
    pick(["fire", "mud", "new"]),
    ...at,
    ...more,
  ];
  return pick([
    () => word("propose", "--time", "2026-11-22T06:00:00Z"),
    () => word("propose", "--time", "2026-11-22T06:00:00Z"),
    () => word(pick(["accept", "reject", "activate", "deactivate"])),
    () => word("edit", "--tier", "1"),
    () => ["recipe", "word", "list", "recipe.json", ...at],
    () => ["recipe", "make", "recipe.json", "-n", "2", "--seed", "moria", ...at],
    () => ["recipe", pick(["show", "odds", "strength"]), "recipe.json", ...at],
    () => ["recipe", "tables", "export", "recipe.json", "--from", "words", "--to", "copy.json", "--replace"],
    () => ["recipe", "tables", "import", "recipe.json", "--from", "words", "--to", "words", "--replace"],
  ])();
}

/** Returns a text that changes if a command changes the secrets or the files of the user. */
export function canaryOf(root) {
  const words = join(root, "words");
  const kept = KEPT.map((name) => [name, readIfFile(join(words, name))]);
  return JSON.stringify([treeOf(join(root, "outside")), kept]);
}

function readIfFile(path) {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, "utf8") : "not a file";
  } catch {
    return "gone";
  }
}

function treeOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return [entry.name, treeOf(path)];
      const { mode, size, mtimeMs } = lstatSync(path);
      return [
        entry.name,
        mode,
        size,
        mtimeMs,
        entry.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, "utf8"),
      ];
    })
    .sort();
}

/**
 * Returns what is wrong with the end of a command: a raw stack, or an exit code that the command line does not have.
 * Returns undefined if nothing is wrong.
 */
export function flawOf({ code, stderr }) {
  if (![0, 1, 2].includes(code)) return `exit code ${code}`;
  if (/^ {2,}at /m.test(stderr) || /\b(?:Type|Range|Syntax|Reference)?Error:/.test(stderr)) return stderr;
  return code !== 0 && !/\[[a-z]+\.[a-z-]+\]|error/.test(stderr) ? `no code: ${stderr}` : undefined;
}
