// Moves a player through the endless world, from village to village. Prints what each frame costs, and draws the
// surroundings of the last frame. The path and the world are always the same; the times are those of your machine.
// Run: node examples/explorer.mjs [--frames N] [--seed TEXT] [--color]

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createMill, RollmillError } from "rollmill";
import { hexDistance, hexLine } from "rollmill/walks";
import { loadWorld } from "rollmill/worlds";
import { print, readOptionalText, refuse, runProgram } from "./program.mjs";

const REGION = 256;
/** What the player sees: rows and columns around the player. */
const VIEW = { rows: 240, cols: 480 };
/** Cells that the player walks in a frame. */
const PACE = 16;
/** The world has odd-r coordinates, so a window is an upright rectangle. */
const GRID = { coordinates: "odd-r" };
/** What the terminal shows: one character for every ZOOM × ZOOM cells. */
const SCREEN = { rows: 26, cols: 76 };
const ZOOM = 4;
const GLYPHS = {
  "deep sea": "≈",
  sea: "~",
  beach: ".",
  peak: "^",
  river: "/",
  mountain: "A",
  hills: "n",
  forest: "&",
  meadow: ",",
  steppe: " ",
};

async function main() {
  const { frames, seed, isColored } = readArguments();
  const { spec, issues } = await loadWorld(fileURLToPath(new URL("endless.json", import.meta.url)), readOptionalText);
  if (spec === undefined) throw new RollmillError(issues);
  const world = createMill({ seed }).world("endless", spec);
  const player = { row: 0, col: 0 };
  const seen = new Set();
  const visited = new Set();
  for (let frame = 1; frame <= frames; frame++) {
    const added = newRegions(player, seen);
    const startedAt = performance.now();
    const window = world.window(windowAround(player, VIEW));
    const milliseconds = performance.now() - startedAt;
    const found = explore(window, player, visited);
    print(process.stdout, `${lineOf({ frame, player, window, added, milliseconds })}${found}\n`);
    if (frame === frames) process.stdout.write(drawn(window, player, isColored));
    walkTo(nextVillage(window, player, visited), player);
  }
}

function readArguments() {
  const options = { frames: { type: "string" }, seed: { type: "string" }, color: { type: "boolean" } };
  try {
    const { values } = parseArgs({ options });
    const frames = Number(values.frames ?? 40);
    if (!Number.isInteger(frames) || frames < 1) throw new Error(`--frames: expected 1, 2, 3 …, got ${values.frames}`);
    return { frames, seed: values.seed ?? "hollow hills", isColored: values.color ?? process.stdout.isTTY === true };
  } catch (cause) {
    return refuse("cli.usage", cause.message.split(". ")[0], { cause });
  }
}

/** Returns the window of the cells around the player. */
function windowAround({ row, col }, { rows, cols }) {
  return { row0: row - (rows >> 1), col0: col - (cols >> 1), rows, cols };
}

/** Counts the regions of the view that no frame has seen before. Only these cost more than a copy. */
function newRegions(player, seen) {
  const { row0, col0, rows, cols } = windowAround(player, VIEW);
  const before = seen.size;
  for (let i = Math.floor(row0 / REGION); i * REGION < row0 + rows; i++) {
    for (let j = Math.floor(col0 / REGION); j * REGION < col0 + cols; j++) seen.add(`${i},${j}`);
  }
  return seen.size - before;
}

/** Returns what the player finds on the own cell, and remembers the village. */
function explore({ placements }, { row, col }, visited) {
  const here = [...placements].filter((placement) => placement.row === row && placement.col === col);
  for (const { kind } of here) if (kind === "village") visited.add(`${row},${col}`);
  return here.map(({ kind, content }) => `  ${kind}: ${shown(content)}`).join("");
}

/** Returns a content as a text: the result of a table, the name of an item or of an object, or the id of a record. */
function shown(content) {
  if (content === null || typeof content !== "object") return content ?? "nothing";
  if (content.result === null) return "nothing";
  const { name, result, quantity } = content;
  return name ?? (quantity === 1 ? result : `${quantity} × ${result}`);
}

/** Returns the nearest village in view that lies further east and was not visited; without one, the east itself. */
function nextVillage({ placements }, player, visited) {
  const village = placements.names.indexOf("village");
  let goal = { row: player.row, col: player.col + PACE };
  let least = Infinity;
  for (const [k, row] of placements.rows.entries()) {
    const col = placements.cols[k];
    const distance = hexDistance([player.row, player.col], [row, col], GRID);
    const isEast = col > player.col;
    if (placements.kinds[k] !== village || !isEast || distance >= least || visited.has(`${row},${col}`)) continue;
    [goal, least] = [{ row, col }, distance];
  }
  return goal;
}

/** Walks up to PACE steps on the straight line to a cell. */
function walkTo(goal, player) {
  const line = hexLine([player.row, player.col], [goal.row, goal.col], GRID);
  const [row, col] = line[Math.min(PACE, line.length - 1)];
  Object.assign(player, { row, col });
}

function lineOf({ frame, player: { row, col }, window, added, milliseconds }) {
  const place = `${window.terrainAt(row, col).name} at ${row}, ${col}`;
  const regions = added === 1 ? "1 new region" : `${added} new regions`;
  return `frame ${String(frame).padStart(3)}  ${place.padEnd(24)} ${regions.padEnd(14)} ${milliseconds.toFixed(1)} ms`;
}

/** Draws the cells around the player. */
function drawn(window, player, isColored) {
  const placeOf = ({ row, col }) => `${Math.floor((row - player.row) / ZOOM)},${Math.floor((col - player.col) / ZOOM)}`;
  const marks = new Map(Array.from(window.placements, (one) => [placeOf(one), one.kind[0].toUpperCase()]));
  marks.set("0,0", "@");
  let text = "\n";
  for (let y = -SCREEN.rows / 2; y < SCREEN.rows / 2; y++) {
    for (let x = -SCREEN.cols / 2; x < SCREEN.cols / 2; x++) {
      const cell = [player.row + ZOOM * y, player.col + ZOOM * x];
      const { name, color } = window.terrainAt(...cell);
      const mark = marks.get(`${y},${x}`);
      text += isColored ? `\x1b[48;2;${color.join(";")}m\x1b[97m${mark ?? " "}` : (mark ?? GLYPHS[name]);
    }
    text += isColored ? "\x1b[0m\n" : "\n";
  }
  return `${text}\nV village   O ore   L lair   A armory   H hoard   @ player\n`;
}

await runProgram(main);
