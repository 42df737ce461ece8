import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, parse } from "node:path";
import { writeWhole } from "../../files/index.js";
import { failToWrite } from "../../files/problem.js";
import { newTemporary, TEMPORARY, whileTemporary } from "../../files/temporaries.js";
import { pmtilesChunks, pmtilesId, tileViewer } from "../../formats/index.js";
import { byteCache } from "../tasks/byteCache.js";
import type { MakePieces } from "./pieces.js";
import type { ExportSource, WriteOptions } from "./source.js";
import { type TileMap, tileMap } from "./tileMap.js";
import { makeTiles, type TilePicture, viewOf } from "./tiles.js";

/** Equal tiles are stored once if at most this number of other pictures are made between them. */
const KNOWN_PICTURES = 2 ** 19;

/**
 * Writes all tiles into one file, and its page beside it: `map-viewer.html` for `map.pmtiles`. The tiles are made in
 * another order than the file needs, so their pictures wait in a temporary file.
 */
export async function writePmtiles(
  source: ExportSource,
  file: string,
  call: WriteOptions,
  make: MakePieces,
): Promise<void> {
  const map = tileMap(source, call);
  const view = viewOf(source, map);
  const page = tileViewer({ ...view, archive: encodeURIComponent(basename(file)) });
  await writeWhole(join(dirname(file), `${parse(file).name}-viewer.html`), page);
  const path = newTemporary(dirname(file), TEMPORARY);
  await whileTemporary(path, async () => {
    const spool = pictureSpool(path);
    try {
      const [ids, pictures]: [number[], number[]] = [[], []];
      const keep = async ({ z, x, y, png }: TilePicture) => {
        if (!png) return;
        ids.push(pmtilesId(z, x, y));
        pictures.push(spool.add(png));
      };
      await makeTiles({ source }, keep, call, make);
      const archive = {
        rows: view.rows,
        cols: view.cols,
        ids: Float64Array.from(ids),
        pictures: Uint32Array.from(pictures),
        bytes: Uint32Array.from(spool.bytes),
        attributes: attributesOf(source, map),
      };
      await writeWhole(file, pmtilesChunks(archive, spool.read));
    } finally {
      spool.close();
    }
  });
}

/** Keeps pictures in a file. Recognises pictures that it has already by their SHA-256. */
function pictureSpool(path: string) {
  const bytes: number[] = [];
  const offsets: number[] = [];
  let end = 0;
  const known = byteCache<number>(KNOWN_PICTURES, () => 1);
  const descriptor = orFail(() => openSync(path, "wx+"));

  function orFail<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      return failToWrite(path, cause);
    }
  }

  return {
    bytes,
    /** Returns the index of the picture. */
    add(png: Uint8Array): number {
      return known(createHash("sha256").update(png).digest("base64"), () => {
        orFail(() => writeFileSync(descriptor, png));
        offsets.push(end);
        end += png.length;
        return bytes.push(png.length) - 1;
      });
    },
    read(picture: number): Uint8Array {
      const png = new Uint8Array(bytes[picture]);
      orFail(() => readSync(descriptor, png, 0, png.length, offsets[picture]));
      return png;
    },
    close(): void {
      closeSync(descriptor);
      rmSync(path, { force: true });
    },
  };
}

/** Returns what the metadata of the file has: where the map is, how it was made, and its legend. */
function attributesOf({ job, result }: ExportSource, { window, coordinates, legend }: TileMap) {
  const { name, seed } = job.manifest;
  const entries = legend.map(({ name, color }) => ({ name, color: [...color] }));
  return { name, seed, digest: result.digest, coordinates, ...window, legend: entries };
}
