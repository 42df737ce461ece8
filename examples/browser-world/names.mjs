// The names of places. The page writes them over the tiles, so that no name ends where its tile ends.

import { middleOf } from "./tiles.mjs";

const INKS = { atlas: ["#3d342e", "#faf5e6"], parchment: ["#4b3119", "#f3e4c0"], night: ["#f4e7c1", "#070b18"] };
const FONTS = { 1: "13px Georgia, serif", 2: "bold 17px Georgia, serif" };
const LINE = 18;
/** Pixels from the middle of a mark to the middle of the name below it. */
const BELOW = 18;

/** Writes names. One that would overlap a larger one, or one of the same size further north, is left out. */
export function drawNames(context, names, { x, y, scale, theme }) {
  const [ink, halo] = INKS[theme];
  // from far away, there is room for large names only
  const placed = names.filter(({ size }) => size > 1 || scale > 0);
  for (const name of placed) {
    context.font = FONTS[name.size];
    name.width ??= context.measureText(name.text).width;
  }
  Object.assign(context, { textAlign: "center", textBaseline: "middle", lineWidth: 3, lineJoin: "round" });
  for (const name of placed) {
    if (placed.some((other) => comesBefore(other, name) && overlaps(other, name, scale))) continue;
    const [left, top] = middleOf(name, scale);
    Object.assign(context, { font: FONTS[name.size], strokeStyle: halo, fillStyle: ink });
    context.strokeText(name.text, left - x, top - y + BELOW);
    context.fillText(name.text, left - x, top - y + BELOW);
  }
}

function comesBefore(a, b) {
  return (b.size - a.size || a.row - b.row || a.col - b.col) < 0;
}

function overlaps(a, b, scale) {
  const [[ax, ay], [bx, by]] = [middleOf(a, scale), middleOf(b, scale)];
  return Math.abs(ay - by) < LINE && Math.abs(ax - bx) < (a.width + b.width) / 2;
}
