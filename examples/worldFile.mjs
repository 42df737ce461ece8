// Reads a world file, the JSON input of examples/world.mjs. examples/README.md lists its fields.

import { RollmillError } from "rollmill";
import { issueOf, readJson } from "./program.mjs";

const MAX_ROLLS = 2 ** 42;

/**
 * Reads a world file and checks its fields. The mill checks the content of `walk` and of the table's file later.
 * Returns {seed, walk, picture: {colors, options}, loot: {table, rolls, start, now}}; `options` are options of toPng.
 *
 * @throws RollmillError `file.read`, or `file.json` with all errors.
 */
export async function readWorld(file) {
  const issues = [];
  const world = readFields({ file, issues }, await readJson(file));
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
  const isCount = (number) => Number.isInteger(number) && number >= 0 && number <= MAX_ROLLS;
  check(to, "loot.table", table, isText, "the path of a 2DA file, relative to the folder of the world file");
  check(to, "loot.rolls", rolls, isCount, `an integer from 0 to ${MAX_ROLLS}`);
  check(to, "loot.now", now, isText, "the local time for scripts, such as 2026-01-05T08:30");
  return { table, rolls, start, now };
}

/**
 * Returns the known fields of an object. Unknown fields are issues. Reports an issue and returns undefined for other
 * values.
 */
function fields(to, path, value, known) {
  if (!check(to, path, value, isObject, `an object with ${known.join(", ")}`)) return undefined;
  const own = new Map(Object.entries(value));
  for (const key of own.keys()) {
    if (!known.includes(key)) report(to, path, `unknown key: got "${key}", expected one of ${known.join(", ")}`);
  }
  return Object.fromEntries(known.map((key) => [key, own.get(key)]));
}

function check(to, path, value, isValid, expected) {
  if (isValid(value)) return true;
  const problem = value === undefined ? "missing value:" : `invalid value: got ${JSON.stringify(value)},`;
  report(to, path, `${problem} expected ${expected}`);
  return false;
}

function report({ file, issues }, path, message) {
  issues.push(issueOf("file.json", message, path === "" ? { file } : { file, path }));
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function defined(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** Runs a job for a part of a world file. Adds the file and the path of the part to the issues that the job throws. */
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

// an issue with a line number, such as one in a cell of the table, keeps its place
function within(file, path, issue) {
  const { where } = issue;
  if (where.line !== undefined) return issue;
  const inner = [path, where.path].filter((part) => part !== undefined && part !== "").join(".");
  return { ...issue, where: { file, path: inner } };
}
