// A world file: what examples/world.mjs makes, as JSON. Its fields are listed in examples/README.md.

import { RollmillError } from "rollmill";
import { readJson } from "../dist/cli/inputFile.js";
import { error } from "../dist/errors/index.js";

const MOST_ROLLS = 2 ** 42;

/**
 * Reads a world file and checks its shape; what is inside `walk`, and the table's file, is left to the mill. Answers
 * {seed, walk, picture: {colors, options of toPng}, loot: {table, rolls, start, now}}.
 *
 * @throws RollmillError `file.read`; `file.json` with everything that is wrong.
 */
export async function readWorld(io, file) {
  const issues = [];
  const world = readFields({ file, issues }, await readJson(io, file));
  if (issues.length > 0) throw new RollmillError(issues);
  return world;
}

function readFields(to, document) {
  const top = fields(to, "", document, ["seed", "walk", "picture", "loot"]);
  if (top === undefined) return undefined;
  const { seed, walk, picture = {}, loot } = top;
  check(to, "seed", seed, (value) => typeof value === "string" || Number.isFinite(value), "a text or a number");
  check(to, "walk", walk, isObject, "a walk spec");
  const { colors = {}, ...options } = fields(to, "picture", picture, ["colors", "maxSide", "background"]) ?? {};
  check(to, "picture.colors", colors, isObject, "an object {layer: colour map}");
  return { seed, walk, picture: { colors, options: defined(options) }, loot: readLoot(to, loot) };
}

function readLoot(to, value) {
  const loot = fields(to, "loot", value, ["table", "rolls", "start", "now"]);
  if (loot === undefined) return undefined;
  const { table, rolls, start = 0, now } = loot;
  const isText = (text) => typeof text === "string";
  const isCount = (number) => Number.isInteger(number) && number >= 0 && number <= MOST_ROLLS;
  check(to, "loot.table", table, isText, "the path of a 2DA file, from the world file's folder");
  check(to, "loot.rolls", rolls, isCount, `an integer from 0 to ${MOST_ROLLS}`);
  check(to, "loot.now", now, isText, "the local time that scripts go by, such as 2026-01-05T08:30");
  return { table, rolls, start, now };
}

/** An object's own fields among the known ones; undefined, with an issue, where it is no object. */
function fields(to, path, value, known) {
  if (!check(to, path, value, isObject, `an object with ${known.join(", ")}`)) return undefined;
  const own = new Map(Object.entries(value));
  for (const key of own.keys()) {
    if (!known.includes(key))
      refuse(to, path, { problem: "unknown key", got: key, expected: `one of ${known.join(", ")}` });
  }
  return Object.fromEntries(known.map((key) => [key, own.get(key)]));
}

function check(to, path, value, isUsable, expected) {
  if (isUsable(value)) return true;
  const name = path === "" ? "the world" : path;
  refuse(
    to,
    path,
    value === undefined
      ? { problem: `${name} is missing`, expected }
      : { problem: `${name} is not usable`, got: value, expected },
  );
  return false;
}

function refuse({ file, issues }, path, finding) {
  issues.push(error("file.json", { ...finding, where: path === "" ? { file } : { file, path } }));
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function defined(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** Does a job for a part of a world file; what is found wrong with it is located there. */
export async function locate(file, path, job) {
  try {
    return await job();
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    throw new RollmillError(
      cause.issues.map((issue) => within(file, path, issue)),
      { cause },
    );
  }
}

// what has a line of its own, such as a cell of the table, stays there
function within(file, path, issue) {
  const { where } = issue;
  if (where.line !== undefined) return issue;
  const inner = [path, where.path].filter((part) => part !== undefined && part !== "").join(".");
  return { ...issue, where: { file, path: inner } };
}
