// The script of a page that shows tiles, and of a report, whose only tile is its picture.

import { MapCanvas } from "./mapCanvas.js";
import { fetched, openPmtiles } from "./pmtiles.js";
import { type ShownTiles, type TileAddress, tiles } from "./tiles.js";

/** A page of tiles defines it before this script. The tiles are in the file `archive`, or in the files `path`. */
declare const map: ShownTiles & { readonly path: string; readonly archive?: string };

function tilesIn(path: string): TileAddress {
  return async (z, x, y) => path.replace("{z}", `${z}`).replace("{x}", `${x}`).replace("{y}", `${y}`);
}

function archived(archive: string): TileAddress {
  // a page on a disk may not load the file
  const opened = openPmtiles(fetched(archive)).catch(() => chosen(archive));
  return async (...tile) => (await opened)(...tile);
}

/** Asks for the file until it gets one. */
async function chosen(archive: string): Promise<TileAddress> {
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { type: "file" });
  label.append(`Choose the file ${archive}: `, input);
  document.body.append(label);
  await new Promise((done) => input.addEventListener("change", done));
  label.remove();
  const [file] = input.files ?? [];
  return openPmtiles(async (from, length) => file.slice(from, from + length)).catch(() => chosen(archive));
}

const box = document.querySelector(".map") as HTMLElement;
const picture = box.querySelector("img");
if (picture === null) {
  const cell = document.querySelector("#cell") as HTMLElement;
  const addressOf = map.archive === undefined ? tilesIn(map.path) : archived(map.archive);
  new MapCanvas(
    box,
    document.title,
    tiles(map, addressOf, (text) => cell.replaceChildren(text)),
  );
  // the keys work at once, unless the page is a part of another one
  if (parent === window) box.querySelector("canvas")?.focus();
} else {
  picture.decode().then(() => {
    const { naturalWidth: width, naturalHeight: height } = picture;
    const load = async () => ({ picture, x: 0, y: 0, width, height });
    const limits = { mostScale: 64, mostLoading: 1 };
    box.style.aspectRatio = `${width / height}`;
    new MapCanvas(box, picture.alt, { size: { width, height }, ...limits, piecesIn: () => [[0]], load });
  });
}
